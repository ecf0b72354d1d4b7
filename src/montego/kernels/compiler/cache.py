"""Where compiled code is kept between runs.

    MONTEGO_CACHE / montego-USER / VERSION / NAME-DIGEST.code

A version is named after the compiler's version and Python's, and after the processor; a file after
the function, the kinds of its arguments, and a digest of the sources that it comes from (see
sources).  So an edit leads to a fresh compilation of what depends on it, and of nothing else.

Every user of a machine has a folder, so several can share one place.  What root has compiled
serves everybody; what anybody else has written is never run (see folder).

What has not been used for a month, a version or a file of this one, is deleted when all kernels
have been compiled again, and nothing else ever is: the file ``used`` in a version says that the
folder is ours, when it was used last, and by a lock that it is being used.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import llvmlite
import numpy as np
from platformdirs import user_cache_path

from montego.kernels.compiler.folder import ROOT_USER, Folder, opened, user
from montego.kernels.compiler.native import Code, processor
from montego.kernels.compiler.notices import WAITING, reason, say_not_kept, say_once
from montego.kernels.compiler.sources import digest_of_kernels

fcntl: ModuleType | None = None
with suppress(ImportError):  # elsewhere those who start together compile everything each
    import fcntl

KEPT = "compiled kernels"

DAY = 86_400
UNUSED_DAYS = 30
COMPLETE = "complete-"
"""With the digest of all kernels: they have been compiled."""
USED = "used"
MARK = b"Compiled kernels of Montego. They may be deleted: what is needed is compiled again.\n"
VERSION_FORM = re.compile(r"[0-9a-f]{16}")
OUR_FILES = re.compile(rf".+\.(code|lock|new)|complete(-.+)?|{USED}")


# --- versions --------------------------------------------------------------------------


def compilers_digest() -> str:
    """A short digest of all that makes machine code of sources, and of what it is made for."""
    compilers = f"{sys.version} {np.__version__} {llvmlite.__version__} {processor()}"
    digest = hashlib.sha256(compilers.encode())
    digest.update(_version_of_numba())
    digest.update(repr(sorted(i for i in os.environ.items() if i[0].startswith("NUMBA_"))).encode())
    return digest.hexdigest()[:16]


def _version_of_numba() -> bytes:
    """What tells one version of Numba from another, without importing it."""
    spec = find_spec("numba")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).with_name("_version.py").read_bytes()


def cache_root() -> Path:
    """Where everything is kept that a later run can use (``MONTEGO_CACHE`` overrides it)."""
    chosen = os.environ.get("MONTEGO_CACHE")
    if chosen:
        return Path(os.path.abspath(os.path.expanduser(chosen)))
    nowhere = Path(os.devnull)
    try:
        usual = user_cache_path("montego", appauthor=False) / "kernels"
    except RuntimeError:  # a user without a home; elsewhere the path has a ~ in it
        return nowhere
    return usual if usual.is_absolute() else nowhere


ROOT = cache_root()
VERSION = compilers_digest()


def folder_of(number: int) -> str:
    """The name of a user's folder."""
    return f"montego-{number}"


def own_folder(make: bool = False) -> AbstractContextManager[Folder]:
    """This user's folder for this version."""
    return opened(ROOT, folder_of(user()), VERSION, make=make)


# --- reading and writing ---------------------------------------------------------------


def kept(name: str) -> Iterator[Code]:
    """The code of this name that the user, and that root has compiled."""
    for number in dict.fromkeys((user(), ROOT_USER)):
        try:
            with opened(ROOT, folder_of(number), VERSION) as folder:
                hold(folder)
                content = folder.read(name)
                note_use(folder, name)
        except OSError:
            continue
        code = Code.unpacked(content, _label(name))
        if code is not None:
            yield code


def keep(code: Code, name: str) -> None:
    """Write code for the next run; without a place to keep it, it serves this one."""
    try:
        with own_folder(make=True) as folder:
            hold(folder)
            folder.write(name, code.packed(_label(name)))
    except OSError as error:
        say_not_kept(KEPT, ROOT, reason(error))


def _label(name: str) -> str:
    """What a file says it is: it is of no use under another name, or to another version."""
    return f"{VERSION}/{name}"


def can_keep() -> bool:
    """Whether compiled code can be kept for the next run; the user is told if it cannot."""
    try:
        with own_folder(make=True) as folder:
            folder.try_writing()
    except OSError as error:
        say_not_kept(KEPT, ROOT, reason(error))
        return False
    return True


def is_compiled() -> bool:
    """Whether an earlier run has compiled everything for exactly these sources."""
    mark = COMPLETE + digest_of_kernels()
    for number in dict.fromkeys((user(), ROOT_USER)):
        with suppress(OSError), opened(ROOT, folder_of(number), VERSION) as folder:
            if folder.has(mark):
                note_use(folder, mark)
                return True
    return False


def note_compiled() -> None:
    """Everything is compiled now.  What nobody has used for a month may go."""
    if is_compiled():
        return
    with suppress(OSError):
        with own_folder(make=True) as folder:
            hold(folder)
            folder.write(COMPLETE + digest_of_kernels(), b"")
            drop_files(folder)
        drop_unused()


# --- one at a time ---------------------------------------------------------------------


@contextmanager
def alone(what: str | Path, waiting: str | None = WAITING) -> Iterator[None]:
    """One process at a time, if the system can do that: several that start together on an
    empty cache would all compile everything.  The lock of a process that is killed is free.

    ``what`` is a name within this version, or the path of any file; ``waiting`` is said by those
    who wait.
    """
    try:
        with own_folder(make=True) as folder:
            lock = folder.open(f"{what}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    try:
        _wait_for(lock, waiting)
        yield
    finally:
        os.close(lock)


def _wait_for(lock: int, waiting: str | None) -> None:
    if fcntl is None:
        return
    with suppress(OSError):  # of a file system without locks
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waiting is not None:
                say_once(waiting, waiting)
            fcntl.flock(lock, fcntl.LOCK_EX)


# --- versions in use, and others -------------------------------------------------------

_held: dict[Path, int] = {}


def hold(folder: Folder) -> None:
    """Note the day, and hold the folder of a version as long as this process lives."""
    has_mark = folder.has(USED)
    if has_mark and folder.path in _held:
        return
    with suppress(OSError):
        if not has_mark:  # a new folder, or one that was cleared in the meantime
            folder.write(USED, MARK)
        if folder.path in _held:
            os.close(_held.pop(folder.path))
        mark = _held[folder.path] = folder.open(USED, os.O_RDONLY)
        if fcntl is not None:
            fcntl.flock(mark, fcntl.LOCK_SH | fcntl.LOCK_NB)
        if time.time() - os.fstat(mark).st_mtime > DAY:
            folder.touch(USED)


def note_use(folder: Folder, name: str) -> None:
    """Let a file's time tell the day of its last use."""
    with suppress(OSError):  # of another user's file
        if folder.age(name) > DAY:
            folder.touch(name)


def drop_files(folder: Folder) -> None:
    """Delete files of this version that have not been used for a month."""
    for name in folder.names():
        if name != USED and OUR_FILES.fullmatch(name):
            with suppress(OSError):
                if folder.age(name) > UNUSED_DAYS * DAY:
                    folder.remove(name)


def drop_unused() -> None:
    """Delete what this user's other versions hold, if they have not been used for a month."""
    with opened(ROOT, folder_of(user())) as versions:
        for name in versions.names():
            if VERSION_FORM.fullmatch(name) and name != VERSION:
                with suppress(OSError):
                    _drop(versions, name)


def _drop(versions: Folder, name: str) -> None:
    """Delete a version; a BlockingIOError is raised if it is in use."""
    with versions.inner(name) as folder:
        if folder.read(USED) != MARK:
            return
        mark = folder.open(USED, os.O_RDWR)
        try:
            if fcntl is not None:
                fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if time.time() - os.fstat(mark).st_mtime < UNUSED_DAYS * DAY:
                return
            for file in sorted(folder.names(), key=USED.__eq__):  # what says that it is ours: last
                if OUR_FILES.fullmatch(file):
                    with suppress(OSError):  # of a folder that has such a name
                        folder.remove(file)
        finally:
            os.close(mark)
    versions.remove_empty(name)
