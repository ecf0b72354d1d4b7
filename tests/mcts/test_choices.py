"""How often each move is chosen, against the papers' formulas (chi-square, fixed seeds)."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest
from scipy.stats import chisquare

from montego.go import Position
from montego.go.points import row_and_column
from montego.kernels.board.board import STRIDE
from montego.knowledge.patterns import COLORS_OF_SYMBOL, shipped_patterns
from montego.knowledge.strengths import shipped_tables
from montego.mcts.playouts import Mango, Orego, Playout, Uniform, choose_moves
from tests.knowledge.test_patterns import shape_of
from tests.naive import group, neighbours
from tests.positions import drawn_rows, naive_twin, place_of, playable, random_position

DRAWS = 20_000
POSITIONS = [(5, 8, 1), (5, 14, 2), (7, 20, 3), (9, 20, 4), (9, 45, 5), (9, 70, 6)]


def check(position: Position, playout: Playout, weights: dict[int, float]) -> None:
    """Draw many moves and compare their frequencies with the weights."""
    drawn = Counter(choose_moves(position, playout, DRAWS, seed=1))
    assert set(drawn) <= {move for move, weight in weights.items() if weight > 0}
    total = sum(weights.values())
    expected = {move: DRAWS * weight / total for move, weight in weights.items()}
    common = [move for move, count in expected.items() if count >= 5]
    observed = [drawn[move] for move in common] + [DRAWS - sum(drawn[m] for m in common)]
    wanted = [expected[move] for move in common] + [DRAWS - sum(expected[m] for m in common)]
    if wanted[-1] < 5:  # too rare for the test: join the rare ones with the last common move
        observed[-2:], wanted[-2:] = [sum(observed[-2:])], [sum(wanted[-2:])]
    if len(observed) > 1:
        assert chisquare(observed, wanted).pvalue > 1e-4


@pytest.mark.parametrize(("size", "moves", "seed"), POSITIONS)
def test_uniform(size: int, moves: int, seed: int) -> None:
    """O1."""
    position = random_position(size, moves, seed)
    check(position, Uniform(), dict.fromkeys(playable(position), 1.0))


# --- Mango (P4) ------------------------------------------------------------------------


def surroundings(position: Position, point: int) -> str:
    """The 3x3 square round a point as it is drawn, own stones X, enemies O."""
    size, rows = position.size, drawn_rows(position)
    row, column = (number - 1 for number in row_and_column(point))
    exchange = str.maketrans("XO", "OX") if position.to_play == 2 else {}
    seen = ""
    for r in (row - 1, row, row + 1):
        for c in (column - 1, column, column + 1):
            inside = 0 <= r < size and 0 <= c < size
            seen += rows[r][c].translate(exchange) if inside else "-"
    return seen


def is_pattern(position: Position, point: int) -> bool:
    """Whether a move matches one of the patterns."""
    seen = surroundings(position, point)
    return any(_fits(cells, seen) for p in shipped_patterns() for cells in p.variants())


def of_shape(position: Position, point: int, table: str) -> float:
    """What a table has for the 3x3 shape round a point."""
    code = shape_of(" ".join(surroundings(position, point)))
    return float(shipped_tables(position.size)[table][code])


def pattern_value(position: Position, point: int) -> float:
    """The 3x3 value of a move (P4)."""
    return of_shape(position, point, "urgency")


def ratio(position: Position, point: int) -> float:
    """How often a 3x3 shape was played (H5)."""
    return of_shape(position, point, "ratio")


def _fits(cells: str, seen: str) -> bool:
    return all(
        i == 4 or ".XO-".index(symbol) in COLORS_OF_SYMBOL[cells[i]]
        for i, symbol in enumerate(seen)
    )


def urgency(position: Position, point: int, mango: Mango) -> float:
    """P4, word by word."""
    game, size = naive_twin(position), position.size
    place = place_of(point, size)
    outcome = game.outcome(place, game.to_play)
    threatened: set[int] = set()
    for near in neighbours(size)[place]:
        if game.board[near] == game.to_play:
            members, liberties = group(game.board, near, size)
            if liberties == {place}:
                threatened |= members
    _, liberties = group(outcome.board, place, size)
    saved = len(threatened) if len(liberties) > 1 else 0
    capture_value = mango.capture_value * outcome.taken + mango.save_value * saved
    last = position.last
    is_near = last is not None and abs(point - last) in (1, STRIDE)
    return (capture_value + pattern_value(position, point)) * (mango.near_factor if is_near else 1)


@pytest.mark.parametrize(
    "mango",
    [Mango(), Mango(capture_value=40, save_value=30, near_factor=3), Mango(0, 500, 1)],
    ids=repr,
)
@pytest.mark.parametrize(("size", "moves", "seed"), POSITIONS)
def test_mango(mango: Mango, size: int, moves: int, seed: int) -> None:
    position = random_position(size, moves, seed)
    check(position, mango, {p: urgency(position, p, mango) for p in playable(position)})


def test_mango_in_an_atari_that_can_be_escaped_and_taken() -> None:
    position = Position.from_diagram(
        """
        . . . . . .
        . X O . . .
        X O X O . .
        . . . . X .
        . O X O . .
        . . . . . .
        """,
        to_play="white",
    ).play("D5")
    mango = Mango(capture_value=50, save_value=20, near_factor=2)
    weights = {p: urgency(position, p, mango) for p in playable(position)}
    assert max(weights.values()) >= 50
    check(position, mango, weights)


# --- Orego (H4b) -----------------------------------------------------------------------


def captures(position: Position, point: int) -> float:
    """H1."""
    game = naive_twin(position)
    return game.outcome(place_of(point, position.size), game.to_play).taken


def fighting(position: Position, point: int) -> float:
    """H2: minus the pseudo-liberties of the weakest chain beside the point."""
    game, size = naive_twin(position), position.size
    counts = []
    for near in neighbours(size)[place_of(point, size)]:
        if game.board[near] != ".":
            members, _ = group(game.board, near, size)
            counts.append(sum(game.board[n] == "." for m in members for n in neighbours(size)[m]))
    return -min(counts, default=1 << 20)


def best_of_weights(values: dict[int, float], n: int) -> dict[int, float]:
    """The chance of each move to be the best of n different random ones, ties shared."""
    chances, n = {}, min(n, len(values))
    for move, value in values.items():
        equal = sum(other == value for other in values.values())
        worse = sum(other < value for other in values.values())
        chances[move] = (comb(worse + equal, n) - comb(worse, n)) / comb(len(values), n) / equal
    return chances


@pytest.mark.parametrize("best_of", [1, 2, 4, 81])
@pytest.mark.parametrize(
    ("name", "value"), [("capture", captures), ("fighting", fighting), ("pattern", ratio)]
)
@pytest.mark.parametrize(("size", "moves", "seed"), POSITIONS[2:5])
def test_best_of(size, moves, seed, name, value, best_of) -> None:  # type: ignore[no-untyped-def]
    """H1-H3, as H4b applies them."""
    position = random_position(size, moves, seed)
    values = {move: value(position, move) for move in playable(position)}
    check(position, Orego(name, best_of=best_of), best_of_weights(values, best_of))


def test_first_n_compares_all_moves_and_then_plays_at_random() -> None:
    position = random_position(9, 45, seed=5)
    values = {move: fighting(position, move) for move in playable(position)}
    best = best_of_weights(values, len(values))
    check(position, Orego("fighting", best_of=1, first=1), best)
    check(position, Orego("fighting", best_of=1), dict.fromkeys(values, 1.0))
