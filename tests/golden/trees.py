"""Golden trees: what every recipe finds at a fixed seed, to the last visit; and what machines find
that search together, from move to move.

They change only when somebody changes the search, the playouts or the knowledge; if that was
meant, write them anew and let the difference be seen in review:

    python -m tests.golden.trees
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from montego.cluster.settings import Virtual
from montego.go import Position, vertex
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.search import LocalSearch
from tests.positions import random_position

FILE = Path(__file__).with_name("trees.txt")
SIMULATIONS = 300
SHOWN = 5
"""How many moves of a root are written out."""
CLUSTERS = {
    "every 2 simulations": Virtual(between=2),
    "late and lost": Virtual(between=3, delay=7, loss=0.3),
    "of several speeds, late": Virtual(machines=3, between=5, delay=4, spread=0.4),
    "deep, without RAVE": Virtual(machines=5, between=7, share=0.01, rave=False),
    "root alone": Virtual("multiple-runs", between=7),
}
"""Virtual machines, by what is special about them."""
CLUSTER_RECIPES = ("mogo", "montego", "omc")
MOVES, EACH = 3, 60
"""Of a cluster: moves that it plays, and simulations of each machine."""
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


def shared_trees(recipe: Recipe, cluster: Virtual, position: Position) -> list[str]:
    """A line a move: the root's moves most visited, and what each machine's tree holds."""
    search: Any = cluster.make(recipe, 1, 32, 7)
    lines = []
    for _ in range(MOVES):
        found = search.run(position, Budget(simulations=EACH))
        shown = [
            f"{vertex(c.move, position.size)} {c.visits} {c.value:+.4f}"
            for c in found.candidates[:SHOWN]
        ]
        trees = [f"{m.nodes}/{m.root_visits}/{m.own_visits}" for m in search.members]
        lines.append(f"  {', '.join(shown)}; {' '.join(trees)}")
        position = position.play(found.move)
    return lines


def shared_cases() -> dict[str, tuple[Recipe, Virtual]]:
    """Every cluster with some recipes, by a title."""
    return {
        f"{recipe}, shared {name}": (RECIPES[recipe], cluster)
        for name, cluster in CLUSTERS.items()
        for recipe in CLUSTER_RECIPES
    }


def all_shared_trees() -> dict[str, list[str]]:
    """What every cluster finds, by the same titles."""
    position = random_position(13, 20, seed=4)
    return {title: shared_trees(*case, position) for title, case in shared_cases().items()}


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
    found = all_trees() | all_shared_trees()
    parts = ["\n".join([title, *lines]) for title, lines in found.items()]
    FILE.write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
