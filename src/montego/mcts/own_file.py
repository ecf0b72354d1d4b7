"""What a user has written in a file of Python, found by a text: ``python:FILE.py:NAME``.

The file is run once, as Python would import it: modules beside it can be imported, and what it
prints goes to the standard error.  Whatever is wrong with it is told in one line.  Its digest,
which covers those modules as well, says later whether all of it is still the same.
"""

from __future__ import annotations

import hashlib
import sys
import traceback
from contextlib import redirect_stdout
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from montego.files import read_limited
from montego.kernels.compiler.first_use import MAKING
from montego.kernels.compiler.sources import PACKAGE, closure
from montego.mcts.heuristics import HeuristicError
from montego.mcts.own_rules import OwnRule, RuleError
from montego.mcts.recipes import Recipe

PREFIX = "python:"
MOST_BYTES = 10_000_000


class OwnFileError(ValueError):
    """A file or a name in it that cannot be used; one line."""


class Own(NamedTuple):
    """Something of the user's."""

    value: Any
    file: str
    """As it was written."""
    digest: str


class _Loaded(NamedTuple):
    module: ModuleType
    digest: str


_loaded: dict[tuple[Path, bytes], _Loaded] = {}
"""By path and content."""


def find_own(text: str) -> Own:
    """What ``python:FILE.py:NAME`` names; raises an OwnFileError."""
    file, colon, name = text.removeprefix(PREFIX).rpartition(":")
    if not (colon and file and name):
        raise OwnFileError(f"{text!r} is not python:FILE.py:NAME")
    path = Path(file).absolute()
    try:
        content = read_limited(path, MOST_BYTES)
    except OSError as error:
        raise OwnFileError(f"{file}: {error.strerror}") from None
    with MAKING:
        key = (path, content)
        if key not in _loaded:
            _loaded[key] = _load(path, content, file)
        module, digest = _loaded[key]
    if name not in vars(module):
        near = get_close_matches(name, vars(module), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise OwnFileError(f"{file} has no {name!r}{hint}")
    return Own(getattr(module, name), file, digest)


def own_recipe(text: str) -> Recipe:
    """The recipe that a text names; raises an OwnFileError."""
    found = find_own(text).value
    if not isinstance(found, Recipe):
        raise OwnFileError(f"{text} is {described(found)}, and not a recipe")
    return found


def described(found: object) -> str:
    """What kind of thing it is, in words."""
    if isinstance(found, type) and issubclass(found, OwnRule):
        return "a rule, which belongs into a recipe"
    if isinstance(found, type):
        return f"a class, {found.__name__}"
    name = type(found).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _load(path: Path, content: bytes, file: str) -> _Loaded:
    """Run a file as a module of its own."""
    name = f"own_{path.stem}_{hashlib.sha256(content).hexdigest()[:8]}"
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = str(path)
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    try:
        with redirect_stdout(sys.stderr):
            exec(compile(content, str(path), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise OwnFileError(_told(error, path, file)) from error
    return _Loaded(module, _digest(name, path, content))


def _digest(name: str, path: Path, content: bytes) -> str:
    """Of a file and of all that it imports, but for libraries and for what is ours."""
    digest = hashlib.sha256(content)
    for module, source in sorted(closure(name, path).items()):
        if module != name and module.partition(".")[0] != PACKAGE.name:
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _told(error: BaseException, path: Path, file: str) -> str:
    """What stopped a file, and where in it."""
    if isinstance(error, RuleError | HeuristicError):
        return str(error)  # says where
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{file}:{error.lineno}: {type(error).__name__}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f"{file}:{lines[-1]}: {reason}" if lines else f"{file}: {reason}"
