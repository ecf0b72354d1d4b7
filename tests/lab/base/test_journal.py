"""A file of lines whose first one decides the others, and what earlier versions had instead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from montego import files
from montego.lab.base.errors import RecordError
from montego.lab.base.journal import Journal, as_text
from montego.lab.base.record import Record, read_config
from montego.lab.experiments.measurements import Measurements
from montego.lab.tools.tune import Tuning


class Notes(Journal):
    KIND, LINES, KEY = "notebook", "notes.jsonl", "note"


class Diary(Notes):
    KIND = "diary"


CONFIG = {"ink": "blue", "pages": (1, 2)}


def write_notes(folder: Path, *numbers: int) -> None:
    with Notes(folder, CONFIG) as notes:
        for number in numbers:
            notes.append({"note": number})


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def make_old(folder: Path, lines: bytes) -> None:
    """A folder as an earlier version made it."""
    (folder / "notebook.json").write_text(json.dumps(CONFIG, indent=2))
    (folder / "notes.jsonl").write_bytes(lines)


# --- the first line --------------------------------------------------------------------


def test_the_first_line_says_what_decides_the_others(tmp_path: Path) -> None:
    write_notes(tmp_path, 2)
    write_notes(tmp_path, 1)
    lines = [json.loads(line) for line in (tmp_path / "notes.jsonl").read_text().splitlines()]
    head = {"note": 0, "kind": "notebook", "ink": "blue", "pages": [1, 2]}
    assert lines == [head, {"note": 2}, {"note": 1}]
    assert Notes.read(tmp_path) == lines[1:]
    assert Notes.read_config(tmp_path) == {"ink": "blue", "pages": [1, 2]}
    assert set(content(tmp_path)) == {"notes.jsonl"}


def test_it_is_there_before_any_other(tmp_path: Path) -> None:
    write_notes(tmp_path)
    assert Notes.is_there(tmp_path)
    assert Notes.read(tmp_path) == []


@pytest.mark.parametrize("torn", [b"", b'{"note": 0', b'{"note": 0}'])
def test_a_torn_one_is_written_anew(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / "notes.jsonl").write_bytes(torn)
    assert not Notes.is_there(tmp_path)
    assert Notes.read_config(tmp_path) is None
    write_notes(tmp_path, 1)
    assert Notes.read_config(tmp_path) is not None
    assert Notes.read(tmp_path) == [{"note": 1}]


def test_lines_without_it_are_not_gone_on_with(tmp_path: Path) -> None:
    write_notes(tmp_path, 1, 2)
    path = tmp_path / "notes.jsonl"
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1] + b"torn")
    before = content(tmp_path)
    with pytest.raises(RecordError, match="does not say of which notebook it is"):
        write_notes(tmp_path, 3)
    assert content(tmp_path) == before
    assert len(Notes.read(tmp_path)) == 2


def test_another_kind_is_refused(tmp_path: Path) -> None:
    write_notes(tmp_path, 1)
    before = content(tmp_path)
    assert not Diary.is_there(tmp_path)
    with pytest.raises(RecordError, match="is of a notebook and not of a diary"):
        Diary(tmp_path, CONFIG)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/notes.jsonl").write_text('{"note": 0, "ink": "blue"}\n')
    with pytest.raises(RecordError, match="is of something else"):
        write_notes(tmp_path / "other", 1)
    assert {"notes.jsonl": before["notes.jsonl"]} == before


def test_all_in_and_below_a_folder_are_found(tmp_path: Path) -> None:
    for name in ("a/b", "a", "old", "other", "empty", "damaged", "no-head"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    write_notes(tmp_path / "a/b", 1)
    write_notes(tmp_path / "a")
    make_old(tmp_path / "old", b'{"note": 1}\n')
    Diary(tmp_path / "other", {}).close()
    (tmp_path / "empty/notes.jsonl").touch()
    (tmp_path / "damaged/notes.jsonl").write_bytes(b"\xff\n")
    (tmp_path / "no-head/notes.jsonl").write_bytes(b'{"note": 1}\n')
    found = [path.relative_to(tmp_path).as_posix() for path in Notes.find(tmp_path)]
    assert found == ["a", "a/b", "damaged", "old"]
    assert Notes.find(tmp_path / "nowhere") == []


# --- what earlier versions had ---------------------------------------------------------


def test_the_file_of_an_earlier_version_is_taken_in(tmp_path: Path) -> None:
    lines = b'{"note":2,  "said": "\\u00e4"}\n{"note": 1}\n'
    make_old(tmp_path, lines + b'{"no')
    assert Notes.read_config(tmp_path) == {"ink": "blue", "pages": [1, 2]}
    assert [line["note"] for line in Notes.read(tmp_path)] == [2, 1]
    assert Notes.config_path(tmp_path).name == "notebook.json"
    write_notes(tmp_path, 3)
    head = as_text(Notes.head_of(CONFIG))
    assert content(tmp_path) == {"notes.jsonl": head + lines + b'{"note": 3}\n'}
    assert Notes.config_path(tmp_path).name == "notes.jsonl"


def test_other_settings_are_refused_and_change_nothing(tmp_path: Path) -> None:
    make_old(tmp_path, b'{"note": 1}\n{"no')
    before = content(tmp_path)
    with pytest.raises(RecordError, match='holds another notebook: its ink is "blue", not "red"'):
        Notes(tmp_path, CONFIG | {"ink": "red"})
    assert content(tmp_path) == before


def test_where_both_are_there_one_goes(tmp_path: Path) -> None:
    write_notes(tmp_path, 1)
    before = content(tmp_path)
    make_old(tmp_path, before["notes.jsonl"])
    assert Notes.take_in(tmp_path)
    assert content(tmp_path) == before
    assert not Notes.take_in(tmp_path)


def test_where_both_are_there_and_differ_neither_goes(tmp_path: Path) -> None:
    write_notes(tmp_path, 1)
    (tmp_path / "notebook.json").write_text('{"ink": "red"}')
    before = content(tmp_path)
    with pytest.raises(RecordError, match="are different"):
        Notes.take_in(tmp_path)
    assert content(tmp_path) == before


def test_damaged_lines_are_not_taken_in(tmp_path: Path) -> None:
    make_old(tmp_path, b'{"note": 1}\n7\n')
    before = content(tmp_path)
    with pytest.raises(RecordError, match=r"notes.jsonl, line 2 is damaged"):
        Notes.take_in(tmp_path)
    assert content(tmp_path) == before


# --- the kinds -------------------------------------------------------------------------


def test_measurements_need_not_say_their_kind(tmp_path: Path) -> None:
    path = tmp_path / "measurements.jsonl"
    path.write_bytes(b'{"number": 0, "measure": "x"}\n{"number": 1}\n')
    before = path.read_bytes()
    with Measurements(tmp_path, {"measure": "x"}) as journal:
        assert journal.lines == [{"number": 1}]
    assert path.read_bytes() == before
    with pytest.raises(RecordError, match="holds another measurement"):
        Measurements(tmp_path, {"measure": "y"})


def test_games_of_another_kind_are_no_match(tmp_path: Path) -> None:
    Tuning.write(tmp_path, as_text(Tuning.head_of({})))
    assert (Tuning.is_there(tmp_path), Record.is_there(tmp_path)) == (True, False)
    with pytest.raises(RecordError, match="is of a tuning and not of a match"):
        read_config(tmp_path)


def test_only_the_first_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for text, line in ((b"a\nb", b"a\n"), (b"", b""), (b"torn", b"torn"), (b"\nb", b"\n")):
        path.write_bytes(text)
        assert files.read_first_line(path, 9) == line
    long = b"a" * 10_000 + b"\n"
    path.write_bytes(long + b"b" * 10_000)
    assert files.read_first_line(path, 20_000) == long
    with pytest.raises(OSError, match="longer than 9,000 bytes"):
        files.read_first_line(path, 9_000)
