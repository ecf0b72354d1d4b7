"""What a second worker of a Dask scheduler brings to a book that grows (T32), in the same time.

Books are grown for some seconds by one and by more local workers, by turns, because machines are
noisy; as many cores as workers have to be idle.  The time begins when every worker has told two
games.  Games differ in length, so moves are counted as well.

    python benchmarks/growth.py [--seconds 60] [--repeats 3] [--workers 2] [--simulations 200]
                                [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from montego import __version__
from montego.book.games import BookGame
from montego.lab.base.farm import crew
from montego.lab.books.grow import grow
from montego.lab.books.plans import Start
from montego.lab.books.ways import NOBODY, Way
from montego.lab.matches.entrants import parse_player

ENDLESS = 1_000_000
Rates = dict[str, float]


class Watch:
    """Notes when games are told, and says when the time is over."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.first, self.seconds = 2 * workers, seconds
        self.told: list[tuple[float, BookGame]] = []

    def see(self, games: Sequence[BookGame]) -> None:
        now = time.monotonic()
        self.told += [(now, game) for game in games[len(self.told) :]]

    @property
    def begin(self) -> float | None:
        return self.told[self.first - 1][0] if len(self.told) >= self.first else None

    def is_over(self) -> bool:
        return self.begin is not None and time.monotonic() > self.begin + self.seconds

    def rates(self) -> Rates:
        """Games and moves a second."""
        assert self.begin is not None
        end = self.begin + self.seconds
        games = [game for at, game in self.told[self.first :] if at <= end]
        moves = sum(len(game.moves) for game in games)
        return {"games": len(games) / self.seconds, "moves": moves / self.seconds}


def rates_of(workers: int, options: argparse.Namespace) -> Rates:
    """Grow a new book for a while."""
    player = parse_player(f"montego,memory=16,simulations={options.simulations}")
    plan = Way("mvbm", NOBODY).plan(player, Start())
    watch = Watch(workers, options.seconds)
    with TemporaryDirectory() as folder, crew("local", workers) as hands:
        grow(plan, Path(folder) / "a.book", ENDLESS, hands, watch.see, watch.is_over)
    return watch.rates()


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def main() -> None:
    options = parse()
    runs = [
        {count: rates_of(count, options) for count in (1, options.workers)}
        for _ in range(options.repeats)
    ]
    found = {
        "version": __version__,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "workers": options.workers,
        "simulations": options.simulations,
        "runs": runs,
    } | {
        f"times_the_{what}": median(run[options.workers][what] / run[1][what] for run in runs)
        for what in ("games", "moves")
    }
    text = json.dumps(found, indent=2)
    print(text)
    if options.out is not None:
        options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
