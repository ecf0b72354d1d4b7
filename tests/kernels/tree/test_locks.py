"""Locks (T21) under threads that do nothing but fight for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numba
import numpy as np
import pytest

from montego.kernels.tree import locks
from montego.kernels.tree.strategy import GLOBAL_LOCK, NODE_LOCKS, STRATEGY
from montego.kernels.tree.tree import ROOT, TREE, clear_tree, new_nodes

THREADS, TIMES = 4, 5_000_000
FACTOR = 1_103_515_245
# 1 + f + f^2 + ... = (f^n - 1) / (f - 1)
EXPECTED = (pow(FACTOR, THREADS * TIMES, (FACTOR - 1) << 64) - 1) // (FACTOR - 1) % 2**64

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


def end_of_sequence(kind: int) -> int:
    """Where the threads come to together."""
    record, tree = np.zeros(1, dtype=STRATEGY)[0], np.zeros(1, dtype=TREE)[0]
    nodes, start = new_nodes(4), Barrier(THREADS)
    clear_tree(tree, nodes)
    record["locks"] = kind

    def work() -> None:
        start.wait()
        step(record, tree, nodes, TIMES)

    step(record, tree, nodes, 0)  # compiles it
    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(work) for _ in range(THREADS)]:
            done.result()
    assert tree["lock"] == nodes[ROOT]["lock"] == 0
    return int(nodes[ROOT]["total"]) % 2**64


@pytest.mark.parametrize("kind", [GLOBAL_LOCK, NODE_LOCKS])
def test_no_two_threads_hold_one_lock(kind: int) -> None:
    assert end_of_sequence(kind) == EXPECTED
