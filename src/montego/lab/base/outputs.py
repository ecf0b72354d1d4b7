"""Files that a long command writes at its end: checked before the work, and never lost after it.

A link is written through to what it points at; a device or a pipe is written to; the standard
output may be named as a file too.  What cannot be written where it should be is kept in a
temporary file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from montego import files
from montego.lab.base.errors import LabError


class OutputError(LabError):
    """A file that cannot, or should not, be written; the message says why."""


def check(paths: Sequence[Path], sources: Sequence[Path] = (), force: bool = False) -> None:
    """Refuse files that could not be written, that are one and the same, or that would be lost.

    ``sources`` are never written to; what else is there is, if ``force`` says so.
    """
    named = [path for path in paths if not is_device(path)]
    for path in named:
        if any(_real(path) == _real(source) for source in sources):
            raise OutputError(f"{path} is the game itself: choose another name")
        _check_writable(path)
    seen: set[Path] = set()
    for path in (_real(path) for path in paths if path != Path(os.devnull)):
        if path in seen:
            raise OutputError(f"{path} is named twice: every output needs a file of its own")
        seen.add(path)
    there = [path for path in named if os.path.exists(path)]
    if there and not force:
        more = f" (and {len(there) - 1} more)" if len(there) > 1 else ""
        raise OutputError(f"{there[0]}{more} is there already: choose another name, or --force")


def is_device(path: Path) -> bool:
    """Whether a path names a device, a pipe or the standard output: nothing that can be lost."""
    return is_stdout(path) or files.is_special(path)


def is_stdout(path: Path) -> bool:
    """Whether a path names what the standard output goes to."""
    try:
        return os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):  # no such file; a standard output that is no file
        return False


def _real(path: Path) -> Path:
    """Where a link leads; unlike Path.resolve, without an error for one that leads to itself."""
    return Path(os.path.realpath(path))


def _check_writable(path: Path) -> None:
    try:
        files.check_writable(path)
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror or 'cannot be written'}") from None


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; raises an OSError."""
    if is_stdout(path):
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        files.write_through(path, content)


def keep(path: Path, content: bytes) -> str:
    """Write a file, or else keep it elsewhere; returns what went wrong, or nothing."""
    try:
        write(path, content)
    except OSError as error:
        told = f"{path}: {error.strerror or 'cannot be written'}"
    else:
        return ""
    try:
        with NamedTemporaryFile(prefix="montego-", suffix=path.suffix, delete=False) as file:
            file.write(content)
    except OSError:
        return told
    return f"{told}; it is kept in {file.name}"
