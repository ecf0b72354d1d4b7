"""Searches for problems of any kind, and TAG.  Knows no Go; nothing is compiled on import.

Reading order: errors, checks, problem (what a user writes), budget (what every search takes and
returns), bandits; then one file a search: depth_first, flat, search_tree and tree_search,
nested_search, policy_adaptation, compiled_adaptation and compiled (problems made of kernels);
graph, dynamic; trials, subgraph, tag, figures, study, workers, optimiser.  Names are imported when
they are used: the command line must not wait for NumPy.
"""

from typing import TYPE_CHECKING

from montego.kernels.compiler.first_use import lazy_names

if TYPE_CHECKING:
    from montego.planning.bandits import (
        BANDITS as BANDITS,
        EpsilonGreedy as EpsilonGreedy,
        Rave as Rave,
        Thompson as Thompson,
        ThresholdAscent as ThresholdAscent,
        Ucb1 as Ucb1,
        UcbAlpha as UcbAlpha,
        UcbTuned as UcbTuned,
        Uniform as Uniform,
    )
    from montego.planning.budget import (
        Found as Found,
        Progress as Progress,
    )
    from montego.planning.depth_first import (
        alpha_beta as alpha_beta,
        minimax as minimax,
    )
    from montego.planning.dynamic import (
        Derived as Derived,
        Path as Path,
        Solution as Solution,
        derive as derive,
        shortest_path as shortest_path,
        solve as solve,
        value_iteration as value_iteration,
    )
    from montego.planning.errors import (
        CycleError as CycleError,
        KernelError as KernelError,
        ObjectiveError as ObjectiveError,
        PlanningError as PlanningError,
        ProblemError as ProblemError,
        SubstructureError as SubstructureError,
        WorkerDiedError as WorkerDiedError,
    )
    from montego.planning.flat import (
        Estimate as Estimate,
        estimate as estimate,
        flat_monte_carlo as flat_monte_carlo,
    )
    from montego.planning.graph import (
        Grammar as Grammar,
        Graph as Graph,
    )
    from montego.planning.nested_search import (
        nested as nested,
    )
    from montego.planning.optimiser import (
        optimise as optimise,
    )
    from montego.planning.policy_adaptation import (
        nrpa as nrpa,
    )
    from montego.planning.problem import (
        Chance as Chance,
        Problem as Problem,
        Sampled as Sampled,
    )
    from montego.planning.search_tree import (
        Widening as Widening,
    )
    from montego.planning.study import (
        Study as Study,
    )
    from montego.planning.tag import (
        THESIS as THESIS,
        Tag as Tag,
        TagSettings as TagSettings,
    )
    from montego.planning.tree_search import (
        mcts as mcts,
    )
    from montego.planning.trials import (
        Trial as Trial,
    )
    from montego.planning.workers import (
        Workers as Workers,
    )

_LAZY = {
    "BANDITS": "bandits",
    "EpsilonGreedy": "bandits",
    "Rave": "bandits",
    "Thompson": "bandits",
    "ThresholdAscent": "bandits",
    "Ucb1": "bandits",
    "UcbAlpha": "bandits",
    "UcbTuned": "bandits",
    "Uniform": "bandits",
    "Found": "budget",
    "Progress": "budget",
    "alpha_beta": "depth_first",
    "minimax": "depth_first",
    "Derived": "dynamic",
    "Path": "dynamic",
    "Solution": "dynamic",
    "derive": "dynamic",
    "shortest_path": "dynamic",
    "solve": "dynamic",
    "value_iteration": "dynamic",
    "CycleError": "errors",
    "KernelError": "errors",
    "ObjectiveError": "errors",
    "PlanningError": "errors",
    "ProblemError": "errors",
    "SubstructureError": "errors",
    "WorkerDiedError": "errors",
    "Estimate": "flat",
    "estimate": "flat",
    "flat_monte_carlo": "flat",
    "Grammar": "graph",
    "Graph": "graph",
    "nested": "nested_search",
    "optimise": "optimiser",
    "nrpa": "policy_adaptation",
    "Chance": "problem",
    "Problem": "problem",
    "Sampled": "problem",
    "Widening": "search_tree",
    "Study": "study",
    "THESIS": "tag",
    "Tag": "tag",
    "TagSettings": "tag",
    "mcts": "tree_search",
    "Trial": "trials",
    "Workers": "workers",
}
"""The module of each public name."""

__all__ = [*_LAZY]
__getattr__ = lazy_names(__name__, _LAZY)
