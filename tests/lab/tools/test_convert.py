"""Records of an earlier version become new ones: the same games, and nothing lost on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from montego import cli
from montego.lab.base.collection import Collection
from montego.lab.base.errors import LabError, RecordError
from montego.lab.base.journal import Line
from montego.lab.base.lock import Lock
from montego.lab.base.record import Record, read_config, read_game, read_games, read_sgfs
from montego.lab.experiments.measurements import Measurements
from montego.lab.tools.convert import convert, find_records
from tests.lab.base.killed import CONFIG, line_of, make_old, make_three_files, sgf_of

TAKEN_IN = "match.json is the first line of games.jsonl now"


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def names_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.glob("**/*") if path.is_file()}


def without_places(lines: list[Line]) -> list[Line]:
    return [{key: line[key] for key in line if key != "sgf"} for line in lines]


def test_all_records_below_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, games in (("a", 3), ("b/c", 2)):
        make_old(tmp_path / name, games)
    (tmp_path / "b/c/match.json").rename(tmp_path / "b/c/tuning.json")
    before = read_games(tmp_path / "a")
    assert command("convert-records", tmp_path) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path}/a: 3 games packed; {TAKEN_IN}",
        f"{tmp_path}/b/c: 2 games packed; tuning.json is the first line of games.jsonl now",
    ]
    assert names_in(tmp_path / "a") == {"games.jsonl", "games.sgfs.gz"}
    after = read_games(tmp_path / "a")
    assert [line["sgf"] for line in after] == [1, 2, 3]
    assert without_places(after) == without_places(before)
    assert read_game(tmp_path / "a", 3) == b"(;GM[1]C[3 of some] ;B[aa])"
    assert command("convert-records", tmp_path) == 0
    assert capsys.readouterr().out.count("nothing to do") == 2


def test_a_match_goes_on_afterwards(tmp_path: Path) -> None:
    make_old(tmp_path, 2)
    convert(tmp_path)
    with Record(tmp_path, CONFIG) as record:
        assert list(record.missing(3)) == [3]
        record.add(line_of(3), sgf_of(3))
    assert len(read_sgfs(tmp_path, read_games(tmp_path))) == 3


def test_an_unfinished_match_with_its_description_in_a_file(tmp_path: Path) -> None:
    make_three_files(tmp_path, 2)
    lines = (tmp_path / "games.jsonl").read_bytes()
    (tmp_path / "games.jsonl").write_bytes(lines + b'{"game": 3, "win')
    games = (tmp_path / "games.sgfs").read_bytes()
    assert command("convert-records", tmp_path) == 0
    assert names_in(tmp_path) == {"games.jsonl", "games.sgfs"}
    head, after = (tmp_path / "games.jsonl").read_bytes().split(b"\n", 1)
    assert json.loads(head) == {"game": 0, "kind": "match", **CONFIG}
    assert after == lines
    assert (tmp_path / "games.sgfs").read_bytes() == games
    with Record(tmp_path, CONFIG) as record:
        assert list(record.missing(3)) == [3]


def test_a_match_without_a_game(tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text(json.dumps(CONFIG))
    assert convert(tmp_path) == TAKEN_IN
    assert names_in(tmp_path) == {"games.jsonl"}
    assert read_config(tmp_path) == CONFIG


def test_measurements_with_their_description_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "measurement.json").write_text('{"measure": "x"}')
    (tmp_path / "measurements.jsonl").write_text('{"number": 1}\n')
    assert command("convert-records", tmp_path) == 0
    assert names_in(tmp_path) == {"measurements.jsonl"}
    assert Measurements.read_config(tmp_path) == {"measure": "x"}
    assert Measurements.read(tmp_path) == [{"number": 1}]


def test_lines_keep_their_order_and_games(tmp_path: Path) -> None:
    make_old(tmp_path, 3)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(reversed(path.read_bytes().splitlines(keepends=True))) + b'{"game"')
    convert(tmp_path)
    assert {line["game"]: line["sgf"] for line in read_games(tmp_path)} == {3: 1, 2: 2, 1: 3}
    assert b"C[1 of some]" in read_game(tmp_path, 1)


def test_a_record_that_an_earlier_version_went_on_with(tmp_path: Path) -> None:
    with Record(tmp_path, CONFIG) as record:
        record.add(line_of(2), sgf_of(2))
    make_old(tmp_path / "old", 1)
    (tmp_path / "old/games").rename(tmp_path / "games")
    line = (tmp_path / "old/games.jsonl").read_text()
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write(line)
    convert(tmp_path)
    assert [line["sgf"] for line in read_games(tmp_path)] == [1, 2]
    assert all(f"C[{n} of some]".encode() in read_game(tmp_path, n) for n in (1, 2))


def test_games_that_were_deleted_are_named_no_more(tmp_path: Path) -> None:
    make_old(tmp_path, 2)
    for path in (tmp_path / "games").iterdir():
        path.unlink()
    (tmp_path / "games").rmdir()
    before = read_games(tmp_path)
    assert convert(tmp_path) == f"2 games, kept without their moves; {TAKEN_IN}"
    assert read_games(tmp_path) == without_places(before)
    assert convert(tmp_path) == "nothing to do"
    with Record(tmp_path, CONFIG) as record:
        record.add(line_of(3), sgf_of(3))
    assert list(read_sgfs(tmp_path, read_games(tmp_path))) == [3]


def test_one_missing_game_is_told_and_all_others_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        make_old(tmp_path / name, 3)
    (tmp_path / "a/games/00002.sgf").unlink()
    before = names_in(tmp_path / "a")
    assert command("convert-records", tmp_path / "a", tmp_path / "b") == 1
    told = capsys.readouterr()
    assert "montego: left as it is:" in told.err
    assert "00002.sgf: No such file" in told.err
    assert told.out == f"{tmp_path}/b: 3 games packed; {TAKEN_IN}\n"
    assert names_in(tmp_path / "a") == before


def test_a_game_that_reads_back_differently_deletes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_old(tmp_path, 3)
    before = (tmp_path / "games.jsonl").read_bytes()
    real = Collection.append
    monkeypatch.setattr(Collection, "append", lambda self, sgf: real(self, sgf.replace(b"2", b"7")))
    with pytest.raises(RecordError, match="game 2 is not the same in its new file"):
        convert(tmp_path)
    assert (tmp_path / "games.jsonl").read_bytes() == before
    monkeypatch.undo()
    assert convert(tmp_path) == f"3 games packed; {TAKEN_IN}"


def test_an_old_file_that_differs_from_the_new_one_stays(tmp_path: Path) -> None:
    make_old(tmp_path, 2)
    convert(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games/00001.sgf").write_text("(;C[another])")
    with pytest.raises(RecordError, match="game 1 is not the same"):
        convert(tmp_path)
    (tmp_path / "games/00001.sgf").rename(tmp_path / "games/00009.sgf")
    told = f"2 games packed; what else is in {tmp_path}/games stays"
    assert convert(tmp_path) == told
    assert (tmp_path / "games/00009.sgf").exists()


def test_what_is_in_use_or_no_record_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("convert-records", tmp_path) == 2
    told = "holds no match, no tuning and no measurements"
    assert capsys.readouterr().err == f"montego: {tmp_path} {told}\n"
    with pytest.raises(LabError, match="holds no match"):
        find_records([tmp_path / "nowhere"])
    make_old(tmp_path, 1)
    lock = Lock(tmp_path)
    assert command("convert-records", tmp_path) == 1
    assert "is being used by another process" in capsys.readouterr().err
    lock.close()
    assert command("convert-records", tmp_path) == 0


def test_other_lines_of_games_are_left_alone(tmp_path: Path) -> None:
    make_old(tmp_path / "match", 1)
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock/games.jsonl").write_text(json.dumps({"game": 0, "moves": "E5"}) + "\n")
    assert find_records([tmp_path]) == [tmp_path / "match"]


# --- one game of a match ---------------------------------------------------------------


def test_one_game_is_printed(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    make_old(tmp_path / "old", 2)
    make_old(tmp_path / "new", 2)
    convert(tmp_path / "new")
    for name in ("old", "new"):
        assert command("extract", tmp_path / name, 2) == 0
        assert capfdbinary.readouterr().out.split() == sgf_of(2).encode().split()
    assert command("extract", tmp_path / "new", 3) == 2
    assert capfdbinary.readouterr().err.endswith(b"holds no game 3\n")
    assert command("extract", tmp_path, 1) == 2
    assert command("extract", tmp_path / "new", 0) == 2
