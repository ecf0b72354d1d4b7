"""TAG: threshold ascent applied to graph (T40, chapter 5 of the thesis).

TAG looks for the best sink of a large directed acyclic graph and grows a subgraph of it from the
root.  It descends by a max-k-armed bandit at every vertex until it takes a new edge, evaluates a
new vertex by a random path to a sink, and backs the reward up to the vertex and all its ancestors
in the subgraph.  A new edge to a known vertex (a transposition) needs no evaluation: the rewards
below it are passed to those ancestors that did not have them yet.

The rewards of a vertex are therefore those of the trials that began at it or below it, each once.
A vertex stores their number and the s best, so memory is linear in the vertices.  (The thesis'
pseudocode passes all of R(v) to every new ancestor; one that already had a part of it by another
path would count this part twice.  We leave that part out.)

If the objective is deterministic, no sink is evaluated twice, and a branch whose sinks have all
been evaluated is closed.  Several trials may be pending at once: each counts as a pull without a
reward until it is told.

Beyond the thesis, the bandit's α is the same at every vertex.  (With the thesis' α = ln(2nK/δ), a δ
that lets the root explore enough makes vertices with few trials nearly greedy, and vice versa.)
And random paths can learn from an elite, the best trials so far: at the same depth, with the same
number of edges, an edge is likelier the more of them took the one at its index.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from montego.planning.bandits import threshold_ascent
from montego.planning.checks import not_negative, positive, real, whole
from montego.planning.errors import CycleError, PlanningError, ProblemError, named
from montego.planning.graph import graph_of
from montego.planning.subgraph import KnownVertex, Subgraph
from montego.planning.trials import Choice, Elite, Trial

CYCLE_CHECK_LENGTH, LONGEST_PATH = 1_000, 100_000
"""Vertices after which a random path is checked for cycles, again and again; and its limit."""


@dataclass(frozen=True)
class TagSettings:
    """How much TAG explores; for hundreds or a few thousands of evaluations by default.

    See docs/planning-contest.md for comparisons.
    """

    s: int = 10
    """Bandits count how many of the s best rewards an edge gave; a larger s explores more."""
    alpha: float = 0.3
    """The exploration constant of the bandits; a larger one explores more."""
    delta: float | None = None
    """The thesis' δ: if given, α = ln(2nK/δ) instead of ``alpha``."""
    elite: int = 10
    """How many of the best trials random paths learn from; 0 for none."""

    def __post_init__(self) -> None:
        whole("s", self.s)
        whole("elite", self.elite, 0)
        not_negative("alpha", self.alpha)
        if self.delta is not None:
            positive("delta", self.delta)


DEFAULT_SETTINGS = TagSettings()
THESIS = TagSettings(s=30, delta=0.1, elite=0)
"""The settings of the thesis: they explore more, and random paths do not learn."""


Log = Callable[[str, Any, Any, int | None], None]
"""Called with everything that changes the subgraph: kind, tail, head, number of a trial."""


class Tag:
    """Asks for sinks to be evaluated and is told their values."""

    def __init__(
        self,
        graph: Any,
        *,
        minimise: bool = False,
        deterministic: bool = True,
        seed: int = 0,
        settings: TagSettings = DEFAULT_SETTINGS,
    ) -> None:
        if not isinstance(settings, TagSettings):
            raise PlanningError(f"settings are TagSettings, not {settings!r}")
        self.minimise, self.deterministic = minimise, deterministic
        self.settings = settings
        self.elite = Elite(settings.elite)
        self.rng = Random(seed)
        self.trials: list[Trial] = []
        self.best_trial: Trial | None = None
        self.waiting: list[Trial] = []
        """Trials to be asked for again: they were interrupted before they had a value."""
        self.log: Log = lambda kind, tail, head, number: None
        self.check_budget: Callable[[], None] = lambda: None
        """Called on every step of a random path; raises to end the search."""
        self.subgraph = Subgraph(graph_of(graph), settings.s)

    # --- what users call ---------------------------------------------------------------

    def ask(self) -> Trial | None:
        """A sink to evaluate; None if none is left."""
        if self.waiting:
            return self.waiting.pop(0)
        while not self.is_exhausted:
            self.check_budget()
            trial = self._descend()
            if trial is not None:
                return trial
        return None

    def tell(self, trial: Trial, value: float, seconds: float | None = None) -> None:
        """The value of a sink that was asked for."""
        self._check_pending(trial)
        number = real(value)
        if number is None or math.isnan(number):
            raise PlanningError(f"the objective of {named(trial.sink)} is not a number")
        value = float(number)
        trial.outcome, trial.value, trial.seconds = "done", value, seconds
        trial.reward = -value if self.minimise else value
        for vertex in self.subgraph.ancestors(self.subgraph.vertices[trial.origin]):
            self.subgraph.keep(vertex, trial.reward)
        best = self.best_trial
        if best is None or best.reward is None or trial.reward > best.reward:
            self.best_trial = trial
        if trial.path:
            self.elite.add(trial)
        self.log("told", None, None, trial.number)

    def fail(
        self, trial: Trial, message: str, *, timeout: bool = False, seconds: float | None = None
    ) -> None:
        """A sink without a value; it counts as a pull without a reward."""
        self._check_pending(trial)
        trial.outcome = "timeout" if timeout else "failed"
        trial.message, trial.seconds, trial.path = message, seconds, ()
        self.log("told", None, None, trial.number)

    def put_back(self, trial: Trial) -> None:
        """A trial that was not evaluated after all; it will be asked for again."""
        self._check_pending(trial)
        self.waiting.append(trial)

    def best(self) -> Any:
        """The best sink so far."""
        return None if self.best_trial is None else self.best_trial.sink

    @property
    def is_exhausted(self) -> bool:
        """Whether every sink has been asked for."""
        return self.subgraph.root.is_closed

    def _check_pending(self, trial: Trial) -> None:
        if trial.number >= len(self.trials) or self.trials[trial.number] is not trial:
            raise PlanningError(f"trial {trial.number} does not belong to this search")
        if trial.outcome != "pending":
            raise PlanningError(f"trial {trial.number} has been told already")

    # --- descend -----------------------------------------------------------------------

    def _descend(self) -> Trial | None:
        """One descent: a trial, or None if it only added an edge or closed a vertex."""
        vertex, closed = self.subgraph.root, self.subgraph.closed
        if vertex.is_sink:
            return self._sink_again(vertex, ())
        path: list[Choice] = []
        while True:
            if vertex.untried and self.deterministic:
                vertex.untried = [name for name in vertex.untried if name not in closed]
            if vertex.untried:
                return self._new_edge(vertex, path)
            if any(arm.is_closed for arm in vertex.arms):
                vertex.arms = [arm for arm in vertex.arms if not arm.is_closed]
            if not vertex.arms:
                return self._close(vertex.name)
            tail, vertex = vertex, self._bandit(vertex)
            path.append((len(tail.index), tail.index[vertex.name]))
            if vertex.is_sink:
                return self._sink_again(vertex, tuple(path))

    def _bandit(self, vertex: KnownVertex) -> KnownVertex:
        """Threshold ascent: argmax h(s_i, n_i)."""
        arms = vertex.arms
        if len(arms) == 1:
            return arms[0]
        threshold = vertex.best[0] if len(vertex.best) >= self.settings.s else -math.inf
        alpha = self._alpha(vertex.n, len(arms))
        chosen, most = arms[0], -1.0
        for arm in arms:
            s_i = len(arm.best) - bisect_left(arm.best, threshold)
            h = threshold_ascent(s_i, arm.n, alpha)
            if h > most:
                chosen, most = arm, h
        return chosen

    def _alpha(self, n: int, arms: int) -> float:
        """The exploration constant: the same everywhere, or α = ln(2nK/δ) as in the thesis."""
        if self.settings.delta is None:
            return self.settings.alpha
        return max(0.0, math.log(2 * n * arms / self.settings.delta))

    def _sink_again(self, vertex: KnownVertex, path: tuple[Choice, ...]) -> Trial | None:
        """A sink of the subgraph: evaluated again only if the objective is noisy."""
        if self.deterministic and (vertex.trials or vertex.name in self.subgraph.closed):
            return self._close(vertex.name)
        return self._new_trial(vertex, vertex.name, path, None)

    def _new_edge(self, vertex: KnownVertex, path: list[Choice]) -> Trial | None:
        """Follow an untried edge."""
        head = vertex.untried[int(self.rng.random() * len(vertex.untried))]
        known = self.subgraph.vertices.get(head)
        if known is not None:
            self.subgraph.connect(vertex, known)
            self.log("edge", vertex.name, head, None)
            return None
        path.append((len(vertex.index), vertex.index[head]))
        found = self._random_path(head, path)
        if found is None:
            return None
        known = self.subgraph.add(head)
        self.subgraph.connect(vertex, known)
        return self._new_trial(known, *found, vertex)

    # --- evaluate ----------------------------------------------------------------------

    def _random_path(
        self, start: Hashable, path: list[Choice]
    ) -> tuple[Hashable, tuple[Choice, ...]] | None:
        """A random path to a sink that is not closed, and the sink; None if there is none."""
        names, depth = [start], len(path)
        while True:
            successors = self.subgraph.successors(names[-1])
            if not successors:
                return names[-1], tuple(path)
            self.check_budget()
            candidates: Sequence[int] = range(len(successors))
            if self.deterministic:
                candidates = [i for i in candidates if successors[i] not in self.subgraph.closed]
                if not candidates:
                    self._close(names.pop())
                    if len(path) == depth:
                        return None
                    path.pop()
                    continue
            index = self.elite.draw(self.rng, len(path), len(successors), candidates)
            path.append((len(successors), index))
            names.append(successors[index])
            if len(names) % CYCLE_CHECK_LENGTH == 0 and len(names) > len(set(names)):
                raise CycleError("a cycle: the vertex leads back to itself", names[-1])
            if len(names) > LONGEST_PATH:
                raise ProblemError(f"no sink after {LONGEST_PATH:,} edges from", start)

    def _new_trial(
        self,
        origin: KnownVertex,
        sink: Hashable,
        path: tuple[Choice, ...],
        tail: KnownVertex | None,
    ) -> Trial:
        trial = Trial(len(self.trials), sink, origin.name, path=path if self.elite.size else ())
        self.attach(trial, origin)
        self.log("trial", None if tail is None else tail.name, origin.name, trial.number)
        return trial

    def attach(self, trial: Trial, origin: KnownVertex) -> None:
        """Add a trial to the vertex where it begins, and count it as a pull."""
        self.trials.append(trial)
        origin.trials.append(trial)
        for vertex in self.subgraph.ancestors(origin):
            vertex.n += 1
        if self.deterministic:
            self.subgraph.close(trial.sink)

    def _close(self, name: Hashable) -> Trial | None:
        """No sink is left below a vertex: close it and return no trial."""
        self.subgraph.close(name)
        self.log("closed", None, name, None)
        return None
