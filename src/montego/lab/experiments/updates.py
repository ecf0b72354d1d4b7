"""The part α of a simulation that every machine has to do again for the games of others (T23)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from montego.cluster.broadcaster import Broadcaster
from montego.go import Position
from montego.mcts.recipes import Recipe

BATCH = 50
MEMORY = 64


@dataclass(frozen=True)
class UpdateShare:
    """Two machines that send each other their games, in turns; processor time of both parts."""

    recipe: Recipe
    size: int
    simulations: int

    def __call__(self) -> Mapping[str, Any]:
        machines = [Broadcaster(self.recipe, 1, MEMORY, seed) for seed in (1, 2)]
        for machine in machines:
            machine.set_position(Position.start(self.size))
        simulated = updated = 0.0
        for _ in range(max(self.simulations // BATCH, 1)):
            for one, other in (machines, machines[::-1]):
                begin = time.thread_time()
                one.simulate(BATCH)
                between = time.thread_time()
                other.hear(0, one.tell())
                simulated += between - begin
                updated += time.thread_time() - between
        return {"simulated": round(simulated, 6), "updated": round(updated, 6)}
