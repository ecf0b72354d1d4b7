"""The analysis of a game: losses seen by who moved, interruptions, and what is looked at."""

from __future__ import annotations

import pytest

from montego.go import BLACK, WHITE, Position, Rules, sgf
from montego.lab.base.errors import LabError
from montego.lab.tools.review import Review, Reviewer, View, positions, review
from tests.lab.tools.review_of_a_game import VIEWS, at, reviewed, view


def test_losses() -> None:
    first, second, third = reviewed().moves
    assert (first.loss, first.points_lost, first.verdict) == (0.0, 0.0, "")  # it is the best
    assert second.after == pytest.approx(0.10)
    assert second.loss == pytest.approx(0.35)
    assert second.verdict == "bad"
    assert (second.score_before, second.score_after) == (-1.0, -5.5)
    assert second.points_lost == 4.5
    assert third.loss == pytest.approx(0.90 - 0.15)
    assert third.points_lost == 7.5
    assert [move.color for move in (first, second, third)] == [BLACK, WHITE, BLACK]


def test_points_alone_blame_nobody() -> None:
    record = sgf.loads("(;SZ[5];B[cc];W[bb])")
    views = [view(BLACK, 0.6, 20.0, "D4"), view(WHITE, 0.4, 15.0, "B4")]
    (first, _) = Review(record, views).moves
    assert first.points_lost == 35.0
    assert first.verdict == ""


def test_the_curves_are_blacks() -> None:
    done = reviewed()
    assert done.win_rates == pytest.approx([0.60, 0.55, 0.90, 0.15])
    assert done.leads == [3.0, 1.0, 5.5, -2.0]


def test_the_worst_moves_in_their_order() -> None:
    done = reviewed()
    assert [move.number for move in done.mistakes] == [2, 3]
    assert [move.number for move in done.worst(1)] == [3]
    assert [move.number for move in done.worst(5)] == [2, 3]


def test_an_interruption_keeps_what_is_there() -> None:
    done = reviewed(2)
    assert [move.number for move in done.moves] == [1, 2]
    last = done.moves[1]
    assert (last.after, last.score_after, last.verdict) == (None, None, "")
    assert not done.complete
    assert reviewed(0).moves == []


def looked_at(position: Position) -> list[Position]:
    seen: list[Position] = []

    def look(position: Position) -> View:
        seen.append(position)
        return VIEWS[0]

    review(position, look)
    return seen


def test_the_end_of_the_game_is_not_searched() -> None:
    position = Position.start(5).play("C3").play("pass").play("pass")
    assert len(looked_at(position)) == 3
    assert len(looked_at(position.undo())) == 3


def test_moves_after_the_end_are_searched_all_the_same() -> None:
    position = Position.start(5).play("C3").play("pass").play("pass").play("B2")
    seen = looked_at(position)
    assert [one.is_over for one in seen] == [False] * 5
    assert [one.to_play for one in seen] == [BLACK, WHITE, BLACK, WHITE, BLACK]


def test_a_pass_is_not_punished_by_passing_again() -> None:
    """White's stone is dead, but as the stones stand it decides the game."""
    diagram = ". X . X X\nX X X X X\nX X X . O\nX X X X .\nX X X X X"
    game = Position.from_diagram(diagram, rules=Rules(komi=21.5)).play("pass")
    assert game.score() < 0 < game.play("pass").play("D3").score()
    look = Reviewer.parse("uct", 300).searcher(lambda: False)
    (passed,) = Review(sgf.GameRecord(game), review(game, look)).moves
    assert passed.verdict == ""
    assert passed.after is not None
    assert passed.after > 0.9


def test_two_moves_in_a_row_are_seen_by_who_made_them() -> None:
    game = Position.start(5).play("C3").play("B2", BLACK).play("D4")
    assert [one.to_play for one in positions(game)] == [BLACK, BLACK, WHITE, BLACK]
    views = [
        view(BLACK, 0.6, 2.0, "D3"),
        view(BLACK, 0.7, 4.0, "D3"),
        view(WHITE, 0.2, -9.0, "D4"),
        view(BLACK, 0.8, 9.0, "D3"),
    ]
    first, second, third = Review(sgf.GameRecord(game), views).moves
    assert (first.after, first.score_after) == (0.7, 4.0)
    assert (second.before, second.after, second.score_after) == (0.7, 0.8, 9.0)
    assert third.after == pytest.approx(0.2)


def test_a_search_of_two_moves_in_a_row() -> None:
    """Black has just killed everything and moves again: that is good for Black."""
    position = Position.from_diagram("X X X X X\nX X X X X\nX X . X X\nX X X X .\nX X X . .")
    game = position.play("D1").play("E2", BLACK)
    look = Reviewer.parse("uct", 100).searcher(lambda: False)
    rates = [view.win_rate_of(BLACK) for view in review(game, look)]
    assert min(rates) > 0.9


def test_who_looks_and_for_how_long() -> None:
    assert str(Reviewer.parse("uct", 5000)) == "uct, 5,000 simulations a position"
    own = Reviewer.parse("uct,seconds=2", 5000)
    assert (own.budget.simulations, own.budget.seconds) == (None, 2.0)
    assert str(Reviewer.parse("uct,simulations=7,seconds=1", 9)).endswith(
        "7 simulations or 1 s a position"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("random", "does not search"),
        ("nobody", "is not a player"),
        ("uct,", "is not key=value"),
        ("uct,threads=0", "too little"),
        ("gtp:no-such-program", "there is no program"),
    ],
)
def test_players_that_cannot_review(text: str, told: str) -> None:
    with pytest.raises(LabError, match=told):
        Reviewer.parse(text, 10)


def test_too_much_memory_is_told() -> None:
    with pytest.raises(LabError, match="memory=900000000 is more than this machine has"):
        Reviewer.parse("uct,memory=900000000", 10).searcher(lambda: False)


def test_the_best_move_loses_nothing_whatever_comes() -> None:
    record = sgf.loads("(;SZ[5];B[cc];W[bb])")
    views = [view(BLACK, 0.9, 9.0, "C3"), view(WHITE, 0.9, 9.0, "B4")]
    first = Review(record, views).moves[0]
    assert first.move == at("C3")
    assert (first.loss, first.points_lost) == (0.0, 0.0)
