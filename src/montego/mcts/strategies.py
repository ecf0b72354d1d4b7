"""The rules of a search as values: frozen dataclasses of numbers with a KIND.

What can be exchanged: how a child is selected, how many children are open, when a node
grows, how values are backed up, how threads share the tree, which move is played in the end;
and what is known about moves (node_knowledge.py).  Field names are those of the kernel's record
(see kernels/tree/strategy.py); rules.py has the names by which people ask for them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from montego.kernels.tree import strategy
from montego.mcts.ranges import Range, check_rule


@dataclass(frozen=True)
class Strategy:
    """One exchangeable part of a search."""

    KIND: ClassVar[int]
    SLOT: ClassVar[str]
    """The field of the record that takes the kind."""
    RANGES: ClassVar[dict[str, Range]] = {}
    """Of its numbers, where they are not those of mcts/ranges.py."""
    NEEDS: ClassVar[str] = ""
    """What it has to be told about moves: their H, or their Q."""
    GIVES: ClassVar[tuple[str, ...]] = ()
    """What it tells about moves."""

    def __post_init__(self) -> None:
        check_rule(self)

    def numbers(self) -> dict[str, Any]:
        """What this rule writes into the record."""
        return {self.SLOT: self.KIND} | {f.name: getattr(self, f.name) for f in fields(self)}


# --- selection -------------------------------------------------------------------------


class Selection(Strategy):
    """How the child to be simulated is chosen."""

    SLOT: ClassVar[str] = "selection"


@dataclass(frozen=True)
class Uct(Selection):
    """P1: v + C sqrt(ln n_p / n)."""

    KIND: ClassVar[int] = strategy.UCT
    c: float = 0.7
    first_play: float = 1000.0
    """Score of a child without visits: by default all are tried first."""


@dataclass(frozen=True)
class UctAlpha(Selection):
    """T5 (1.2): v + alpha sqrt(ln n_p / n)."""

    KIND: ClassVar[int] = strategy.ALPHA
    alpha: float = 0.7
    first_play: float = 1000.0


@dataclass(frozen=True)
class UctTuned(Selection):
    """UCB1-tuned (T5, by Auer et al.): exploration by the variance seen."""

    KIND: ClassVar[int] = strategy.TUNED
    c: float = 1.0
    first_play: float = 1000.0


@dataclass(frozen=True)
class ProgressiveBias(Selection):
    """P7: UCT + H / (n + 1), children without visits in the order of H."""

    KIND: ClassVar[int] = strategy.BIAS
    NEEDS: ClassVar[str] = "H"
    c: float = 0.7
    bias_scale: float = 1.0
    """What a unit of H is worth."""


@dataclass(frozen=True)
class PriorKnowledge(Selection):
    """P11: the mean begins with n_prior games of value Q.

    The paper prints no n_prior; 20 is ours, untuned.
    """

    KIND: ClassVar[int] = strategy.PRIOR
    NEEDS: ClassVar[str] = "Q"
    c: float = 0.7
    n_prior: float = 20.0


@dataclass(frozen=True)
class Rave(Selection):
    """T7: (1 - beta) x + beta R + alpha sqrt(ln n / n_j), rates in [0, 1]."""

    KIND: ClassVar[int] = strategy.RAVE
    c: float = 0.0
    """alpha; above 0, every move is tried before any for the second time."""
    rave_bias: float = 0.0003
    """c1 of (4.2)."""
    rave_decay: int = 0
    first_play: float = 0.5
    """x of a move that has not been tried; it counts while there is no RAVE either."""
    rave: bool = True


@dataclass(frozen=True)
class MogoRave(Selection):
    """T12: (1 - beta) x + beta R + (gamma + C / log(2 + n)) H, gamma = c2 / r, rates in [0, 1].

    The thesis prints no numbers; these are ours, by ``montego tune`` (results/tune-mogo).
    """

    KIND: ClassVar[int] = strategy.MOGO_RAVE
    c: float = 0.0
    rave_bias: float = 0.0024
    rave_decay: int = 0
    gamma: float = 7.2
    """c2 of (4.3)."""
    bias_c: float = 0.11
    """C of (4.1)."""
    bias_scale: float = 0.1
    less_gamma: bool = False
    """x has the weight 1 - beta - gamma, the other reading of the thesis."""
    first_play: float = 0.5
    rave: bool = True


@dataclass(frozen=True)
class MoveOrdering(Selection):
    """H4: an untried move has the value 1 + c h."""

    KIND: ClassVar[int] = strategy.ORDERED
    NEEDS: ClassVar[str] = "H"
    c: float = 0.7
    bias_scale: float = 0.01


@dataclass(frozen=True)
class RaveMixture(Selection):
    """(1 - beta) v + beta R, with prior games in v (Gelly and Silver 2007).

    The numbers are ours, tuned by ``montego tune`` (results/tune-9x9, tune-13x13).
    """

    KIND: ClassVar[int] = strategy.MIXED
    c: float = 0.0
    rave_bias: float = 0.003
    """c1 of (4.2): its inverse is the number of simulations that outweighs RAVE."""
    rave_decay: int = 3
    """How much more the first move of a playout counts for RAVE than the last."""
    puct: float = 0.0
    """Weight of H sqrt(n_p) / (n + 1), where H is a probability."""
    first_play: float = 0.2
    rave: bool = True


@dataclass(frozen=True)
class Puct(Selection):
    """v + c H sqrt(n_p) / (n + 1), H the probability of a move (Rosin 2011; Silver et al. 2016).

    The numbers are ours, untuned.
    """

    KIND: ClassVar[int] = strategy.PUCT
    NEEDS: ClassVar[str] = "H"
    puct: float = 1.5
    """c."""
    less_untried: float = 0.2
    """What an untried move is taken for: the value of its node, less this."""


@dataclass(frozen=True)
class Objective(Selection):
    """O4: draw in proportion to the chance of reaching the objective."""

    KIND: ClassVar[int] = strategy.OMC
    objective_shift: float = 0.0
    """Added to the opponent's objective, in the selection and in the backup (O5).

    Above 0 the opponent's best moves count for more, and play is more secure, as in the paper's
    example; below 0 it is more competitive.
    """


@dataclass(frozen=True)
class ProgressivePruning(Selection):
    """O2: sample equally, prune what is surely worse.

    The paper prints no A and no least number of visits; these are ours, untuned.
    """

    KIND: ClassVar[int] = strategy.PRUNING
    confidence: float = 2.0
    """A: the half width of the interval, in deviations of the mean."""
    enough_to_prune: float = 32.0
    """Visits before the interval of a move is trusted."""


@dataclass(frozen=True)
class Annealing(Selection):
    """O3: keep a worse move with probability e^(-difference / T).

    The paper says that the schedule has to be found; this one is ours, untuned.
    """

    KIND: ClassVar[int] = strategy.ANNEALING
    temperature: float = 0.5
    cooling: float = 5000.0
    """Visits of a node in which the temperature falls by a factor e."""


@dataclass(frozen=True)
class AmafAnnealing(Annealing):
    """O3 as Brügmann had it: moves are ordered by their value as all moves are first.

    A move's value is the mean of all games in which its player made it at any time.  The paper
    does not say how his order is disturbed; here as in its own annealing, by e^(-difference / T):
    the colder it is, the more strictly moves are tried in this order.
    """

    rave: bool = True


# --- how many children are open --------------------------------------------------------


class AllOpen(Strategy):
    """Every child may be selected."""

    SLOT: ClassVar[str] = "unpruning"
    KIND: ClassVar[int] = 0


@dataclass(frozen=True)
class Unpruning(Strategy):
    """P8: k children are open once n_p > A B^(k - k_init)."""

    SLOT: ClassVar[str] = "unpruning"
    KIND: ClassVar[int] = 1
    NEEDS: ClassVar[str] = "H"
    k_init: int = 5
    unprune_a: float = 50.0
    unprune_b: float = 1.3


# --- growing ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Threshold(Strategy):
    """P2, P3: one node a game; below T visits the simulation strategy chooses."""

    SLOT: ClassVar[str] = "threshold"
    KIND: ClassVar[int] = 0
    threshold: int = 30

    def numbers(self) -> dict[str, Any]:
        return {"threshold": self.threshold, "expand_at": self.threshold}


@dataclass(frozen=True)
class AfterVisits(Strategy):
    """A leaf gets all its children at its n-th visit (8 in michi)."""

    SLOT: ClassVar[str] = "threshold"
    KIND: ClassVar[int] = 0
    expand_at: int = 8


# --- backup ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Average(Strategy):
    """P5: the mean of all results."""

    SLOT: ClassVar[str] = "backup"
    KIND: ClassVar[int] = strategy.AVERAGE
    by_score: bool = False
    """Results from scores instead of wins (O1)."""


@dataclass(frozen=True)
class ObjectiveBackup(Strategy):
    """O5: sum U V N / sum U N, from the average to minimax; U by the objective of Objective."""

    SLOT: ClassVar[str] = "backup"
    KIND: ClassVar[int] = strategy.OMC_BACKUP
    by_score: bool = True


@dataclass(frozen=True)
class Minimax(Strategy):
    """The value of the best child."""

    SLOT: ClassVar[str] = "backup"
    KIND: ClassVar[int] = strategy.MINIMAX
    by_score: bool = True


# --- threads (T21) ---------------------------------------------------------------------


class NoLocks(Strategy):
    """Nobody waits: counts that decide are added atomically."""

    SLOT: ClassVar[str] = "locks"
    KIND: ClassVar[int] = strategy.NO_LOCKS


class GlobalLock(Strategy):
    """One lock: a thread has the tree for itself, except while it plays out."""

    SLOT: ClassVar[str] = "locks"
    KIND: ClassVar[int] = strategy.GLOBAL_LOCK


class NodeLocks(Strategy):
    """A lock for every node: a thread has the children of one node for itself."""

    SLOT: ClassVar[str] = "locks"
    KIND: ClassVar[int] = strategy.NODE_LOCKS


# --- the final move (P6) ---------------------------------------------------------------


@dataclass(frozen=True)
class Final:
    """Which move of the root is played: the one with the largest key."""

    RANGES: ClassVar[dict[str, Range]] = {}

    def __post_init__(self) -> None:
        check_rule(self)

    def key(self, visits: int, value: float) -> tuple[float, ...]:
        """What a move of so many visits and of this value is compared by."""
        return (visits, value)


class Robust(Final):
    """The most visited."""


class Max(Final):
    """The best valued."""

    def key(self, visits: int, value: float) -> tuple[float, ...]:
        return (value, visits)


@dataclass(frozen=True)
class RobustMax(Final):
    """Goes on until one move is the most visited and the best valued.

    The paper sets no bound; we do, for there may never be such a move.
    """

    extension: float = 0.5
    """At most for this part of the simulations or seconds more; under a clock, for what it
    allows.  Where seconds are the limit, so much of them is kept for it."""


@dataclass(frozen=True)
class Secure(Final):
    """The best lower bound v - A / sqrt(n); the paper prints a plus and says *lower*."""

    a: float = 4.0

    def key(self, visits: int, value: float) -> tuple[float, ...]:
        return (value - self.a / visits**0.5, visits)
