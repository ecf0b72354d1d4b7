"""Getting everything compiled at once, so that nothing is compiled inside a clocked move.

Two processes share the work where there are two processors: one compiles the playouts, the
other, this one, all the rest.  What they compile meets in the cache; so should the helper
fail, for whatever reason, its share is found missing there and compiled here.  Where nothing can
be kept there is no helper, for nobody would find its work.

The helper never outlives this process, however that ends: it holds the other end of a pipe, and
leaves when the pipe is closed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from montego.go import Position
from montego.kernels.board.board import new_boards
from montego.kernels.compiler.cache import alone, can_keep, is_compiled, note_compiled
from montego.kernels.features.tables import TABLES
from montego.kernels.playouts.policy import POLICY, WORK
from montego.kernels.reading.reading import reader_address
from montego.kernels.tree.knowledge import knowledge_address
from montego.kernels.tree.network import asker_address, network_code_address
from montego.kernels.tree.search import search_batch
from montego.kernels.tree.strategy import STRATEGY
from montego.kernels.tree.tree import NODE, TREE
from montego.mcts.found import Budget
from montego.mcts.playouts import Uniform, choose_moves, simulate
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

HELP = """
import os, threading

def leave_with_the_other():
    os.read(0, 1)
    os._exit(1)

threading.Thread(target=leave_with_the_other, daemon=True).start()
from montego.kernels.playouts.playout import playout_address
from montego.kernels.reading.selfatari import judge_address
playout_address()
judge_address()
"""


def warm_up() -> float:
    """Compile every kernel, or load it from the cache.  Returns the seconds it took."""
    begin = time.perf_counter()
    if is_compiled():
        use_everything()
    else:
        with alone("everything"):  # whoever had to wait finds it compiled
            compile_everything()
    return time.perf_counter() - begin


def compile_everything() -> None:
    """Compile what an earlier run has not compiled, with a helper if that makes sense."""
    if not is_compiled() and (os.cpu_count() or 1) > 1 and can_keep():
        with helper():
            prepare_search()
    use_everything()
    note_compiled()


def use_everything() -> None:
    """Call every kernel that a game needs."""
    position = use_rules()
    simulate(position, Uniform(), 1)
    choose_moves(position, Uniform(), 1)
    search = LocalSearch(RECIPES["montego"], memory_mb=1)
    found = search.run(position, Budget(simulations=100))
    search.run(position.play(found.move), Budget(simulations=1))  # keeps a part of the tree


def use_rules() -> Position:
    """An empty board, after everything that a position can be asked."""
    set_up = Position.set_up(9, ["E5"], ["C3"])
    set_up.is_legal("D4")
    set_up.play("D4").score()
    return Position.start(9)


@contextmanager
def helper() -> Iterator[None]:
    """A process that compiles the playouts meanwhile; at the end it is waited for."""
    try:
        process = start_helper()
    except OSError:  # no memory or no right for another process
        yield
        return
    with process:
        try:
            yield
            process.wait()
        finally:
            process.kill()


def start_helper() -> subprocess.Popen[bytes]:
    """It imports from where this process does, and from the current folder only if that does."""
    silent = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-P", "-c", HELP],
        stdin=subprocess.PIPE, stdout=silent, stderr=silent,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip


def prepare_search() -> None:
    """Compile the search and its knowledge, as far as they go without the playouts."""
    use_rules()
    board, nodes = new_boards(9)[0], np.zeros(1, dtype=NODE)
    R, S, P, T, W = (  # noqa: N806  # as the kernels have it
        np.zeros(1, dtype=dtype)[0] for dtype in (STRATEGY, TREE, POLICY, TABLES, WORK)
    )
    knowledge_address()
    asker_address()
    network_code_address()
    reader_address()
    search_batch.prepare(board, R, S, nodes, P, T, W)
