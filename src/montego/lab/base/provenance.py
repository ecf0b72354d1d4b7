"""Where a result comes from: commit, versions, machine."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from pathlib import Path

from montego import __version__

PACKAGE = Path(__file__).resolve().parents[2]
LIBRARIES = ("numba", "numpy")


@cache
def provenance() -> dict[str, object]:
    """Commit, versions and machine, in the shape that records keep."""
    from importlib.metadata import version  # slow to import, and only needed to write records

    return commit() | {
        "versions": {
            "montego": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in LIBRARIES},
        },
        "machine": machine(),
    }


def machine() -> str:
    """The system and the processor."""
    return f"{platform.system()} {platform.machine()}, {_processor()}"


def commit(package: Path = PACKAGE) -> dict[str, object]:
    """The commit of the sources and whether they differ from it; None where there is no git."""
    if _git(package, "ls-files", "--error-unmatch", "__init__.py") is None:
        return {"commit": None, "dirty": None}
    changed = _git(package, "status", "--porcelain", "--", ".")
    return {"commit": _git(package, "rev-parse", "HEAD"), "dirty": changed != ""}


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says, which writes nothing: whatever ends it, no lock stays in the sources."""
    command = ["git", "--no-optional-locks", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _processor() -> str:
    """The processor's name, where the system tells, and the number of cores."""
    name = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
        names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
        name = next(names, name)
    return f"{name or 'unknown processor'}, {os.cpu_count()} cores"
