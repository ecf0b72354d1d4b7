"""Files that people name: read to a limit and without waiting, written whole or not at all.

A pipe, a device or a folder in place of a file is refused at once: a program that obeys a
controller, or works for hours, must not hang on one.  All errors are OSErrors with a reason.
"""

from __future__ import annotations

import errno
import os
import select
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHUNK, LINE_CHUNK = 1 << 20, 1 << 12
SGF_BYTES = 4_000_000
"""The most of a game record; longer files hold no single game."""
PATIENCE = 1.0
"""Seconds until a pipe that is written to has a reader."""


def read_limited(path: Path | str, most: int, silence: float = 0.0) -> bytes:
    """The content of a file that is not longer than so many bytes.

    With a time of ``silence`` a pipe may be read as well, while somebody writes to it.
    """
    content = bytearray()
    with _opened(path, silence) as number:
        while chunk := _chunk(number, min(CHUNK, most + 1 - len(content)), silence):
            content += chunk
    if len(content) > most:
        raise OSError(errno.EFBIG, f"longer than {most:,} bytes")
    return bytes(content)


def read_first_line(path: Path | str, most: int) -> bytes:
    """The first line of a file with its end, of which a torn one has none."""
    line, chunk = bytearray(), b""
    with _opened(path) as number:
        while b"\n" not in chunk:
            if not (chunk := _chunk(number, min(LINE_CHUNK, most + 1 - len(line)))):
                break
            line += chunk
    line = line[: line.find(b"\n") + 1] or line
    if len(line) > most:
        raise OSError(errno.EFBIG, f"longer than {most:,} bytes")
    return bytes(line)


@contextmanager
def _opened(path: Path | str, silence: float = 0.0) -> Iterator[int]:
    with _names_checked():
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not (stat.S_ISREG(mode) or (silence and stat.S_ISFIFO(mode))):
            raise OSError(errno.EINVAL, "not a regular file")
        yield number
    finally:
        os.close(number)


def _chunk(number: int, most: int, silence: float = 0.0) -> bytes:
    try:
        return os.read(number, most)
    except BlockingIOError:  # a pipe that has a writer, and is empty
        if not select.select([number], [], [], silence)[0]:
            raise OSError(errno.EAGAIN, "nothing comes through the pipe") from None
        return os.read(number, most)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, and nothing else either."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with unfinished.open("wb", buffering=0) as file:
            if path.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
            write_all(file.fileno(), content)
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Have the names of its files on the disk before anything else is done."""
    number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def write_all(number: int, content: bytes) -> None:
    """Write to a file descriptor, in as many steps as it takes."""
    left = memoryview(content)
    while left:
        left = left[os.write(number, left) :]


def write_through(path: Path | str, content: bytes) -> None:
    """The same as ``write_whole`` for what people name: a link leads on, a device is written to."""
    with _names_checked():
        if is_special(path):
            number = _open_special(path)
            try:
                write_all(number, content)
            finally:
                os.close(number)
        else:
            write_whole(Path(os.path.realpath(path)), content)


def check_writable(path: Path | str) -> None:
    """Try whether a file could be written; what was not there is not there afterwards."""
    with _names_checked():
        if is_special(path):
            return
        real = Path(os.path.realpath(path))
        existed = os.path.exists(real)
        real.open("ab").close()
        if not existed:
            real.unlink()


def is_special(path: Path | str) -> bool:
    """Whether a device, a pipe or the like is there, and neither a file nor a folder."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _open_special(path: Path | str) -> int:
    """Open a device or a pipe; whoever reads from the pipe may come a moment later."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            number = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > deadline:
                raise OSError(errno.ENXIO, "nobody reads from it") from None
            time.sleep(0.01)
        else:
            os.set_blocking(number, True)
            return number


@contextmanager
def _names_checked() -> Iterator[None]:
    try:
        yield
    except ValueError:  # a null character, or what no file system can write
        raise OSError(errno.EINVAL, "not a file's name") from None
