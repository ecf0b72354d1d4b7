"""Searches for problems of any kind, and TAG.  Knows no Go; nothing is compiled on import.

Reading order: problem (what a user writes), budget (what every search takes and returns), then
one file a search: depth_first, flat, tree_search, nesting, dynamic; bandits; graph, tag, study,
optimising.  Names are imported when they are used: the command line must not wait for NumPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.planning.bandits import (
        BANDITS as BANDITS,
    )
    from montego.planning.bandits import (
        EpsilonGreedy as EpsilonGreedy,
    )
    from montego.planning.bandits import (
        Rave as Rave,
    )
    from montego.planning.bandits import (
        Thompson as Thompson,
    )
    from montego.planning.bandits import (
        ThresholdAscent as ThresholdAscent,
    )
    from montego.planning.bandits import (
        Ucb1 as Ucb1,
    )
    from montego.planning.bandits import (
        UcbAlpha as UcbAlpha,
    )
    from montego.planning.bandits import (
        UcbTuned as UcbTuned,
    )
    from montego.planning.bandits import (
        Uniform as Uniform,
    )
    from montego.planning.budget import (
        Found as Found,
    )
    from montego.planning.budget import (
        Progress as Progress,
    )
    from montego.planning.depth_first import (
        alpha_beta as alpha_beta,
    )
    from montego.planning.depth_first import (
        minimax as minimax,
    )
    from montego.planning.dynamic import (
        Derived as Derived,
    )
    from montego.planning.dynamic import (
        Path as Path,
    )
    from montego.planning.dynamic import (
        Solution as Solution,
    )
    from montego.planning.dynamic import (
        derive as derive,
    )
    from montego.planning.dynamic import (
        shortest_path as shortest_path,
    )
    from montego.planning.dynamic import (
        solve as solve,
    )
    from montego.planning.dynamic import (
        value_iteration as value_iteration,
    )
    from montego.planning.errors import (
        CycleError as CycleError,
    )
    from montego.planning.errors import (
        PlanningError as PlanningError,
    )
    from montego.planning.errors import (
        ProblemError as ProblemError,
    )
    from montego.planning.errors import (
        SubstructureError as SubstructureError,
    )
    from montego.planning.flat import (
        Estimate as Estimate,
    )
    from montego.planning.flat import (
        estimate as estimate,
    )
    from montego.planning.flat import (
        flat_monte_carlo as flat_monte_carlo,
    )
    from montego.planning.graph import (
        Grammar as Grammar,
    )
    from montego.planning.graph import (
        Graph as Graph,
    )
    from montego.planning.nesting import (
        nested as nested,
    )
    from montego.planning.nesting import (
        nrpa as nrpa,
    )
    from montego.planning.optimising import (
        optimise as optimise,
    )
    from montego.planning.problem import (
        Chance as Chance,
    )
    from montego.planning.problem import (
        Problem as Problem,
    )
    from montego.planning.problem import (
        Sampled as Sampled,
    )
    from montego.planning.study import (
        Study as Study,
    )
    from montego.planning.tag import (
        Tag as Tag,
    )
    from montego.planning.tag import (
        Trial as Trial,
    )
    from montego.planning.tree_search import (
        Widening as Widening,
    )
    from montego.planning.tree_search import (
        mcts as mcts,
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
    "PlanningError": "errors",
    "ProblemError": "errors",
    "SubstructureError": "errors",
    "Estimate": "flat",
    "estimate": "flat",
    "flat_monte_carlo": "flat",
    "Grammar": "graph",
    "Graph": "graph",
    "nested": "nesting",
    "nrpa": "nesting",
    "optimise": "optimising",
    "Chance": "problem",
    "Problem": "problem",
    "Sampled": "problem",
    "Study": "study",
    "Tag": "tag",
    "Trial": "tag",
    "Widening": "tree_search",
    "mcts": "tree_search",
}
"""Where names come from."""

__all__ = [*_LAZY]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
