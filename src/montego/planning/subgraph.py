"""The subgraph that TAG grows: its vertices, and the rewards below each of them.

The rewards of a vertex are those of the trials that began at it or below it, each once.  A vertex
stores their number and the s best.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Hashable, Iterable, Sequence

from montego.planning.errors import CycleError, PlanningError, named
from montego.planning.graph import Graph, vertices_of
from montego.planning.trials import Trial


class KnownVertex:
    """A vertex of the subgraph."""

    __slots__ = (
        "arms", "best", "heads", "index", "is_closed", "is_sink", "n", "name", "parents", "trials",
        "untried",
    )  # fmt: skip

    def __init__(self, name: Hashable, successors: Sequence[Hashable]) -> None:
        self.name = name
        self.is_sink = not successors
        self.untried = list(successors)
        """The heads of edges that have not been taken."""
        self.index = {successor: index for index, successor in enumerate(successors)}
        self.heads: list[KnownVertex] = []
        """The heads of edges of the subgraph."""
        self.arms: list[KnownVertex] = []
        """Those of them that are not closed."""
        self.parents: list[KnownVertex] = []
        self.n = 0
        """Trials at it and below it."""
        self.best: list[float] = []
        """The s best of their rewards, rising."""
        self.trials: list[Trial] = []
        """Those that began here."""
        self.is_closed = False


class Subgraph:
    """The part of a graph that is known, from the root on."""

    def __init__(self, graph: Graph, s: int) -> None:
        self.graph, self.s = graph, s
        self.vertices: dict[Hashable, KnownVertex] = {}
        self.edges = 0
        self.closed: set[Hashable] = set()
        """Vertices of the whole graph without a sink that is left to evaluate."""
        self.root = self.add(graph.root)

    def successors(self, name: Hashable) -> list[Hashable]:
        """The successors of any vertex of the graph."""
        return vertices_of(name, self.graph.successors(name))

    def close(self, name: Hashable) -> None:
        """No sink is left to evaluate at a vertex or below it."""
        self.closed.add(name)
        known = self.vertices.get(name)
        if known is not None:
            known.is_closed = True

    def add(self, name: Hashable) -> KnownVertex:
        """Add a vertex, as yet without edges."""
        successors = self.successors(name)
        try:
            hash(name)
        except TypeError:  # the root; all others have been checked
            raise PlanningError(f"the vertex {named(name)} is not hashable") from None
        known = self.vertices[name] = KnownVertex(name, successors)
        known.is_closed = name in self.closed
        return known

    def connect(self, tail: KnownVertex, head: KnownVertex) -> None:
        """Add an edge; pass the rewards below it to the ancestors that do not have them."""
        tail.untried.remove(head.name)
        self.edges += 1
        if head.parents or head is self.root:
            self._pass_on(tail, head)
        tail.arms.append(head)
        tail.heads.append(head)
        head.parents.append(tail)

    def _pass_on(self, tail: KnownVertex, head: KnownVertex) -> None:
        """Pass the rewards at ``head`` and below it to its new ancestors, each reward once."""
        above = self.ancestors(tail)
        if head in above:
            raise CycleError("a cycle: the vertex leads back to itself", head.name)
        had = set(self.ancestors(head))
        new = [vertex for vertex in above if vertex not in had]
        if not new:
            return
        below = self.descendants(head)
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
                        self.keep(vertex, trial.reward)

    def _reached(
        self, new: list[KnownVertex], below: dict[KnownVertex, None], head: KnownVertex
    ) -> dict[KnownVertex, dict[KnownVertex, None]]:
        """The vertices below ``head`` that its new ancestors already reach by other paths."""
        reached: dict[KnownVertex, dict[KnownVertex, None]] = {}
        wanted = set(new)
        for entry in below:
            if entry is not head and any(parent not in below for parent in entry.parents):
                part = self.descendants(entry)
                for vertex in self.ancestors(entry):
                    if vertex in wanted:
                        reached.setdefault(vertex, {}).update(part)
        return reached

    def ancestors(self, vertex: KnownVertex) -> dict[KnownVertex, None] | list[KnownVertex]:
        """A vertex and its ancestors in the subgraph."""
        if not vertex.parents:
            return [vertex]
        return _closure(vertex, lambda known: known.parents)

    def descendants(self, vertex: KnownVertex) -> dict[KnownVertex, None]:
        """A vertex and its descendants in the subgraph, closed ones too."""
        return _closure(vertex, lambda known: known.heads)

    def keep(self, vertex: KnownVertex, reward: float) -> None:
        """Add a reward to the best of a vertex, if it is among them."""
        best = vertex.best
        if len(best) < self.s:
            insort(best, reward)
        elif reward > best[0]:
            del best[0]
            insort(best, reward)


def _closure(
    start: KnownVertex, follow: Callable[[KnownVertex], Iterable[KnownVertex]]
) -> dict[KnownVertex, None]:
    """All vertices that can be reached, in the order of discovery."""
    found = {start: None}
    waiting = [start]
    while waiting:
        for known in follow(waiting.pop()):
            if known not in found:
                found[known] = None
                waiting.append(known)
    return found
