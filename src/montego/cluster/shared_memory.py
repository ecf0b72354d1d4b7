"""MPI's shared memory: files whose names nobody deletes if a job is killed.

As soon as all processes of a job have opened them the names are deleted, and the memory goes with
the last process.  What is killed before that leaves a name behind, for its player to find.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

FOLDER, BEGIN = Path("/dev/shm"), "mpich"
"""Where the files of MPICH are, and what their names begin with."""
LOOK_AGAIN = 1.0
"""Seconds after which a file that is just being made is in use."""


def forget_own() -> None:
    """Delete the names of what this process has opened, and all others of its job have by now."""
    for name in _used_by("self"):
        (FOLDER / name).unlink(missing_ok=True)


def forget_unused(since: float) -> None:
    """Delete what a job has left that began then, in seconds since 1970, and is dead by now: the
    files of this user that are as new as that, and that no process uses."""
    if unused := _new(since) - _used():
        time.sleep(LOOK_AGAIN)
        for name in unused - _used():
            with suppress(OSError):
                (FOLDER / name).unlink()


def _new(since: float) -> set[str]:
    found = set()
    for path in FOLDER.glob(BEGIN + "*"):
        with suppress(OSError):  # gone meanwhile
            state = path.stat()
            if state.st_uid == os.getuid() and state.st_mtime >= since:
                found.add(path.name)
    return found


def _used() -> set[str]:
    return {name for path in Path("/proc").glob("[0-9]*") for name in _used_by(path.name)}


def _used_by(process: str) -> Iterator[str]:
    """The names of what a process has in its memory; nothing if it is another user's, or gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/maps").read_text(errors="replace").split("\n"):
            folder, _, name = line.rpartition(" ")[2].rpartition("/")
            if folder == str(FOLDER) and name.startswith(BEGIN):
                yield name
