"""Random choice: among all the moves that a playout may play (O1), or among candidates."""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS
from montego.kernels.board.playable import is_playable
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.compiler.rng import below


@leaf
def put_aside(B, i, n):
    """Swap the empty points at places i and n of the list."""
    p, q = B.empty[U(i)], B.empty[U(n)]
    B.empty[U(n)] = p
    B.slot[U(p)] = n
    B.empty[U(i)] = q
    B.slot[U(q)] = i


@leaf
def random_move(B, W, color):
    """A playable point, each with the same chance; PASS if there is none.

    Points that turn out not to be playable are put aside, so every draw is from the rest.
    """
    n = np.int64(B.empties)
    while n > 0:
        i = below(W, n)
        p = np.int64(B.empty[U(i)])
        if is_playable(B, p, color):
            return p
        n -= 1
        put_aside(B, i, n)
    return PASS


# As calls: a copy of them in every rule of a cascade would double the compilation.


@kernel
def may_play(B, p, color):
    """``is_playable`` as a call."""
    return is_playable(B, p, color)


@kernel
def any_move(B, W, color):
    """``random_move`` as a call."""
    return random_move(B, W, color)


@leaf
def one_of(W, count):
    """One of the first ``count`` candidates, each with the same chance; PASS if there is none."""
    return np.int64(W.candidates[U(below(W, count))]) if count > 0 else PASS
