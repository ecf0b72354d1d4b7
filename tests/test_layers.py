"""The rooms of the package are a stack: each imports only from itself and from those above.

Rooms with many files have sub-rooms, which stand in the stack one by one.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

import montego

PACKAGE = Path(montego.__file__).parent
SUB_ROOMS = {
    "kernels": ("compiler", "board", "reading", "features", "playouts", "tree"),
    "lab": ("base", "matches", "experiments", "tools"),
}
KERNELS, LAB = ([f"{room}.{name}" for name in names] for room, names in SUB_ROOMS.items())
BETWEEN = (
    "go", "knowledge", "mcts", "book", "engine", "cluster", "gtp", "analysis", "terminal", "web",
    "planning", "dft",
)  # fmt: skip
ROOMS = (*KERNELS, *BETWEEN, *LAB, "bench", "cli")
NOT_BUILT = {"book", "web"}
KNOW_NO_GO = {"planning", "dft"}
"""The library for problems of any kind: of the rooms above it uses the kernels alone."""
SOURCES = sorted(PACKAGE.glob("**/*.py"))


def room_of(module: str) -> str:
    """The room of a module such as ``montego.go.rules``; single modules belong to cli."""
    parts = module.split(".")[1:]
    for room in (".".join(parts[:2]), ".".join(parts[:1])):
        if room in ROOMS:
            return room
    return "cli"


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in SOURCES}


def imported_modules(path: Path) -> Iterator[str]:
    """Every module of the package that a file imports, at the top or inside functions."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in _nodes_that_run(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (_module(name) for name in names if name.split(".")[0] == "montego")


def _nodes_that_run(node: ast.AST) -> Iterator[ast.AST]:
    """All of a syntax tree but what only a type checker reads."""
    yield node
    for child in ast.iter_child_nodes(node):
        is_for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not is_for_types:
            yield from _nodes_that_run(child)


def _module(name: str) -> str:
    """A module's own name, also where a name out of it is imported."""
    return name if name in MODULES else name.rpartition(".")[0]


IMPORTS = {module: {*imported_modules(path)} - {module} for module, path in MODULES.items()}


def rooms_allowed_to(room: str) -> set[str]:
    above = set(ROOMS[: ROOMS.index(room) + 1])
    return above & ({*KERNELS} | KNOW_NO_GO) if room in KNOW_NO_GO else above


@pytest.mark.parametrize("module", MODULES)
def test_imports_come_from_above(module: str) -> None:
    # ``from montego import __version__`` is open to all: the package itself imports nothing.
    imported = {room_of(name) for name in IMPORTS[module] if name != "montego"}
    assert imported <= rooms_allowed_to(room_of(module))


def test_no_module_imports_itself_by_way_of_others() -> None:
    try:
        TopologicalSorter(IMPORTS).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_the_import_graph_by_rooms() -> None:
    """Shown by ``pytest tests/test_layers.py -k graph -s``."""
    arrows = Counter(
        (room_of(module), room_of(name))
        for module, names in IMPORTS.items()
        for name in names
        if name != "montego" and room_of(name) != room_of(module)
    )
    for room in ROOMS:
        above = [f"{to} ({count})" for (by, to), count in sorted(arrows.items()) if by == room]
        print(f"{room:16} {', '.join(above)}")
    assert all(ROOMS.index(to) < ROOMS.index(by) for by, to in arrows)


def test_the_package_itself_imports_nothing() -> None:
    program = "import sys, montego; print([name for name in sys.modules if 'montego.' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("module", MODULES)
def test_only_the_command_line_knows_its_framework(module: str) -> None:
    uses_typer = "import typer" in MODULES[module].read_text(encoding="utf-8")
    assert not uses_typer or room_of(module) == "cli"


def test_every_folder_with_files_is_a_known_room() -> None:
    folders = {room_of(module) for module in MODULES if module.count(".") > 1}
    assert folders == {*ROOMS} - NOT_BUILT
    for folder in SUB_ROOMS:  # nothing lies about between their sub-rooms
        assert [path.name for path in (PACKAGE / folder).glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize(
    ("room", "allowed"),
    [
        ("kernels.compiler", "kernels.compiler"),
        ("kernels.reading", "kernels.compiler kernels.board kernels.reading"),
        ("planning", " ".join([*KERNELS, "planning"])),
        ("dft", " ".join([*KERNELS, "planning", "dft"])),
        ("cli", " ".join(ROOMS)),
    ],
)
def test_the_rule_itself(room: str, allowed: str) -> None:
    assert rooms_allowed_to(room) == set(allowed.split())
