"""How threads share a tree (T21): with one lock, with a lock for every node, or with none.

The thesis protects its tree by mutexes.  A *global* lock is held during the descent and again
on the way back; only playouts run side by side.  A lock of a *node* guards what its children
are and what they have counted: whoever selects among them, or adds to them, holds it.  The root
has no parent; its own counts are guarded by the lock of NONE.  Without locks, our usual way,
counts that decide are added atomically, and nobody waits.

Locks spin: they are held for less time than it takes to sleep and wake up.  Whoever has spun for
long gives way, for the holder may be waiting for the processor.
"""

from __future__ import annotations

from montego.kernels.compiler.atomic import (
    atomic_claim,
    atomic_read,
    atomic_release,
    give_way,
)
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.tree.strategy import GLOBAL_LOCK, NODE_LOCKS

SPINS = 1000  # looks at a lock before giving way, some microseconds


@kernel
def _take(record):
    """Wait for the lock of a tree or of a node, and take it."""
    spins = 0
    while not atomic_claim(record, "lock"):
        while atomic_read(record, "lock") != 0:
            spins += 1
            if spins % SPINS == 0:
                give_way()


@leaf
def lock_tree(R, S):
    """Begin to work on the tree; with a global lock, alone."""
    if R.locks == GLOBAL_LOCK:
        _take(S)


@leaf
def unlock_tree(R, S):
    if R.locks == GLOBAL_LOCK:
        atomic_release(S, "lock")


@leaf
def lock_children(R, N, node):
    """Begin to work on the children of a node; with locks of nodes, alone."""
    if R.locks == NODE_LOCKS:
        _take(N[U(node)])


@leaf
def unlock_children(R, N, node):
    if R.locks == NODE_LOCKS:
        atomic_release(N[U(node)], "lock")
