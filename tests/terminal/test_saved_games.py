"""Files of unfinished games: each its own, whole, and locked while it is played."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from montego.go import WHITE, Position, sgf
from montego.go.sgf import GameRecord
from montego.terminal import saved_games
from montego.terminal.saved_games import Keeper, claim, pack, unpack, waiting
from montego.terminal.settings import Settings

RECORD = GameRecord(Position.start(size=5).with_komi(6.75).play("C3").play("pass"))


def kept(keeper: Keeper) -> Path:
    keeper.write(pack(RECORD, WHITE, Settings(threads=3)))
    return keeper.path


def test_a_kept_game_is_a_record_with_its_players() -> None:
    keeper = Keeper.new()
    path = kept(keeper)
    keeper.release()
    assert sgf.load(path).position.moves == RECORD.position.moves
    assert sgf.load(path).position.komi == 6.75
    assert unpack(path) == (WHITE, Settings(threads=3))


def test_games_do_not_touch_each_other() -> None:
    one, other = Keeper.new(), Keeper.new()
    assert kept(one) != kept(other)
    one.remove()
    assert other.holds
    other.release()
    assert waiting() == [other.path]


def test_a_game_that_is_played_does_not_wait() -> None:
    pytest.importorskip("fcntl")
    keeper = Keeper.new()
    for _ in range(2):  # the lock goes from one version of the file to the next
        kept(keeper)
        assert waiting() == []
        assert claim(keeper.path) is None
    keeper.release()
    taken = claim(keeper.path)
    assert taken is not None
    assert claim(keeper.path) is None
    taken.release()


def test_a_process_that_dies_leaves_its_game_to_others() -> None:
    pytest.importorskip("fcntl")
    program = (
        "import os\n"
        "from montego.terminal.saved_games import Keeper\n"
        "keeper = Keeper.new()\n"
        "keeper.write(b'(;SZ[5])')\n"
        "print('kept', flush=True)\n"
        "input()\n"
        "os._exit(1)\n"
    )
    player = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with player:
        assert player.stdout is not None
        assert player.stdout.readline() == "kept\n"
        assert waiting() == []
        player.communicate("\n")
    assert len(waiting()) == 1


def test_the_latest_comes_first() -> None:
    paths = []
    for age in (30, 10, 20):
        keeper = Keeper.new()
        paths.append(kept(keeper))
        keeper.release()
        os.utime(paths[-1], (1e9 - age, 1e9 - age))
    assert waiting() == [paths[1], paths[2], paths[0]]


def test_a_failure_leaves_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper.new()
    before = kept(keeper).read_bytes()

    def fail(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space"):
        keeper.write(b"half a ga")
    assert keeper.path.read_bytes() == before
    keeper.release()
    assert waiting() == [keeper.path]


def test_without_locks_games_are_kept_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_games, "fcntl", None)
    keeper = Keeper.new()
    kept(keeper)
    kept(keeper)
    assert waiting() == [keeper.path]
    keeper.remove()
    assert waiting() == []


def test_the_usual_folder_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MONTEGO_DATA")
    assert saved_games.folder().parts[-2:] == ("montego", "unfinished")
