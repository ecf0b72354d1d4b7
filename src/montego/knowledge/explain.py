"""Why knowledge likes a move: every term of its strength by name (T12b).

The strength of a move is a product; its share in the strengths of all moves is the probability
that a strong player would choose it, and the H of the recipe ``montego``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.go import PASS, Position, vertex
from montego.kernels.features import classes
from montego.kernels.features.classes import (
    ATARI,
    CAPTURE,
    DEFENCE,
    GROUPS,
    KO,
    LINE,
    NEAR_BEFORE,
    NEAR_LAST,
    SAVE,
    SELF_ATARI,
    SIZES,
    STAGE,
)
from montego.kernels.features.features import describe_move
from montego.kernels.features.tables import FACTORS
from montego.kernels.playouts.policy import WORK
from montego.knowledge.rings import PLACES, SMALLEST, distance
from montego.knowledge.strengths import shipped_tables

TERMS = (
    *("capture", "save", "self-atari", "atari", "defence", "line", "last", "before", "stage", "ko"),
    *("shape", "pattern", "together"),
)
"""The terms of a strength, in their order."""
_SAVED = {
    classes.TO_ONE: "to 1 liberty",
    classes.TO_TWO_IN_LADDER: "to 2 liberties, into a ladder",
    classes.TO_TWO: "to 2 liberties, out of any ladder",
    classes.TO_THREE: "to 3 or more liberties",
}
_ATTACKED = {
    classes.NO_WAY_OUT: "that cannot get out",
    classes.LADDER: "that is caught in a ladder",
    classes.WAY_OUT: "that gets out",
    classes.WAY_TO_THREE: "that reaches 3 or more liberties",
}
_DEFENDED = {
    classes.FILLS_SAFE: "fills up a safe chain",
    classes.STRENGTHENS_SAFE: "strengthens a safe chain",
    classes.CANNOT_SAVE: "cannot save a chain",
    classes.SAVES: "saves a chain",
}


def _with_last(nothing: str, names: dict[int, str], usual: str, at_last: str) -> dict[int, str]:
    """The names of a group whose classes come twice, the second time beside the last move."""
    return (
        {classes.NONE_OF_IT: nothing}
        | {kind: usual.format(name) for kind, name in names.items()}
        | {classes.AT_LAST + kind: at_last.format(name) for kind, name in names.items()}
    )


def _distances(to: str) -> dict[int, str]:
    near = {d - 1: f"distance {d} to the {to}" for d in range(2, classes.FARTHEST)}
    return {0: f"no {to}"} | near | {classes.FARTHEST - 1: f"far from the {to}"}


def _empty(stage: int) -> str:
    """How much of the board is empty, in per cent."""
    low, high = (round(100 * part / SIZES[STAGE]) for part in (stage, stage + 1))
    return f"board {low} to {high} % empty"


_NAMES = {
    CAPTURE: {
        classes.NONE_OF_IT: "no capture",
        classes.LOST_STONE: "captures a stone that is lost anyway",
        classes.STONE: "captures a stone",
        classes.LOST_STONES: "captures stones that are lost anyway",
        classes.STONES: "captures stones",
        classes.ATTACKERS: "captures what threatens own stones",
        classes.LAST_CHAIN: "captures the last move's chain",
    },
    SAVE: _with_last(
        "saves nothing from atari", _SAVED,
        "saves a chain from atari, {}", "saves a chain from the last move's atari, {}",
    ),
    SELF_ATARI: {
        classes.NONE_OF_IT: "no self-atari",
        classes.OF_ONE: "self-atari of one stone",
        classes.OF_TWO_OR_THREE: "self-atari of 2 or 3 stones",
        classes.OF_MORE: "self-atari of more stones",
        classes.ONE_INTO_LADDER: "puts a stone into a ladder",
        classes.MORE_INTO_LADDER: "puts stones into a ladder",
    },
    ATARI: _with_last(
        "no atari", _ATTACKED, "atari on a chain {}", "atari on the last move's chain, {}"
    ),
    DEFENCE: _with_last(
        "defends no chain of two liberties", _DEFENDED,
        "{} of two liberties", "{} of two liberties beside the last move",
    ),
    LINE: {n - 1: f"line {n}" for n in range(1, classes.HIGHEST_LINE)}
    | {classes.HIGHEST_LINE - 1: f"line {classes.HIGHEST_LINE} or higher"},
    NEAR_LAST: _distances("last move"),
    NEAR_BEFORE: _distances("move before the last"),
    STAGE: {n: _empty(n) for n in range(SIZES[STAGE])},
    KO: {0: "no ko", 1: "a ko stands"},
}  # fmt: skip
NAMES = [_NAMES[group][kind] for group in range(GROUPS) for kind in range(SIZES[group])]
"""The name of every feature."""
assert tuple(len(_NAMES[group]) for group in range(GROUPS)) == SIZES


@dataclass(frozen=True)
class Term:
    """What a move does, and the factor that this brings."""

    name: str
    gamma: float


@dataclass(frozen=True)
class Explained:
    """A move, its probability, and why."""

    move: int
    vertex: str
    probability: float
    terms: tuple[Term, ...]
    pairs: tuple[Term, ...]
    """What features bring together, two by two: their product is the last of the terms."""

    def main_terms(self, least: float = 1.3) -> list[Term]:
        """What matters: terms and pairs that raise or lower the strength by this factor."""
        terms = (*self.terms[:-1], *self.pairs)
        weighty = [term for term in terms if abs(math.log(term.gamma)) >= math.log(least)]
        return sorted(weighty, key=lambda term: -abs(math.log(term.gamma)))


def explain(position: Position, tables: Any = None) -> list[Explained]:
    """The moves of a position by their strength, the strongest first."""
    tables = shipped_tables(position.size) if tables is None else tables
    board, work = position.board_copy()[0], np.zeros(1, dtype=WORK)[0]
    numbers, gammas = np.zeros(GROUPS + 2, dtype=np.int64), np.zeros(GROUPS + 3)
    found: list[tuple[int, float, tuple[Term, ...], tuple[Term, ...]]] = []
    for move in (move for move in position.legal() if move != PASS):
        describe_move(board, tables, work, move, position.to_play, numbers, gammas)
        names = _names(numbers.tolist())
        terms = tuple(map(Term, names, gammas.tolist()))
        pairs = tuple(_pairs(names, _factors(tables, numbers)))
        found.append((move, float(gammas.prod()), terms, pairs))
    total = sum(strength for _, strength, _, _ in found)
    explained = [
        Explained(move, vertex(move, position.size), strength / total, terms, pairs)
        for move, strength, terms, pairs in found
    ]
    return sorted(explained, key=lambda one: -one.probability)


def _names(numbers: Sequence[int]) -> list[str]:
    *features, _, levels = numbers
    return [*(NAMES[f] for f in features), "3x3 shape", _pattern_name(levels), "all of it together"]


def _factors(tables: Any, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
    """The factors of a team, a row for each member but the large pattern."""
    of_features = tables["factor"].reshape(-1, FACTORS)[numbers[:GROUPS]]
    of_shape = tables["shape_factor"].reshape(-1, FACTORS)[tables["shape_number"][numbers[GROUPS]]]
    return np.vstack([of_features, of_shape])


def _pairs(names: Sequence[str], factors: NDArray[np.float32]) -> Iterator[Term]:
    gammas = np.exp(factors @ factors.T)
    for i, j in combinations(range(len(factors)), 2):
        yield Term(f"{names[i]}, with {names[j]}", float(gammas[i, j]))


def _pattern_name(levels: int) -> str:
    if levels == 0:
        return "no known pattern"
    points = 1 + sum(distance(place) < SMALLEST + levels for place in PLACES)
    return f"pattern of {points} points"
