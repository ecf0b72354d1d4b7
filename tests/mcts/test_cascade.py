"""MoGo's cascade: every rule on a drawn position, and all of them against a naive one (T13)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from montego.go import Position
from montego.go.points import all_points, vertex
from montego.kernels.board.board import DIRECTIONS
from montego.mcts.playouts import Mogo, Playout, choose_moves
from tests.mcts.test_choices import check, is_pattern
from tests.naive import NaiveGame, group, groups, neighbours
from tests.positions import drawn_rows, naive_twin, place_of, playable, random_position

NONE = Mogo(save=False, nakade=False, fill_tries=0, patterns=False, approach=0, capture=False)
SAVE, NAKADE, CAPTURE = (replace(NONE, **{rule: True}) for rule in ("save", "nakade", "capture"))
PATTERNS, APPROACH = (replace(NONE, patterns=True, approach=often) for often in (0.0, 0.5))


def chosen(position: Position, playout: Playout, draws: int = 300) -> set[str]:
    """The names of all moves that turn up."""
    return {vertex(move, position.size) for move in choose_moves(position, playout, draws)}


# --- save ------------------------------------------------------------------------------


def test_save_by_extending_or_by_taking_the_attacker() -> None:
    position = Position.from_diagram(
        """
        . . . . . . .
        . . O X . . .
        . . X O X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        to_play="white",
    )
    assert chosen(position.play("B5"), SAVE) == {"C4", "D4"}
    assert len(chosen(position.play("G1"), SAVE)) > 10  # nothing was put in atari


def test_save_does_not_extend_into_another_atari() -> None:
    corner = Position.from_diagram(
        """
        X . . . .
        . O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        to_play="white",
    ).play("B5")
    assert len(chosen(corner, SAVE)) > 10


# --- nakade (T15) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "drawing", "last", "middle"),
    [
        (
            "straight three",
            """
            . . . O X . .
            O O O . X . .
            X X X X X . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            "D6",
            "B7",
        ),
        (
            "bent three in the corner",
            """
            . . O X . . .
            . . X X . . .
            O O X . . . .
            X X X . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            "B6",
            "A7",
        ),
        (
            "bent three in the centre",
            """
            . . . . . . .
            . O O O O . .
            . O . . O . .
            . O . . O . .
            . O O O O . .
            . . . . . . .
            . . . . . . .
            """,
            "C4",
            "D5",
        ),
    ],
)
def test_nakade_plays_the_middle_point(name: str, drawing: str, last: str, middle: str) -> None:
    position = Position.from_diagram(drawing, to_play="white").play(last)
    assert chosen(position, NAKADE) == {middle}
    assert len(chosen(position, NONE)) > 1, name


@pytest.mark.parametrize(
    ("why_not", "drawing", "last"),
    [
        (
            "four points",
            """
            . . . . O X .
            O O O . O X .
            . . . O O X .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            "D6",
        ),
        (
            "an own stone beside it",
            """
            . . . X O . .
            O O O . O . .
            . . . O O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            "D6",
        ),
        (
            "far from the last move",
            """
            . . . O . . .
            O O O O . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            "G1",
        ),
    ],
)
def test_no_nakade(why_not: str, drawing: str, last: str) -> None:
    position = Position.from_diagram(drawing, to_play="white").play(last)
    assert len(chosen(position, NAKADE)) > 5, why_not


# --- fill board (T14) ------------------------------------------------------------------


@pytest.mark.parametrize("tries", [1, 4, 50])
def test_fill_board_plays_in_the_open(tries: int) -> None:
    position = Position.start(7).play("C3").play("E5")
    fill = replace(NONE, fill_tries=tries)
    check(position, fill, cascade_weights(position, fill))
    if tries == 50:
        assert len(chosen(position, fill)) < len(chosen(position, NONE))


# --- patterns and approach moves (T16) -------------------------------------------------


def test_patterns_only_round_the_last_move() -> None:
    position = random_position(9, 20, seed=11)
    near = {position.last + step for step in DIRECTIONS}  # type: ignore[operator]
    moves = set(choose_moves(position, PATTERNS, 300))
    assert moves <= near
    assert all(is_pattern(position, move) for move in moves)


def test_approach_moves_replace_half_of_the_self_ataris() -> None:
    found = 0
    for seed in range(400):
        position = random_position(7, 24 + seed % 12, seed)
        plain, approached = (cascade_weights(position, m) for m in (PATTERNS, APPROACH))
        if plain != approached:
            found += 1
            check(position, APPROACH, approached)
            check(position, PATTERNS, plain)
        if found == 5:
            return
    pytest.fail("too few positions that call for an approach move")


# --- capture ---------------------------------------------------------------------------


def test_capture_anywhere() -> None:
    position = Position.from_diagram(
        """
        O X . . .
        . . . . .
        . . . . .
        . . . X O
        . . . . X
        """
    )
    assert chosen(position, CAPTURE) == {"A4", "E3"}


# --- the whole cascade against a naive one ---------------------------------------------


@pytest.mark.parametrize("seed", range(24))
def test_frequencies_of_the_whole_cascade(seed: int) -> None:
    position = random_position(5 + seed % 5, 4 + 3 * seed, seed)
    for mogo in (Mogo(), Mogo(fill_tries=1, nakade=False), Mogo(save=False, approach=1.0)):
        check(position, mogo, cascade_weights(position, mogo))


def cascade_weights(position: Position, mogo: Mogo) -> dict[int, float]:
    """The chance of every move by Algorithm 13, computed plainly."""
    allowed = playable(position)
    weights = dict.fromkeys(allowed, 0.0)
    last, rest = position.last, 1.0
    if mogo.save and last:
        rest = _spread(weights, rest, rescues(position, allowed))
    if rest and mogo.nakade and last:
        rest = _spread(weights, rest, nakade(position, allowed)[:1])
    if rest:
        rest = _fill_board(weights, rest, position, mogo.fill_tries)
    if rest and mogo.patterns and last:
        rest = _patterns(weights, rest, position, allowed, mogo.approach)
    if rest and mogo.capture:
        rest = _spread(weights, rest, capturing(position, allowed))
    if rest:
        rest = _spread(weights, rest, allowed)
    return weights if not rest else {0: 1.0}


def _spread(weights: dict[int, float], rest: float, moves: list[int]) -> float:
    """Give the rest of the chances to these moves in equal shares; what is left after that."""
    for move in moves:
        weights[move] += rest / len(moves)
    return 0.0 if moves else rest


def _point(place: int, size: int) -> int:
    return all_points(size)[place]


def rescues(position: Position, allowed: list[int]) -> list[int]:
    game, size = naive_twin(position), position.size
    found: set[int] = set()
    for near in neighbours(size)[place_of(position.last, size)]:  # type: ignore[arg-type]
        if game.board[near] != game.to_play:
            continue
        members, liberties = group(game.board, near, size)
        if len(liberties) > 1:
            continue
        extension = min(liberties)
        if len(_liberties_after(game, extension)) > 1:
            found.add(extension)
        for place in {n for member in members for n in neighbours(size)[member]}:
            if game.board[place] not in (".", game.to_play):
                _, lasting = group(game.board, place, size)
                found |= lasting - {extension} if len(lasting) == 1 else set()
    return [p for p in (_point(place, size) for place in sorted(found)) if p in allowed]


def _liberties_after(game: NaiveGame, place: int) -> set[int]:
    outcome = game.outcome(place, game.to_play)
    return set() if outcome.lost else group(outcome.board, place, game.size)[1]


def nakade(position: Position, allowed: list[int]) -> list[int]:
    """Middle points of three beside the last move, in the order of the eight directions."""
    game, size = naive_twin(position), position.size
    middles = []
    for step in DIRECTIONS:
        point = position.last + step  # type: ignore[operator]
        if point not in all_points(size) or game.board[place_of(point, size)] != ".":
            continue
        hole, _ = group(game.board, place_of(point, size), size)
        walls = {game.board[n] for place in hole for n in neighbours(size)[place]} - {"."}
        if len(hole) == 3 and game.to_play not in walls:
            middle = next(p for p in hole if len(hole & set(neighbours(size)[p])) == 2)
            middles += [_point(middle, size)] if _point(middle, size) in allowed else []
    return middles


def _fill_board(weights: dict[int, float], rest: float, position: Position, tries: int) -> float:
    size, rows = position.size, drawn_rows(position)
    open_points = [
        _point(r * size + c, size)
        for r in range(1, size - 1)
        for c in range(1, size - 1)
        if all(rows[r + i][c + j] == "." for i in (-1, 0, 1) for j in (-1, 0, 1))
    ]
    missed = (1 - len(open_points) / size**2) ** tries
    for point in open_points:
        weights[point] += rest * (1 - missed) / len(open_points)
    return rest * missed


def _patterns(
    weights: dict[int, float], rest: float, position: Position, allowed: list[int], approach: float
) -> float:
    near = {position.last + step for step in DIRECTIONS}  # type: ignore[operator]
    moves = [p for p in allowed if p in near and is_pattern(position, p)]
    for move in moves:
        connection = approach_to(position, move, allowed)
        weights[connection or move] += rest / len(moves) * (approach if connection else 1)
        weights[move] += rest / len(moves) * (1 - approach if connection else 0)
    return 0.0 if moves else rest


def approach_to(position: Position, move: int, allowed: list[int]) -> int | None:
    """The connection to play before a self-atari: the liberty left, beside another own chain."""
    game, size = naive_twin(position), position.size
    left = _liberties_after(game, place_of(move, size))
    if len(left) != 1 or _point(min(left), size) not in allowed:
        return None
    place = place_of(move, size)
    joined, _ = group(game.outcome(place, game.to_play).board, place, size)
    beside = {n for n in neighbours(size)[min(left)] if game.board[n] == game.to_play}
    return _point(min(left), size) if beside - joined else None


def capturing(position: Position, allowed: list[int]) -> list[int]:
    """The last liberty of every enemy chain in atari: a point once for each of them."""
    game, size = naive_twin(position), position.size
    enemy = "O" if game.to_play == "X" else "X"
    lasting = [liberties for _, liberties in groups(game.board, size, enemy) if len(liberties) == 1]
    points = [_point(min(liberties), size) for liberties in lasting]
    return [point for point in points if point in allowed]
