"""A machine that sends all its games to all others, and plays theirs again in its tree (T23).

Algorithm 8 of the thesis: every machine has the whole tree.  A message holds the games since the
message before, so a message that is lost is missed for good, unlike those of the slow tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from montego.cluster.crowd import InCrowd
from montego.go import Position
from montego.kernels.playouts.policy import LONGEST_SEQUENCE
from montego.kernels.tree.replay import GAME, replay, search_noted
from montego.mcts.avoid import Avoid
from montego.mcts.pace import FIRST_BATCH
from montego.mcts.recipes import Recipe

MOST_NOTES = 1 << 10
"""Games that are written down at a time."""


class Games(NamedTuple):
    """Simulated games, and the moves of all of them."""

    games: NDArray[np.void]
    moves: NDArray[np.int16]


class Broadcaster(InCrowd):
    """A tree of everybody's games."""

    own_visits: int = 0
    """Simulations of this machine in the latest search."""

    def __init__(
        self, recipe: Recipe, threads: int = 1, memory_mb: int = 512, seed: int = 0
    ) -> None:
        super().__init__(recipe, threads, memory_mb, seed)
        self._board = Position.start().board_copy()
        self._notes: list[Games] = []
        note = Games(np.zeros(1, dtype=GAME), np.zeros(LONGEST_SEQUENCE, dtype=np.int16))
        replay.prepare(*self.arguments(0), *note)  # not within the first move
        search_noted.prepare(*self.arguments(0), *note)

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None:
        super().set_position(position, avoided)
        self._notes = []
        self.own_visits = 0

    def simulate(self, batch: int, pool: ThreadPoolExecutor | None = None) -> None:
        """So many simulations, each written down."""
        for begin in range(0, batch, MOST_NOTES):
            self._simulate_noted(min(MOST_NOTES, batch - begin), pool)
        self.own_visits += batch

    def _simulate_noted(self, batch: int, pool: ThreadPoolExecutor | None) -> None:
        goal = int(self.tree["taken"]) + batch
        self.tree["goal"] = goal
        if pool is None or batch <= FIRST_BATCH:
            self._notes.append(self._note(0, batch))
        else:
            numbers = range(len(self.workspaces))
            self._notes += pool.map(lambda number: self._note(number, batch), numbers)
        self.tree["taken"] = goal  # every thread has looked once beyond it

    def _note(self, thread: int, most: int) -> Games:
        """The games of a thread."""
        games = np.zeros(most, dtype=GAME)
        moves = np.empty(most * LONGEST_SEQUENCE, dtype=np.int16)
        count = search_noted(*self.arguments(thread), games, moves)
        games = games[:count]
        return Games(games, moves[: int(games["length"].sum())].copy())

    def tell(self) -> Games:
        """The games since this was called before."""
        nothing = Games(np.zeros(0, dtype=GAME), np.zeros(1, dtype=np.int16))
        notes, self._notes = [*self._notes, nothing], []
        games = np.concatenate([note.games for note in notes])
        games["first"] = np.cumsum(games["length"]) - games["length"]
        return Games(games, np.concatenate([note.moves for note in notes]))

    def hear(self, sender: int, told: Games) -> None:
        """Play the games of another machine again."""
        replay(*self.arguments(0), told.games, told.moves)

    def join(self, messages: Sequence[Games]) -> Sequence[Games]:
        """The messages of all machines, for ``hear_all``."""
        return messages

    def hear_all(self, joined: Sequence[Games], number: int) -> None:
        """Play the games of all machines again, of which this one is that number."""
        for sender, games in enumerate(joined):
            if sender != number:
                self.hear(sender, games)

    def take_in(self) -> None:
        """Everything is in the tree as soon as it is heard."""
