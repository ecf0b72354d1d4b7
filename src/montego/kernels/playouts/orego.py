"""Orego's playout: the best of a few random moves by one heuristic (H1-H4b).

Three heuristics are built in; a fourth is the user's own, called by its address.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DOWN, LEFT, NOWHERE, PASS, RIGHT, UP
from montego.kernels.board.choice import put_aside
from montego.kernels.board.liberties import pseudo_liberties
from montego.kernels.board.playable import is_playable
from montego.kernels.board.shape import seen_by
from montego.kernels.board.tactics import stones_captured
from montego.kernels.compiler.address import call_heuristic
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.compiler.rng import below
from montego.kernels.playouts.policy import (
    BY_CAPTURE,
    BY_FIGHTING,
    BY_HEURISTIC,
    BY_PATTERN,
)

NO_FIGHT = 1 << 20  # more pseudo-liberties than any chain has


@leaf
def _liberties_at(B, q):
    root = B.root[U(q)]
    return pseudo_liberties(B.liberties[U(root)]) if root != NOWHERE else NO_FIGHT


@leaf
def fighting_value(B, p):
    """H2: the fewer pseudo-liberties a chain next to p has, the better."""
    return -min(
        min(_liberties_at(B, p + UP), _liberties_at(B, p + LEFT)),
        min(_liberties_at(B, p + RIGHT), _liberties_at(B, p + DOWN)),
    )


@leaf
def heuristic_value(B, T, heuristic, address, p, color):
    """The value of a move by a heuristic, or by the user's own at an address."""
    if heuristic == BY_CAPTURE:  # H1
        return np.float64(stones_captured(B, p, color))
    if heuristic == BY_FIGHTING:
        return np.float64(fighting_value(B, p))
    if heuristic == BY_PATTERN:  # H3
        return np.float64(T.ratio[U(seen_by(np.int64(B.shape[U(p)]), color))])
    return call_heuristic(address, B, p, color)


@kernel
def best_of_move(B, P, T, W, count):
    """H4b: the best of ``count`` different random moves, ties in the order they were drawn."""
    color = np.int64(B.to_play)
    W.rule = BY_HEURISTIC
    n = np.int64(B.empties)
    best, best_value = PASS, -np.inf
    while n > 0 and count > 0:
        i = below(W, n)
        p = np.int64(B.empty[U(i)])
        if is_playable(B, p, color):
            count -= 1
            value = heuristic_value(B, T, P.heuristic, P.address, p, color)
            if value > best_value or best == PASS:
                best, best_value = p, value
        n -= 1
        put_aside(B, i, n)
    return best
