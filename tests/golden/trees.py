"""Golden trees: what every recipe finds at a fixed seed, to the last visit.

They change only when somebody changes the search, the playouts or the knowledge; if that was
meant, write them anew and let the difference be seen in review:

    python -m tests.golden.trees
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from montego.go import Position, vertex
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.search import LocalSearch
from tests.positions import random_position

FILE = Path(__file__).with_name("trees.txt")
SIMULATIONS = 300
SHOWN = 5
"""How many moves of a root are written out."""
CAPTURING_RACE = """
    . . . X O O .
    . X X X O . O
    X O O O O O O
    . O . X X X X
    O O O X . . X
    O X X X X X .
    . X . . . X .
    """


@cache
def positions() -> dict[str, Position]:
    """By name: the opening, the middle of a game, a fight, its end."""
    return {
        "empty 5x5": Position.start(5),
        "9x9 after 12 moves": random_position(9, 12, seed=1),
        "race 7x7": Position.from_diagram(CAPTURING_RACE),
        "9x9 after 70 moves": random_position(9, 70, seed=2),
        "13x13 after 40 moves": random_position(13, 40, seed=3),
    }


def tree(recipe: Recipe, position: Position) -> list[str]:
    """The root of a searched tree: size, value, and the moves most visited with their lines."""
    search = LocalSearch(recipe, memory_mb=16, seed=7)
    found = search.run(position, Budget(simulations=SIMULATIONS))
    lines = [f"  {search.nodes} nodes, value {found.value:+.4f}"]
    for candidate in found.candidates[:SHOWN]:
        line = " ".join(vertex(move, position.size) for move in candidate.variation)
        lines.append(f"  {candidate.visits:4} {candidate.value:+.4f} {line}")
    return lines


def all_trees() -> dict[str, list[str]]:
    """Every recipe's tree of every position, by a title."""
    return {
        f"{recipe.name}: {name}": tree(recipe, position)
        for recipe in RECIPES.values()
        for name, position in positions().items()
    }


def read() -> dict[str, list[str]]:
    """The trees as they were kept."""
    trees: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            lines.append(line)
        else:
            lines = trees[line] = []
    return trees


def write() -> None:
    """Keep what is found today."""
    parts = ["\n".join([title, *lines]) for title, lines in all_trees().items()]
    FILE.write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
