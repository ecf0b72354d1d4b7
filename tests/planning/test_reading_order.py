"""The reading order at the top of a package names every module, after all that it imports."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import montego

PACKAGE = Path(montego.__file__).parent


def reading_order(room: str) -> list[str]:
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text("utf-8"))) or ""
    sentence = text.partition("Reading order:")[2].partition(".  ")[0]
    return re.findall(r"[a-z_]+", re.sub(r"\([^)]*\)", "", sentence))


def imported_at_the_top(room: str, module: str) -> set[str]:
    tree = ast.parse((PACKAGE / room / f"{module}.py").read_text("utf-8"))
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == f"montego.{room}":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            f"montego.{room}."
        ):
            found.add((node.module or "").rpartition(".")[2])
    return found


@pytest.mark.parametrize("room", ["planning", "dft"])
def test_the_reading_order_agrees_with_the_files(room: str) -> None:
    modules = {path.stem for path in (PACKAGE / room).glob("*.py")} - {"__init__"}
    order = [name for name in reading_order(room) if name in modules]
    assert sorted(order) == sorted(modules)
    for place, module in enumerate(order):
        assert imported_at_the_top(room, module) <= set(order[:place])
