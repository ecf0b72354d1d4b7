"""Matches: which games they are, fouls on the way, and kill -9 at any moment."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from sgfmill import sgf

from montego.go import BLACK, WHITE
from montego.lab.base.errors import LabError
from montego.lab.base.journal import Line
from montego.lab.base.record import Record, judged_score, read_games, read_sgfs, score_of
from montego.lab.base.statistics import Score, Sprt
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.match import (
    Match,
    OpeningsError,
    first_color,
    play_match,
    read_openings,
)
from montego.lab.matches.session import prepare
from tests.lab.matches.opponents import is_running, moody, moody_command

RANDOM = parse_player("random")

SLOW = pytest.mark.slow


def random_match(**changes: object) -> Match:
    return Match(**{"first": RANDOM, "second": RANDOM, "size": 5} | changes)  # type: ignore[arg-type]


def play(
    match: Match, folder: Path, games: int, workers: int = 1, sprt: Sprt | None = None
) -> None:
    with Record(folder, match.config()) as record:
        play_match(match, record, games, workers, sprt)


def sgfs(folder: Path) -> dict[int, bytes]:
    return read_sgfs(folder, read_games(folder))


def check(folder: Path, games: int) -> list[Line]:
    """Every game is there once, with a valid SGF of the same result, and nothing else."""
    lines, played = read_games(folder), sgfs(folder)
    assert sorted(line["game"] for line in lines) == list(range(1, games + 1))
    assert sorted(line["sgf"] for line in lines) == list(range(1, games + 1))
    for line in lines:
        read = sgf.Sgf_game.from_bytes(played[line["game"]])
        assert read.get_root().get("RE") == line["result"]
        assert len(read.get_main_sequence()) == line["moves"] + 1
    return lines


# --- which games -----------------------------------------------------------------------


def test_who_gives_a_handicap_is_white_in_every_game(tmp_path: Path) -> None:
    match = random_match(size=9, handicap=3, komi=0.5)
    play(match, tmp_path, 3)
    assert all(line["black"] == "second" for line in check(tmp_path, 3))
    for game in sgfs(tmp_path).values():
        root = sgf.Sgf_game.from_bytes(game).get_root()
        assert root.get("HA") == 3
        assert len(root.get_setup_stones()[0]) == 3


def test_a_match_without_handicap_is_recorded_as_ever() -> None:
    assert "handicap" not in random_match().config()
    assert random_match(size=9, handicap=2).config()["handicap"] == 2


@pytest.mark.parametrize(
    ("stones", "openings", "told"),
    [(1, False, "2 to 9"), (10, False, "2 to 9"), (2, True, "empty")],
)
def test_handicaps_that_cannot_be(stones: int, openings: bool, told: str, tmp_path: Path) -> None:
    path = tmp_path / "openings"
    path.write_text("E5\n")
    with pytest.raises(LabError, match=told):
        prepare(
            "random", "random", "area", tmp_path, path if openings else None,
            size=9, handicap=stones,
        )  # fmt: skip


def test_colors_alternate_and_pairs_share_an_opening() -> None:
    match = random_match(openings=[(22 + number,) for number in range(5)])
    assert [first_color(number) for number in (1, 2, 3)] == [BLACK, WHITE, BLACK]
    openings = [match.setup(number).opening for number in range(1, 41)]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) == 5
    other = random_match(first=parse_player(moody("good")))
    assert other.entrants(2) == {BLACK: RANDOM, WHITE: other.first}


def test_the_same_games_however_they_are_played(tmp_path: Path) -> None:
    play(random_match(seed=1), tmp_path / "at-once", 8, workers=2)
    play(random_match(seed=1), tmp_path / "resumed", 3)
    play(random_match(seed=1), tmp_path / "resumed", 8)
    check(tmp_path / "resumed", 8)
    assert sgfs(tmp_path / "at-once") == sgfs(tmp_path / "resumed")
    lines = check(tmp_path / "at-once", 8)
    assert score_of(lines).games == 8
    for key in ("commit", "dirty", "versions", "machine", "seed", "times", "simulations"):
        assert key in lines[0]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_finished_match_is_packed_and_plays_no_more(tmp_path: Path) -> None:
    play(random_match(), tmp_path, 2)
    before = content(tmp_path)
    assert set(before) == {"games.jsonl", "games.sgfs.gz"}
    play(random_match(), tmp_path, 2)
    assert content(tmp_path) == before
    play(random_match(), tmp_path, 4, workers=2)
    check(tmp_path, 4)
    assert set(content(tmp_path)) == set(before)


def test_a_match_that_is_not_finished_is_not_packed(tmp_path: Path) -> None:
    match = random_match()
    with Record(tmp_path, match.config()) as record:
        play_match(match, record, 5, stopped=lambda: len(record.games) == 2)
    assert set(content(tmp_path)) == {"games.jsonl", "games.sgfs"}
    play(match, tmp_path, 5)
    check(tmp_path, 5)


def test_a_decided_test_stops_the_match(tmp_path: Path) -> None:
    match = random_match(second=parse_player(moody("resign")))
    play(match, tmp_path, 1000, sprt=Sprt(0, 200))
    assert score_of(read_games(tmp_path)) == Score(wins=8)
    assert (tmp_path / "games.sgfs.gz").exists()
    assert Sprt(0, 200).verdict(Score(wins=7)) is None


def test_a_test_counts_games_in_the_order_of_their_numbers() -> None:
    sprt = Sprt(0, 200)
    won: list[Line] = [{"game": number, "winner": "first", "black": "x"} for number in range(1, 20)]
    assert judged_score(won, sprt) == Score(wins=8)  # what comes after the verdict is not looked at
    late_first = [won[number] for number in (5, 6, 7, 8, 9, 10, 11, 12, 0, 1)]
    assert sprt.verdict(score_of(late_first)) == 200
    assert judged_score(late_first, sprt) == Score(wins=2)


def test_scores_by_color() -> None:
    lines: list[Line] = [
        {"winner": "first", "black": "first"},
        {"winner": "second", "black": "second"},
        {"winner": None, "black": "second"},
    ]
    assert score_of(lines) == Score(1, 1, 1)
    assert score_of(lines, "black") == Score(wins=1)
    assert score_of(lines, "white") == Score(losses=1, draws=1)


# --- openings --------------------------------------------------------------------------


def test_openings(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# two of them\nC3 D4\n\nA1 pass B2 # odd\n")
    assert [len(opening) for opening in read_openings(path, 5)] == [2, 3]


@pytest.mark.parametrize(
    ("text", "told"),
    [("C3 C3", "line 1: C3 is occupied"), ("# none", "no opening"), ("C3\nJ9", "line 2: J9 lies")],
)
def test_openings_without_sense(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(OpeningsError, match=told):
        read_openings(path, 5)
    with pytest.raises(OpeningsError, match="No such file"):
        read_openings(tmp_path / "other.txt", 5)


# --- trouble ---------------------------------------------------------------------------


def test_a_bad_opponent_loses_and_the_match_goes_on(tmp_path: Path) -> None:
    opponent = moody("hang", "crash", "nonsense", "illegal", "good")
    match = random_match(second=parse_player(opponent), reply_seconds=1.0)
    play(match, tmp_path, 14, workers=2)
    lines = check(tmp_path, 14)
    fouls = [line for line in lines if line["reason"].startswith("forfeit")]
    assert {line["winner"] for line in fouls} == {"first"}
    assert {line["reason"].removeprefix("forfeit: ") for line in fouls} >= {
        "time",
        "crash",
        "nonsense",
    }
    assert all(line["detail"] for line in fouls)
    assert {"score"} < Counter(line["reason"] for line in lines).keys()


def command(folder: Path, games: int, *more: str) -> list[str]:
    arguments = ["match", "random", "random", "--size", "4", "--games", str(games)]
    return [sys.executable, "-m", "montego", *arguments, "--out", str(folder), *more]


def games_in(folder: Path) -> int:
    path = folder / "games.jsonl"
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def kill_at_a_random_moment(folder: Path, games: int, random: Random) -> int:
    """Start the match and kill it; returns how many games it had recorded."""
    before, wanted = games_in(folder), random.randrange(1, 20)
    process = subprocess.Popen(command(folder, games), stderr=subprocess.DEVNULL)
    while process.poll() is None and games_in(folder) < before + wanted:
        time.sleep(0.002)
    time.sleep(random.random() * 0.03)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return games_in(folder)


@pytest.mark.parametrize(("kills", "games"), [(2, 100), pytest.param(10, 500, marks=SLOW)])
def test_killed_again_and_again_no_game_is_lost_or_counted_twice(
    tmp_path: Path, kills: int, games: int
) -> None:
    random, recorded = Random(4), 0
    for _ in range(kills):
        now = kill_at_a_random_moment(tmp_path, games, random)
        assert recorded < now < games
        recorded = now
    done = subprocess.run(
        command(tmp_path, games, "--workers", "2", "--json"), capture_output=True, check=True
    )
    check(tmp_path, games)
    assert json.loads(done.stdout)["games"] == games


def test_an_interrupt_ends_the_match_in_order(tmp_path: Path) -> None:
    process = subprocess.Popen(command(tmp_path, 100_000), stdout=subprocess.PIPE, text=True)
    while games_in(tmp_path) < 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "random against random" in out
    check(tmp_path, games_in(tmp_path))


def test_a_killed_match_leaves_no_program_behind(tmp_path: Path) -> None:
    program = shlex.join(moody_command("hang"))
    player = f"gtp:sh -c {shlex.quote(f'echo $$ > {tmp_path}/pid; exec {program}')}"
    arguments = ["match", player, "random", "--out", str(tmp_path / "match")]
    process = subprocess.Popen([sys.executable, "-m", "montego", *arguments])
    path = tmp_path / "pid"
    while not (path.exists() and path.read_text().endswith("\n")):
        time.sleep(0.01)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while is_running(int(path.read_text())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(int(path.read_text()))
