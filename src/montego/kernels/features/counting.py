"""How often shapes were played in games where they could be.

3x3 shapes are counted (H5), and rated by what they won against (P4); large patterns are
counted where they are the largest that is known (P9b).
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS, play
from montego.kernels.board.playable import is_playable
from montego.kernels.board.shape import seen_by
from montego.kernels.compiler.jit import U, entry, leaf
from montego.kernels.features.patterns import chance_place


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


@leaf
def _share(B, W, p, color, gammas, wins, shares):
    """A win for the shape of the move played, and for all shapes what the win was worth."""
    total, count = 0.0, 0
    for i in range(B.empties):
        q = np.int64(B.empty[U(i)])
        if is_playable(B, q, color):
            W.candidates[U(count)] = q
            count += 1
            total += gammas[U(seen_by(np.int64(B.shape[U(q)]), color))]
    for i in range(count):
        q = np.int64(W.candidates[U(i)])
        shape = seen_by(np.int64(B.shape[U(q)]), color)
        wins[U(shape)] += q == p
        shares[U(shape)] += 1.0 / total


@entry
def rate_shapes(B, W, colors, points, gammas, wins, shares):
    """One round of minorization-maximization (Coulom 2007) with 3x3 shapes as the only features.

    A shape's next strength is its wins by its shares: the sum, over all moves that it could have
    been, of 1 / (the strength of all moves there).  Games are written as for ``count_shapes``.
    """
    start, B = B, W.board[U(0)]
    for i in range(colors.size):
        color, p = np.int64(colors[U(i)]), np.int64(points[U(i)])
        if color == 0:
            W.board[U(0)] = start
            continue
        if p != PASS:
            _share(B, W, p, color, gammas, wins, shares)
        set_turn(B, color)
        play(B, p)


@entry
def count_patterns(B, T, W, colors, points, played, seen):
    """Count, by place in Mango's table, how often its patterns were there and were played."""
    start, B = B, W.board[U(0)]
    for i in range(colors.size):
        color, p = np.int64(colors[U(i)]), np.int64(points[U(i)])
        if color == 0:
            W.board[U(0)] = start
            continue
        for j in range(B.empties if p != PASS else 0):
            q = np.int64(B.empty[U(j)])
            if is_playable(B, q, color):
                place = chance_place(B, T, q, color)
                seen[U(place)] += 1
                played[U(place)] += q == p
        set_turn(B, color)
        play(B, p)
