"""Which points may be played: in the game but for superko (see legality), and in a playout."""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DOWN, LEFT, RIGHT, UP, in_atari
from montego.kernels.board.shape import EMPTY, has_empty_neighbour, is_eye
from montego.kernels.compiler.jit import U, leaf


@leaf
def _gives_life(B, q, color):
    """Whether neighbour q saves a stone without an empty neighbour from being suicide:
    an own chain with a second liberty, or an enemy chain that is captured."""
    return (B.color[U(q)] == color) != in_atari(B, q)


@leaf
def is_suicide(B, p, color):
    """Whether a stone on p, which has no empty neighbour, would have no liberty.

    Without short cuts: four tests cost less than one branch that is guessed wrong.
    """
    return not (
        _gives_life(B, p + UP, color)
        | _gives_life(B, p + LEFT, color)
        | _gives_life(B, p + RIGHT, color)
        | _gives_life(B, p + DOWN, color)
    )


@leaf
def is_legal(B, p, color):
    """Whether a stone may be played: simple ko, no suicide (superko is the game's affair)."""
    if B.color[U(p)] != EMPTY or p == B.ko:
        return False
    return has_empty_neighbour(np.int64(B.shape[U(p)])) or not is_suicide(B, p, color)


@leaf
def is_playable(B, p, color):
    """Whether a playout may play the empty point p: legal, and not an own eye."""
    shape = np.int64(B.shape[U(p)])
    if has_empty_neighbour(shape):
        return True
    if p == B.ko or is_eye(shape, color):
        return False
    return not is_suicide(B, p, color)
