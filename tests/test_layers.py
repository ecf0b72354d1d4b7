"""The rooms of the package are a stack: each imports only from itself and from those above.

Rooms with many files have sub-rooms, which stand in the stack one by one.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

import montego

PACKAGE = Path(montego.__file__).parent
SUB_ROOMS = {
    "kernels": ("compiler", "board", "reading", "features", "playouts", "net", "tree"),
    "lab": ("base", "matches", "books", "experiments", "tools"),
}
KERNELS, LAB = ([f"{room}.{name}" for name in names] for room, names in SUB_ROOMS.items())
BETWEEN = (
    "go", "knowledge", "mcts", "book", "engine", "cluster", "gtp", "analysis", "terminal",
    "planning", "dft",
)  # fmt: skip
ROOMS = (*KERNELS, *BETWEEN, *LAB, "web", "bench", "cli")
KNOW_NO_GO = {"planning", "dft"}
"""The library for problems of any kind: of the rooms above it uses the kernels alone."""
OPEN_TO_ALL = {"montego", "montego.files"}
"""What belongs to no room and imports nothing of any."""
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
    """Every module of the package that a file imports: at the top, inside functions, or by name."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in _nodes_that_run(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{base}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            names = _modules_like(node.args[0], module)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_LAZY":
            names = [f"{package}.{name}" for name in {*ast.literal_eval(node.value).values()}]
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


def _modules_like(name: ast.expr, module: str) -> list[str]:
    """What ``import_module(f"{__name__}.…")`` may import, where a part of the name is computed."""
    if not ast.unparse(name).startswith("f'{__name__}"):
        return [str(name.value)] if isinstance(name, ast.Constant) else []
    pattern = module + re.sub(r"{[^{}]*:02}", "[0-9][0-9]", ast.unparse(name)[12:-1])
    return [other for other in MODULES if fnmatch(other, re.sub(r"{.*?}", "*", pattern))]


def _module(name: str) -> str:
    """A module's own name, also where a name out of it is imported."""
    lazy: str | None = montego._LAZY.get(name.removeprefix("montego."))
    return lazy or (name if name in MODULES else name.rpartition(".")[0])


IMPORTS = {module: {*imported_modules(path)} - {module} for module, path in MODULES.items()}
IMPORTS["montego"] = set()  # who imports a lazy name of it imports that name's module


def rooms_allowed_to(room: str) -> set[str]:
    above = set(ROOMS[: ROOMS.index(room) + 1])
    return above & ({*KERNELS} | KNOW_NO_GO) if room in KNOW_NO_GO else above


@pytest.mark.parametrize("module", MODULES)
def test_imports_come_from_above(module: str) -> None:
    imported = {room_of(name) for name in IMPORTS[module] - OPEN_TO_ALL}
    assert imported <= rooms_allowed_to(room_of(module))


def test_no_module_imports_itself_by_way_of_others() -> None:
    try:
        TopologicalSorter(IMPORTS).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_imports_by_name_are_seen() -> None:
    assert {"montego.planning.tag", "montego.planning.bandits"} <= IMPORTS["montego.planning"]
    found = {name.rpartition(".")[2] for name in IMPORTS["montego.lab.experiments"]}
    assert found >= {"r01", "r18", "k03"}
    assert "reproduce" not in found
    assert _module("montego.Engine") == "montego.engine.engine"


def test_the_import_graph_by_rooms() -> None:
    """Shown by ``pytest tests/test_layers.py -k graph -s``."""
    arrows = Counter(
        (room_of(module), room_of(name))
        for module, names in IMPORTS.items()
        for name in names - OPEN_TO_ALL
        if room_of(name) != room_of(module)
    )
    for room in ROOMS:
        above = [f"{to} ({count})" for (by, to), count in sorted(arrows.items()) if by == room]
        print(f"{room:16} {', '.join(above)}")
    assert all(ROOMS.index(to) < ROOMS.index(by) for by, to in arrows)


@pytest.mark.parametrize("module", sorted(OPEN_TO_ALL))
def test_what_is_open_to_all_imports_nothing_of_the_package(module: str) -> None:
    program = f"import sys, {module}; print(*(name for name in sys.modules if 'montego' in name))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert {*done.stdout.split()} == {"montego", module}


@pytest.mark.parametrize("module", MODULES)
def test_only_the_command_line_knows_its_framework(module: str) -> None:
    uses_typer = "import typer" in MODULES[module].read_text(encoding="utf-8")
    assert not uses_typer or room_of(module) == "cli"


def test_every_folder_with_files_is_a_known_room() -> None:
    folders = {room_of(module) for module in MODULES if module.count(".") > 1}
    assert folders == {*ROOMS}
    for folder in SUB_ROOMS:  # nothing lies about between their sub-rooms
        assert [path.name for path in (PACKAGE / folder).glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_tests_mirror_the_rooms(room: str) -> None:
    assert [*Path(__file__).parent.joinpath(*room.split(".")).glob("test_*.py")]


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
