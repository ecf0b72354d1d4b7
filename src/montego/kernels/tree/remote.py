"""Simulations that begin in one tree and are played out elsewhere (T22).

The client descends to leaves and counts visits and virtual losses on its way; a server plays the
games from there; with the results the client walks back (delayed).  A simulation whose server is
gone is taken back: the tree is as if it had never begun.  Several servers may play games from the
same leaves (T20): every game counts as a simulation.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import play
from montego.kernels.compiler.atomic import atomic_add
from montego.kernels.compiler.jit import U, entry, leaf
from montego.kernels.tree.search import descend, play_out, visit
from montego.kernels.tree.tree import ONE


@leaf
def _copy_sequence(source, target, begin, end):
    for i in range(begin, end):
        target.sequence[U(i)] = source.sequence[U(i)]


@entry
def begin_simulations(B, R, S, N, P, T, W, waiting):
    """Descend from B once for every place; its game is still to be played."""
    for i in range(waiting.size):
        place = waiting[U(i)]
        W.board[U(0)] = B
        descend(W.board[U(0)], R, S, N, P, T, W)
        for depth in range(W.depth + 1):
            place.path[U(depth)] = W.path[U(depth)]
        _copy_sequence(W, place, 0, np.int64(W.depth))
        place.depth, place.length = W.depth, W.depth
        place.is_there = 0


@entry
def play_simulations(B, R, P, T, W, komi, waiting):
    """Play the games from the leaves that descents from B have come to."""
    for i in range(waiting.size):
        place = waiting[U(i)]
        W.board[U(0)] = B
        board = W.board[U(0)]
        _copy_sequence(place, W, 0, np.int64(place.depth))
        W.depth, W.length = place.depth, place.depth
        for k in range(place.depth):
            play(board, np.int64(W.sequence[U(k)]))
        place.result = play_out(board, R, P, T, W, komi)
        _copy_sequence(W, place, np.int64(place.depth), np.int64(W.length))
        place.length = W.length
        place.is_there = 1


@entry
def begin_again(R, N, waiting):
    """Count the descents once more, for one more game from each of their leaves."""
    for i in range(waiting.size):
        place = waiting[U(i)]
        atomic_add(N[U(place.path[U(0)])], "visits", 1)
        for depth in range(1, place.depth + 1):
            visit(R, N, np.int64(place.path[U(depth)]))


@entry
def take_back(R, N, waiting):
    """Undo descents whose games will never be known."""
    for i in range(waiting.size):
        place = waiting[U(i)]
        for depth in range(place.depth + 1):
            node = N[U(place.path[U(depth)])]
            atomic_add(node, "visits", -1)
            if depth > 0:
                atomic_add(node, "total", np.int64(R.virtual_loss * ONE))
