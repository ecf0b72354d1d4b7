"""Boards that several tests start from."""

from __future__ import annotations

from montego.go import Position

SENDING_TWO = """
    . X . O .
    X O O O .
    X O . . .
    X O . . .
    . O . . .
    """
ONE_POINT = """
    . O . .
    O . . .
    . . . .
    . . . .
    """
KO = """
    . X O .
    X O . O
    . X O .
    . . . .
    """


def played(position: Position, moves: str) -> Position:
    """The position after these moves, in turn."""
    for move in moves.split():
        position = position.play(move)
    return position


def plain(diagram: str) -> list[str]:
    """The rows of a drawing without spaces."""
    return ["".join(row.split()) for row in diagram.strip().splitlines()]
