"""Small books for tests: games of random moves, and ways to look at the same board otherwise."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from montego.book.games import BookGame
from montego.book.keys import _places, _points
from montego.go import BLACK, PASS, WHITE, Position, Rules

RESULTS = ("B+R", "W+2.5", "B+0.5", "W+R", "0")


def random_game(seed: int, size: int = 5, moves: int = 12, komi: float = 7.5) -> BookGame:
    """A game of random moves with a random result; the number is its name."""
    rng = Random(seed)
    position = Position.start(size, Rules(komi=komi))
    for _ in range(moves):
        position = position.play(rng.choice([*position.legal(), PASS]))
    return BookGame(
        tuple(position.moves), rng.choice(RESULTS), size, position.rules, name=str(seed),
        black="one", white="two", black_thinking="simulations=10", source="a test",
    )  # fmt: skip


def line(text: str, result: str = "B+R", size: int = 9, name: str = "", **more: object) -> BookGame:
    """A game from the names of its moves."""
    position = Position.start(size, Rules(komi=7.5))
    for move in text.split():
        position = position.play(move)
    game = BookGame(tuple(position.moves), result, size, position.rules, name=name)
    return replace(game, **more)  # type: ignore[arg-type]


def turned_point(point: int, symmetry: int, size: int) -> int:
    """Where a symmetry takes a point."""
    if point == PASS:
        return PASS
    return int(_points(size)[symmetry, _places(size)[0, point]])


def turned_game(game: BookGame, symmetry: int) -> BookGame:
    """The same game on a board that is turned or reflected."""
    moves = tuple((color, turned_point(p, symmetry, game.size)) for color, p in game.moves)
    return replace(game, moves=moves)


def turned_position(position: Position, symmetry: int) -> Position:
    """The same game, turned, move by move."""
    turned = Position.start(position.size, position.rules)
    for color, point in position.moves:
        turned = turned.play(turned_point(point, symmetry, position.size), color)
    return turned


def set_up_like(position: Position) -> Position:
    """The same stones without a game."""
    return Position.set_up(
        position.size, position.stones(BLACK), position.stones(WHITE),
        position.to_play, position.rules,
    )  # fmt: skip
