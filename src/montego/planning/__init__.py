"""Searches for problems of any kind, and TAG.  Knows no Go; nothing is compiled on import.

Reading order: problem (what a user writes), budget (what every search takes and returns), then
one file a search: minimax, flat, mcts, nested, dynamic; bandits; graph, tag, study, optimise.
"""

from montego.planning.bandits import (
    BANDITS,
    EpsilonGreedy,
    Rave,
    Thompson,
    ThresholdAscent,
    Ucb1,
    UcbAlpha,
    UcbTuned,
    Uniform,
)
from montego.planning.budget import Found, Progress
from montego.planning.dynamic import (
    Derived,
    Path,
    Solution,
    derive,
    shortest_path,
    solve,
    value_iteration,
)
from montego.planning.errors import CycleError, PlanningError, ProblemError, SubstructureError
from montego.planning.flat import Estimate, estimate, flat_monte_carlo
from montego.planning.graph import Grammar, Graph
from montego.planning.mcts import Widening, mcts
from montego.planning.minimax import alpha_beta, minimax
from montego.planning.nested import nested, nrpa
from montego.planning.optimise import optimise
from montego.planning.problem import Chance, Problem, Sampled
from montego.planning.study import Study
from montego.planning.tag import Tag, Trial

__all__ = [
    "BANDITS", "Chance", "CycleError", "Derived", "EpsilonGreedy", "Estimate", "Found", "Grammar",
    "Graph", "Path", "PlanningError", "Problem", "ProblemError", "Progress", "Rave", "Sampled",
    "Solution", "Study", "SubstructureError", "Tag", "Thompson", "ThresholdAscent", "Trial", "Ucb1",
    "UcbAlpha", "UcbTuned", "Uniform", "Widening", "alpha_beta", "derive", "estimate",
    "flat_monte_carlo", "mcts", "minimax", "nested", "nrpa", "optimise", "shortest_path", "solve",
    "value_iteration",
]  # fmt: skip
