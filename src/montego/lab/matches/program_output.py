"""What a program writes to its two outputs: read by a thread, and kept within limits."""

from __future__ import annotations

import os
import selectors
import threading
from collections import deque
from contextlib import suppress
from typing import IO

LONGEST_LINE = 16_384
"""Bytes of a line that are kept; the rest of it is not."""
MOST_LINES = 1_000
"""Lines of a reply."""
MOST_ERROR_BYTES = 4_096
"""Bytes of the standard error that are kept, the last ones."""
CHUNK = 65_536


class OutputReader:
    """Reads the outputs of a program to their end, or until it is closed."""

    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        self._output, self._errors = output, errors
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._error_bytes = b""
        self._open: set[object] = {output, errors}
        self._changed = threading.Condition()
        self._stop, self._stopper = os.pipe()
        self._thread = threading.Thread(target=self._read_all, daemon=True)
        self._thread.start()

    @property
    def has_ended(self) -> bool:
        """Whether the output is at its end, and every line was taken."""
        with self._changed:
            return self._output not in self._open and not self._lines

    def next_line(self, seconds: float) -> bytes | None:
        """The next line, or None if there is none in this time, or none will come."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._output not in self._open, seconds)
            return self._lines.popleft() if self._lines else None

    def forget(self) -> None:
        """Drop all lines that were not taken."""
        with self._changed:
            self._lines.clear()

    def error_text(self, seconds: float) -> str:
        """The end of the standard error; waits so long for it to be closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._errors not in self._open, seconds)
            lines = self._error_bytes.decode("utf-8", errors="replace").splitlines()
        return " / ".join(line.strip() for line in lines[-5:] if line.strip())

    def close(self) -> None:
        """Stop reading, even if there is more to come."""
        with suppress(OSError):
            os.write(self._stopper, b".")
        self._thread.join()
        for number in (self._stop, self._stopper):
            os.close(number)
        self._output.close()
        self._errors.close()

    # --- in the thread ------------------------------------------------------------------

    def _read_all(self) -> None:
        with selectors.DefaultSelector() as selector:
            for source in (self._output, self._errors, self._stop):
                selector.register(source, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj == self._stop:
                        return
                    chunk = os.read(key.fd, CHUNK)
                    if not chunk:
                        selector.unregister(key.fileobj)
                    with self._changed:
                        self._take(key.fileobj, chunk)
                        self._changed.notify_all()

    def _take(self, source: object, chunk: bytes) -> None:
        if not chunk:
            self._open.discard(source)
        if source is self._errors:
            self._error_bytes = (self._error_bytes + chunk)[-MOST_ERROR_BYTES:]
            return
        *whole, rest = (self._rest + chunk).split(b"\n")
        self._rest = rest[:LONGEST_LINE]
        for line in whole[: MOST_LINES - len(self._lines)]:
            self._lines.append(line[:LONGEST_LINE])
        if not chunk and self._rest:
            self._lines.append(self._rest)
