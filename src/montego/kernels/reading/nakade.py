"""Nakade: the vital point of a small hole inside an enemy chain (T15, and beyond it).

A hole of three points has one in the middle; T15 knows only this.  Larger holes that one
move can reduce to a single eye are the pyramid four, the bulky and the crossed five and the
rabbity six.  Two numbers tell them all from the holes that live or are dead already: how
many pairs of neighbours a hole has, and the neighbours of its most connected point, which
is the vital one.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DIRECTIONS, DOWN, LEFT, PASS, RIGHT, UP
from montego.kernels.board.choice import may_play
from montego.kernels.board.shape import EMPTY, empty_neighbours, touches
from montego.kernels.board.tactics import is_new, next_round
from montego.kernels.compiler.jit import U, kernel, leaf


@kernel
def _list_hole(B, W, p, color, largest):
    """List in ``W.hole`` the empty points connected with p.  Returns their number; 0 if they are
    more than ``largest`` or if one of them touches a stone of this colour."""
    next_round(B)
    is_new(B, p)
    W.hole[U(0)] = p
    count, seen = 1, 0
    while seen < count:
        q = np.int64(W.hole[U(seen)])
        seen += 1
        if touches(np.int64(B.shape[U(q)]), color):
            return 0
        for r in (q + UP, q + LEFT, q + RIGHT, q + DOWN):
            if B.color[U(r)] == EMPTY and is_new(B, r):
                if count == largest:
                    return 0
                W.hole[U(count)] = r
                count += 1
    return count


@leaf
def has_vital_point(count, pairs, most):
    """Whether a hole of ``count`` points with so many pairs of neighbours, whose best connected
    point has ``most`` of them, is one that the next move decides."""
    return (
        (count == 3)  # pairs 2, most 2
        | ((count == 4) & (most == 3))  # pyramid
        | ((count == 5) & ((most == 4) | ((most == 3) & (pairs == 5))))  # crossed, bulky
        | ((count == 6) & (most == 4) & (pairs == 6))  # rabbity
    )


@kernel
def vital_point(B, W, p, color, largest):
    """The point that decides about the hole round p, which only stones of the opponent of
    ``color`` enclose; PASS if there is no such hole or no such point."""
    count = _list_hole(B, W, p, color, largest)
    if count < 3:
        return PASS
    ends = most = 0
    vital = PASS
    for i in range(count):
        q = np.int64(W.hole[U(i)])
        neighbours = empty_neighbours(np.int64(B.shape[U(q)]))
        ends += neighbours
        if neighbours > most:
            vital, most = q, neighbours
    return vital if has_vital_point(count, ends // 2, most) else PASS


@kernel
def hole_move(B, W, promises, color, largest):
    """The vital point of a hole next to the last move, of at most so many points.

    Only where the shape of a point promises one, by the higher of two bits (see surroundings).
    """
    for k in range(8):
        if (promises >> (2 * k)) & 2:
            vital = vital_point(B, W, np.int64(B.last) + DIRECTIONS[k], color, largest)
            if vital != PASS and may_play(B, vital, color):
                return vital
    return PASS
