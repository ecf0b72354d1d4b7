"""Dynamic programming (T3): exact for problems with optimal substructure.

* ``shortest_path``: the thesis' layered example (figure 1.4), layer by layer from the goal.
* ``solve``: any problem without cycles, for one player or two, with or without chance.
* ``value_iteration``: a Markov decision process, which may have cycles.
* ``derive``: the best word of a grammar, as planners of FFT libraries do it (section 5.1.2): the
  best word of a symbol is composed of the best words of its parts.

Each raises SubstructureError where it finds that the substructure is missing.  None is anytime: "if
stopped before then, there is no result".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from montego.planning.budget import Hook, Meter
from montego.planning.checks import real
from montego.planning.depth_first import unfolded
from montego.planning.errors import PlanningError, ProblemError, SubstructureError, named
from montego.planning.graph import Grammar, Symbol, Word, check_length
from montego.planning.problem import Action, ProblemRules, State, rules_of

# --- shortest paths --------------------------------------------------------------------


@dataclass(frozen=True)
class Path:
    """A shortest path."""

    vertices: list[Any]
    length: float
    distances: dict[Any, float]
    """f(N): the length of the shortest path from every vertex to the goal."""


def shortest_path(lengths: Mapping[Any, Mapping[Any, float]], start: Any, goal: Any) -> Path:
    """The shortest path through an acyclic graph: f(N) = min l(N, M) + f(M)."""
    if not (
        isinstance(lengths, Mapping)
        and all(isinstance(edges, Mapping) for edges in lengths.values())
    ):
        raise PlanningError("the lengths of edges are a mapping of mappings")
    distances: dict[Any, float] = {goal: 0.0}
    follow: dict[Any, Any] = {}
    for vertex in heads_first(lengths, start):
        for after, length in lengths.get(vertex, {}).items():
            if (number := real(length)) is None or not math.isfinite(number):
                edge = f"{named(vertex)} → {named(after)}"
                raise SubstructureError(f"the edge {edge} has length {named(length)}")
            total = length + distances.get(after, math.inf)
            if vertex != goal and total < distances.get(vertex, math.inf):
                distances[vertex], follow[vertex] = total, after
    if start not in distances:
        raise PlanningError(f"no path leads from {start!r} to {goal!r}")
    vertices = [start]
    while vertices[-1] != goal:
        vertices.append(follow[vertices[-1]])
    return Path(vertices, distances[start], distances)


def heads_first(successors: Mapping[Any, Any], start: Any) -> list[Any]:
    """All vertices that can be reached, in reverse topological order."""
    order: list[Any] = []
    state: dict[Any, bool] = {}
    stack = [(start, iter(successors.get(start, ())))]
    state[start] = False
    while stack:
        vertex, rest = stack[-1]
        for after in rest:
            if state.get(after) is False:
                path = [v for v, _ in stack]
                cycle = " → ".join(map(str, [*path[path.index(after) :], after]))
                raise SubstructureError(f"the graph has a cycle, {cycle}")
            if after not in state:
                state[after] = False
                stack.append((after, iter(successors.get(after, ()))))
                break
        else:
            state[vertex] = True
            order.append(vertex)
            stack.pop()
    return order


# --- problems --------------------------------------------------------------------------


class Solution:
    """Values and best actions of many states."""

    def __init__(self, rules: ProblemRules) -> None:
        self.rules = rules
        self.values: dict[Hashable, float] = {}
        self.actions: dict[Hashable, Action] = {}
        self.sweeps = 1

    def value(self, state: State) -> float:
        """The value of a state for player 0 under optimal play."""
        key = self.rules.hashable(state)
        if key not in self.values:
            raise ProblemError("this state cannot be reached from the one that was solved", state)
        return self.values[key]

    def action(self, state: State) -> Action:
        """A best action; None in a terminal state."""
        return self.actions.get(self.rules.hashable(state))


Option = tuple[Action, list[tuple[float, float, Hashable]]]
"""An action and its outcomes: probability, reward of the step, state."""


@dataclass
class Model:
    """All states that can be reached, as explicit tables."""

    terminal: dict[Hashable, float]
    options: dict[Hashable, list[Option]]
    signs: dict[Hashable, int]


def explore(rules: ProblemRules, state: State, meter: Meter, most: int) -> Model:
    """Enumerate all states that can be reached."""
    model = Model({}, {}, {})
    waiting, seen = [state], {rules.hashable(state)}
    while waiting:
        meter.visit()
        here = waiting.pop()
        key = rules.hashable(here)
        if rules.is_terminal(here):
            model.terminal[key] = rules.reward(here)
            continue
        model.signs[key] = 1 if rules.player(here) == 0 else -1
        model.options[key] = options = []
        for action in rules.actions(here):
            outcomes = []
            for probability, after in unfolded(rules.apply(here, action), here):
                there = rules.hashable(after)
                outcomes.append((probability, rules.stepped(here, action, after), there))
                if there not in seen:
                    seen.add(there)
                    waiting.append(after)
            options.append((action, outcomes))
        if len(seen) > most:
            raise PlanningError(f"more than {most:,} states can be reached")
    return model


def best_option(
    options: list[Option], sign: int, values: Mapping[Hashable, float], discount: float
) -> tuple[float, Action]:
    """The best action by the values of its outcomes."""
    best, chosen = -math.inf, None
    for action, outcomes in options:
        value = 0.0
        for probability, step, after in outcomes:
            value += probability * (step + discount * values[after])
        if chosen is None or sign * value > best:
            best, chosen = sign * value, action
    return sign * best, chosen


def solve(
    problem: Any,
    state: State,
    *,
    seconds: float | None = None,
    progress: Hook | None = None,
    states: int = 5_000_000,
) -> Solution:
    """The exact solution of a problem without cycles, backwards from the terminal states."""
    rules, meter = rules_of(problem), Meter(None, seconds, progress)
    solution = Solution(rules)
    with meter:
        model = explore(rules, state, meter, states)
        successors = {
            key: [after for _, outcomes in options for _, _, after in outcomes]
            for key, options in model.options.items()
        }
        solution.values.update(model.terminal)
        try:
            order = heads_first(successors, rules.hashable(state))
        except SubstructureError as error:
            raise SubstructureError(f"{error}: use value_iteration") from None
        for key in order:
            if key in model.options:
                solution.values[key], solution.actions[key] = best_option(
                    model.options[key], model.signs[key], solution.values, rules.discount
                )
    check_finished(meter)
    return solution


def value_iteration(
    problem: Any,
    state: State,
    *,
    tolerance: float = 1e-9,
    sweeps: int = 100_000,
    seconds: float | None = None,
    progress: Hook | None = None,
    states: int = 5_000_000,
) -> Solution:
    """The solution of a Markov decision process to within a tolerance, cycles allowed."""
    rules, meter = rules_of(problem), Meter(None, seconds, progress)
    solution = Solution(rules)
    with meter:
        model = explore(rules, state, meter, states)
        values = solution.values
        values.update(dict.fromkeys(model.options, 0.0))
        values.update(model.terminal)
        for sweep in range(1, sweeps + 1):
            change = 0.0
            for key, options in model.options.items():
                meter.visit()
                value, chosen = best_option(options, model.signs[key], values, rules.discount)
                change = max(change, abs(value - values[key]))
                values[key], solution.actions[key] = value, chosen
            solution.sweeps = sweep
            if change <= tolerance:
                break
            if not math.isfinite(change) or change > 1e100:
                raise SubstructureError("values diverge: a cycle has unbounded rewards")
        else:
            raise SubstructureError(f"values still change after {sweeps:,} sweeps")
    check_finished(meter)
    return solution


def check_finished(meter: Meter) -> None:
    """Raises a PlanningError if it was stopped."""
    if meter.stopped != "complete":
        raise PlanningError(f"dynamic programming was stopped ({meter.stopped}): it has no result")


# --- grammars --------------------------------------------------------------------------


@dataclass(frozen=True)
class Derived:
    """The result of dynamic programming on a grammar."""

    word: Word
    value: float
    parts: dict[Symbol, Word]
    evaluations: int


def derive(
    grammar: Grammar,
    objective: Callable[[Word], float],
    *,
    minimise: bool = False,
    contexts: int = 0,
    seed: int = 0,
) -> Derived:
    """The best word, assuming that a part that is best alone is best everywhere (section 5.1.2).

    The objective is called with parts of words, too.  With ``contexts`` the assumption is tested in
    so many random words, and SubstructureError says where it fails.
    """
    sign = -1.0 if minimise else 1.0
    parts: dict[Symbol, Word] = {}
    values: dict[Symbol, float] = {}
    count = 0

    def value_of(word: Word) -> float:
        answer = objective(word)
        number = real(answer)
        if number is None or math.isnan(number):
            raise PlanningError(f"the objective of {named(word)} is not a number")
        return sign * number

    for symbol in grammar.parts_first():
        found, chosen = -math.inf, None
        for right in grammar.rules[symbol]:
            word = tuple(s for part in right for s in parts.get(part, (part,)))
            check_length(word)
            count += 1
            value = value_of(word)
            if chosen is None or value > found:
                found, chosen = value, word
        assert chosen is not None
        parts[symbol], values[symbol] = chosen, sign * found
    check_contexts(grammar, value_of, parts, contexts, Random(seed))
    return Derived(parts[grammar.start], values[grammar.start], parts, count)


def check_contexts(
    grammar: Grammar,
    objective: Callable[[Word], float],
    parts: Mapping[Symbol, Word],
    contexts: int,
    rng: Random,
) -> None:
    """Test the assumption: a best part may not make any random word worse."""
    for _ in range(contexts):
        word, index = random_context(grammar, rng)
        before, after = word[:index], word[index + 1 :]
        other = grammar.random_word(rng, (word[index],))
        best = parts[word[index]]
        with_best, with_other = objective(before + best + after), objective(before + other + after)
        if with_best < with_other - 1e-12 * abs(with_other):
            raise SubstructureError(
                f"no optimal substructure: {named(best)} is the best {word[index]!r} alone, but "
                f"{named(other)} is better between {named(before)} and {named(after)}"
            )


def random_context(grammar: Grammar, rng: Random) -> tuple[Word, int]:
    """A word with one nonterminal left, and the index of it."""
    word = grammar.root
    while True:
        indices = [i for i, symbol in enumerate(word) if symbol in grammar.rules]
        index = rng.choice(indices)
        rest = word[:index] + rng.choice(grammar.rules[word[index]]) + word[index + 1 :]
        if grammar.is_word(rest) or rng.random() < 0.3:
            before = grammar.random_word(rng, word[:index]) if index else ()
            after = grammar.random_word(rng, word[index + 1 :]) if word[index + 1 :] else ()
            return (*before, word[index], *after), len(before)
        word = rest
