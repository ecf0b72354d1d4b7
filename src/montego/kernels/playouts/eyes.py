"""Eyes in danger: the last corner that keeps an own eye real.

A point in the open that own stones surround stays an eye while the opponent has at most one
of its four corners.  When he takes his first, and the other three are own but for one, that
one decides.  Where he has two already, one of them may be in atari: taking it mends the eye.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DIRECTIONS, PASS, in_atari, last_liberty
from montego.kernels.board.choice import may_play, one_of
from montego.kernels.board.shape import EMPTY, is_surrounded, opponent
from montego.kernels.board.tactics import is_self_atari
from montego.kernels.compiler.jit import U, kernel


@kernel
def _guarding_move(B, p, color):
    """The move that keeps the eye p, or mends it; PASS if it needs none or is lost."""
    free = taken = PASS
    frees = enemies = own = 0
    for k in range(4, 8):
        corner = p + DIRECTIONS[k]
        if B.color[U(corner)] == EMPTY:
            frees += 1
            free = corner
        elif B.color[U(corner)] == color:
            own += 1
        elif B.color[U(corner)] == opponent(color):
            enemies += 1
            if in_atari(B, corner):
                taken = last_liberty(B, corner)
    if enemies == 2 and frees + own == 2:
        return taken
    if enemies == 1 and own == 2 and frees == 1 and not is_self_atari(B, free, color):
        return free
    return PASS


@kernel
def eye_move(B, W, color):
    """Keep an eye that the last move threatens from a corner."""
    count = 0
    for k in range(4, 8):
        p = np.int64(B.last) + DIRECTIONS[k]
        if B.color[U(p)] == EMPTY and is_surrounded(np.int64(B.shape[U(p)]), color):
            move = _guarding_move(B, p, color)
            if move != PASS and may_play(B, move, color):
                W.candidates[U(count)] = move
                count += 1
    return one_of(W, count)
