"""The engine and its book: what it says of a position, and games that it learns from."""

from __future__ import annotations

import atexit
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from montego.book import shipped
from montego.book.choice import DEFAULT_RULE, Chosen, Opening
from montego.book.errors import BookError
from montego.book.games import BookGame, start_text
from montego.book.statistics import BookMove
from montego.book.store import Book
from montego.go import BLACK, WHITE, Position, Rules
from montego.mcts.found import Candidate


def open_book(
    path: Path | str, rule: str = DEFAULT_RULE, games: int = 1, learns: bool = False
) -> tuple[Opening, Book | None]:
    """A book to play by, and the same one if it is to learn: then it may be empty, or new."""
    if not learns:
        check_games(path)
    book = Book.open_or_create(path) if learns else Book(path)
    if learns:
        atexit.register(book.close)  # at rest it is one file
    return Opening(book, rule, games, is_asked_for=not learns), book if learns else None


def check_games(path: Path | str) -> None:
    """Refuse a book without games."""
    with Book(path) as book:
        if book.is_empty:
            raise BookError(f"{path} holds no games")


def open_shipped() -> Opening:
    """The book that comes with the program, as it is used unless another one is asked for."""
    return Opening(Book(shipped.FILE), shipped.RULE, shipped.GAMES, is_asked_for=False)


def check_start(book: Book, size: int, komi: float) -> None:
    """Refuse a book that says nothing about the start of a game."""
    if not book.look_up(Position.start(size, Rules(komi=komi))):
        board = f"an empty board of {size} lines with komi {komi:g}"
        raise BookError(
            f"{book.path} has no game from {board}: montego book info tells what it has"
        )


def answer_of(chosen: Chosen, position: Position) -> dict[str, Any]:
    """What the book knows in the shape of what a search finds: visits are games."""
    move = chosen.move
    return {
        "move": move.point,
        "value": 2 * move.rate - 1,
        "visits": move.games,
        "simulations": 0,
        "seconds": 0.0,
        "candidates": tuple(map(_candidate, chosen.moves)),
        "variation": (move.point,),
        "ownership": np.zeros((position.size, position.size)),
    }


def _candidate(move: BookMove) -> Candidate:
    return Candidate(move.point, move.games, 2 * move.rate - 1, 0.0, (move.point,), is_open=True)


class Pupil:
    """A book that gets the games of an engine, each once."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.new_game()

    def new_game(self) -> None:
        """Another game has begun."""
        self._is_told = False
        self._name = uuid4().hex

    def learn(
        self, position: Position, result: str, players: Mapping[int, tuple[str, str]]
    ) -> None:
        """Add a game that is over; ``players`` are names and thinking by colour."""
        if self._is_told or not result or not position.moves:
            return
        black, white = (players.get(color, ("", "")) for color in (BLACK, WHITE))
        first = position.first
        game = BookGame(
            tuple(position.moves), result, position.size, position.rules, start_text(first),
            black=black[0], white=white[0], black_thinking=black[1], white_thinking=white[1],
            source="played", name=self._name,
        )  # fmt: skip
        try:
            self.book.add([game])
        except BookError as error:  # a full disk is no reason to spoil a game
            logging.getLogger(__name__).warning("the game is not in the book: %s", error)
        self._is_told = True
