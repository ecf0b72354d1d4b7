"""``python -m montego.planning.examples NAME [FOLDER]``: run an example, write its figure."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from montego.planning.examples import contest, games, puzzles, sailing, thesis, tiling

FIGURES = {
    "contest": contest.figure,
    "games": games.figure,
    "morpion": puzzles.morpion_figure,
    "pi": thesis.pi_figure,
    "regret": thesis.regret_figure,
    "sailing": sailing.figure,
    "same-game": puzzles.same_game_figure,
    "shortest-path": thesis.path_figure,
    "sudoku": puzzles.sudoku_figure,
    "tiling": tiling.figure,
}


def main(arguments: list[str]) -> None:
    """Run one example."""
    if not arguments or arguments[0] not in FIGURES:
        sys.exit(f"python -m montego.planning.examples NAME [FOLDER]: {', '.join(FIGURES)}")
    folder = Path(arguments[1] if len(arguments) > 1 else ".")
    print(json.dumps(FIGURES[arguments[0]](folder), indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
