"""What the tree gets of the book where the book does not answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from montego.book.choice import Opening
from montego.book.store import Book
from montego.engine.engine import Engine
from montego.engine.leaving import MOST_SIMULATIONS, SIMULATIONS_A_GAME, tell_tree
from montego.go import Position, parse_move
from montego.mcts.search import LocalSearch
from montego.mcts.seeding import PriorGames
from montego.terminal.interrupts import Stop, StoppableSearch
from tests.book.games import line


class Listening:
    """A search that notes what it begins with."""

    def __init__(self) -> None:
        self.known: dict[int, PriorGames] = {}

    def begin_with(self, position: Position, known: dict[int, PriorGames]) -> None:
        self.known = known


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with Book.create(tmp_path / "a.book") as book:
        lost = [line("E5 C3", "B+R", name=str(i)) for i in range(40)]
        book.add([*lost, line("E5 G6", "W+R"), line("E5 G6", "0", name="drawn")])
        yield book


def test_counts_are_worth_simulations_up_to_a_bound(book: Book) -> None:
    search, after = Listening(), Position.start(9).play("E5")
    tell_tree(Opening(book, games=100), search, after)
    assert sorted(search.known.values()) == sorted(
        [PriorGames(MOST_SIMULATIONS, -1.0), PriorGames(2 * SIMULATIONS_A_GAME, 0.5)]
    )


def test_nothing_is_told_without_a_book_or_of_a_new_position(book: Book) -> None:
    search = Listening()
    tell_tree(None, search, Position.start(9))
    tell_tree(Opening(book), search, Position.start(9).play("A1"))
    tell_tree(Opening(book), object(), Position.start(9))  # a search over many machines
    assert search.known == {}


@pytest.mark.parametrize("wraps", [False, True], ids=["plain", "in the terminal"])
def test_the_engine_leaves_the_book_with_what_it_knows(book: Book, wraps: bool) -> None:
    """C3 lost all its games: the engine has to think, and does not play it."""
    trees: list[LocalSearch] = []

    def make(*settings: object) -> object:
        trees.append(LocalSearch(*settings))  # type: ignore[arg-type]
        return StoppableSearch(trees[-1], Stop()) if wraps else trees[-1]

    opening = Opening(book, games=100)
    engine = Engine(
        simulations=50, memory_mb=4, book=opening, make_search=make,  # type: ignore[arg-type]
    )  # fmt: skip
    engine.play("E5")
    answer = engine.genmove()
    assert not answer.from_book
    seen = {candidate.move: candidate.visits for candidate in answer.candidates}
    known = {move.point: move for move in book.look_up(Position.start(9).play("E5"))}
    assert min(seen[move] for move in known) == 0  # the one that lost
    assert parse_move("E5", 9) not in seen
    assert trees[0].seeded is not None
