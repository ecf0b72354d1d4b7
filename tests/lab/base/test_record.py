"""The folder of a match: torn lines and games, other matches, two processes at once, packing."""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from montego.lab.base.errors import RecordError
from montego.lab.base.journal import write_whole
from montego.lab.base.lock import Lock
from montego.lab.base.record import Record, read_config, read_game, read_games, read_sgfs
from tests.lab.base import killed

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
    assert [game["sgf"] for game in games] == [1, 2, 3]
    assert read_game(tmp_path / "new" / "match", 1) == b"(;C[1])"
    assert read_config(tmp_path / "new" / "match") == CONFIG
    assert sorted(path.name for path in (tmp_path / "new/match").iterdir()) == [
        "games.jsonl",
        "games.sgfs",
    ]


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
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[1])
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


def test_the_lock_goes_with_its_process(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()  # of one that was killed
    first = Lock(tmp_path)
    with pytest.raises(RecordError, match="being used"):
        Lock(tmp_path)
    first.close()
    assert not (tmp_path / "lock").exists()
    Lock(tmp_path).close()


# --- the games -------------------------------------------------------------------------


def games_in(folder: Path) -> dict[int, bytes]:
    return read_sgfs(folder, read_games(folder))


def all_of(*numbers: int) -> dict[int, bytes]:
    return {number: f"(;C[{number}])".encode() for number in numbers}


def pack(folder: Path) -> None:
    with Record(folder, CONFIG) as record:
        record.pack()


@pytest.mark.parametrize("torn", [b"(;C[9", b"(;C[9])", b"(;C[9])\n", b"\n\n", b"(;C[9])\n(;"])
def test_a_game_without_a_line_is_cut(tmp_path: Path, torn: bytes) -> None:
    record_games(tmp_path, 1, 2)
    path = tmp_path / "games.sgfs"
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert games_in(tmp_path) == all_of(1, 2)
    assert path.read_bytes() == whole + torn  # who only reads changes nothing
    record_games(tmp_path, 3)
    assert games_in(tmp_path) == all_of(1, 2, 3)
    assert path.read_bytes() == whole + b"(;C[3])\n"


def test_a_line_that_is_deleted_moves_no_other_game(tmp_path: Path) -> None:
    record_games(tmp_path, 1, 2, 3)
    path = tmp_path / "games.jsonl"
    head, first, _, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + first + last)
    assert games_in(tmp_path) == all_of(1, 3)
    record_games(tmp_path, 2)
    assert games_in(tmp_path) == all_of(1, 2, 3)


def test_a_missing_game_is_told(tmp_path: Path) -> None:
    record_games(tmp_path, 1, 2)
    (tmp_path / "games.sgfs").write_bytes(b"(;C[1])\n(;C[2])")
    for use in (lambda: games_in(tmp_path), lambda: Record(tmp_path, CONFIG)):
        with pytest.raises(RecordError, match=r"games.sgfs is damaged: game 2 of 2 is missing"):
            use()
    (tmp_path / "games.sgfs").unlink()
    with pytest.raises(RecordError, match=r"games.sgfs: No such file"):
        games_in(tmp_path)
    with pytest.raises(RecordError, match=r"games.sgfs.gz: No such file"):
        record_games(tmp_path, 3)


def test_a_game_is_one_line(tmp_path: Path) -> None:
    with Record(tmp_path, CONFIG) as record:
        line = {"game": 1, "winner": None, "black": "first", "reason": "score"}
        record.add(line, "(;C[one\r\ntwo]\n;B[aa]\n)\n")
    assert read_game(tmp_path, 1) == b"(;C[one two] ;B[aa] )"
    assert (tmp_path / "games.sgfs").read_bytes().count(b"\n") == 1


def test_no_such_game(tmp_path: Path) -> None:
    record_games(tmp_path, 1)
    with pytest.raises(RecordError, match="holds no game 2"):
        read_game(tmp_path, 2)
    head, line = map(json.loads, (tmp_path / "games.jsonl").read_text().splitlines())
    del line["sgf"]
    (tmp_path / "games.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(line)}\n")
    assert games_in(tmp_path) == {}
    with pytest.raises(RecordError, match=r"game 1 of .* was kept without its moves"):
        read_game(tmp_path, 1)
    record_games(tmp_path, 2)
    assert games_in(tmp_path) == all_of(2)


def test_packed_games_are_read_and_gone_on_with(tmp_path: Path) -> None:
    record_games(tmp_path, 1, 2)
    pack(tmp_path)
    packed, path = tmp_path / "games.sgfs.gz", tmp_path / "games.sgfs"
    once = packed.read_bytes()
    assert once[4:8] == bytes(4)  # no time of day: the same games, the same file
    assert gzip.decompress(once) == b"(;C[1])\n(;C[2])\n"
    assert not path.exists()
    assert games_in(tmp_path) == all_of(1, 2)
    pack(tmp_path)
    assert packed.read_bytes() == once
    record_games(tmp_path, 3)
    assert not packed.exists()
    assert games_in(tmp_path) == all_of(1, 2, 3)
    pack(tmp_path)
    assert games_in(tmp_path) == all_of(1, 2, 3)
    at_once = tmp_path / "at-once"
    record_games(at_once, 1, 2, 3)
    pack(at_once)
    assert (at_once / "games.sgfs.gz").read_bytes() == packed.read_bytes()


DAMAGES = [
    lambda content: content[:-9],
    lambda content: b"no" + content,
    lambda content: b"",
    lambda content: content[:-8] + b"12345678",  # the checksum
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_packed_games_are_told(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    record_games(tmp_path, 1, 2)
    pack(tmp_path)
    packed = tmp_path / "games.sgfs.gz"
    content = damage(packed.read_bytes())
    packed.write_bytes(content)
    for use in (lambda: games_in(tmp_path), lambda: record_games(tmp_path, 3)):
        with pytest.raises(RecordError, match=r"games.sgfs.gz is (not compressed|damaged)"):
            use()
    assert packed.read_bytes() == content


def test_a_record_of_an_earlier_version_is_read_but_not_gone_on_with(tmp_path: Path) -> None:
    killed.make_old(tmp_path, 2)
    assert read_game(tmp_path, 2) == killed.sgf_of(2).encode()
    with pytest.raises(RecordError, match="is of an earlier version: montego convert-records"):
        Record(tmp_path, killed.CONFIG)
    assert read_game(tmp_path, 1) == killed.sgf_of(1).encode()


@pytest.mark.parametrize(
    ("what", "steps"), [("play", 21), ("convert", 21), ("take-in", 7), ("resume", 21)]
)
def test_killed_at_every_step_no_game_is_lost(tmp_path: Path, what: str, steps: int) -> None:
    """Before every call that changes a file, and in the middle of every write."""
    command = [sys.executable, "-m", "tests.lab.base.killed", what, str(tmp_path)]
    root = Path(__file__).parents[3]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= steps


# --- damage ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        b'{"game": true, "winner": null}\n',
        b'{"game": "7", "winner": null, "black": "first", "reason": "x"}\n',
        b'{"game": 7, "winner": "Anna", "black": "first", "reason": "x"}\n',
        b'{"game": 7, "winner": null, "black": "first", "reason": 3}\n',
        b'{"game": 7, "winner": [], "black": {}, "reason": ""}\n',
        b'{"game": 7, "winner": null, "black": "first", "reason": "x", "sgf": 0}\n',
        b'{"game": 7, "winner": null, "black": "first", "reason": "x", "sgf": []}\n',
        b"\xff\xfe\n",
        b"7\n",
        b'{"game": 0, "kind": "match", "first": "a", "second": "b", "size": 9}\n',  # no first line
        b"[" * 100_000 + b"\n",
    ],
)
def test_the_damaged_line_is_named_and_stays(tmp_path: Path, damage: bytes) -> None:
    record_games(tmp_path, 1, 2)
    path = tmp_path / "games.jsonl"
    content = path.read_bytes() + damage + b"torn"
    path.write_bytes(content)
    for use in (lambda: Record(tmp_path, CONFIG), lambda: read_games(tmp_path)):
        with pytest.raises(RecordError, match=r"games.jsonl, line 4 is damaged"):
            use()
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"[]", b"null", b"{", b"\xff", b"[" * 100_000])
def test_a_damaged_description_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "match.json").write_bytes(content)
    with pytest.raises(RecordError, match=r"match.json is damaged"):
        Record(tmp_path, CONFIG)


@pytest.mark.parametrize("name", ["lock", "match.json", "games.jsonl", "games.sgfs"])
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


def test_a_full_disk_tears_no_game(tmp_path: Path) -> None:
    record_games(tmp_path, 1)
    with room_for(10), pytest.raises(RecordError, match=r"games.sgfs: File too large"):
        record_games(tmp_path, 2)
    record_games(tmp_path, 2)
    assert games_in(tmp_path) == all_of(1, 2)
    with room_for(10), pytest.raises(RecordError, match=r"games.sgfs.gz: File too large"):
        pack(tmp_path)
    assert games_in(tmp_path) == all_of(1, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "games.jsonl",
        "games.sgfs",
    ]


def test_a_full_disk_leaves_no_part_of_a_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "table", "old")
    with room_for(100), pytest.raises(OSError, match="File too large"):
        write_whole(tmp_path / "table", "new" * 1000)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]
    assert (tmp_path / "table").read_text() == "old"
