"""A session: the lines of a controller, one after the other, and an engine that gets ready.

The engine is made in a thread of its own, for its kernels may have to be compiled; commands
that need no engine are answered meanwhile.  Another thread reads the input, so that an
analysis can be stopped by the next line, and everything by a controller that leaves.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future, TimeoutError as NotReady
from contextlib import suppress
from queue import Queue
from typing import TYPE_CHECKING, TextIO

from montego.gtp import (
    administration,
    analysis,
    game,
    generation,
    gogui,
    inspection,
    levels,
    rules,
)
from montego.gtp.administration import IDENTITIES, Identity
from montego.gtp.arguments import Arguments
from montego.gtp.lines import Lines
from montego.gtp.protocol import INTERRUPT, Request, failure, header, parse_line, plain, success
from montego.gtp.table import COMMANDS, Emit, Stream

if TYPE_CHECKING:
    from montego.engine.engine import Engine

PATIENCE = 0.1
"""Seconds between two looks at whether the controller is still there."""
GRACE = 2.0
"""Seconds that an engine may take to get ready though the controller has left."""

MODULES = (administration, analysis, game, generation, gogui, inspection, levels, rules)
"""The modules whose commands are in the table: importing them has entered them."""


class Left(Exception):  # noqa: N818 - no error: the controller does not wait for the reply
    """The controller has gone."""


class GtpSession:
    """One controller and its engine."""

    def __init__(
        self,
        make_engine: Callable[[], Engine],
        log: TextIO | None = None,
        identity: Identity = IDENTITIES["montego"],
    ) -> None:
        self.identity = identity
        self._future: Future[Engine] = Future()
        self._log: TextIO | None = log or sys.stderr
        self._lines: Queue[tuple[str, threading.Event] | None] = Queue()
        self._is_reading = False
        self._interrupt = threading.Event()  # of the command that is being obeyed
        self._source: Lines | None = None
        self.is_over = False
        self.thought = False
        """Whether the last command generated a move, which is when pondering makes sense."""
        threading.Thread(target=self._get_ready, args=(make_engine,), daemon=True).start()

    def _get_ready(self, make_engine: Callable[[], Engine]) -> None:
        try:
            self._future.set_result(make_engine())
        except BaseException as error:
            self._future.set_exception(error)

    @property
    def is_ready(self) -> bool:
        """Whether the engine has been made."""
        return self._future.done()

    @property
    def engine(self) -> Engine:
        """The engine, as soon as it is ready."""
        left_for = 0.0
        while left_for < GRACE:
            with suppress(NotReady):
                return self._future.result(PATIENCE)
            left_for += PATIENCE * self.is_left
        raise Left

    @property
    def is_left(self) -> bool:
        """Whether nobody waits for replies any more."""
        return self._source is not None and self._source.is_left

    def log(self, text: str) -> None:
        """Write a line for people, beside the protocol; where nobody reads it, it is lost."""
        if self._log is not None:  # None: the process was started without a standard error
            with suppress(OSError, ValueError):
                print(text, file=self._log, flush=True)

    # --- input --------------------------------------------------------------------------

    def has_input(self) -> bool:
        """Whether another line waits; without a reader every line stands alone."""
        return not self._is_reading or not self._lines.empty()

    def goes_on(self) -> bool:
        """Whether a move generation was not interrupted."""
        return not (self._interrupt.is_set() or self.is_left)

    def wait_for_input(self) -> None:
        """Wait until another line is there, and leave it there."""
        if not self.has_input():
            item = self._lines.get()
            with self._lines.mutex:
                self._lines.queue.appendleft(item)

    def _read(self, source: Lines) -> None:
        """Queue every line with an event: it is set if an interrupt follows the line."""
        interrupt = threading.Event()
        for raw in source:
            line = raw.decode("utf-8", "replace")
            if line.strip() == INTERRUPT:
                interrupt.set()
            else:
                interrupt = threading.Event()
                self._lines.put((line, interrupt))
        self._lines.put(None)

    # --- commands -----------------------------------------------------------------------

    def run(self, source: Lines, write: Callable[[str], None]) -> None:
        """Answer all lines until they end, the controller quits, or it can be told nothing more."""
        self._is_reading, self._source = True, source
        threading.Thread(target=self._read, args=(source,), daemon=True).start()
        with suppress(Left, BrokenPipeError, KeyboardInterrupt):
            while not self.is_over:
                self._ponder()
                item = self._lines.get()
                if item is None:
                    return
                line, self._interrupt = item
                self.respond(line, write)

    def _ponder(self) -> None:
        """Think on until the next line, if that is wanted and a move has just been played."""
        if self.thought and not self.has_input() and self.engine.manners.ponder:
            self.engine.ponder(lambda found: not self.has_input())

    def handle(self, line: str) -> str:
        """The whole reply to one line; empty for a line without a command."""
        parts: list[str] = []
        self.respond(line, parts.append)
        return "".join(parts)

    def respond(self, line: str, write: Callable[[str], None]) -> None:
        """Answer one line, in parts if it is an analysis."""
        request = parse_line(line)
        if request is None:
            return
        self.thought = False
        result = self._obey(request)
        if isinstance(result, str):
            write(result)
        else:
            self._stream(request, result, write)

    def _obey(self, request: Request) -> str | Stream:
        """Look the command up and run it: the reply, or a stream that is to be its rest."""
        handler = COMMANDS.get(request.name)
        if handler is None:
            return failure(request.number, "unknown command")
        try:
            result = handler(self, Arguments(request.arguments))
        except ValueError as error:  # what the user did wrong; GoError is one of these
            return failure(request.number, str(error))
        except FileNotFoundError as error:  # such as a network of the program's own
            return failure(request.number, f"{error.filename}: {error.strerror}")
        except Left:
            raise
        except Exception as error:
            self.log(traceback.format_exc())
            return failure(request.number, f"internal error: {error!r}")
        return success(request.number, result) if isinstance(result, str) else result

    def _stream(self, request: Request, stream: Stream, write: Callable[[str], None]) -> None:
        write(header(request.number) + "\n")
        emit: Emit = lambda line: write(plain(line) + "\n")  # noqa: E731
        try:
            stream(emit)
        except (BrokenPipeError, Left):
            raise
        except Exception:
            self.log(traceback.format_exc())
        write("\n")
