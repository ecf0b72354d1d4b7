"""Graphs whose sinks are to be compared (problem 2 of the thesis), and grammars (problem 1).

A graph is an object with ``root`` and ``successors(vertex)``, a mapping from vertices to their
successors, or a pair (root, successors).  It is explored lazily and never held in memory as a
whole.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import prod
from random import Random
from typing import Any, Protocol

from montego.planning.checks import NOT_A_LIST, listed
from montego.planning.errors import CycleError, PlanningError, named

Vertex = Hashable
Symbol = Any
Word = tuple[Any, ...]
"""Symbols, each of which can be any hashable object."""
LONGEST_WORD, MOST_BITS = 100_000, 1_000_000
"""The largest number of symbols of a word, and of bits of a count."""


class Graph(Protocol):
    """A directed acyclic graph with a root."""

    root: Any

    def successors(self, vertex: Any) -> Iterable[Any]:
        """The heads of the edges from a vertex; a sink has none."""


class FunctionGraph:
    """A graph given by its root and a function."""

    def __init__(self, root: Vertex, successors: Callable[[Any], Iterable[Any]]) -> None:
        self.root, self.successors = root, successors


def graph_of(graph: Any) -> Graph:
    """A graph from any of its forms."""
    if hasattr(graph, "root") and callable(getattr(graph, "successors", None)):
        return graph  # type: ignore[no-any-return]
    if isinstance(graph, Mapping):
        vertices = {vertex: vertices_of(vertex, heads) for vertex, heads in graph.items()}
        heads = {head for heads in vertices.values() for head in heads}
        roots = [vertex for vertex in graph if vertex not in heads]
        if len(roots) != 1:
            raise PlanningError(f"a graph has one root, not {len(roots)}: {roots[:5]}")
        return FunctionGraph(roots[0], lambda vertex: vertices.get(vertex, ()))
    if isinstance(graph, tuple) and len(graph) == 2 and callable(graph[1]):
        return FunctionGraph(*graph)
    raise PlanningError(
        "not a graph: an object with root and successors, a mapping, or (root, successors)"
    )


def vertices_of(vertex: Vertex, found: Any) -> list[Vertex]:
    """The successors of a vertex without duplicates; raises a PlanningError if they are no list."""
    subject = f"the successors of {named(vertex)}"

    def refuse(why: str) -> PlanningError:
        return PlanningError(f"{subject} are {why}" + (f": {named(found)}" * (why == NOT_A_LIST)))

    try:
        return list(dict.fromkeys(listed(found, refuse)))
    except TypeError as error:  # an unhashable vertex; the graph's own errors are not caught here
        raise PlanningError(f"{subject}: {error}") from None


class Grammar:
    """An acyclic formal grammar; its graph is the graph of derivations (figure 5.3).

    A vertex is a tuple of symbols, an edge applies a rule to one of its nonterminals, and a sink is
    a word of terminals only.  With ``leftmost`` only the first nonterminal is replaced: the same
    words, by fewer paths.
    """

    def __init__(
        self,
        rules: Mapping[Symbol, Sequence[Sequence[Symbol]]],
        start: Symbol,
        leftmost: bool = False,
    ) -> None:
        if not isinstance(rules, Mapping):
            raise PlanningError(f"the rules are a mapping of symbols, not {named(rules)}")
        self.rules = {symbol: rules_for(symbol, right) for symbol, right in rules.items()}
        try:
            if start not in rules:
                raise PlanningError(f"the start symbol {start!r} has no rules")
            self.start, self.leftmost = start, leftmost
            self.root: Word = (start,)
            self._order = self._ordered()
        except TypeError as error:
            raise PlanningError(f"symbols have to be hashable: {error}") from None

    def _ordered(self) -> list[Symbol]:
        """All nonterminals in topological order, parts first; raises a CycleError."""
        order: dict[Symbol, bool] = {}
        none = object()
        for first in self.rules:
            waiting = [] if first in order else [(first, iter(self._parts(first)))]
            while waiting:
                symbol, parts = waiting[-1]
                order.setdefault(symbol, False)
                part = next((part for part in parts if not order.get(part)), none)
                if part is none:
                    waiting.pop()
                    del order[symbol]  # and insert it again, after its parts
                    order[symbol] = True
                elif part in order:
                    raise CycleError("a cycle: the symbol can be derived from itself", part)
                else:
                    waiting.append((part, iter(self._parts(part))))
        return list(order)

    def _parts(self, symbol: Symbol) -> Iterator[Symbol]:
        """The nonterminals in the rules of a symbol."""
        return (part for right in self.rules[symbol] for part in right if part in self.rules)

    def parts_first(self) -> list[Symbol]:
        """The nonterminals that can be reached, in topological order: parts first."""
        reached = {self.start}
        for symbol in reversed(self._order):
            if symbol in reached:
                reached.update(self._parts(symbol))
        return [symbol for symbol in self._order if symbol in reached]

    def successors(self, word: Word) -> list[Word]:
        """All results of applying one rule, without duplicates."""
        found: dict[Word, None] = {}
        for index, symbol in enumerate(word):
            if symbol in self.rules:
                for right in self.rules[symbol]:
                    found[_replaced(word, index, right)] = None
                if self.leftmost:
                    break
        return list(found)

    def is_word(self, word: Word) -> bool:
        """Whether all symbols are terminals."""
        return not any(symbol in self.rules for symbol in word)

    def random_word(self, rng: Random, start: Word | None = None) -> Word:
        """A random derivation, from the start symbol or from a given word."""
        word = self.root if start is None else start
        while not self.is_word(word):
            index = self._leftmost(word)
            word = _replaced(word, index, rng.choice(self.rules[word[index]]))
        return word

    def words(self) -> Iterator[Word]:
        """Every word, once for each of its leftmost derivations."""
        waiting = [self.root]
        while waiting:
            word = waiting.pop()
            if self.is_word(word):
                yield word
            else:
                index = self._leftmost(word)
                waiting += [_replaced(word, index, right) for right in self.rules[word[index]]]

    def _leftmost(self, word: Word) -> int:
        """The index of the first nonterminal."""
        return next(index for index, symbol in enumerate(word) if symbol in self.rules)

    def count(self) -> int:
        """The number of leftmost derivations."""
        counts: dict[Symbol, int] = {}
        for symbol in self.parts_first():
            many = sum(prod(counts.get(part, 1) for part in r) for r in self.rules[symbol])
            if many.bit_length() > MOST_BITS:
                raise PlanningError(
                    f"more derivations than a number of {MOST_BITS:,} bits can count"
                )
            counts[symbol] = many
        return counts[self.start]


def rules_for(symbol: Symbol, right_sides: Any) -> list[Word]:
    """The right-hand sides of a symbol."""
    sides = listed(
        right_sides, lambda why: PlanningError(f"the rules of {named(symbol)} are {why}")
    )
    if not sides:
        raise PlanningError(f"the symbol {symbol!r} has no rules")
    for right in sides:
        if isinstance(right, str):
            raise PlanningError(f"{symbol!r}: write a rule as a list of symbols, not {right!r}")
    message = f"{named(symbol)}: a rule is a list of symbols, not"
    return [
        tuple(listed(right, lambda why, right=right: PlanningError(f"{message} {named(right)}")))  # type: ignore[misc]
        for right in sides
    ]


def _replaced(word: Word, index: int, right: Word) -> Word:
    """A word after a rule was applied at an index."""
    return check_length(word[:index] + right + word[index + 1 :])


def check_length(word: Word) -> Word:
    """Raise a PlanningError for an absurdly long word."""
    if len(word) > LONGEST_WORD:
        raise PlanningError(f"a word of more than {LONGEST_WORD:,} symbols")
    return word
