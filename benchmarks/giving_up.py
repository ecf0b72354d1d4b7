"""No recipe gives a game up that can still be won: what passing and resigning were worth.

Positions are drawn from games that a recipe has lost to `montego`, with itself to move.  Where its
engine would pass or resign, a long search by `montego` tells what the position is worth to it.  The
engine resigns at the first sign here, while in a game it waits for several in a row.

    python benchmarks/giving_up.py [--recipes mogo,uct] [--positions 200] [--out FOLDER] [--json]

A recipe that is finished is kept in ``FOLDER/giving-up.json``, and not judged again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from montego.engine.engine import Engine
from montego.go import BLACK, Position, color_letter
from montego.go.colors import other_color
from montego.lab.base.journal import write_whole
from montego.lab.base.progress import Counter
from montego.lab.base.provenance import provenance
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

NAME = "giving-up.json"
LOST_GAMES = 12
"""That the positions of a recipe are drawn from."""
SIMULATIONS = 500
"""A move, in the games and where the engine is asked whether it gives up."""
JUDGE = 10_000
"""Simulations of the judge."""
STILL_OPEN = 0.3
"""The chance of winning above which nobody may give up."""
PLAYS_ON = {"manners.resign": "no"}
RESIGNS_AT_ONCE = {"manners.resign_times": 1}


@dataclass(frozen=True)
class Judged:
    """What a recipe gave up."""

    recipe: str
    positions: int
    passed: list[float]
    """The chances of winning where it passed, by the judge,"""
    resigned: list[float]
    """and where it resigned."""

    @property
    def wrongly(self) -> int:
        """How often it gave up what was still open."""
        return sum(chance > STILL_OPEN for chance in self.passed + self.resigned)


def lost_games(recipe: str) -> Iterator[tuple[Position, int]]:
    """Games against `montego` that the recipe has lost, each with its colour, without end."""
    seed = 0
    while True:
        seed += 1
        own = BLACK if seed % 2 else other_color(BLACK)
        ours = Engine(recipe, seed=seed, simulations=SIMULATIONS, parameters=PLAYS_ON)
        theirs = Engine(seed=seed + 1, simulations=SIMULATIONS, parameters=PLAYS_ON)
        while not ours.position.is_over:
            mover, other = (ours, theirs) if ours.position.to_play == own else (theirs, ours)
            other.play(mover.genmove().move)
        if ours.final_score().startswith(color_letter(other_color(own))):
            yield ours.position, own


def positions(recipe: str, number: int) -> Iterator[Position]:
    """Positions of lost games, the recipe to move, in random order."""
    games = lost_games(recipe)
    found: list[Position] = []
    for _ in range(LOST_GAMES):
        game, own = next(games)
        while game.moves:
            game = game.undo()
            if game.to_play == own:
                found.append(game)
    random.Random(recipe).shuffle(found)
    yield from found[:number]


def ask(engine: Engine, position: Position) -> str:
    """The engine's move in a position."""
    engine.clear()
    for color, move in position.moves:
        engine.play(move, color)
    return engine.genmove().vertex


def judge(recipe: str, number: int) -> Judged:
    """Ask for a move in every position, and the judge where the answer is to give up."""
    engine = Engine(recipe, simulations=SIMULATIONS, parameters=RESIGNS_AT_ONCE)
    search = LocalSearch(RECIPES["montego"])
    chances: dict[str, list[float]] = {"pass": [], "resign": []}
    asked = 0
    with Counter(f"{recipe}: positions", number) as count:
        for position in positions(recipe, number):
            answer = ask(engine, position)
            if answer in chances:
                search.clear()
                found = search.run(position, Budget(JUDGE))
                chances[answer].append(round(found.win_rate, 3))
            asked += 1
            count(range(asked))
    return Judged(recipe, asked, chances["pass"], chances["resign"])


def read_judged(path: Path) -> dict[str, Judged]:
    """The recipes that are finished."""
    if not path.exists():
        return {}
    return {kept["recipe"]: Judged(**kept) for kept in json.loads(path.read_text())["recipes"]}


def as_text(judged: list[Judged]) -> str:
    """The record."""
    head = {"simulations": SIMULATIONS, "judge": JUDGE} | provenance()
    return json.dumps(head | {"recipes": [asdict(found) for found in judged]}, indent=1) + "\n"


def show(judged: list[Judged]) -> None:
    """Print a table."""
    table = Table("recipe", "positions", "passed", "resigned", "best chance", "above 30 %")
    for found in judged:
        best = max(found.passed + found.resigned, default=0.0)
        figures = (found.positions, len(found.passed), len(found.resigned))
        table.add_row(found.recipe, *map(str, figures), f"{best:.1%}", str(found.wrongly))
    Console().print(table)


def main() -> None:
    """Judge, keep, print; the exit status tells whether anything was given up wrongly."""
    parser = argparse.ArgumentParser(description="What recipes give up, and what it was worth.")
    parser.add_argument("--recipes", default=",".join(RECIPES))
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path("results/giving-up"))
    parser.add_argument("--json", action="store_true", help="print the record instead of a table")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    done = read_judged(options.out / NAME)
    for recipe in options.recipes.split(","):
        if recipe not in done:
            done[recipe] = judge(recipe, options.positions)
            write_whole(options.out / NAME, as_text(list(done.values())))
    print(as_text(list(done.values())), end="") if options.json else show(list(done.values()))
    sys.exit(any(found.wrongly for found in done.values()))


if __name__ == "__main__":
    main()
