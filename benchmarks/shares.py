"""What a share costs (T24), and whether games stay the same: games of virtual machines, by seed.

Prints for each game the processor time of a share, beside that of the simulations between two of
them, and a digest of all that was found at every move.  Run it before and after a change: digests
must not differ, times are compared in turns.

    python benchmarks/shares.py [--moves 400] [NAME ...]
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable
from typing import Any

from montego.cluster.machine import Machine
from montego.cluster.settings import Virtual
from montego.go import Position
from montego.kernels.board.board import PASS
from montego.mcts.found import Budget, Found
from montego.mcts.recipes import RECIPES

GAMES = {
    "19x19": ("mogo", 19, 60, Virtual(between=2)),
    "19x19-long": ("mogo", 19, 250, Virtual(between=2)),
    "19x19-late-and-lost": ("mogo", 19, 40, Virtual(between=4, delay=7, loss=0.3)),
    "9x9": ("mogo", 9, 100, Virtual(between=2)),
    "9x9-late-and-lost": ("mogo", 9, 100, Virtual(between=3, delay=7, loss=0.3)),
    "9x9-speeds": ("montego", 9, 100, Virtual(machines=3, between=5, delay=4, spread=0.4)),
    "9x9-root": ("montego", 9, 150, Virtual("multiple-runs", 5, between=7)),
}
"""Recipe, size, simulations of each machine, and the cluster."""
SEED, MEMORY = 11, 256


class Clock:
    """Processor time that one method of all machines has taken."""

    def __init__(self, name: str) -> None:
        self._method: Callable[..., Any] = getattr(Machine, name)
        self.reset()
        setattr(Machine, name, lambda *given: self._call(*given))

    def reset(self) -> None:
        """Begin again."""
        self.seconds, self.calls = 0.0, 0

    def _call(self, *given: Any) -> Any:
        begin = time.thread_time()
        result = self._method(*given)
        self.seconds += time.thread_time() - begin
        self.calls += 1
        return result


def written(found: Found, search: Any) -> bytes:
    """All that was found, and what the trees hold."""
    rows = [(c.move, c.visits, c.value, c.variation) for c in found.candidates]
    trees = [(m.nodes, m.root_visits, m.own_visits) for m in search.members]
    return repr((rows, trees)).encode()


def play(name: str, moves: int, simulate: Clock, tell: Clock) -> str:
    """One game against itself, as a line of the table."""
    simulate.reset()
    tell.reset()
    recipe, size, simulations, cluster = GAMES[name]
    search: Any = cluster.make(RECIPES[recipe], 1, MEMORY, SEED)
    position, digest, passes, played = Position.start(size), hashlib.sha256(), 0, 0
    begin = time.process_time()
    while passes < 2 and played < moves:
        found = search.run(position, Budget(simulations=simulations))
        digest.update(written(found, search))
        passes = passes + 1 if found.move == PASS else 0
        position, played = position.play(found.move), played + 1
    rest = time.process_time() - begin - simulate.seconds
    shares = tell.calls / cluster.machines
    row = f"{1e3 * rest / shares:9.3f} {1e3 * simulate.seconds / shares:12.3f}"
    return f"{name:20} {played:5} {shares:7.0f} {row}  {digest.hexdigest()[:16]}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--moves", type=int, default=400, help="of a game, at most")
    options = parser.parse_args()
    clocks = Clock("simulate"), Clock("tell")
    print("game                 moves  shares  ms/share  simulations  digest")
    for name in options.names or GAMES:
        print(play(name, options.moves, *clocks), flush=True)


if __name__ == "__main__":
    main()
