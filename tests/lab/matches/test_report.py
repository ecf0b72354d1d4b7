"""What is shown of a match, for people and for programs."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path

import pytest

from montego import cli
from montego.lab.base.journal import Line
from montego.lab.base.record import Record
from montego.lab.base.statistics import Score, Sprt
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.match import Match
from montego.lab.matches.report import Watch, describe, show, summary
from tests.lab.matches.opponents import moody

MATCH = Match(parse_player("random"), parse_player(moody("[bold]")))


def line(number: int, winner: str | None, reason: str = "score", commit: str = "c0ffee") -> Line:
    black = "first" if number % 2 else "second"
    return {
        "game": number,
        "winner": winner,
        "black": black,
        "reason": reason,
        "commit": commit,
        "dirty": False,
    }


GAMES = [
    line(1, "first"),
    line(2, "first", "forfeit: time"),
    line(3, "second", "resignation"),
    line(4, None, commit="decaf"),
]


def test_summary() -> None:
    told = json.loads(json.dumps(summary(MATCH, GAMES, 10, Sprt(0, 50)), allow_nan=False))
    assert (told["games"], told["asked"], told["score"]) == (4, 10, 0.625)
    assert told["as_black"] == {"wins": 1, "losses": 1, "draws": 0}
    assert told["forfeits"] == {"first": 0, "second": 1}
    assert told["commits"] == ["c0ffee", "decaf"]
    assert told["sprt"]["accepted"] is None


def test_a_summary_without_an_end_is_json_too() -> None:
    told = summary(MATCH, GAMES[:1], 10, None)
    assert (told["elo"], told["elo_interval"][1], told["sprt"]) == (None, None, None)


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    show(MATCH, GAMES, Sprt(0, 50))
    out = capsys.readouterr().out
    assert "[bold]" in out  # no markup
    for told in (
        "2-1-1",
        "ended by resignation: 1",
        "several versions",
        "+0 against +50 Elo: open",
    ):
        assert told in out


def test_names_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    """Rich would draw a cat, and take [bold] for markup."""
    match = Match(parse_player("random"), parse_player(moody("[bold] :dog: cat:cat")))
    show(match, [line(1, "first", "forfeit: time")], None)
    out = " ".join(capsys.readouterr().out.split())
    assert out.count("[bold] :dog: cat:cat") == 2


def test_a_title_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    watch = Watch(total=4, title="[red]:cat: ")
    watch.console.file = shown = io.StringIO()
    watch.console.print(watch.bar)
    watch(GAMES[:1])
    watch.console.print(watch.text)
    assert shown.getvalue().count("[red]:cat: ") == 2


def test_an_interrupted_match_says_how_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "montego.lab.matches.session.play_match", lambda *_: os.kill(os.getpid(), signal.SIGINT)
    )
    with pytest.raises(SystemExit) as left:
        cli.main(["match", "random", "random", "--json", "--out", str(tmp_path)])
    assert left.value.code == 130
    captured = capsys.readouterr()
    assert json.loads(captured.out)["games"] == 0
    assert captured.err == "montego: interrupted; the same command resumes where it stopped\n"


def test_one_line() -> None:
    told = "15-5-0: 75.0 (53.1 to 88.8) %, Elo +191 (+22 to +360)"
    assert describe(Score(15, 5)) == told


def test_without_a_terminal_the_last_game_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with Watch(total=4) as watch:
        for number in range(5):
            watch(GAMES[:number])
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("4/4 2-1-1: 62.5")


def test_another_match_in_the_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = Match(parse_player("random"), parse_player("random")).config()
    Record(tmp_path, config).close()
    with pytest.raises(SystemExit) as left:
        cli.main(["match", "random", "random", "--komi", "6.5", "--out", str(tmp_path)])
    assert left.value.code == 2
    err = capsys.readouterr().err
    assert err.endswith("another match: its komi is 7.5, not 6.5; choose another folder\n")
    assert err.count("\n") == 1
