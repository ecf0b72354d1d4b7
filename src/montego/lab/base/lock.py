"""A folder, or a file, for one process alone."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from montego import files
from montego.lab.base.errors import RecordError


class Lock:
    """Keeps every other process out, until it is closed or this process ends in whatever way.

    The file ``lock`` is removed at the end.  One that a killed process has left keeps nobody out.
    With the name of a file it is for that file alone.
    """

    def __init__(self, folder: Path, file: str = "") -> None:
        self.path = folder / (f".{file}.lock" if file else "lock")
        self.locked = folder / file
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RecordError(f"{folder}: {error.strerror}") from None
        self._file = self._locked()
        while not self._is_there():  # whoever had it has just removed it
            os.close(self._file)
            self._file = self._locked()

    def close(self) -> None:
        """Let others use the folder."""
        if self._file >= 0:
            with suppress(OSError):
                self.path.unlink()
            os.close(self._file)
        self._file = -1

    def _locked(self) -> int:
        file = open_file(self.path, os.O_RDWR)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise RecordError(f"{self.locked} is being used by another process") from None
        except OSError as error:
            os.close(file)
            raise RecordError(f"{self.path} cannot be locked: {error.strerror}") from None
        return file

    def _is_there(self) -> bool:
        """Whether the file that is locked is the one that others would open."""
        try:
            return os.path.samestat(os.fstat(self._file), self.path.stat())
        except FileNotFoundError:
            return False


def open_file(path: Path, how: int) -> int:
    """A file of the folder, made if it is not there; without waiting, whatever it is."""
    try:
        if files.is_special(path):
            raise OSError(0, "not a regular file")
        return os.open(path, how | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
