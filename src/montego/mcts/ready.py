"""Getting everything compiled at once, so that nothing is compiled inside a clocked move."""

from __future__ import annotations

import time

from montego.go import Position
from montego.kernels.jit import note_compiled
from montego.mcts.playouts import Uniform, choose_moves, simulate
from montego.mcts.recipes import RECIPES
from montego.mcts.search import Budget, LocalSearch


def warm_up() -> float:
    """Compile every kernel, or load it from the cache.  Returns the seconds it took."""
    begin = time.perf_counter()
    position = Position.start(9)
    position.play("E5").score()
    simulate(position, Uniform(), 1)
    choose_moves(position, Uniform(), 1)
    search = LocalSearch(RECIPES["montego"], memory_mb=1)
    found = search.run(position, Budget(simulations=100))
    search.run(position.play(found.move), Budget(simulations=1))  # keeps a part of the tree
    note_compiled()
    return time.perf_counter() - begin
