"""Locks (T21) under threads that do nothing but fight for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
import pytest

from montego.kernels.tree import locks
from montego.kernels.tree.strategy import GLOBAL_LOCK, NODE_LOCKS, STRATEGY
from montego.kernels.tree.tree import ROOT, TREE, clear_tree, new_nodes

THREADS, TIMES = 4, 100_000
FACTOR = 1_103_515_245

lock_tree, unlock_tree = locks.lock_tree, locks.unlock_tree
lock_children, unlock_children = locks.lock_children, locks.unlock_children


@numba.njit(nogil=True)
def step(R: Any, S: Any, N: Any, times: int) -> None:
    """Go so many steps through a sequence in which each number makes the next one: whatever two
    threads do at the same time, the end is another."""
    for _ in range(times):
        lock_tree(R, S)
        lock_children(R, N, ROOT)
        N[ROOT].total = N[ROOT].total * FACTOR + 1
        unlock_children(R, N, ROOT)
        unlock_tree(R, S)


@pytest.mark.parametrize("kind", [GLOBAL_LOCK, NODE_LOCKS])
def test_no_two_threads_hold_one_lock(kind: int) -> None:
    record, tree = np.zeros(1, dtype=STRATEGY)[0], np.zeros(1, dtype=TREE)[0]
    nodes = new_nodes(4)
    clear_tree(tree, nodes)
    record["locks"] = kind
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: step(record, tree, nodes, TIMES), range(THREADS)))
    expected = 0
    for _ in range(THREADS * TIMES):
        expected = (expected * FACTOR + 1) % 2**64
    assert int(nodes[ROOT]["total"]) % 2**64 == expected
    assert tree["lock"] == nodes[ROOT]["lock"] == 0
