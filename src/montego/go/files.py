"""Files that people name: read to a limit and without waiting, written whole or not at all.

A pipe, a device or a folder in place of a file is refused at once: a program that obeys a
controller, or works for hours, must not hang on one.  All errors are OSErrors with a reason.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_limited(path: Path | str, most: int) -> bytes:
    """The content of a file that is not longer than so many bytes."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:  # a null character, or what no file system can write
        raise OSError(errno.EINVAL, "not a file's name") from None
    with os.fdopen(number, "rb") as file:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "not a regular file")
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"longer than {most:,} bytes")
    return content


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, and nothing else either."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def write_through(path: Path | str, content: bytes) -> None:
    """The same for what people name: a link leads on, and a device is written to."""
    try:
        real = Path(os.path.realpath(path))
        mode = real.stat().st_mode if real.exists() else stat.S_IFREG
        if stat.S_ISFIFO(mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if stat.S_ISREG(mode):
            write_whole(real, content)
        else:
            real.write_bytes(content)
    except ValueError:
        raise OSError(errno.EINVAL, "not a file's name") from None
