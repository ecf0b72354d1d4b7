"""All that a board record keeps up to date, counted afresh from the stones of a naive game."""

from __future__ import annotations

import numpy as np

from montego.kernels.board.liberties import NEVER
from tests.naive import BLACK, EMPTY, WHITE, NaiveGame, groups, neighbours

COLORS = {EMPTY: 0, BLACK: 1, WHITE: 2}
STEPS = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def point(place: int, size: int) -> int:
    """The kernels' number of a place."""
    return 21 * (place // size + 1) + place % size + 1


def check_record(board: np.void, game: NaiveGame) -> None:
    """Compare every field that means anything with the naive game."""
    _check_points(board, game)
    _check_empties(board, game)
    _check_chains(board, game)
    _check_counts(board, game)


def _check_points(board: np.void, game: NaiveGame) -> None:
    size = game.size
    colors = np.full((21, 21), 3)
    colors[1 : size + 1, 1 : size + 1] = np.array([COLORS[c] for c in game.board]).reshape(size, -1)
    assert (board["color"].reshape(21, 21) == colors).all()
    rows = slice(1, size + 1)
    shapes = np.zeros((size, size), dtype=int)
    for k, (down, right) in enumerate(STEPS):
        shapes |= np.roll(colors, (-down, -right), axis=(0, 1))[rows, rows] << (2 * k)
    assert (board["shape"].reshape(21, 21)[rows, rows] == shapes).all()


def _check_empties(board: np.void, game: NaiveGame) -> None:
    empties = {point(i, game.size) for i, color in enumerate(game.board) if color == EMPTY}
    listed = board["empty"][: board["empties"]].tolist()
    assert len(listed) == len(empties)
    assert set(listed) == empties
    assert (board["slot"][listed] == np.arange(len(listed))).all()
    assert (board["root"][listed] == 0).all()


def _check_chains(board: np.void, game: NaiveGame) -> None:
    roots, rings = board["root"].tolist(), board["next_stone"].tolist()
    ataris = board["atari"][: board["ataris"]].tolist()
    assert sorted(ataris) == np.flatnonzero(board["listed"]).tolist()
    for members, liberties in groups(game.board, game.size, BLACK + WHITE):
        stones = {point(member, game.size) for member in members}
        root = roots[min(stones)]
        assert root in stones
        assert {roots[stone] for stone in stones} == {root}
        assert _ring(rings, root, len(stones)) == stones
        assert board["stones"][root] == len(stones)
        assert board["liberties"][root] == _packed_liberties(game, members)
        if len(liberties) == 1:
            assert root in ataris
    assert board["liberties"][0] == NEVER


def _ring(rings: list[int], root: int, length: int) -> set[int]:
    """The stones met in this many steps, which have to end at the root."""
    met, stone = set(), root
    for _ in range(length):
        stone = rings[stone]
        met.add(stone)
    assert stone == root
    return met


def _packed_liberties(game: NaiveGame, members: set[int]) -> int:
    """Count, sum and sum of squares of all pairs (stone, empty neighbour)."""
    beside = neighbours(game.size)
    pairs = [near for member in members for near in beside[member] if game.board[near] == EMPTY]
    points = [point(near, game.size) for near in pairs]
    return (len(points) << 49) + (sum(points) << 29) + sum(p * p for p in points)


def _check_counts(board: np.void, game: NaiveGame) -> None:
    ko = game.ko()
    assert board["ko"] == (0 if ko is None else point(ko, game.size))
    assert board["to_play"] == COLORS[game.to_play]
    assert board["passes"] == game.passes
    assert board["captured"].tolist() == [0, game.captured[BLACK], game.captured[WHITE], 0]
    assert board["on_board"].tolist() == [0, game.board.count(BLACK), game.board.count(WHITE), 0]
    key = 0
    for place, color in enumerate(game.board):
        if color != EMPTY:
            key ^= stone_key(point(place, game.size), COLORS[color])
    assert int(board["key"]) == key


def stone_key(p: int, color: int) -> int:
    """The Zobrist number of a stone, in Python's own integers."""
    word = (p * 4 + color) * 0xD6E8FEB86659FD93 % 2**64
    word = (word ^ (word >> 32)) * 0xA0761D6478BD642F % 2**64
    return word ^ (word >> 29)
