"""The letters of the kernels: one meaning, one order, everywhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import montego
from montego.kernels import LETTERS

PACKAGE = Path(montego.__file__).parent
DECORATORS = {"entry", "kernel", "leaf", "intrinsic"}
MOST_ARGUMENTS = 9


def compiled_functions() -> Iterator[tuple[str, list[str]]]:
    """The name and the arguments of every compiled function of the kernels."""
    for path in sorted((PACKAGE / "kernels").glob("**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
                if decorators & DECORATORS:
                    arguments = [argument.arg for argument in node.args.args]
                    if "intrinsic" in decorators:  # the typing context comes first,
                        del arguments[: 2 if "address" in arguments else 1]  # and what is called
                    yield f"{path.relative_to(PACKAGE)}:{node.name}", arguments


FUNCTIONS = dict(compiled_functions())


def test_there_are_hundreds() -> None:
    assert len(FUNCTIONS) > 300


@pytest.mark.parametrize("name", FUNCTIONS)
def test_letters_come_first_and_in_order(name: str) -> None:
    arguments = FUNCTIONS[name]
    letters = [argument for argument in arguments if argument.isupper()]
    assert set(letters) <= set(LETTERS)
    assert arguments[: len(letters)] == letters
    assert letters == sorted(letters, key=[*LETTERS].index)
    assert len(arguments) <= MOST_ARGUMENTS


def test_the_documentation_has_the_same_letters() -> None:
    page = (PACKAGE.parents[1] / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([A-Z])` \| .*: (\w+)`\]", page, re.MULTILINE)
    assert rows == [(letter, text.split(":")[0]) for letter, text in LETTERS.items()]


@pytest.mark.parametrize("letter", LETTERS)
def test_every_letter_is_a_record(letter: str) -> None:
    record, place = LETTERS[letter].split(":")[0], LETTERS[letter].split("(")[-1].rstrip(")")
    module = import_module("montego.kernels." + place.replace("/", "."))
    assert isinstance(getattr(module, record), np.dtype)
    assert any(letter in arguments for arguments in FUNCTIONS.values())
