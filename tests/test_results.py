"""The records that are kept in results/: all games are there, and the tables follow from them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import runpy
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from sgfmill import sgf_grammar

from montego.engine.levels import TABLE
from montego.lab.base.record import Record, read_games, read_sgfs
from montego.lab.experiments import reproduce, tables
from montego.lab.experiments.model import Scale
from montego.lab.matches.rank import find_matches
from montego.lab.tools.tune import Tuning

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"
MOST_FILES = 500
WITHOUT_MOVES = ("R6/full", "tune-9x9", "tune-13x13")
"""Where only the results of games were kept."""
if not RESULTS.exists():  # as where the sources were unpacked without them
    pytest.skip("the records are not there", allow_module_level=True)

RECORDS = sorted({*Record.find(RESULTS), *Tuning.find(RESULTS)})
TABLES = sorted(RESULTS.glob("*/*/table.csv"))


def name_of(path: Path) -> str:
    return path.relative_to(RESULTS).as_posix()


@pytest.mark.parametrize("folder", RECORDS, ids=name_of)
def test_every_line_has_its_game(folder: Path) -> None:
    lines = read_games(folder)
    games = read_sgfs(folder, lines)
    if name_of(folder).startswith(WITHOUT_MOVES):
        assert not games
        return
    assert set(games) == {line["game"] for line in lines}
    for line in lines:
        nodes = sgf_grammar.parse_sgf_game(games[line["game"]]).sequence
        assert nodes[0]["RE"] == [line["result"].encode()]
        assert len(nodes) == line["moves"] + 1


@pytest.mark.parametrize("folder", RECORDS, ids=name_of)
def test_records_say_what_they_are(folder: Path) -> None:
    (journal,) = (journal for journal in (Record, Tuning) if journal.is_there(folder))
    config = journal.read_config(folder)
    assert config is not None
    assert {"first", "second", "size", "komi", "seed", "referee"} <= set(config)


def test_all_records_are_found() -> None:
    assert len(RECORDS) > 60
    assert {folder.resolve() for folder in RECORDS} > set(find_matches([RESULTS]))
    lines = (RESULTS / "clock-under-load/games.jsonl").read_text(encoding="utf-8").splitlines()
    clock = [json.loads(line) for line in lines]
    assert len(clock) == 200
    assert not any(game["flags"] for game in clock)


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*/matches.json.gz")), ids=name_of)
def test_folded_matches_are_whole(path: Path) -> None:
    """What ``benchmarks/fold.py`` and others before it wrote."""
    matches = json.loads(gzip.decompress(path.read_bytes()))
    assert len({match["name"] for match in matches}) == len(matches) > 0
    for match in matches:
        games = match["games"]
        assert {"first", "second", "size", "komi", "seed"} <= set(match["match"])
        winners = [game["winner"] for game in games]
        assert winners.count("first") == match["won"]
        assert winners.count("second") == match["lost"]
        for game, text in zip(games, match["sgfs"], strict=True):
            nodes = sgf_grammar.parse_sgf_game(text.encode()).sequence
            assert nodes[0]["RE"] == [game["result"].encode()]
            assert len(nodes) == game["moves"] + 1


def test_folding_keeps_matches_and_what_was_folded_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And refuses a folder that holds more than a match."""
    match, about = RESULTS / "engine-uct", tmp_path / "about.json"
    about.write_text(json.dumps(dict.fromkeys(("one", "two", "three"), "a match")))
    monkeypatch.setattr("sys.argv", ["fold.py", str(tmp_path), str(about)])
    fold = runpy.run_path(str(ROOT / "benchmarks/fold.py"))["main"]
    for name in ("one", "two"):
        shutil.copytree(match, tmp_path / name)
        fold()
        assert not (tmp_path / name).exists()
    first, second = json.loads(gzip.decompress((tmp_path / "matches.json.gz").read_bytes()))
    assert [first["name"], second["name"]] == ["one", "two"]
    assert first["games"] == read_games(match)
    assert len(first["sgfs"]) == first["won"] + first["lost"] == 24
    shutil.copytree(match, tmp_path / "three")
    (tmp_path / "three/judged.json").write_text("{}")
    with pytest.raises(SystemExit):
        fold()
    assert (tmp_path / "three/games.jsonl").exists()


@pytest.mark.parametrize(("name", "disputed"), [("passing-9x9", []), ("passing-13x13", [80])])
def test_no_game_is_lost_by_passing(name: str, disputed: list[int]) -> None:
    """Of what ``benchmarks/passing.py`` disputes, the README tells what was found."""
    judged = json.loads((RESULTS / name / "judged.json").read_text(encoding="utf-8"))
    results = {line["game"]: line["result"] for line in read_games(RESULTS / name)}
    assert len(results) == 200
    assert {game["game"]: game["result"] for game in judged["games"]} == results
    assert judged["simulations"] == 20_000
    doubted = set()
    for game in judged["games"]:
        winner = 1 if game["result"].startswith("B+") else -1
        assert game["value"] * winner > 0, game
        assert game["empty"] < 0.5, game
        if game["score"] * winner <= 0:
            doubted.add(game["game"])
    assert sorted(doubted) == judged["disputed"] == disputed


def figures_in(table: str) -> dict[str, list[float | None]]:
    """Our figures by row."""
    names = ("ours_value", "ours_low", "ours_high", "ours_number")
    return {
        row["row"]: [float(row[name]) if row[name] else None for name in names]
        for row in csv.DictReader(io.StringIO(table))
    }


@pytest.mark.parametrize("path", TABLES, ids=name_of)
def test_tables_follow_from_the_records(path: Path) -> None:
    name, scale = path.parts[-3:-1]
    experiment = reproduce.find_experiment(name)
    rows = reproduce.choose_rows(experiment, Scale(scale), (), None)
    report = reproduce.read(experiment, Scale(scale), rows, RESULTS)
    kept, anew = figures_in(path.read_text(encoding="utf-8")), figures_in(tables.as_csv(report))
    assert kept.keys() == anew.keys()
    for row, figures in kept.items():
        assert anew[row] == pytest.approx(figures), row


def test_the_page_of_levels_follows_from_the_records() -> None:
    ratings = SimpleNamespace(**runpy.run_path(str(ROOT / "docs/ratings.py")))
    if not ratings.RESULTS.exists():
        pytest.skip("the games of the levels are not there")
    written = (ROOT / "docs/levels.md").read_text(encoding="utf-8")
    assert written == ratings.page(written), "python docs/ratings.py"
    assert written.count("\n| ") > 2 * len(TABLE)


def test_there_are_few_files() -> None:
    command = ["git", "-C", str(ROOT), "ls-files", "results"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the sources are not in git")
    names = [Path(name).name for name in done.stdout.splitlines()]
    assert 0 < len(names) <= MOST_FILES
    assert not [name for name in names if name.endswith(("lock", ".png", ".sgf", ".sgfs"))]
    assert not {"match.json", "tuning.json", "measurement.json"} & {*names}  # convert-records
