"""The laboratory's commands at their edges: whatever is wrong is told in one line, with code 2."""

from __future__ import annotations

import gzip
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from montego import cli
from montego.cli import typed
from montego.lab.base.errors import LabError
from montego.lab.base.journal import Line
from montego.lab.base.record import Record
from montego.lab.experiments import reproduce
from montego.lab.experiments.measurements import Measurements, MeasureWork, Turns
from montego.lab.experiments.model import Experiment, Figure, Panel, Row, Scale
from montego.lab.tools.tune import TuneError, Tuning, prepare

LINE = {"game": 1, "winner": "first", "black": "first", "reason": "score"}
TUNE = ["tune", "uct,simulations=1", "--against", "random", "--parameter", "selection.c:0.1:2"]


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The one line that a command ends with."""
    with pytest.raises(SystemExit) as left:
        cli.main([str(argument) for argument in arguments])
    err = capsys.readouterr().err
    assert left.value.code == 2
    (line,) = err.strip().splitlines()
    assert line.startswith("montego: ")
    return line


def match(folder: Path, **config: object) -> Path:
    known = {"first": "a", "second": "b", "size": 9, "komi": 7.5}
    with Record(folder, known | config) as record:
        record.add(LINE, "(;)")
    return folder


@pytest.mark.parametrize(
    "config", [{"first": 3}, {"second": None}, {"size": "9"}, {"komi": [7.5]}, {"size": None}]
)
def test_a_foreign_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], config: dict[str, object]
) -> None:
    assert "games.jsonl is damaged: it " in told(capsys, "rank", match(tmp_path, **config))


def test_damaged_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (match(tmp_path) / "games.jsonl").write_bytes(b"\xff\n")
    assert "games.jsonl, line 1 is damaged" in told(capsys, "rank", tmp_path)


@pytest.mark.parametrize("values", [None, 3, {}, {"selection.c": "1"}, {"selection.c": 7.0}])
def test_games_of_another_tuning(tmp_path: Path, values: object) -> None:
    plan = prepare("uct", "random", ["selection.c:0.1:2"], {"size": 4})
    with Tuning(tmp_path, plan) as record:
        record.add(LINE | {"parameters": values}, "(;)")
    with pytest.raises(TuneError, match=r"games.jsonl: game 1 has no values"):
        Tuning(tmp_path, plan)


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("montego,threads=100000", "threads=100000 is too much: at most 64"),
        ("montego,memory=500000000", "memory=500000000 is more than this machine has"),
        ("montego,memory=5000000000000", "is too much"),
        ("montego,simulations=99999999999999999999", "is too much"),
        ("montego,seconds=inf", "seconds=inf is too much"),
        ("gtp:/bin/\udcff", "is no text in UTF-8"),
    ],
)
def test_absurd_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], player: str, reason: str
) -> None:
    assert reason in told(capsys, "match", player, "random", "--out", tmp_path)
    assert reason in told(capsys, *TUNE[:3], player, *TUNE[4:], "--out", tmp_path)


def test_absurd_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--workers" in told(
        capsys, "match", "random", "random", "--out", tmp_path, "--workers", "100000"
    )
    assert "more than this machine has" in told(capsys, "gtp", "--memory", "999999999")


def test_games_that_are_no_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe, folder, packed = tmp_path / "pipe.sgf", tmp_path / "folder.sgf", tmp_path / "x.sgfs.gz"
    os.mkfifo(pipe)
    folder.mkdir()
    packed.write_bytes(gzip.compress(b"(;SZ[9])\n" * 100)[:-20])
    for path in (pipe, folder, Path("/dev/zero")):
        told(capsys, "play", "--from", path)
        told(capsys, "review", path)
        told(capsys, "predict", path, "uct")
        told(capsys, "learn", path, "--out", tmp_path / "strengths")
        told(capsys, "match", "random", "random", "--out", tmp_path / "m", "--openings", path)
        told(capsys, "regress", path)
    assert "x.sgfs.gz" in told(capsys, "predict", packed, "uct")
    assert "x.sgfs.gz" in told(capsys, "learn", packed, "--out", tmp_path / "strengths")


@pytest.mark.parametrize("name", ["lock", "games.jsonl", "match.json"])
def test_a_folder_in_place_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / name).mkdir()
    assert name in told(capsys, "match", "random", "random", "--size", "4", "--out", tmp_path)


def test_a_link_that_leads_nowhere_stays(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "later")
    typed.check_writable(link)
    assert link.is_symlink()
    assert not link.exists()


# --- streams ---------------------------------------------------------------------------


def shell(arguments: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m montego {arguments}"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("streams", "code", "err"),
    [
        (">/dev/full", 2, "montego: No space left on device\n"),
        ("| true", 1, ""),
        ("<&-", 0, ""),
        (">&-", 0, ""),
        ("<&- >&- 2>&-", 0, ""),
    ],
)
def test_streams_that_are_closed_or_full(tmp_path: Path, streams: str, code: int, err: str) -> None:
    done = shell(f"rank {match(tmp_path)} {streams}")
    assert (done.returncode, done.stderr) == (code, err)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--version", ""),
        ("--help", ""),
        ("dft plan 16 --seconds 0.01", ""),
        ("play --size 3 --simulations 5", ""),
        ("gtp --simulations 5", "name"),
        ("analysis --threads 1 --memory 16", '{"id": "a", "action": "query_version"}'),
    ],
)
def test_a_full_standard_output_is_told_in_one_line(arguments: str, line: str) -> None:
    done = shell(f"{arguments} >/dev/full <<<'{line}'")
    told = [said for said in done.stderr.splitlines() if not said.startswith("Started, ready")]
    assert (done.returncode, told) == (2, ["montego: No space left on device"])


def test_names_that_are_no_utf_8(tmp_path: Path) -> None:
    folder = match(tmp_path / "name-\udcff")
    assert shell(f"rank {tmp_path}/name*").returncode == 0
    (folder / "games.jsonl").write_bytes(b"\xff\n")
    done = shell(f"rank {tmp_path}/name*")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_a_disk_that_fills_up_is_one_line_and_the_match_goes_on(tmp_path: Path) -> None:
    command = f"match random random --size 4 --games 5 --out {tmp_path}/m"
    limited = f"ulimit -f 1; exec {sys.executable} -B -m montego {command}"
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "File too large; what is recorded stays" in done.stderr
    assert "Traceback" not in done.stderr
    assert shell(f"{command} --json").returncode == 0


def test_a_damaged_measurement_is_told(tmp_path: Path) -> None:
    def read(lines: Mapping[str, Sequence[Line]]) -> Figure:
        return Figure(lines["speed"][0]["value"])

    work = MeasureWork("speed", Turns({}), 1)
    row = Row("row", "label", Panel("title"), read, (work,))
    with Measurements(tmp_path / "speed", {}) as journal:
        journal.append({"number": 1})
    experiment = Experiment("X1", "title", "source", lambda scale: [row])
    with pytest.raises(LabError, match="speed: a damaged line, without 'value'"):
        reproduce.read(experiment, Scale.quick, [row], tmp_path)


def test_looking_at_the_commit_leaves_no_lock_on_a_full_disk(tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path)]
    names = [tmp_path / "__init__.py", *(tmp_path / f"{number}.py" for number in range(99))]
    for path in names:
        path.touch()
    try:
        for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
            subprocess.run([*git, *arguments], check=True)
    except FileNotFoundError:
        pytest.skip("git is not installed")
    for path in names:
        os.utime(path, (1, 1))  # so that git would refresh its index
    code = (
        f"from pathlib import Path; from montego.lab.base.provenance import commit; "
        f"print(commit(Path({str(tmp_path)!r})))"
    )
    limited = f"ulimit -f 1; exec {sys.executable} -B -c {shlex.quote(code)}"
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=True)
    assert "'dirty': False" in done.stdout
    assert not (tmp_path / ".git" / "index.lock").exists()
