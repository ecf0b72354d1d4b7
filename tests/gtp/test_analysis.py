"""Analysis in all the forms that programs send, and what the reports hold."""

from __future__ import annotations

import re

import pytest

from montego.gtp.analysis import DEFAULT_INTERVAL, Wishes, parse_wishes
from montego.gtp.arguments import Arguments
from tests.gtp.sessions import ask, fake_session


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Wishes()),
        ("50", Wishes(interval=0.5)),
        ("b 50", Wishes("b", 0.5)),
        ("B interval 50", Wishes("b", 0.5)),
        ("white", Wishes("white")),
        ("interval 100", Wishes(interval=1.0)),
        ("0", Wishes(interval=0.01)),
        ("b 20 minmoves 3 maxmoves 5", Wishes("b", 0.2, 3, 5)),
        ("b interval 50 avoid b D4,E5 1", Wishes("b", 0.5, avoided={"D4", "E5"})),
        ("w allow w q16,pass 1 allow w c3 1", Wishes("w", allowed={"Q16", "PASS", "C3"})),
        ("b 50 ownership true rootInfo true", Wishes("b", 0.5, ownership=True, root=True)),
        ("b 50 ownership false pvVisits true movesOwnership true", Wishes("b", 0.5)),
    ],
)
def test_arguments(text: str, expected: Wishes) -> None:
    assert parse_wishes(Arguments(text.split())) == expected
    assert expected.interval <= 1.0
    assert Wishes().interval == DEFAULT_INTERVAL


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
    assert "scoreLead -33.000" in before
    assert "rootInfo visits 1000" in before


@pytest.mark.parametrize(
    ("wishes", "moves"),
    [
        ("maxmoves 2", ["A9", "B9"]),
        ("avoid b A9,C9 1 maxmoves 2", ["B9", "D9"]),
        ("allow b C9,pass 1", ["C9", "pass"]),
    ],
)
def test_which_moves_are_reported(wishes: str, moves: list[str]) -> None:
    session, _ = fake_session()
    line = ask(session, f"lz-analyze b 1 {wishes}").splitlines()[1]
    assert re.findall(r"info move (\S+)", line) == moves


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
