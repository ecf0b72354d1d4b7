"""Analysis in all the forms that programs send, and what the reports hold."""

from __future__ import annotations

import io
import re

import pytest

from montego.engine.engine import Engine
from montego.go import BLACK, WHITE, parse_move
from montego.gtp.analysis_options import (
    DEFAULT_INTERVAL,
    AnalysisOptions,
    Restriction,
    parse_options,
)
from montego.gtp.arguments import Arguments
from montego.gtp.session import GtpSession
from montego.mcts.avoid import Avoid
from tests.gtp.sessions import ask, fake_session


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", AnalysisOptions()),
        ("50", AnalysisOptions(interval=0.5)),
        ("b 50", AnalysisOptions("b", 0.5)),
        ("B interval 50", AnalysisOptions("b", 0.5)),
        ("white", AnalysisOptions("white")),
        ("interval 100", AnalysisOptions(interval=1.0)),
        ("0", AnalysisOptions(interval=0.01)),
        ("b 20 minmoves 3 maxmoves 5", AnalysisOptions("b", 0.2, 3, 5)),
        (
            "b interval 50 avoid b D4,E5 1",
            AnalysisOptions("b", 0.5, avoided=[Restriction("b", frozenset({"D4", "E5"}), 1)]),
        ),
        (
            "w allow w q16,pass 1 allow b c3 10",
            AnalysisOptions(
                "w",
                allowed=[
                    Restriction("w", frozenset({"Q16", "PASS"}), 1),
                    Restriction("b", frozenset({"C3"}), 10),
                ],
            ),
        ),
        ("b 50 ownership true rootInfo true", AnalysisOptions("b", 0.5, ownership=True, root=True)),
        (
            "b 50 ownership false pvVisits true movesOwnership true",
            AnalysisOptions("b", 0.5, moves_ownership=True, line_visits=True),
        ),
        ("b 50 pvEdgeVisits true ownershipStdev true", AnalysisOptions("b", 0.5)),
    ],
)
def test_arguments(text: str, expected: AnalysisOptions) -> None:
    assert parse_options(Arguments(text.split())) == expected
    assert expected.interval <= 1.0
    assert AnalysisOptions().interval == DEFAULT_INTERVAL


@pytest.mark.parametrize(
    "text", ["red 50", "b x", "-5", "interval", "minmoves", "b 50 ownership perhaps",
             "avoid b D4", "avoid D4 1", "b 50 frobnicate true", "nan", "interval nan"],
)  # fmt: skip
def test_wrong_arguments_are_an_error_and_no_stream(text: str) -> None:
    session, _ = fake_session()
    assert ask(session, f"9 kata-analyze {text}").startswith("?9 syntax error")


INFO = re.compile(
    r"info move (\S+) visits (\d+) winrate (\d+) prior (\d+) lcb (\d+) order (\d+) pv "
)


def test_leela_zeros_form() -> None:
    session, _ = fake_session()
    begin, line = ask(session, "4 lz-analyze b interval 1").splitlines()
    assert begin == "=4"
    found = INFO.findall(line)
    assert found[0] == ("A9", "500", "6000", "476", "5571", "0")
    assert [int(move[5]) for move in found] == list(range(6))
    assert line.count("info") == 6


def test_katagos_form() -> None:
    session, _ = fake_session(ownership=0.5)
    line = ask(session, "kata-analyze w 1 ownership true rootInfo true").splitlines()[1]
    before, _, ownership = line.partition(" ownership ")
    assert set(ownership.split()) == {"-0.500"}
    assert len(ownership.split()) == 81
    assert "info move A9 visits 500 utility 0.200000 winrate 0.600000" in before
    leads = re.findall(r"order (\d+)|scoreLead (\S+)", before)
    assert [float(lead) for _, lead in leads if lead] == [3.0, 2.0, 1.0, 0.0, -1.0, -2.0, 3.0]
    assert "rootInfo visits 1000" in before


def test_katagos_form_with_more_of_each_move() -> None:
    session = GtpSession(lambda: Engine("montego", size=5, memory_mb=16), log=io.StringIO())
    line = ask(session, "kata-analyze b 1 pvVisits true movesOwnership true").splitlines()[-1]
    best = line.split("info ")[1].split()
    figures, owners = best[: best.index("movesOwnership")], best[best.index("movesOwnership") + 1 :]
    assert len(owners) == 25
    assert all(-1 <= float(owner) <= 1 for owner in owners)
    moves = figures[figures.index("pv") + 1 : figures.index("pvVisits")]
    visits = figures[figures.index("pvVisits") + 1 :]
    assert len(moves) == len(visits)
    assert visits[0] == figures[figures.index("visits") + 1]
    assert float(figures[figures.index("scoreStdev") + 1]) > 0


def test_which_moves_are_reported() -> None:
    session, _ = fake_session()
    line = ask(session, "lz-analyze b 1 maxmoves 2").splitlines()[1]
    assert re.findall(r"info move (\S+)", line) == ["A9", "B9"]


@pytest.mark.parametrize("name", ["kata-analyze", "lz-genmove_analyze"])
def test_the_search_is_told_what_to_leave_out(name: str) -> None:
    session, search = fake_session()
    ask(session, f"{name} b 1 avoid B D4,E4 10 avoid w pass 1")
    black, white = search.avoided
    assert black == Avoid(BLACK, frozenset({parse_move("D4", 9), parse_move("E4", 9)}), 10)
    assert white == Avoid(WHITE, frozenset({parse_move("pass", 9)}), 1)
    ask(session, f"{name} b 1 allow b D4,pass 1 allow b E4 3")
    (others,) = search.avoided
    assert (others.color, others.depth, len(others.moves)) == (BLACK, 3, 79)
    assert parse_move("E4", 9) not in others.moves
    ask(session, f"{name} w 1")
    assert search.avoided == []


def test_a_point_that_is_not_on_the_board_cannot_be_avoided() -> None:
    session, _ = fake_session()
    assert ask(session, "7 kata-analyze avoid b Z99 1").startswith("?7 ")
    assert ask(session, "list_stones b") == "="


def real_moves(session: GtpSession, command: str) -> set[str]:
    line = ask(session, command).splitlines()[1]
    return set(re.findall(r"info move (\S+)", line))


def test_the_search_leaves_out_what_it_is_told_to() -> None:
    engine = Engine("uct", size=5, memory_mb=16)
    session = GtpSession(lambda: engine, log=io.StringIO())
    assert real_moves(session, "lz-analyze b 1 allow b A1,B2 1") == {"A1", "B2"}
    assert "C3" not in real_moves(session, "lz-analyze b 1 avoid b C3 1")
    assert len(real_moves(session, "lz-analyze b 1 minmoves 25")) == 25
    assert ask(session, "restricted_genmove b E1 A1") in ("= E1", "= A1")
    assert ask(session, "restricted_genmove b D1") == "= D1"
    assert ask(session, "list_stones b") == "="
    assert ask(session, "lz-genmove_analyze b 1 allow b E1 1").endswith("play E1")


@pytest.mark.parametrize("name", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_a_move_is_generated_with_reports(name: str) -> None:
    session, _ = fake_session()
    lines = ask(session, f"1 {name} b 1").splitlines()
    assert lines[0] == "=1"
    assert lines[1].startswith("info move A9")
    assert lines[-1] == "play A9"
    assert ask(session, "list_stones b") == "= A9"


def test_analysis_leaves_the_game_alone() -> None:
    session, _ = fake_session()
    assert ask(session, "play b E5", "lz-analyze 1", "list_stones b") == "= E5"
    assert ask(session, "list_stones w") == "="
