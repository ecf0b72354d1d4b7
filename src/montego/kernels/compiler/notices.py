"""What is said when something cannot be kept between runs: one line for each thing, once.

Nothing fails for want of a cache: what cannot be kept serves this process.  But it costs every
start again what was meant to cost one, so the user is told, and told the remedy.  The line goes
to the logger ``montego``, which without any other arrangement writes it to the standard error.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

REMEDY = "set MONTEGO_CACHE to a folder of your own that can be written"
WAITING = "another process is compiling the kernels: waiting for it"
_said: set[str] = set()


def obstacle(folder: Path) -> str | None:
    """Why no file can be written to a folder, which is made if need be; None if one can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return reason(error)
    return None


def reason(error: OSError) -> str:
    """Why the system refused, in its own words."""
    if isinstance(error, FileExistsError):  # that a file is there explains nothing
        return "Not a directory"
    return error.strerror or str(error)


def say_not_kept(what: str, path: Path, why: str) -> None:
    """Tell the user that something cannot be kept, unless this process has done so before."""
    say_once(what, not_kept(what, path, why))


def say_once(what: str, line: str) -> None:
    """A line for the user, unless this process has said one about this before."""
    if what not in _said:
        _said.add(what)
        say(line)


def leave_unsaid(what: str) -> None:
    """This process says nothing about it: one of many that would all say the same."""
    _said.add(what)


def not_kept(what: str, path: Path, why: str) -> str:
    """What the user is told."""
    return f"{what} cannot be kept in {path} ({why}): {REMEDY}"


def say(line: str) -> None:
    """A line for the user."""
    import logging  # which most runs never need

    logging.getLogger("montego").warning("montego: %s", line)
