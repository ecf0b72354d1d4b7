"""Unfinished games: each is kept in a file of its own until it is over.

The file is a game record that any program reads; how it was played stands in its game comment
(GC).  It is written whole after every move, and locked as long as it is played: so of two games
at once neither touches the other's, and none of them is taken for one that waits.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import IO

from platformdirs import user_data_path
from sgfmill.sgf import Sgf_game

from montego.go import GoError, parse_color, sgf
from montego.go.colors import color_name
from montego.go.sgf import GameRecord
from montego.terminal.settings import Settings

fcntl: ModuleType | None = None
with suppress(ImportError):  # elsewhere games that are being played look as if they waited
    import fcntl


def folder() -> Path:
    """Where unfinished games are kept (``MONTEGO_DATA`` overrides it)."""
    chosen = os.environ.get("MONTEGO_DATA")
    data = Path(chosen) if chosen else user_data_path("montego", appauthor=False)
    return data / "unfinished"


class Keeper:
    """The file of one game; there is none before the first move."""

    def __init__(self, path: Path, lock: IO[bytes] | None = None) -> None:
        self.path = path
        self.lock = lock

    @classmethod
    def new(cls) -> Keeper:
        """For a new game."""
        name = f"{datetime.now():%Y-%m-%d-%H%M%S}-{secrets.token_hex(3)}.sgf"
        return cls(folder() / name)

    def write(self, data: bytes) -> None:
        """Keep the game as it stands now: whole, or as it was before."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_name(f".{self.path.name}.unfinished")
        file = unfinished.open("wb")
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if not _locked(file):  # a system without locks may not rename what is open
                file.close()
            unfinished.replace(self.path)
        except OSError:
            file.close()
            raise
        self.release()
        self.lock = file

    def remove(self) -> None:
        """The game is over."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Let others have it."""
        if self.lock is not None:
            self.lock.close()
            self.lock = None

    @property
    def holds(self) -> bool:
        """Whether there is a game in it."""
        return self.path.exists()


def _locked(file: IO[bytes]) -> bool:
    """Lock a file until it is closed, in whatever way; False if another process has it."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# --- games that wait -------------------------------------------------------------------


def waiting() -> list[Path]:
    """The games that nobody plays now, the latest first."""
    paths = sorted(folder().glob("*.sgf"), key=_written, reverse=True)
    return [path for path in paths if _is_free(path)]


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # somebody has finished it in this moment
        return 0.0


def _is_free(path: Path) -> bool:
    keeper = claim(path)
    if keeper is not None:
        keeper.release()
    return keeper is not None


def claim(path: Path) -> Keeper | None:
    """Take a game over; None if it is being played or has just been finished."""
    try:
        file = path.open("rb")
        is_mine = fcntl is None or (_locked(file) and _is_same(file, path))
    except OSError:
        return None
    if not is_mine:
        file.close()
        return None
    return Keeper(path, file)


def _is_same(file: IO[bytes], path: Path) -> bool:
    """Whether the file has not been replaced since it was opened."""
    return os.path.samestat(os.fstat(file.fileno()), path.stat())


# --- what is in the files --------------------------------------------------------------


def pack(record: GameRecord, color: int, settings: Settings) -> bytes:
    """The game, the user's colour and the opponent."""
    facts = {"color": color_name(color).lower(), **asdict(settings)}
    game = Sgf_game.from_string(sgf.dumps(record))
    game.get_root().set("GC", json.dumps(facts))
    return bytes(game.serialise())


def unpack(path: Path) -> tuple[int, Settings]:
    """The user's colour and the opponent of a game that was kept."""
    try:
        root = Sgf_game.from_bytes(path.read_bytes()).get_root()
        facts = json.loads(root.get("GC"))
        return parse_color(facts.pop("color")), Settings(**facts)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise GoError(f"{path}: not a game that was kept; remove the file") from None


def told(path: Path) -> str:
    """A game that waits, in a few words."""
    when = f"{datetime.fromtimestamp(_written(path)):%d %b %H:%M}"
    try:
        position = sgf.load(path).position
    except GoError as error:
        return f"{when}, {error}"
    return f"{when}, {position.size}x{position.size}, {len(position.moves)} moves"
