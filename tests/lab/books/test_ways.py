"""Ways to grow a book: against whom, and from how many games on."""

from __future__ import annotations

import pytest

from montego.go import BLACK, WHITE, Position, vertex
from montego.lab.base.errors import LabError
from montego.lab.books.buro import BuroGrowth
from montego.lab.books.plans import METHODS, Follower, Growth, Sparring, Start, followed
from montego.lab.books.ways import NOBODY, Way
from montego.lab.matches.entrants import parse_player
from tests.book.games import line
from tests.book.test_choice import Memory

FAST = parse_player("montego,simulations=2,memory=16")


def test_a_position_is_followed_from_some_games_on() -> None:
    population = Memory(*(line("E5 C3", "W+R", name=str(i)) for i in range(3)))
    after, follow = Position.start(9).play("E5"), METHODS["mvbm"]
    assert followed(population, follow, after, least=4) is None
    move = followed(population, follow, after, least=3)
    assert move is not None
    assert vertex(move, 9) in ("C3", "C7", "G3", "G7")


def test_one_side_has_no_book_by_turns() -> None:
    plan = Way("mvbm", NOBODY, least=10).plan(FAST, Start())
    assert isinstance(plan, Sparring)
    assert plan.least == 10
    for number, own in ((1, BLACK), (2, WHITE), (3, BLACK)):
        players = plan.players(number, Memory())
        assert [color for color in players if isinstance(players[color], Follower)] == [own]
    assert plan.source == "grown, mvbm against no book"


def test_only_the_learner_follows() -> None:
    """All games of the population begin at A1, which nobody would think of."""
    population = Memory(*(line("A1 B2", "B+R", name=str(i)) for i in range(3)))
    plan = Way("mvbm", NOBODY).plan(parse_player("montego,simulations=30,memory=16"), Start())
    first = [plan.play(number, str(number), population).moves[0][1] for number in (1, 2)]
    corner = Position.start(9).play("A1").moves[0][1]
    corners = {vertex(corner, 9), "A9", "J1", "J9"}
    assert [vertex(move, 9) in corners for move in first] == [True, False]


def test_ways_by_name() -> None:
    assert type(Way().plan(FAST, Start())) is Growth
    assert isinstance(Way("buro").plan(FAST, Start()), BuroGrowth)


@pytest.mark.parametrize(
    "given",
    [
        ("x",),
        ("mvbm", "x"),
        ("buro", NOBODY),
        ("buro", "itself", 9),
        ("dropout", "itself", None, 2),
    ],
)
def test_what_does_not_go_together(given: tuple[object, ...]) -> None:
    with pytest.raises(LabError):
        Way(*given)  # type: ignore[arg-type]
