"""Positions for tests: games of random moves, at any stage, with their naive twins."""

from __future__ import annotations

import random

from montego.go import Position
from montego.go.points import row_and_column
from tests.naive import BLACK, EMPTY, WHITE, NaiveGame

SYMBOL = {1: BLACK, 2: WHITE}


def random_position(size: int, moves: int, seed: int) -> Position:
    """A position after that many random legal moves that leave most eyes alone."""
    rng = random.Random(seed)
    position = Position.start(size)
    for _ in range(moves):
        legal = [move for move in position.legal() if not naive_is_eye(position, move)]
        position = position.play(rng.choice(legal) if legal else 0)
    return position


def drawn_rows(position: Position) -> list[str]:
    """The stones row by row, a symbol a point."""
    return [row.replace(" ", "") for row in position.diagram().splitlines()]


def naive_twin(position: Position) -> NaiveGame:
    """The stones of a position as a naive game, without its history."""
    game = NaiveGame(position.size)
    game.board = [symbol for row in drawn_rows(position) for symbol in row]
    game.to_play = SYMBOL[position.to_play]
    return game


def place_of(point: int, size: int) -> int:
    """The naive number of a kernel's point."""
    row, column = row_and_column(point)
    return (row - 1) * size + column - 1


def naive_is_eye(position: Position, point: int) -> bool:
    """Whether a point is an own eye: own stones beside it, at most one bad diagonal."""
    size, own = position.size, SYMBOL[position.to_play]
    rows = drawn_rows(position)
    row, column = (number - 1 for number in row_and_column(point))

    def at(down: int, right: int) -> str | None:
        r, c = row + down, column + right
        return rows[r][c] if 0 <= r < size and 0 <= c < size else None

    beside = [at(-1, 0), at(1, 0), at(0, -1), at(0, 1)]
    corners = [at(-1, -1), at(-1, 1), at(1, -1), at(1, 1)]
    enemies = sum(symbol not in (None, EMPTY, own) for symbol in corners)
    at_edge = None in corners
    return all(symbol in (None, own) for symbol in beside) and enemies + at_edge < 2


def playable(position: Position) -> list[int]:
    """What a playout may play: legal by simple ko, and not an own eye."""
    game = naive_twin(position)
    return [
        move
        for move in position.legal()
        if not naive_is_eye(position, move)
        and not game.outcome(place_of(move, position.size), game.to_play).lost
    ]
