"""Mango's playout values and H against the paper, by hand and written out once more (P4, P7-P9)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from montego.go import Position, vertex
from montego.go.points import parse_vertex, row_and_column
from montego.kernels.board.board import PASS
from montego.kernels.features.tables import TABLES
from montego.kernels.playouts.playout import draw_moves
from montego.kernels.tree.select import select_child
from montego.kernels.tree.tree import EXPANDED, ROOT
from montego.knowledge.mango import LOWEST, MangoShapes, shipped_shapes
from montego.knowledge.rings import enter_rings
from montego.knowledge.symmetry import canonical
from montego.mcts import node_knowledge, strategies
from montego.mcts.found import Budget
from montego.mcts.learned import Learned
from montego.mcts.playouts import Mango, Workspace
from montego.mcts.recipes import MANGO, RECIPES, Recipe
from montego.mcts.search import LocalSearch
from tests.kernels.exposed import exposed
from tests.kernels.features.test_patterns import codes
from tests.knowledge.test_patterns import shape_of
from tests.mcts.test_choices import surroundings, urgency
from tests.mcts.test_strategies import children
from tests.positions import playable, random_position

select = exposed(select_child)
KNOWLEDGE = node_knowledge.MangoKnowledge()

# --- the formulas once more ------------------------------------------------------------


def proximity(moves: Sequence[int], point: int) -> float:
    """The sum of formula (3.3), over all moves of a game."""
    total = 0.0
    for k, move in enumerate(reversed(moves), start=1):
        if move != PASS:
            d = math.dist(row_and_column(move), row_and_column(point))
            total += 1 / (2 * max(d, 1)) ** (1.25 + k / 2)
    return total or 1.0


@cache
def rings() -> Any:
    """Tables with the rings of large patterns, and no pattern."""
    tables = np.zeros(1, dtype=TABLES)[0]
    enter_rings(tables)
    return tables


shipped = cache(shipped_shapes)


@cache
def by_code(size: int) -> dict[int, float]:
    """The chances of the shipped patterns."""
    shapes = shipped(size)
    return dict(zip(shapes.patterns.tolist(), shapes.chances.tolist(), strict=True))


def chance(position: Position, point: int) -> float:
    """P: the chance of the largest pattern whose smaller ones are known too."""
    known, found = by_code(position.size), shipped(position.size).otherwise
    for code in codes(position, point, rings()):
        if code not in known:
            return found
        found = known[code]
    return found


def capture_value(position: Position, point: int) -> float:
    """C: P4's capture value, 50,000 and 5,000 by 1,000."""
    alone = Mango(near_factor=1)
    return (urgency(position, point, alone) - urgency(position, point, Mango(0, 0, 1))) / 1000


def heuristic(position: Position, point: int) -> float:
    """H, formula (3.3)."""
    together = capture_value(position, point) + 100 * chance(position, point)
    return together * proximity([move for _, move in position.moves], point)


def by_move(search: LocalSearch, node: int = ROOT) -> dict[int, float]:
    """H of the children of a node."""
    return {int(c["move"]): float(c["h"]) for c in children(search, node)}


def root_of(recipe: Recipe, position: Position, seed: int = 0) -> LocalSearch:
    search = LocalSearch(recipe, memory_mb=1, seed=seed)
    search.run(position, Budget(simulations=1))
    return search


@pytest.mark.parametrize(
    ("size", "moves", "seed"),
    [(5, 1, 1), (7, 30, 2), (9, 2, 3), (9, 60, 4), (9, 200, 5), (13, 90, 6), (19, 180, 7)],
)
def test_h_is_the_papers(size: int, moves: int, seed: int) -> None:
    position = random_position(size, moves, seed)
    found = by_move(root_of(MANGO, position))
    found.pop(PASS, None)
    assert set(found) == set(playable(position))
    for point, h in found.items():
        assert h == pytest.approx(heuristic(position, point), rel=1e-6, abs=1e-12)


def test_moves_of_the_search_count_as_well_as_those_of_the_game() -> None:
    position = random_position(9, 20, seed=8)
    search = LocalSearch(MANGO, memory_mb=16, seed=1)
    search.run(position, Budget(simulations=600))
    deep = [c for c in children(search) if c["flags"] & EXPANDED]
    assert deep
    for child in deep:
        after = position.play(int(child["move"]))
        node = int(np.flatnonzero(search.pool["first_child"] == child["first_child"])[0])
        for point, h in by_move(search, node).items():
            if point != PASS:
                assert h == pytest.approx(heuristic(after, point), rel=1e-6, abs=1e-12)


def test_what_is_left_out_of_the_sum_is_nothing() -> None:
    """128 moves back at a distance of 1, beside one move as far away as 19x19 allows."""
    rest = 2 ** -(1.25 + 129 / 2) / (1 - math.sqrt(0.5))
    assert rest < 1e-15 * (2 * math.hypot(18, 18)) ** -1.75


def bias(child: Any, n_p: int) -> float:
    """P7 and its first property: M = 100 for the root, 0 for the value of an untried move."""
    n = int(child["visits"])
    explored = math.sqrt(math.log(n_p) / n) if n else 100.0
    value = float(child["value"]) if n else 0.0
    return value + 0.7 * explored + float(child["h"]) / (n + 1)


@pytest.mark.parametrize("simulations", [40, 90, 700, 3000])
@pytest.mark.parametrize("name", ["mango", "mango-pb"])
def test_the_best_by_bias_among_the_open_is_selected(name: str, simulations: int) -> None:
    search = LocalSearch(RECIPES[name], memory_mb=16, seed=2)
    search.run(random_position(9, 24, seed=9), Budget(simulations=simulations))
    found, n_p = children(search), int(search.pool[ROOT]["visits"])
    # P8: k are open once n_p > 50 * 1.3^(k - 5)
    limit = len(found) if name == "mango-pb" else 5
    while limit < len(found) and n_p > 50 * 1.3 ** (limit + 1 - 5):
        limit += 1
    scores = [bias(c, n_p) for c in found[:limit]]
    chosen = search.pool[int(select(search._strategy, search.pool, search.workspaces[0].work, 1))]
    assert bias(chosen, n_p) == pytest.approx(max(scores), rel=1e-6)
    assert int(chosen["move"]) in [int(c["move"]) for c in found[:limit]]


def test_the_bias_can_be_switched_off() -> None:
    off = MANGO.with_parameters({"selection.bias_scale": 0})
    assert isinstance(off.selection, strategies.ProgressiveBias)
    position = random_position(9, 24, seed=9)
    searches = [LocalSearch(r, memory_mb=16, seed=2) for r in (MANGO, off)]
    visits = [
        [c.visits for c in s.run(position, Budget(simulations=500)).candidates] for s in searches
    ]
    assert visits[0] != visits[1]


# --- by hand ---------------------------------------------------------------------------

BOARD = """
    . . . . X
    . . . . O
    . . . . .
    . . . . .
    O . . . .
    """


@pytest.fixture
def example(tmp_path: Path) -> tuple[Position, Recipe]:
    """Black took B1, White answered at D3.  Every pattern is played one time in four; every 3x3
    shape is worth 100, and that round D4 is the best there is."""
    position = Position.from_diagram(BOARD, to_play="black").play("B1").play("D3")
    shapes = np.unique(canonical())
    values = np.full(len(shapes), 100, dtype=np.uint16)
    best = shape_of(" ".join(surroundings(position, parse_vertex("D4", 5))))
    values[np.searchsorted(shapes, canonical()[best])] = 2433
    none = np.zeros(0, dtype=np.int64)
    known = MangoShapes(shapes, values, none, none.astype(np.float32), 0.25)
    known.save(tmp_path / "mango.npz")
    return position, replace(MANGO, learned=Learned(mango=str(tmp_path / "mango.npz")))


def test_urgencies_by_hand(example: tuple[Position, Recipe]) -> None:
    position, recipe = example
    # A2 takes a stone: 50,000 + 100.  D5 saves one, with C5 and D4 as liberties: 5,000 + 100.
    # Next to the last move, D4 is worth 20 * 2433 = 48,660, more than nine stones saved;
    # C3, E3 and D2 are worth 20 * 100.  The other fourteen points are worth 100 each.
    expected = {"A2": 50_100, "D5": 5_100, "D4": 48_660, "C3": 2_000, "E3": 2_000, "D2": 2_000}
    total = sum(expected.values()) + 14 * 100
    space = Workspace(3, 5, recipe.learned)
    draws = np.zeros(200_000, dtype=np.int16)
    draw_moves(position.board_copy()[0], recipe.playout.record(), space.tables, space.work, draws)
    points, counts = np.unique(draws, return_counts=True)
    drawn = {vertex(int(p), 5): int(n) for p, n in zip(points, counts, strict=True)}
    assert len(drawn) == 20
    for move, count in drawn.items():
        part = expected.get(move, 100) / total
        deviation = math.sqrt(part * (1 - part) / len(draws))
        assert count / len(draws) == pytest.approx(part, abs=5 * deviation)


def test_h_by_hand(example: tuple[Position, Recipe]) -> None:
    position, recipe = example
    found = by_move(root_of(recipe, position))
    # P = 25 everywhere.  From the last move, D3, alpha is 1.75; from the one before, B1, 2.25.
    # A2: C = 50; d = sqrt 10 and sqrt 2: 40^-0.875 + 8^-1.125 = 0.039646 + 0.096388
    # D5: C = 5;  d = 2 and sqrt 20:      16^-0.875 + 80^-1.125 = 0.088388 + 0.007228
    # D4: C = 0;  d = 1 and sqrt 13:      4^-0.875 + 52^-1.125 = 0.297302 + 0.011735
    expected = {"A2": 75 * 0.136034, "D5": 30 * 0.095616, "D4": 25 * 0.309037}
    for move, h in expected.items():
        assert found[parse_vertex(move, 5)] == pytest.approx(h, rel=1e-4)


# --- the first moves -------------------------------------------------------------------


def test_before_the_first_move_patterns_alone_count() -> None:
    position = Position.start(9)
    for point, h in by_move(root_of(MANGO, position)).items():
        assert h == pytest.approx(100 * chance(position, point), rel=1e-6)


def test_what_is_equal_comes_in_random_order(example: tuple[Position, Recipe]) -> None:
    _, recipe = example  # that knows no pattern: all first moves are equal
    orders = [tuple(by_move(root_of(recipe, Position.start(9), seed))) for seed in range(20)]
    assert orders[0] == tuple(by_move(root_of(recipe, Position.start(9), 0)))
    assert len(set(orders)) == 20
    opened = {move for order in orders for move in order[:5]}
    assert len(opened) > 50  # of 81, by 100 draws


def test_the_first_move_is_on_the_third_or_fourth_line() -> None:
    lines = []
    for seed in range(20):
        search = LocalSearch(MANGO, memory_mb=16, seed=seed)
        found = search.run(Position.start(19), Budget(simulations=1000))
        row, column = row_and_column(found.move)
        lines.append(min(row, column, 20 - row, 20 - column))
    assert set(lines) <= {3, 4}


# --- what is shipped -------------------------------------------------------------------


@pytest.mark.parametrize("size", [9, 19])
def test_the_shipped_values_have_the_papers_range(size: int) -> None:
    shapes = shipped_shapes(size)
    assert (shapes.values.min(), shapes.values.max()) == (1, 2433)
    assert LOWEST == 1
    assert 0 < shapes.chances.min() < shapes.chances.max() <= 1
    assert 0 < shapes.otherwise < 0.05
    hane = shape_of("X O X . * . . . .")  # the first of MoGo's patterns
    nothing = shape_of(". . . . * . . . .")
    value = dict(zip(shapes.shapes.tolist(), shapes.values.tolist(), strict=True))
    assert value[int(canonical()[hane])] > 10 * value[nothing]


def test_a_file_that_is_no_good_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("urgent")
    with pytest.raises(ValueError, match="no file of Mango's shapes"):
        MANGO.with_parameters({"learned.mango": str(tmp_path / "text.npz")})
    np.savez(tmp_path / "other.npz", shapes=np.zeros(3))
    with pytest.raises(ValueError, match="no file of Mango's shapes"):
        Learned(mango=str(tmp_path / "other.npz"))
