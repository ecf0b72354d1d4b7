"""How threads share a tree (T21): with one lock, with a lock for every node, or with none.

The thesis protects its tree by mutexes.  A *global* lock is held during the descent and again
on the way back; only playouts run side by side.  A lock of a *node* guards what its children
are and what they have counted: whoever selects among them, or adds to them, holds it.  The root
has no parent; its own counts are guarded by the lock of NONE.  Without locks, our usual way,
counts that decide are added atomically, and nobody waits.

Locks spin: they are held for less time than it takes to sleep and wake up.
"""

from __future__ import annotations

from montego.kernels.compiler.atomic import atomic_claim, atomic_read, atomic_release
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.tree.strategy import GLOBAL_LOCK, NODE_LOCKS


@kernel
def _take_tree(S):
    while not atomic_claim(S, "lock"):
        while atomic_read(S, "lock") != 0:
            pass


@kernel
def _take_node(N, node):
    while not atomic_claim(N[U(node)], "lock"):
        while atomic_read(N[U(node)], "lock") != 0:
            pass


@leaf
def lock_tree(R, S):
    """Begin to work on the tree; with a global lock, alone."""
    if R.locks == GLOBAL_LOCK:
        _take_tree(S)


@leaf
def unlock_tree(R, S):
    if R.locks == GLOBAL_LOCK:
        atomic_release(S, "lock")


@leaf
def lock_children(R, N, node):
    """Begin to work on the children of a node; with locks of nodes, alone."""
    if R.locks == NODE_LOCKS:
        _take_node(N, node)


@leaf
def unlock_children(R, N, node):
    if R.locks == NODE_LOCKS:
        atomic_release(N[U(node)], "lock")
