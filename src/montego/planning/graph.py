"""Graphs whose sinks are to be compared (problem 2 of the thesis), and grammars (problem 1).

A graph is an object with ``root`` and ``successors(vertex)``; or a mapping from vertices to
their successors; or a pair (root, successors).  It is never held in memory as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from montego.planning.errors import CycleError, PlanningError

Vertex = Hashable
Symbol = Any
Word = tuple[Any, ...]
"""Of symbols, which can be anything with a hash."""


class Graph(Protocol):
    """A directed graph without cycles that begins at its root."""

    root: Any

    def successors(self, vertex: Any) -> Iterable[Any]:
        """Where the arrows from a vertex lead; none from a sink."""


class Given:
    """A graph by its root and a function."""

    def __init__(self, root: Vertex, successors: Callable[[Any], Iterable[Any]]) -> None:
        self.root, self.successors = root, successors


def graph_of(graph: Any) -> Graph:
    """A graph from any of its forms."""
    if hasattr(graph, "root") and callable(getattr(graph, "successors", None)):
        return graph  # type: ignore[no-any-return]
    if isinstance(graph, Mapping):
        heads = {head for heads in graph.values() for head in heads}
        roots = [vertex for vertex in graph if vertex not in heads]
        if len(roots) != 1:
            raise PlanningError(f"a graph has one root, not {len(roots)}: {roots[:5]}")
        return Given(roots[0], lambda vertex: graph.get(vertex, ()))
    if isinstance(graph, tuple) and len(graph) == 2 and callable(graph[1]):
        return Given(*graph)
    raise PlanningError(
        "not a graph: an object with root and successors, a mapping, or (root, successors)"
    )


class Grammar:
    """An acyclic formal grammar; its graph is that of derivations (figure 5.3).

    A vertex is a tuple of symbols, an arrow applies a rule to one of its nonterminals, and a
    sink is a word: terminals only.  With ``leftmost`` only the first nonterminal is replaced:
    the same words, and fewer ways to the same one.
    """

    def __init__(
        self,
        rules: Mapping[Symbol, Sequence[Sequence[Symbol]]],
        start: Symbol,
        leftmost: bool = False,
    ) -> None:
        if start not in rules:
            raise PlanningError(f"the start symbol {start!r} has no rules")
        for symbol, right_sides in rules.items():
            if not right_sides:
                raise PlanningError(f"the symbol {symbol!r} has no rules")
            for right in right_sides:
                if isinstance(right, str):
                    raise PlanningError(
                        f"{symbol!r}: write a rule as a list of symbols, not {right!r}"
                    )
        self.rules = {s: [tuple(r) for r in right] for s, right in rules.items()}
        self.start, self.leftmost = start, leftmost
        self.root: Word = (start,)
        self._check_acyclic()

    def _check_acyclic(self) -> None:
        done: set[Symbol] = set()
        on_path: set[Symbol] = set()

        def look(symbol: Symbol) -> None:
            if symbol in on_path:
                raise CycleError("a cycle: the symbol can be derived from itself", symbol)
            if symbol in done or symbol not in self.rules:
                return
            on_path.add(symbol)
            for right in self.rules[symbol]:
                for part in right:
                    look(part)
            on_path.discard(symbol)
            done.add(symbol)

        for symbol in self.rules:
            look(symbol)

    def successors(self, word: Word) -> list[Word]:
        """All words that one rule makes of this one, each once."""
        found: dict[Word, None] = {}
        for place, symbol in enumerate(word):
            if symbol in self.rules:
                for right in self.rules[symbol]:
                    found[_replaced(word, place, right)] = None
                if self.leftmost:
                    break
        return list(found)

    def is_word(self, word: Word) -> bool:
        """Whether there is nothing left to derive."""
        return not any(symbol in self.rules for symbol in word)

    def random_word(self, dice: Random, start: Word | None = None) -> Word:
        """Rules at random, from the start symbol or from what is given."""
        word = self.root if start is None else start
        while not self.is_word(word):
            place = self._leftmost(word)
            word = _replaced(word, place, dice.choice(self.rules[word[place]]))
        return word

    def words(self) -> Iterator[Word]:
        """Every word, as often as there are derivations of it, order apart."""
        waiting = [self.root]
        while waiting:
            word = waiting.pop()
            if self.is_word(word):
                yield word
            else:
                place = self._leftmost(word)
                waiting += [_replaced(word, place, right) for right in self.rules[word[place]]]

    def _leftmost(self, word: Word) -> int:
        """Where the first nonterminal is."""
        return next(place for place, symbol in enumerate(word) if symbol in self.rules)

    def count(self) -> int:
        """How many derivations there are, order apart."""
        counts: dict[Symbol, int] = {}

        def of(symbol: Symbol) -> int:
            if symbol not in self.rules:
                return 1
            if symbol not in counts:
                counts[symbol] = sum(_product(of(part) for part in r) for r in self.rules[symbol])
            return counts[symbol]

        return of(self.start)


def _replaced(word: Word, place: int, right: Word) -> Word:
    """A word after a rule was applied at a place."""
    return word[:place] + right + word[place + 1 :]


def _product(numbers: Iterable[int]) -> int:
    product = 1
    for number in numbers:
        product *= number
    return product
