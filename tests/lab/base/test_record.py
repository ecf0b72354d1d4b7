"""The folder of a match: torn lines, other matches, two processes at once."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from montego.lab.base.record import Record, RecordError, read_config, read_games, write_whole

CONFIG = {"first": "a", "second": "b", "size": 9}


def record_games(folder: Path, *numbers: int) -> None:
    with Record(folder, CONFIG) as record:
        for number in numbers:
            line = {"game": number, "winner": "first", "black": "first", "reason": "score"}
            record.add(line, f"(;C[{number}])")


def test_games_are_kept_in_the_order_of_their_end(tmp_path: Path) -> None:
    record_games(tmp_path / "new" / "match", 2, 1)
    record_games(tmp_path / "new" / "match", 3)
    games = read_games(tmp_path / "new" / "match")
    assert [game["game"] for game in games] == [2, 1, 3]
    assert games[1]["sgf"] == "games/00001.sgf"
    assert (tmp_path / "new" / "match" / games[1]["sgf"]).read_text() == "(;C[1])"
    assert read_config(tmp_path / "new" / "match") == CONFIG


@pytest.mark.parametrize("torn", [b'{"game": 3', b'{"game": 3}', b"{", b"\xc3"])
def test_a_torn_line_is_cut(tmp_path: Path, torn: bytes) -> None:
    record_games(tmp_path, 1, 2)
    path = tmp_path / "games.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert len(read_games(tmp_path)) == 2
    assert path.read_bytes() == whole + torn  # who only reads changes nothing
    record_games(tmp_path, 3)
    assert [game["game"] for game in read_games(tmp_path)] == [1, 2, 3]


@pytest.mark.parametrize("damage", [b"nonsense\n", b'{"number": 3}\n', b"[]\n", b"\n"])
def test_damage_is_refused(tmp_path: Path, damage: bytes) -> None:
    record_games(tmp_path, 1)
    path = tmp_path / "games.jsonl"
    path.write_bytes(damage + path.read_bytes())
    with pytest.raises(RecordError, match="damaged"):
        Record(tmp_path, CONFIG)


def test_a_game_twice_is_refused(tmp_path: Path) -> None:
    record_games(tmp_path, 1)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(RecordError, match="twice"):
        read_games(tmp_path)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"size": 13}, "its size is 9, not 13"),
        ({"second": "c"}, 'its second is "b", not "c"'),
        ({"komi": 7.5}, "its komi is null, not 7.5"),
    ],
)
def test_another_match_is_refused(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    record_games(tmp_path, 1)
    with pytest.raises(RecordError, match=told):
        Record(tmp_path, CONFIG | changed)
    record_games(tmp_path, 2)  # the folder is free again


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with (
        Record(tmp_path, CONFIG),
        pytest.raises(RecordError, match="being used by another process"),
    ):
        Record(tmp_path, CONFIG)


def test_no_match_there(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="holds no match"):
        read_config(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(RecordError, match="file"):
        Record(tmp_path / "file", CONFIG)


# --- damage ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        b'{"game": true, "winner": null}\n',
        b'{"game": "7", "winner": null, "black": "first", "reason": "x"}\n',
        b'{"game": 7, "winner": "Anna", "black": "first", "reason": "x"}\n',
        b'{"game": 7, "winner": null, "black": "first", "reason": 3}\n',
        b'{"game": 7, "winner": [], "black": {}, "reason": ""}\n',
        b"\xff\xfe\n",
        b"7\n",
        b"[" * 100_000 + b"\n",
    ],
)
def test_the_damaged_line_is_named_and_stays(tmp_path: Path, damage: bytes) -> None:
    record_games(tmp_path, 1, 2)
    path = tmp_path / "games.jsonl"
    content = path.read_bytes() + damage + b"torn"
    path.write_bytes(content)
    for use in (lambda: Record(tmp_path, CONFIG), lambda: read_games(tmp_path)):
        with pytest.raises(RecordError, match=r"games.jsonl, line 3 is damaged"):
            use()
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"[]", b"null", b"{", b"\xff", b"[" * 100_000])
def test_a_damaged_description_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "match.json").write_bytes(content)
    with pytest.raises(RecordError, match=r"match.json is damaged"):
        Record(tmp_path, CONFIG)


@pytest.mark.parametrize("name", ["lock", "match.json", "games.jsonl"])
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_is_named(tmp_path: Path, name: str, make: Callable[[Path], None]) -> None:
    make(tmp_path / name)
    with pytest.raises(RecordError, match=name):
        Record(tmp_path, CONFIG)


# --- full disks ------------------------------------------------------------------------


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Files can grow to this size and no further, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_loses_no_game(tmp_path: Path) -> None:
    record_games(tmp_path, 1)
    size = (tmp_path / "games.jsonl").stat().st_size
    with room_for(size + 10), pytest.raises(RecordError, match=r"games.jsonl: File too large"):
        record_games(tmp_path, 2)
    assert [game["game"] for game in read_games(tmp_path)] == [1]
    record_games(tmp_path, 2)
    assert [game["game"] for game in read_games(tmp_path)] == [1, 2]


def test_a_full_disk_leaves_no_part_of_a_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "table", "old")
    with room_for(100), pytest.raises(OSError, match="File too large"):
        write_whole(tmp_path / "table", "new" * 1000)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]
    assert (tmp_path / "table").read_text() == "old"
