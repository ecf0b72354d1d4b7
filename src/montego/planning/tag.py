"""TAG: threshold ascent applied to graph (T40, chapter 5 of the thesis).

Wanted is the best sink of a large directed acyclic graph.  TAG grows a subgraph of it from the
root.  It descends by a max-k-armed bandit at every vertex; ends where it takes an arrow that is
new; evaluates a new vertex by a random way to a sink; and gives the reward to the vertex and to all
its ancestors in the subgraph.  A new arrow to a known vertex needs no evaluation: what is known
below it is passed to those ancestors that did not have it yet.

The rewards of a vertex are therefore those of the trials that began at it or below it, each once.
Kept of them are their number and the s best, so memory is linear in the vertices.  (The thesis'
pseudocode passes all of R(v) to every new ancestor; one that already had a part of it by another
way would count this part twice.  We leave that part out.)

If the objective is deterministic no sink is evaluated twice, and a branch whose sinks have all been
evaluated is closed.  Several trials may be out at once: one that is out counts as a pull without a
reward until it is told.

Beyond the thesis, the bandit's α is the same at every vertex (with the thesis' α = ln(2nK/δ) a δ
that lets the root explore enough makes vertices with few trials all but greedy, and the other way
round).  And random ways can learn from an elite, the best trials so far: at the same depth,
among as many arrows, the arrow of the same place is likelier the more of them took it.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Callable, Hashable, Iterable, Sequence
from random import Random
from typing import Any

from montego.planning.bandits import threshold_ascent
from montego.planning.checking import positive, real, whole
from montego.planning.errors import CycleError, PlanningError, ProblemError, named
from montego.planning.graph import graph_of, vertices_of
from montego.planning.trials import Elite, Trial, Way

SUSPICIOUS_LENGTH, LONGEST_WAY = 1_000, 100_000
"""A random way is searched for cycles whenever it has grown by so many; and has an end."""
S, ALPHA, ELITE = 10, 0.3, 10
"""For hundreds or a few thousands of evaluations, see docs/planning-contest.md."""
THESIS: dict[str, Any] = {"s": 30, "delta": 0.1, "elite": 0}
"""The settings of the thesis: slower to trust what has been seen, and ways that do not learn."""


class Known:
    """A vertex of the subgraph."""

    __slots__ = (
        "arms", "best", "fresh", "heads", "is_closed", "is_sink", "n", "name", "parents", "places",
        "trials",
    )  # fmt: skip

    def __init__(self, name: Hashable, successors: Sequence[Hashable]) -> None:
        self.name = name
        self.is_sink = not successors
        self.fresh = list(successors)
        """Where arrows lead that have not been taken."""
        self.places = {successor: place for place, successor in enumerate(successors)}
        self.heads: list[Known] = []
        """Where arrows of the subgraph lead."""
        self.arms: list[Known] = []
        """Those of them that are not closed."""
        self.parents: list[Known] = []
        self.n = 0
        """Trials at it and below it."""
        self.best: list[float] = []
        """The s best of their rewards, rising."""
        self.trials: list[Trial] = []
        """Those that began here."""
        self.is_closed = False


Log = Callable[[str, Any, Any, int | None], None]
"""Told of everything that changes the subgraph: kind, tail, head, number of a trial."""


class Tag:
    """Asks for sinks to be evaluated and is told their values."""

    def __init__(
        self,
        graph: Any,
        *,
        minimise: bool = False,
        deterministic: bool = True,
        seed: int = 0,
        s: int = S,
        alpha: float = ALPHA,
        delta: float | None = None,
        elite: int = ELITE,
    ) -> None:
        whole("s", s)
        whole("elite", elite, 0)
        if (number := real(alpha)) is None or not 0 <= number < math.inf:
            raise PlanningError(f"alpha is not negative: a number, not {alpha!r}")
        if delta is not None:
            positive("delta", delta)
        self.graph = graph_of(graph)
        self.minimise, self.deterministic = minimise, deterministic
        self.s, self.alpha, self.delta = s, alpha, delta
        self.elite = Elite(elite)
        self.dice = Random(seed)
        self.trials: list[Trial] = []
        self.best_trial: Trial | None = None
        self.vertices: dict[Hashable, Known] = {}
        self.closed: set[Hashable] = set()
        """Vertices all of whose sinks have been handed out; of the whole graph."""
        self.waiting: list[Trial] = []
        """Handed out before the search was interrupted, and never told."""
        self.log: Log = lambda kind, tail, head, number: None
        self.look: Callable[[], None] = lambda: None
        """Called on every step of a random way; raises whatever ends it."""
        self.arrows = 0
        self.root = self.add(self.graph.root)

    # --- what users call ---------------------------------------------------------------

    def ask(self) -> Trial | None:
        """A sink to evaluate; None if none is left."""
        if self.waiting:
            return self.waiting.pop(0)
        while not self.root.is_closed:
            self.look()
            trial = self._try()
            if trial is not None:
                return trial
        return None

    def tell(self, trial: Trial, value: float, seconds: float | None = None) -> None:
        """The value of a sink that was asked for."""
        self._check_out(trial)
        number = real(value)
        if number is None or math.isnan(number):
            raise PlanningError(f"the objective of {named(trial.sink)} is not a number")
        value = float(number)
        trial.outcome, trial.value, trial.seconds = "done", value, seconds
        trial.reward = -value if self.minimise else value
        for vertex in self._above(self.vertices[trial.origin]):
            self._keep(vertex, trial.reward)
        best = self.best_trial
        if best is None or best.reward is None or trial.reward > best.reward:
            self.best_trial = trial
        if trial.way:
            self.elite.add(trial)
        self.log("told", None, None, trial.number)

    def fail(
        self, trial: Trial, message: str, *, timeout: bool = False, seconds: float | None = None
    ) -> None:
        """A sink without a value: an outcome too, a pull that brought nothing."""
        self._check_out(trial)
        trial.outcome = "timeout" if timeout else "failed"
        trial.message, trial.seconds, trial.way = message, seconds, ()
        self.log("told", None, None, trial.number)

    def put_back(self, trial: Trial) -> None:
        """A trial that was not evaluated after all; it will be asked for again."""
        self._check_out(trial)
        self.waiting.append(trial)

    def best(self) -> Any:
        """The best sink so far."""
        return None if self.best_trial is None else self.best_trial.sink

    @property
    def is_exhausted(self) -> bool:
        """Whether every sink has been handed out."""
        return self.root.is_closed

    def _check_out(self, trial: Trial) -> None:
        if trial.number >= len(self.trials) or self.trials[trial.number] is not trial:
            raise PlanningError(f"trial {trial.number} does not belong to this search")
        if trial.outcome != "out":
            raise PlanningError(f"trial {trial.number} has been told already")

    # --- descend -----------------------------------------------------------------------

    def _try(self) -> Trial | None:
        """One descent: a trial, or None if it only taught us an arrow or closed a vertex."""
        vertex = self.root
        if vertex.is_sink:
            return self._sink_again(vertex, ())
        way: list[tuple[int, int]] = []
        while True:
            if vertex.fresh and self.deterministic:
                vertex.fresh = [name for name in vertex.fresh if name not in self.closed]
            if vertex.fresh:
                return self._new_arrow(vertex, way)
            if any(arm.is_closed for arm in vertex.arms):
                vertex.arms = [arm for arm in vertex.arms if not arm.is_closed]
            if not vertex.arms:
                return self._close(vertex.name)
            tail, vertex = vertex, self._bandit(vertex)
            way.append((len(tail.places), tail.places[vertex.name]))
            if vertex.is_sink:
                return self._sink_again(vertex, tuple(way))

    def _bandit(self, vertex: Known) -> Known:
        """Threshold ascent: argmax h(s_i, n_i)."""
        arms = vertex.arms
        if len(arms) == 1:
            return arms[0]
        threshold = vertex.best[0] if len(vertex.best) >= self.s else -math.inf
        alpha = self._alpha(vertex.n, len(arms))
        chosen, most = arms[0], -1.0
        for arm in arms:
            s_i = len(arm.best) - bisect_left(arm.best, threshold)
            h = threshold_ascent(s_i, arm.n, alpha)
            if h > most:
                chosen, most = arm, h
        return chosen

    def _alpha(self, n: int, arms: int) -> float:
        """How much is explored: everywhere the same, or α = ln(2nK/δ) as in the thesis."""
        if self.delta is None:
            return self.alpha
        return max(0.0, math.log(2 * n * arms / self.delta))

    def _sink_again(self, vertex: Known, way: Way) -> Trial | None:
        """A sink of the subgraph: once more only if the objective is noisy."""
        if self.deterministic and (vertex.trials or vertex.name in self.closed):
            return self._close(vertex.name)
        return self._hand_out(vertex, vertex.name, way, None)

    def _new_arrow(self, vertex: Known, way: list[tuple[int, int]]) -> Trial | None:
        """Follow an arrow that has never been taken."""
        head = vertex.fresh[int(self.dice.random() * len(vertex.fresh))]
        if head in self.vertices:
            self.connect(vertex, self.vertices[head])
            self.log("arrow", vertex.name, head, None)
            return None
        way.append((len(vertex.places), vertex.places[head]))
        found = self._expand(head, way)
        if found is None:
            return None
        known = self.add(head)
        self.connect(vertex, known)
        return self._hand_out(known, *found, vertex)

    # --- evaluate ----------------------------------------------------------------------

    def _expand(self, start: Hashable, way: list[tuple[int, int]]) -> tuple[Hashable, Way] | None:
        """A random way to a sink that is not closed; None (and closed) if there is none."""
        names, depth = [start], len(way)
        while True:
            successors = self._successors(names[-1])
            if not successors:
                return names[-1], tuple(way)
            self.look()
            places: Sequence[int] = range(len(successors))
            if self.deterministic:
                places = [place for place in places if successors[place] not in self.closed]
                if not places:
                    self._close(names.pop())
                    if len(way) == depth:
                        return None
                    way.pop()
                    continue
            place = self.elite.draw(self.dice, len(way), len(successors), places)
            way.append((len(successors), place))
            names.append(successors[place])
            if len(names) % SUSPICIOUS_LENGTH == 0 and len(names) > len(set(names)):
                raise CycleError("a cycle: the vertex leads back to itself", names[-1])
            if len(names) > LONGEST_WAY:
                raise ProblemError(f"no sink after {LONGEST_WAY:,} arrows from", start)

    def _hand_out(self, origin: Known, sink: Hashable, way: Way, tail: Known | None) -> Trial:
        trial = Trial(len(self.trials), sink, origin.name, way=way if self.elite.size else ())
        self.attach(trial, origin)
        self.log("trial", None if tail is None else tail.name, origin.name, trial.number)
        return trial

    def attach(self, trial: Trial, origin: Known) -> None:
        self.trials.append(trial)
        origin.trials.append(trial)
        for vertex in self._above(origin):
            vertex.n += 1
        if self.deterministic:
            self.mark(trial.sink)

    def _successors(self, name: Hashable) -> list[Hashable]:
        return vertices_of(name, self.graph.successors(name))

    def _close(self, name: Hashable) -> Trial | None:
        """Nothing is left below a vertex, so there is no trial."""
        self.mark(name)
        self.log("closed", None, name, None)
        return None

    def mark(self, name: Hashable) -> None:
        self.closed.add(name)
        known = self.vertices.get(name)
        if known is not None:
            known.is_closed = True

    # --- backpropagate -----------------------------------------------------------------

    def add(self, name: Hashable) -> Known:
        """A new vertex of the subgraph."""
        successors = self._successors(name)
        try:
            hash(name)
        except TypeError:  # the root; all others have been looked at
            raise PlanningError(f"the vertex {named(name)} has no hash") from None
        known = self.vertices[name] = Known(name, successors)
        known.is_closed = name in self.closed
        return known

    def connect(self, tail: Known, head: Known) -> None:
        """Add an arrow; pass what is known below it to those who do not have it."""
        tail.fresh.remove(head.name)
        self.arrows += 1
        if head.parents or head is self.root:
            self._pass_on(tail, head)
        tail.arms.append(head)
        tail.heads.append(head)
        head.parents.append(tail)

    def _pass_on(self, tail: Known, head: Known) -> None:
        above = self._above(tail)
        if head in above:
            raise CycleError("a cycle: the vertex leads back to itself", head.name)
        had = set(self._above(head))
        new = [vertex for vertex in above if vertex not in had]
        if not new:
            return
        below = self._below(head)
        reached = self._reached(new, below, head)
        for vertex in new:
            if vertex not in reached:
                vertex.n += head.n
                vertex.best = sorted(vertex.best + head.best)[-self.s :]
                continue
            for known in below.keys() - reached[vertex].keys():
                for trial in known.trials:
                    vertex.n += 1
                    if trial.reward is not None:
                        self._keep(vertex, trial.reward)

    def _reached(
        self, new: list[Known], below: dict[Known, None], head: Known
    ) -> dict[Known, dict[Known, None]]:
        """What new ancestors of a vertex have already of that below it, by other ways."""
        reached: dict[Known, dict[Known, None]] = {}
        wanted = set(new)
        for entry in below:
            if entry is not head and any(parent not in below for parent in entry.parents):
                part = self._below(entry)
                for vertex in self._above(entry):
                    if vertex in wanted:
                        reached.setdefault(vertex, {}).update(part)
        return reached

    def _above(self, vertex: Known) -> dict[Known, None] | list[Known]:
        """A vertex and its ancestors in the subgraph."""
        if not vertex.parents:
            return [vertex]
        return _closure(vertex, lambda known: known.parents)

    def _below(self, vertex: Known) -> dict[Known, None]:
        """A vertex and its descendants in the subgraph, closed ones too."""
        return _closure(vertex, lambda known: known.heads)

    def _keep(self, vertex: Known, reward: float) -> None:
        best = vertex.best
        if len(best) < self.s:
            insort(best, reward)
        elif reward > best[0]:
            del best[0]
            insort(best, reward)


def _closure(start: Known, follow: Callable[[Known], Iterable[Known]]) -> dict[Known, None]:
    """All that can be reached, in the order of discovery."""
    found = {start: None}
    waiting = [start]
    while waiting:
        for known in follow(waiting.pop()):
            if known not in found:
                found[known] = None
                waiting.append(known)
    return found
