"""The rooms of the package are a stack: each imports only from itself and from those above."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

import montego

PACKAGE = Path(montego.__file__).parent
ROOMS = (
    "kernels",
    "go",
    "knowledge",
    "mcts",
    "engine",
    "gtp",
    "analysis",
    "terminal",
    "planning",
    "dft",
    "book",
    "cluster",
    "web",
    "lab",
    "cli",
)
KNOW_NO_GO = {"planning", "dft"}
"""The library for problems of any kind: of the rooms above it uses the kernels alone."""
SOURCES = sorted(PACKAGE.glob("**/*.py"))


def room_of(module: str) -> str:
    """The room of a module such as ``montego.go.rules``; single modules belong to cli."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else "cli"


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported_modules(path: Path) -> Iterator[str]:
    """Every module of the package that a file imports, at the top or inside functions."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "montego")


def rooms_allowed_to(room: str) -> set[str]:
    above = set(ROOMS[: ROOMS.index(room) + 1])
    return above & ({"kernels"} | KNOW_NO_GO) if room in KNOW_NO_GO else above


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_imports_come_from_above(path: Path) -> None:
    room = room_of(module_of(path))
    # ``from montego import __version__`` is open to all: the package itself imports nothing.
    imported = {name for name in imported_modules(path) if name != "montego.__version__"}
    wrong = {name for name in imported if room_of(name) not in rooms_allowed_to(room)}
    assert not wrong


def test_the_package_itself_imports_nothing() -> None:
    program = "import sys, montego; print([name for name in sys.modules if 'montego.' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_only_the_command_line_knows_its_framework(path: Path) -> None:
    uses_typer = "import typer" in path.read_text(encoding="utf-8")
    assert not uses_typer or room_of(module_of(path)) == "cli"


def test_every_folder_is_a_known_room() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders <= set(ROOMS)


@pytest.mark.parametrize(
    ("room", "allowed"),
    [
        ("kernels", {"kernels"}),
        ("go", {"kernels", "go"}),
        (
            "terminal",
            {"kernels", "go", "knowledge", "mcts", "engine", "gtp", "analysis", "terminal"},
        ),
        ("planning", {"kernels", "planning"}),
        ("dft", {"kernels", "planning", "dft"}),
        ("cli", set(ROOMS)),
    ],
)
def test_the_rule_itself(room: str, allowed: set[str]) -> None:
    assert rooms_allowed_to(room) == allowed
