"""The laboratory and the book on the page: what the records say, live, and no path from outside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from montego.book.games import BookGame
from montego.book.store import Book
from montego.go import GoError, Position, Rules
from montego.lab.base.record import Record
from montego.lab.base.statistics import Score, Sprt
from montego.web.library import Library
from montego.web.results import Results
from tests.lab.base.killed import make_three_files
from tests.web.client import Client
from tests.web.conftest import Server, running

CONFIG = {"first": "montego,simulations=9", "second": "uct,<b>x</b>", "size": 5, "komi": 7.5}
SGF = "(;SZ[5]KM[7.5]PB[montego]PW[uct];B[cc];W[bb])"


def line(number: int, won: bool, **more: Any) -> dict[str, Any]:
    return {
        "game": number, "black": "first" if number % 2 else "second", "reason": "score",
        "winner": "first" if won else "second", "result": "B+1.5", "moves": 2,
        "finished": f"2026-01-01T00:00:{number:02}+00:00", "asked": 40, **more,
    }  # fmt: skip


def add(folder: Path, first: int, last: int, **more: Any) -> None:
    with Record(folder, CONFIG) as record:
        for number in range(first, last + 1):
            record.add(line(number, number % 4 != 0, **more), SGF)


def test_a_match_has_the_figures_of_its_record(tmp_path: Path) -> None:
    add(tmp_path / "one" / "two", 1, 20, sprt=[0, 50])
    add(tmp_path / "other", 1, 3)
    results = Results(tmp_path)
    lines = {found.name: found for found in results.matches()}
    assert {*lines} == {"one/two", "other"}
    found, score = lines["one/two"], Score(15, 5)
    assert (found.wins, found.losses, found.games, found.asked) == (15, 5, 20, 40)
    assert (found.low, found.high) == tuple(round(bound, 4) for bound in score.interval)
    assert found.elo == round(score.elo, 1)
    assert found.sprt is not None
    assert found.sprt.ratio == round(Sprt(0, 50).ratio(score), 3)
    assert not found.running
    assert lines["other"].sprt is None
    shown = results.match(found.id)
    assert [game.number for game in shown.games] == list(range(1, 21))
    assert shown.rates[-1] == 0.75
    assert results.game(found.id, 7).startswith("(;SZ[5]")


def test_only_what_has_changed_is_read_again(tmp_path: Path) -> None:
    add(tmp_path / "a", 1, 2)
    results = Results(tmp_path)
    before = results.matches()[0]
    assert results.matches()[0] is before
    add(tmp_path / "a", 3, 3)
    assert results.matches()[0].games == 3


def test_damage_is_told_and_harms_nobody_else(tmp_path: Path) -> None:
    add(tmp_path / "good", 1, 2)
    for name, text in (("bad", "{"), ("worse", "[]"), ("empty", "{}")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "match.json").write_text(text)
    add(tmp_path / "torn", 1, 2)
    path = tmp_path / "torn" / "games.jsonl"
    path.write_bytes(b"x" + path.read_bytes())
    lines = {found.name: found for found in Results(tmp_path).matches()}
    assert lines["good"].problem == ""
    assert all(lines[name].problem for name in ("bad", "worse", "empty", "torn"))


def test_a_match_of_an_earlier_version_and_what_is_none(tmp_path: Path) -> None:
    make_three_files(tmp_path / "old", 2)
    (tmp_path / "old" / "match.json").write_text(json.dumps(CONFIG))
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "games.jsonl").write_text('{"game": 0, "flags": 0}\n')
    (found,) = Results(tmp_path).matches()
    assert (found.name, found.first, found.games) == ("old", CONFIG["first"], 2)


@pytest.mark.parametrize("name", ["", "..", "../..", "/etc/passwd", "a", "one/two", "\0", "x" * 40])
def test_no_name_from_outside_is_a_path(tmp_path: Path, name: str) -> None:
    add(tmp_path / "a", 1, 2)
    results = Results(tmp_path)
    with pytest.raises(GoError, match="no such match"):
        results.match(name)
    with pytest.raises(GoError, match="no such match"):
        results.game(name, 1)


# --- a book ----------------------------------------------------------------------------


def a_book(path: Path) -> Path:
    rules = Rules(komi=7.5)
    with Book.create(path) as book:
        for number, replies in enumerate((["C3", "B2"], ["C3", "B3"], ["C3", "B2", "D4"], ["B2"])):
            position = Position.start(5, rules)
            for move in replies:
                position = position.play(move)
            winner = "B+R" if number != 1 else "W+R"
            book.add([BookGame(tuple(position.moves), winner, 5, rules)])
    return path


def test_a_book_is_shown_with_counts_and_intervals(tmp_path: Path) -> None:
    library = Library(a_book(tmp_path / "my.book"))
    told = library.look_up(0, Position.start(5, Rules(komi=7.5, superko="simple")))
    assert library.name == "my"
    assert told.games == 4
    first = {found.line[0]: found for found in told.lines if len(found.line) == 1}
    assert first["C3"].games == 3
    assert first["C3"].rate == round(2 / 3, 4)
    assert first["C3"].low < 2 / 3 < first["C3"].high
    assert sum(found.games for found in told.lines if len(found.line) == 2) == 3
    assert library.look_up(0, Position.start(9)).lines == []


# --- served ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    add(folder / "mine", 1, 6, sprt=[0, 50])
    a_book(folder / "my.book")
    return folder


@pytest.fixture(scope="module")
def equipped(place: Path) -> Iterator[Server]:
    """A server with a laboratory and a book."""
    with running("--results", str(place), "--book", str(place / "my.book")) as server:
        yield server


@pytest.fixture
def page(equipped: Server) -> Iterator[Client]:
    with equipped.client() as client:
        yield client


def test_matches_are_live(page: Client, place: Path) -> None:
    told = page.until("welcome")
    assert (told["book"], told["laboratory"]) == ("my", True)
    page.say("laboratory", on=True)
    found = page.until("matches")["matches"][0]
    assert (found["name"], found["games"]) == ("mine", 6)
    page.say("showmatch", match=found["id"])
    assert page.until("match")["total"] == 6
    add(place / "mine", 7, 8)
    assert page.until("match", lambda told: told["total"] == 8)["games"][-1]["number"] == 8
    page.say("opengame", match=found["id"], number=7)
    state = page.until("state")
    assert (state["mode"], page.moves()) == ("analyse", ["C3", "B4"])
    page.say("opengame", match=found["id"], number=999)
    assert "game 999" in page.until("problem")["text"]
    page.say("showmatch", match="../mine")
    assert "no such match" in page.until("problem")["text"]


def test_a_papers_table_has_ours_beside(page: Client) -> None:
    page.say("showtable", experiment="R1", scale="quick")
    told = page.until("table")
    assert (told["experiment"], told["scale"]) == ("R1", "quick")
    assert all(row["paper"] for row in told["rows"])
    page.say("showtable", experiment="R99")
    assert "no such experiment" in page.until("problem")["text"]


def test_the_book_is_looked_up_and_played_by(page: Client) -> None:
    page.begin("analyse", user="both")
    page.say("lookup")
    told = page.until("book")
    assert (told["node"], told["games"]) == (0, 4)
    page.begin(user="white", limit={"by": "simulations", "amount": 20})
    page.until("state", lambda state: len(state["line"]) == 2)
    assert page.moves() == ["C3"]
    page.say("save")
    assert "games of the book" in page.until("saved")["text"]


def test_without_them_it_says_so(client: Client) -> None:
    client.begin("analyse")
    client.say("lookup")
    assert "--book" in client.until("problem")["text"]


def test_playouts_add_up_until_the_position_changes(client: Client) -> None:
    client.begin("analyse", recipe="mogo")
    for games in (10, 20):
        client.say("playout", games=10)
        told = client.until("playouts")
        assert told["games"] == games
    assert told["kind"] == "mogo"
    assert told["last"][0]["color"] == "black"
    client.play("C3")
    client.until("state", lambda state: state["at"] == 1)
    client.say("playout", games=5)
    assert client.until("playouts")["games"] == 5
    client.say("switch", mode="play")
    client.say("playout")
    assert "analyse it first" in client.until("problem")["text"]


def test_what_is_known_is_told_once_and_the_tree_again_and_again(client: Client) -> None:
    client.begin("analyse", recipe="mango")
    client.say("analyse", on=True, inside=True)
    known = client.until("known")
    assert len(known["moves"]) == 25
    first = client.until("inside")
    later = client.until("inside", lambda told: told["simulations"] > first["simulations"])
    assert later["formula"].startswith("v + c sqrt")
    assert len(later["criticality"]) == 5
    assert json.dumps(later).count('"parent": null') == 25
