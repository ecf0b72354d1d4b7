"""One concept, one name: the nouns of the program mean one thing each, wherever they stand."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import montego

PACKAGE = Path(montego.__file__).parent
HOMES = {
    "Budget": ["mcts/found.py"],
    "Engine": ["engine/engine.py"],
    "Experiment": ["lab/experiments/model.py"],
    # what a search found: of a game of Go, and of any problem (planning knows no Go)
    "Found": ["mcts/found.py", "planning/budget.py"],
    "GtpSession": ["gtp/session.py"],
    "NONE": ["kernels/tree/tree.py"],
    "Plan": ["dft/plans.py"],
    "Player": ["lab/matches/players.py", "planning/examples/games.py"],
    "Position": ["go/position.py"],
    "Record": ["lab/base/record.py"],
    "Rules": ["go/rules.py"],
    "SAFE": ["kernels/reading/reading.py"],
    # the command line has the two words as well: it imports no experiment before one is run
    "Scale": ["cli/lab.py", "lab/experiments/model.py"],
    "Strategy": ["mcts/strategies.py"],
    "Study": ["planning/study.py"],
    "Tag": ["planning/tag.py"],
}
"""Where each noun is defined."""


def defined(tree: ast.Module) -> Iterator[str]:
    """The classes and constants of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def homes() -> dict[str, list[str]]:
    found = defaultdict(list)
    for path in sorted(PACKAGE.glob("**/*.py")):
        for name in defined(ast.parse(path.read_text(encoding="utf-8"))):
            found[name].append(str(path.relative_to(PACKAGE)))
    return found


FOUND = homes()


@pytest.mark.parametrize("name", HOMES)
def test_a_noun_has_one_meaning(name: str) -> None:
    assert FOUND.get(name, []) == HOMES[name]


def test_both_scales_have_the_same_words() -> None:
    from montego.cli import lab
    from montego.lab.experiments import model

    assert [*lab.Scale] == [*model.Scale]
