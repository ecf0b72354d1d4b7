"""The lines of a controller, and whether it is still there.

They are read from the file descriptor itself: a thread that waits in a buffered stream would hold
its lock when the program ends, which Python answers with an abort.

A controller leaves by ``quit``, and a program that pipes its commands in ends with it, too.  The
former does not want to wait for a move that is being thought about, the latter does.  What tells
them apart is whether the input ends behind the word.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Iterator
from contextlib import suppress

CHUNK = 1 << 16
LONGEST = 1 << 20
"""Bytes of a line; what is longer is cut off."""
GRACE = 0.25
"""Seconds after ``quit`` within which the input of a script has ended."""


class Lines:
    """What comes from one file descriptor, line by line; replies go to another one."""

    def __init__(self, source: int = 0, target: int | None = None) -> None:
        self._source, self._target = source, target
        self._quits = threading.Event()

    @property
    def is_left(self) -> bool:
        """Whether the controller has quit, or does not listen any more."""
        return self._quits.is_set() or self._is_deaf()

    def _is_deaf(self) -> bool:
        """Whether what is written has no reader."""
        if self._target is None or not hasattr(select, "poll"):
            return False
        poll = select.poll()
        poll.register(self._target, 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))

    def __iter__(self) -> Iterator[bytes]:
        rest = b""
        while chunk := self._chunk():
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole
            rest = rest[:LONGEST]
            if whole and is_quit(whole[-1]) and not rest:
                self._see_whether_it_ends()
        if rest:
            yield rest

    def _chunk(self) -> bytes:
        try:
            return os.read(self._source, CHUNK)
        except OSError:  # closed, or never open
            return b""

    def _see_whether_it_ends(self) -> None:
        with suppress(OSError, ValueError):  # closed meanwhile
            ready, _, _ = select.select([self._source], [], [], GRACE)
            if not ready:
                self._quits.set()


def is_quit(line: bytes) -> bool:
    """Whether a line is the command to leave, with or without its number."""
    words = line.partition(b"#")[0].split()
    return bool(words) and words[-1] == b"quit" and len(words) <= 2
