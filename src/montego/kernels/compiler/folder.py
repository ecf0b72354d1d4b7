"""A folder whose files are run as code: only what the user or root has written is read from it.

A file or a folder is trusted if it belongs to the user or to root, and nobody else can write to
it.  No symbolic link is followed below the folder that the user has chosen.  Files are opened
relative to a folder that is open already, so that nobody can put another one in its place after
it has been looked at.  Systems that know no owners (Windows) trust what is there.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

KNOWS_OWNERS = hasattr(os, "geteuid") and os.open in os.supports_dir_fd
ROOT_USER = 0
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
LARGEST = 1 << 28
"""Bytes of a file; what is larger is damaged."""

_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0)


def user() -> int:
    """The number of the user whose rights this process has."""
    return os.geteuid() if KNOWS_OWNERS else ROOT_USER


def check(facts: os.stat_result, name: str) -> None:
    """Raise a PermissionError for what somebody else may have written."""
    if KNOWS_OWNERS and facts.st_uid not in (user(), ROOT_USER):
        raise PermissionError(errno.EPERM, f"{name} belongs to another user")
    if KNOWS_OWNERS and facts.st_mode & OTHERS_WRITE:
        raise PermissionError(errno.EPERM, f"other users can write to {name}")


def _unused(kind: str) -> str:
    """A name that no file has."""
    return f"{os.urandom(8).hex()}.{kind}"


class Folder:
    """An open folder; names are those of files right in it."""

    def __init__(self, path: Path, at: int | None) -> None:
        self.path = path
        self._at = at  # its descriptor; where the system has none, names become whole paths

    def _name(self, name: str) -> str:
        return name if self._at is not None else str(self.path / name)

    @contextmanager
    def inner(self, name: str, make: bool = False) -> Iterator[Folder]:
        """A folder in this one that can be trusted, made if need be."""
        if make:
            with suppress(FileExistsError):
                os.mkdir(self._name(name), 0o755, dir_fd=self._at)
        if self._at is None:
            yield Folder(self.path / name, None)
            return
        try:
            at = self.open(name, os.O_RDONLY | _FOLDER)
        except NotADirectoryError:  # said of a symbolic link, too
            raise NotADirectoryError(errno.ENOTDIR, f"{name} is not a folder") from None
        try:
            check(os.fstat(at), name)
            yield Folder(self.path / name, at)
        finally:
            os.close(at)

    def open(self, name: str, flags: int, mode: int = 0o644) -> int:
        """A descriptor of a file; it is not waited for, and no link is followed."""
        return os.open(self._name(name), flags | _AS_IT_IS, mode, dir_fd=self._at)

    def names(self) -> list[str]:
        """Everything in it."""
        return os.listdir(self.path if self._at is None else self._at)

    def has(self, name: str) -> bool:
        """Whether something of this name is there."""
        try:
            os.stat(self._name(name), dir_fd=self._at, follow_symlinks=False)
        except OSError:
            return False
        return True

    def read(self, name: str) -> bytes:
        """The content of a file that can be trusted."""
        file = self.open(name, os.O_RDONLY)
        try:
            facts = os.fstat(file)
            check(facts, name)
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST:
                raise OSError(errno.EINVAL, f"{name} is damaged")
            with open(file, "rb", closefd=False) as stream:
                return stream.read()
        finally:
            os.close(file)

    def write(self, name: str, content: bytes) -> None:
        """Write a whole file in the place of what is there; nobody ever sees half of it."""
        new = _unused("new")
        file = self.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            with open(file, "wb") as stream:
                stream.write(content)
            self._replace(new, name)
        except BaseException:
            with suppress(OSError):
                self.remove(new)
            raise

    def _replace(self, new: str, name: str) -> None:
        try:
            self._rename(new, name)
        except (IsADirectoryError, PermissionError):  # a folder in the place of a file goes aside
            self._rename(name, f"{name}.{_unused('aside')}")
            self._rename(new, name)

    def _rename(self, old: str, new: str) -> None:
        at = self._at
        os.replace(self._name(old), self._name(new), src_dir_fd=at, dst_dir_fd=at)

    def age(self, name: str) -> float:
        """Seconds since a file was written or touched."""
        facts = os.stat(self._name(name), dir_fd=self._at, follow_symlinks=False)
        return time.time() - facts.st_mtime

    def touch(self, name: str) -> None:
        """Note that a file is used now."""
        os.utime(self._name(name), dir_fd=self._at)

    def remove(self, name: str) -> None:
        """Remove a file, or a link and not what it leads to."""
        os.unlink(self._name(name), dir_fd=self._at)

    def remove_empty(self, name: str) -> None:
        """Remove a folder in this one; an OSError is raised if anything is left in it."""
        os.rmdir(self._name(name), dir_fd=self._at)

    def try_writing(self) -> None:
        """An OSError says why no file can be written here."""
        name = _unused("new")
        os.close(self.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        self.remove(name)


@contextmanager
def opened(path: Path, *names: str, make: bool = False) -> Iterator[Folder]:
    """A folder that can be trusted: ``names`` lead to it from a path that the user has chosen."""
    if make:
        path.mkdir(parents=True, exist_ok=True)
    at = os.open(path, os.O_RDONLY | _FOLDER) if KNOWS_OWNERS else None
    try:
        with _walked(Folder(path, at), names, make) as folder:
            yield folder
    finally:
        if at is not None:
            os.close(at)


@contextmanager
def _walked(folder: Folder, names: tuple[str, ...], make: bool) -> Iterator[Folder]:
    if not names:
        yield folder
        return
    with (
        folder.inner(names[0], make) as inner,
        _walked(inner, names[1:], make) as last,
    ):
        yield last
