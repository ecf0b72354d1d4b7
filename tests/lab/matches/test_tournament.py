"""Tournaments: who meets whom, one scale, and no game lost whatever stops them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from montego.lab.base.errors import LabError, RecordError
from montego.lab.base.journal import Line
from montego.lab.base.record import Record, read_games, read_sgfs
from montego.lab.base.statistics import Score
from montego.lab.matches import tournament_report as report
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.rank import rank
from montego.lab.matches.tournament import (
    Pairing,
    Standing,
    Tournament,
    folder_of,
    play_tournament,
)
from tests.lab.matches.opponents import moody

PLAYERS = ("random", "playout:mogo", "playout:uniform")


def tournament(*texts: str, **changes: object) -> Tournament:
    players = [parse_player(text) for text in texts or PLAYERS]
    return Tournament(**{"players": players, "size": 4} | changes)  # type: ignore[arg-type]


def games_of(folder: Path) -> dict[str, dict[int, bytes]]:
    """All games by pair and number."""
    return {pair.name: read_sgfs(pair, read_games(pair)) for pair in Record.find(folder)}


# --- who meets whom --------------------------------------------------------------------


def test_pairings() -> None:
    assert Pairing.round_robin.pairs(3, 1) == [(1, 2), (1, 3), (2, 3)]
    assert Pairing.ladder.pairs(4, 1) == [(1, 2), (2, 3), (3, 4)]
    assert Pairing.ladder.pairs(4, 2) == [(1, 2), (1, 3), (2, 3), (2, 4), (3, 4)]
    assert len(Pairing.round_robin.pairs(20, 1)) == 190


def test_every_pair_has_games_of_its_own() -> None:
    seeds = {tournament().match(pair).seed for pair in tournament().pairs}
    assert len(seeds) == 3
    assert seeds.isdisjoint({tournament(seed=1).match(pair).seed for pair in tournament().pairs})


def test_what_is_no_tournament() -> None:
    with pytest.raises(LabError, match="two players or more"):
        tournament("random")
    with pytest.raises(LabError, match="'random' is there twice"):
        tournament("random", "playout:mogo", "random")


# --- playing ---------------------------------------------------------------------------


def test_the_same_games_however_they_are_played(tmp_path: Path) -> None:
    play_tournament(tournament(), tmp_path / "at-once", 4, workers=2)
    play_tournament(tournament(), tmp_path / "resumed", 1)
    standing = play_tournament(tournament(), tmp_path / "resumed", 4)
    assert games_of(tmp_path / "at-once") == games_of(tmp_path / "resumed")
    assert standing.played == 12
    assert {path.name for path in (tmp_path / "resumed/01-02").iterdir()} == {
        "games.jsonl", "games.sgfs.gz",
    }  # fmt: skip
    assert not (tmp_path / "resumed/lock").exists()
    again = Standing.read(tournament(), tmp_path / "at-once")
    assert again.ratings() == standing.ratings()


def test_rounds_are_played_one_after_the_other(tmp_path: Path) -> None:
    def stopped() -> bool:
        return sum(map(len, games_of(tmp_path).values())) >= 5

    standing = play_tournament(tournament(), tmp_path, 50, stopped=stopped)
    played = [len(games) for games in standing.games.values()]
    assert max(played) - min(played) <= 1


def test_a_folder_of_another_tournament(tmp_path: Path) -> None:
    play_tournament(tournament(), tmp_path, 1)
    before = games_of(tmp_path)
    for changes in ({"pairing": Pairing.ladder}, {"size": 5}, {"seed": 3}, {"openings": ((22,),)}):
        with pytest.raises(RecordError, match=r"holds another (tournament|match): its \w+ is"):
            play_tournament(tournament(**changes), tmp_path, 1)
    with pytest.raises(RecordError, match="its players is"):
        play_tournament(tournament("random", "playout:mogo"), tmp_path, 1)
    assert games_of(tmp_path) == before


def test_a_bad_player_loses_and_the_tournament_goes_on(tmp_path: Path) -> None:
    players = ("random", moody("crash"), "playout:mogo")
    standing = play_tournament(tournament(*players, reply_seconds=5.0), tmp_path, 2)
    assert standing.score(1, 2) == Score(wins=2)
    assert standing.score(2, 3) == Score(losses=2)
    assert report.remarks(standing)[0] == "lost by a foul: 4 games"


# --- kill -9 and Ctrl-C ----------------------------------------------------------------


def command(folder: Path, games: int, *more: str) -> list[str]:
    arguments = ["tournament", *PLAYERS, "--size", "4", "--games", str(games)]
    return [sys.executable, "-m", "montego", *arguments, "--out", str(folder), *more]


def games_in(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") - 1 for path in folder.glob("*/games.jsonl"))


def wait_for(games: int, folder: Path) -> None:
    deadline = time.monotonic() + 60
    while games_in(folder) < games and time.monotonic() < deadline:
        time.sleep(0.002)


def test_killed_again_and_again_no_game_is_lost_or_counted_twice(tmp_path: Path) -> None:
    for kill in (1, 2):
        process = subprocess.Popen(command(tmp_path, 40), stderr=subprocess.DEVNULL)
        wait_for(20 * kill, tmp_path)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert 40 <= games_in(tmp_path) < 120
    done = subprocess.run(
        command(tmp_path, 40, "--workers", "2", "--json"), capture_output=True, check=True
    )
    told = json.loads(done.stdout)
    assert (told["games"], told["asked"]) == (120, 120)
    assert [sorted(games) for games in games_of(tmp_path).values()] == [list(range(1, 41))] * 3


def test_an_interrupt_ends_it_in_order(tmp_path: Path) -> None:
    process = subprocess.Popen(command(tmp_path, 10_000), stdout=subprocess.PIPE, text=True)
    wait_for(9, tmp_path)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "won-lost of the row against the column" in out
    assert {"table.md", "figure.svg"} <= {path.name for path in tmp_path.iterdir()}
    numbers = [sorted(games) for games in games_of(tmp_path).values()]
    assert sum(map(len, numbers)) == games_in(tmp_path)


# --- tables ----------------------------------------------------------------------------


def lines_of(wins: int, losses: int, draws: int = 0) -> list[Line]:
    winners = ["first"] * wins + ["second"] * losses + [None] * draws
    return [
        {"game": number, "winner": winner, "black": "first", "reason": "score", "commit": "c"}
        for number, winner in enumerate(winners, start=1)
    ]


@pytest.fixture
def standing() -> Standing:
    games = {(1, 2): lines_of(2, 7, 1), (1, 3): lines_of(5, 5), (2, 3): lines_of(6, 4)}
    return Standing(tournament(), games)


def test_the_cross_table_is_seen_from_both_sides(standing: Standing) -> None:
    order, cells = report.cells(standing)
    assert order == [2, 3, 1]
    assert cells == [["", "6-4", "7-2-1"], ["4-6", "", "5-5"], ["2-7-1", "5-5", ""]]


def test_one_scale_as_montego_rank_has_it(tmp_path: Path) -> None:
    standing = play_tournament(tournament(), tmp_path, 3)
    assert standing.ratings("random") == rank([tmp_path], "random")


def test_no_scale_before_all_have_met(standing: Standing) -> None:
    part = Standing(standing.tournament, {**standing.games, (2, 3): []})
    assert part.ratings() == []
    order, cells = report.cells(part)
    assert order == [1, 2, 3]
    assert cells[1] == ["7-2-1", "", ""]


def test_no_cell_is_cut_in_a_narrow_window(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    texts = [f"montego,level={number}" for number in range(1, 11)]
    many = tournament(*texts, pairing=Pairing.ladder)
    report.show(Standing(many, {pair: lines_of(400, 200, 3) for pair in many.pairs}), None)
    shown = capsys.readouterr().out
    assert shown.count("400-200-3") == shown.count("200-400-3") == 9


def test_the_summary(standing: Standing) -> None:
    told = report.summary(standing, 90, "random")
    assert (told["games"], told["asked"], told["pairing"]) == (30, 90, "round-robin")
    assert told["ratings"][0]["player"] == "playout:mogo"
    assert told["ratings"][-1]["elo"] == 0
    assert told["pairs"][0] == {
        "first": "random", "second": "playout:mogo", "wins": 2, "losses": 7, "draws": 1,
    }  # fmt: skip


def test_the_files(standing: Standing, tmp_path: Path) -> None:
    report.write(standing, tmp_path, "random")
    rows = (tmp_path / "table.md").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "|  | player | Elo | 95 % | games | 1 | 2 | 3 |"
    assert rows[2].startswith("| 1 | `playout:mogo` | +")
    assert rows[2].endswith(" | 20 |  | 6-4 | 7-2-1 |")
    assert (tmp_path / "figure.svg").stat().st_size > 5_000
    assert folder_of((3, 12)) == "03-12"
