"""What compiled code was made from: the source of a module, and of all that it imports.

Numba's own cache notices an edit in the file of a function, but not in the files of the
functions that it calls: a cached caller would silently go on running the old callee.  So compiled
code is named after a digest of all the sources that it can come from.  These are found by the
import statements in them, as text: no module is imported for it.  Libraries are left out: the
folder of compiled code is named after their versions (see cache).
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
KERNELS = PACKAGE / "kernels"

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n]*))"
    rb"|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)
_COMMENT = re.compile(rb"#[^\n]*")
_LIBRARIES = ("site-packages", "dist-packages")


@cache
def digest_of(module: str, path: Path) -> str:
    """A digest of a module and of all modules that it imports, and those in turn."""
    digest = hashlib.sha256()
    for name, file in sorted(closure(module, path).items()):
        digest.update(f"{name} {len(_content(file))} ".encode())
        digest.update(_content(file))
    return digest.hexdigest()[:16]


@cache
def digest_of_kernels() -> str:
    """The same for all kernels that a game needs."""
    digest = hashlib.sha256()
    for path in sorted(KERNELS.glob("**/*.py")):
        digest.update(f"{path.relative_to(KERNELS)} {len(_content(path))} ".encode())
        digest.update(_content(path))
    return digest.hexdigest()[:16]


def closure(module: str, path: Path) -> dict[str, Path]:
    """A module and all that it imports, directly or not, by name."""
    found, waiting = dict[str, Path](), [(module, path)]
    while waiting:
        name, file = waiting.pop()
        if name not in found:
            found[name] = file
            waiting += _imported(name, file)
    return found


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


@cache
def _imported(module: str, path: Path) -> list[tuple[str, Path]]:
    """The modules that a file imports, and their files."""
    return [(other, at) for other in _imports(module, path) if (at := _file_of(other))]


def _imports(module: str, path: Path) -> Iterator[str]:
    """The names of modules that a file may import; some of them are names in a module."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for base, listed, rest, plain in _IMPORT.findall(_COMMENT.sub(b"", _content(path))):
        if plain:
            yield from (name.split()[0] for name in plain.decode().split(",") if name.strip())
            continue
        try:
            whole = resolve_name(base.decode(), package)
        except ImportError:  # of a relative import in a file that belongs to no package
            continue
        yield whole
        for name in (listed or rest).decode("utf-8", "replace").split(","):
            if name.strip():
                yield f"{whole}.{name.split()[0]}"


@cache
def _file_of(module: str) -> Path | None:
    """The source of a module of ours or of the user; None for a library, or for no module."""
    first, *rest = module.split(".")
    if first == PACKAGE.name:
        place = os.path.join(PACKAGE, *rest)  # hundreds of names: without the cost of a Path
        files = (f"{place}.py", os.path.join(place, "__init__.py"))
        return next((Path(file) for file in files if os.path.isfile(file)), None)
    loaded = getattr(sys.modules.get(module), "__file__", None)
    if first in sys.stdlib_module_names or loaded is None or not loaded.endswith(".py"):
        return None
    path = Path(loaded)
    is_library = any(part in _LIBRARIES for part in path.parts)
    return None if is_library or not path.is_file() else path
