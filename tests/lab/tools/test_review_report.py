"""What a review tells: notes in the record, JSON, tables, the graph."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console
from sgfmill import sgf as mill

from montego.go import BLACK, sgf
from montego.go.notes import annotate
from montego.lab.tools.review import Review
from montego.lab.tools.review_report import graph, notes, shorten, show, summary, title
from tests.lab.tools.review_of_a_game import GAME, VIEWS, reviewed, view


def annotated(review: Review, text: str = GAME) -> mill.Sgf_game:
    return mill.Sgf_game.from_bytes(annotate(text.encode(), notes(review)))


def test_notes_are_added_to_all_that_is_there() -> None:
    read = annotated(reviewed())
    main = read.get_main_sequence()
    assert main[1].get("C").startswith("a thought\nBlack wins 60.0% before this move, 55.0% after")
    assert "Black's lead: +3.0 points before it, +1.0 after it" in main[1].get("C")
    assert main[2].has_property("BM")
    assert "bad move: it loses 35.0% and about 4.5 points; best D4" in main[2].get("C")
    # White's other moves: the one that was there, and the better line
    others = [child.get_move() for child in main[1]]
    assert others == [("w", (3, 1)), ("w", (1, 3)), ("w", (3, 3))]
    better = main[1][2]
    assert better.get("C") == "White wins 45.0%, lead -1.0 points"
    assert [node.get_move()[0] for node in read.get_main_sequence_below(better)] == ["b", "w"]
    assert len(list(main[0])) == 1  # no variation beside the best move
    assert read.get_root().get("RE") == "W+R"
    text = read.serialise()
    assert sgf.loads(text).position.moves == sgf.loads(GAME).position.moves


def test_sabaki_finds_blacks_win_rate_and_lead_in_every_node() -> None:
    main = annotated(reviewed()).get_main_sequence()
    assert [node.get("SBKV") for node in main] == ["60", "55", "90", "15"]
    assert [node.get("SBKS") for node in main] == ["3", "1", "5.5", "-2"]
    cut = annotated(reviewed(2)).get_main_sequence()
    assert [node.has_property("SBKV") for node in cut] == [True, True, False, False]


def test_points_that_are_not_lost_are_not_told() -> None:
    views = [*VIEWS[:2], view(BLACK, 0.90, -9.0, "D3")]
    worse = Review(sgf.loads(GAME), views)
    assert "bad move: it loses 35.0%; best D4" in notes(worse)[2].comment


def test_summary() -> None:
    told = json.loads(json.dumps(summary(reviewed())))
    assert told["complete"]
    assert told["players"]["white"] == {
        "moves": 1,
        "bad": 1,
        "doubtful": 0,
        "as_the_search": 0,
        "mean_loss": 0.35,
        "mean_points_lost": 4.5,
    }
    move = told["moves"][1]
    assert move["variation"] == ["D4", "B2", "A1"]
    assert (move["score_before"], move["score_after"], move["points_lost"]) == (-1.0, -5.5, 4.5)
    cut = summary(reviewed(2))
    assert not cut["complete"]
    assert cut["moves"][1]["score_after"] is None


def shown(review: Review) -> str:
    console = Console(file=io.StringIO(), width=100, highlight=False, markup=False)
    show(review, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_tables() -> None:
    out = shown(reviewed())
    assert "45% → 10%" in out
    assert "D4 B2 A1" in out
    row = next(line for line in out.splitlines() if "45% → 10%" in line)
    assert "4.5" in row
    black = next(line for line in out.splitlines() if "Black one" in line)
    assert "3.8" in black  # mean points lost: (0 + 7.5) / 2
    assert "only the first" not in out
    cut = shown(reviewed(1))
    assert "no move lost 10% or more" in cut
    assert "only the first 1 moves were reviewed" in cut


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_graph(kind: str) -> None:
    picture = graph(reviewed(), kind)
    assert len(picture) > 1000
    if kind == "svg":
        assert picture.count(b"<!-- Black's") == 2  # a panel for the chance, one for the lead
    assert len(graph(reviewed(1), kind)) > 1000


@pytest.mark.parametrize("name", ["$x_$ $", r"\frac{", "金 ⛳", "<b>&"])
def test_odd_names_are_drawn(name: str) -> None:
    record = sgf.GameRecord(sgf.loads(GAME).position, black=name)
    assert graph(Review(record, VIEWS), "png")


def test_long_names_are_cut_and_cannot_steer_the_terminal() -> None:
    assert shorten("short") == "short"
    assert shorten("x" * 50) == "x" * 39 + "…"
    assert shorten("a\x1b[2J\nb") == "a[2Jb"
    assert title(sgf.loads("(;SZ[5];B[cc])")) == "Black – White"
