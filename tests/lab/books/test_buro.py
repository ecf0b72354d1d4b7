"""Buro's book (T33): a lost line is left, by the best deviation that there is."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.keys import key_of
from montego.book.store import Book
from montego.book.upkeep import check
from montego.go import BLACK, Position, parse_move
from montego.lab.base.errors import LabError
from montego.lab.books.buro import (
    DROP,
    LOST,
    TREES,
    BuroGrowth,
    BuroTree,
    DropOutTree,
    Node,
    best_deviation,
)
from montego.lab.books.grow import grow
from montego.lab.books.plans import Start
from montego.lab.matches.entrants import parse_player
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from tests.book.games import line
from tests.lab.books.test_grow import Here

WON = math.inf
FAST = parse_player("montego,simulations=5,memory=16")


def game(text: str, result: str, deviations: str = "") -> BookGame:
    return line(text, result, about={"deviations": deviations})


def chosen(tree: BuroTree, *moves: str) -> int | None:
    position = Position.start(9)
    for move in moves:
        position = position.play(move)
    return tree.choose(position)


def is_move(point: int | None, name: str, *before: str) -> bool:
    position = Position.start(9)
    for move in before:
        position = position.play(move)
    place = key_of(position)
    return point is not None and place.number(point) == place.number(parse_move(name, 9))


def value(tree: BuroTree, *moves: str) -> float:
    position = Position.start(9)
    for move in moves:
        position = position.play(move)
    return tree.value(key_of(position).key)


def test_a_won_line_is_followed_and_a_lost_one_is_left() -> None:
    """As in figure 3.1: Black lost; D4 at the start is worth 0.1, G4 later 0.3."""
    tree = BuroTree()
    tree.add(game("E5 C3 G7 C7", "W+R", "0:D4:0.1 1:E3:-0.2 2:G4:0.3 3:B2:0.0"))
    assert value(tree, "E5", "C3", "G7") == WON  # White's
    assert is_move(chosen(tree, "E5", "C3", "G7"), "C7", "E5", "C3", "G7")
    assert value(tree, "E5", "C3") == 0.3  # Black deviates there
    assert is_move(chosen(tree, "E5", "C3"), "G4", "E5", "C3")
    assert value(tree, "E5") == -0.2  # and White before that: -0.2 is better than -0.3
    assert value(tree) == 0.2  # so Black begins with E5 again
    assert is_move(chosen(tree), "E5")


def test_without_a_deviation_a_lost_line_is_thought_about() -> None:
    tree = BuroTree()
    tree.add(game("E5 C3", "W+R"))
    assert chosen(tree) is None
    assert value(tree) == LOST
    assert chosen(tree, "E5") is not None
    assert chosen(tree, "A1") is None


def test_no_game_is_lost_twice_in_the_same_way() -> None:
    """White plays the same moves as long as Black does: Black does not, to the end."""
    tree, lost = BuroTree(), game("E5 C3 G7 C7 D4 F6", "W+R", "0:D4:-0.9 2:G4:-0.99 4:B2:-0.95")
    tree.add(lost)
    position = Position.start(9)
    for _, move in lost.moves:
        if position.to_play == BLACK:
            own = tree.choose(position)
            if own is None or key_of(position).number(own) != key_of(position).number(move):
                return
        position = position.play(move)
    pytest.fail("the same game again")


def test_long_lines_and_lines_that_come_back() -> None:
    tree = BuroTree()
    tree.nodes = {number: Node(moves={1: number + 1}) for number in range(900)}
    tree.nodes[900] = Node(moves={2: 5}, ends={3: WON})
    assert tree.value(0) == WON


def test_drop_outs_are_cheap_where_lines_are_short_and_good() -> None:
    """Figures as above: G4 costs two moves and nothing else, D4 one tenth of DROP."""
    tree = DropOutTree()
    tree.add(game("E5 C3 G7 C7", "B+R", "0:D4:0.9 1:E3:-0.95 2:G4:0.5 3:B2:-0.99"))
    assert value(tree) == 0.95  # White's best deviation
    start = key_of(Position.start(9)).key
    assert tree.cost(start) == pytest.approx(min(DROP * 0.05, 1.0))
    assert is_move(chosen(tree), "D4")
    tree.add(game("D4 C3", "W+R", "0:C4:-0.5"))
    assert is_move(chosen(tree), "E5")
    assert is_move(chosen(tree, "E5"), "E3", "E5")
    assert chosen(tree, "A1") is None


def test_the_best_deviation_is_another_move_however_the_board_is_turned() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=16)
    position = Position.start(5)
    place = key_of(position)
    known = {place.number(parse_move(name, 5)) for name in ("C3", "C4", "D4")}
    word = best_deviation(search, position, place, known, Budget(50))
    name, number = word.split(":")
    assert place.number(parse_move(name, 5)) not in known | {0}
    assert -1 <= float(number) <= 1
    everything = {place.number(point) for point in position.legal()}
    assert best_deviation(search, position, place, everything, Budget(50)) == ""


def test_damaged_deviations_are_told() -> None:
    with pytest.raises(BookError, match="deviations that cannot be read"):
        BuroTree().add(game("E5", "B+R", "0:D4"))


def test_a_recipe_is_needed() -> None:
    with pytest.raises(LabError, match="by a recipe's search"):
        BuroGrowth(parse_player("random"))


@pytest.mark.parametrize("method", [*TREES])
def test_growth(tmp_path: Path, method: str) -> None:
    plan = BuroGrowth(FAST, Start(4, 0.5), method=method)
    Book.create(tmp_path / "a.book", {"id": "the same random numbers"}).close()
    games = grow(plan, tmp_path / "a.book", 4, workers=Here())
    assert all(game.about["deviations"] for game in games)
    assert games[0].source == f"grown, {method}"
    assert int(games[1].about["followed"]) > 0
    lines = [[move for _, move in game.moves] for game in games]
    assert len({tuple(one) for one in lines}) == len(lines)
    with Book(tmp_path / "a.book") as book:
        assert check(book) == []
        tree = TREES[method](book)
        tree.follow()
        assert tree.choose(Position.start(4, games[0].rules)) is not None
