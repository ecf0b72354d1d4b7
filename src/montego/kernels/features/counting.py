"""How often each 3x3 shape was played in games, and how often it was passed over (H5)."""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS, play
from montego.kernels.board.shape import seen_by
from montego.kernels.compiler.jit import U, entry, leaf


@leaf
def set_turn(B, color):
    """Whoever plays next in the game is to move, even out of turn."""
    B.to_play = color


@leaf
def _count(B, p, color, wins, losses):
    """A win for the shape round the move played, a loss for those round all other empty points."""
    for i in range(B.empties):
        q = np.int64(B.empty[U(i)])
        shape = seen_by(np.int64(B.shape[U(q)]), color)
        wins[U(shape)] += q == p
        losses[U(shape)] += q != p


@entry
def count_shapes(B, W, colors, points, wins, losses):
    """Count over games; a colour of 0 begins a new one from B.  Shapes are seen by who plays."""
    start, B = B, W.board[U(0)]
    for i in range(colors.size):
        color, p = np.int64(colors[U(i)]), np.int64(points[U(i)])
        if color == 0:
            W.board[U(0)] = start
            continue
        if p != PASS:
            _count(B, p, color, wins, losses)
        set_turn(B, color)
        play(B, p)
