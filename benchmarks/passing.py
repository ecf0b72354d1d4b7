"""No game lost by passing: what a match's games were worth when somebody first passed.

Two judges who do not know each other look at every finished game.  A long search says who had won
the position before the first pass; GNU Go says who has won at the end.  Where one of them names
another winner than the record, the game is listed: somebody has to look at it.

    montego match montego,manners.resign=no montego,manners.resign=no --out FOLDER
    python benchmarks/passing.py FOLDER [--simulations 20000] [--json]

What is found is kept in ``FOLDER/judged.json`` after every game, and gone on with if it is there.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from montego.engine.status import SIGN
from montego.go import PASS, Position, color_name, sgf
from montego.lab.base.journal import write_whole
from montego.lab.base.progress import Counter
from montego.lab.base.provenance import provenance
from montego.lab.base.record import read_games, read_sgfs
from montego.lab.matches.referee import gnugo_score
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

NAME = "judged.json"
MEMORY_MB = 256


@dataclass(frozen=True)
class Judged:
    """A finished game; values and scores are Black's."""

    game: int
    result: str
    first_pass: int
    """The number of the move."""
    passed: str
    """Who did."""
    empty: float
    """Part of the board that was empty then."""
    value: float
    """Before it, by the search: -1 to 1."""
    score: float
    """At the end, by GNU Go."""

    @property
    def is_disputed(self) -> bool:
        """Whether a judge names another winner."""
        winner = {"B": 1, "W": -1}.get(self.result[0], 0)
        return self.value * winner <= 0 or self.score * winner <= 0


def judge(number: int, data: bytes, search: LocalSearch, simulations: int) -> Judged | None:
    """One game; None if it ended without a pass."""
    record = sgf.loads(data)
    first = next((i for i, (_, move) in enumerate(record.position.moves, 1) if move == PASS), None)
    if first is None:
        return None
    before = sgf.loads(data, first).position
    mover = record.position.moves[first - 1][0]
    search.clear()
    found = search.run(before.with_to_play(mover), Budget(simulations))
    return Judged(
        number,
        record.result,
        first,
        color_name(mover),
        round(_empty(before), 3),
        round(found.value * SIGN[mover], 3),
        gnugo_score(record.position),
    )


def _empty(position: Position) -> float:
    return 1 - sum(len(position.stones(color)) for color in SIGN) / position.size**2


def judge_all(folder: Path, simulations: int) -> list[Judged]:
    """All games of a match that ended by the score; what was found before is taken as it is."""
    lines = [line for line in read_games(folder) if line["reason"] == "score"]
    games = sorted(read_sgfs(folder, lines).items())
    done = read_judged(folder / NAME, simulations)
    search = LocalSearch(RECIPES["montego"], memory_mb=MEMORY_MB)
    with Counter("games judged", len(games)) as count:
        for number, data in games:
            if number not in done and (judged := judge(number, data, search, simulations)):
                done[number] = judged
                write_whole(folder / NAME, as_text(list(done.values()), simulations))
            count(done)
    return list(done.values())


def read_judged(path: Path, simulations: int) -> dict[int, Judged]:
    """What was found before, by as many simulations."""
    if not path.exists():
        return {}
    kept = json.loads(path.read_text(encoding="utf-8"))
    games = kept["games"] if kept["simulations"] == simulations else []
    return {game["game"]: Judged(**game) for game in games}


def as_text(games: list[Judged], simulations: int) -> str:
    """The record, one game a line."""
    disputed = [game.game for game in games if game.is_disputed]
    head = {"simulations": simulations, "judged": len(games), "disputed": disputed} | provenance()
    rows = ",\n".join(f"    {json.dumps(asdict(game))}" for game in games)
    begin = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())
    return f'{{\n{begin}  "games": [\n{rows}\n  ]\n}}\n'


def show(games: list[Judged]) -> None:
    """Print the games that somebody has to look at."""
    table = Table("game", "result", "first pass", "by", "empty", "value before", "GNU Go's score")
    for game in games:
        if game.is_disputed:
            table.add_row(*(str(value) for value in asdict(game).values()))
    emptiest = max((game.empty for game in games), default=0.0)
    console = Console()
    console.print(f"{len(games)} games; up to {emptiest:.0%} of the board empty at the first pass")
    console.print(table if table.row_count else "both judges agree with every result")


def main() -> None:
    """Judge, keep, print; the exit status tells whether a game is disputed."""
    parser = argparse.ArgumentParser(description="What games were worth when somebody passed.")
    parser.add_argument("folder", type=Path, help="a match")
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--json", action="store_true", help="print the record instead of a table")
    options = parser.parse_args()
    games = judge_all(options.folder, options.simulations)
    if options.json:
        print(as_text(games, options.simulations), end="")
    else:
        show(games)
    sys.exit(any(game.is_disputed for game in games))


if __name__ == "__main__":
    main()
