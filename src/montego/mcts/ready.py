"""Getting everything compiled at once, so that nothing is compiled inside a clocked move."""

from __future__ import annotations

import time

from montego.go import Position
from montego.kernels.jit import note_compiled
from montego.mcts.flat import flat_search
from montego.mcts.playouts import Uniform, choose_moves, simulate


def warm_up() -> float:
    """Compile every kernel, or load it from the cache.  Returns the seconds it took."""
    begin = time.perf_counter()
    position = Position.start(9)
    position.play("E5").score()
    simulate(position, Uniform(), 1)
    choose_moves(position, Uniform(), 1)
    flat_search(position, Uniform(), 1)
    note_compiled()
    return time.perf_counter() - begin
