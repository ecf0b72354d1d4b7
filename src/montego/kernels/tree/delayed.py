"""One tree and many who simulate for it, one after the other instead of at the same time.

What N threads do to a tree (T21, algorithm 7 of the thesis), or N servers of a client (T22): when
a simulation begins, N - 1 others are under way and their results are not in the tree.  Here
results wait in a ring: the simulation that begins now is followed by the end of the one that
began N - 1 before it.  And what N helpers of one simulation do (T20): they play N games from the
same leaf.  Both on one core, the same for the same seed.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import play
from montego.kernels.board.shape import BLACK
from montego.kernels.compiler.atomic import atomic_add
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.playouts.policy import DEEPEST, LONGEST_SEQUENCE
from montego.kernels.tree.owners import note_owners
from montego.kernels.tree.search import OWNERSHIP_EVERY, explore, learn, play_out, visit

WAITING = np.dtype(
    [
        ("result", np.float64),  # as Black sees it
        ("is_there", np.int32),
        ("depth", np.int32),
        ("length", np.int32),
        ("path", np.int32, DEEPEST + 1),
        ("sequence", np.int16, LONGEST_SEQUENCE),
    ],
    align=True,
)
"""A simulation whose result is not in the tree yet."""


@leaf
def _swap(W, waiting):
    """Exchange the simulation that has just been played for one that waits."""
    depth, length = np.int64(W.depth), np.int64(W.length)
    for i in range(max(depth, np.int64(waiting.depth)) + 1):
        W.path[U(i)], waiting.path[U(i)] = waiting.path[U(i)], W.path[U(i)]
    for i in range(max(length, np.int64(waiting.length))):
        W.sequence[U(i)], waiting.sequence[U(i)] = waiting.sequence[U(i)], W.sequence[U(i)]
    W.depth, W.length = waiting.depth, waiting.length
    waiting.depth, waiting.length = depth, length


@kernel
def _wait(R, S, N, P, W, waiting, result, root_is_black, turn):
    """Let a result wait; the one that has waited longest comes into the tree."""
    place = waiting[U(turn % waiting.size)]
    _swap(W, place)
    if place.is_there != 0:
        learn(R, S, N, P, W, place.result, root_is_black, turn)
    place.result = result
    place.is_there = 1


@entry
def search_delayed(B, R, S, N, P, T, W, waiting):
    """Simulations from B up to the goal, whose results come one ring of others later."""
    for turn in range(S.taken, S.goal):
        result = explore(B, R, S, N, P, T, W)
        if turn % OWNERSHIP_EVERY == 0:
            note_owners(W.board[U(0)], W, result)
        if waiting.size == 0:
            learn(R, S, N, P, W, result, B.to_play == BLACK, turn)
        else:
            _wait(R, S, N, P, W, waiting, result, B.to_play == BLACK, turn)


@entry
def end_waiting(B, R, S, N, P, W, waiting, turn):
    """Bring all results that wait into the tree, in the order in which they came."""
    for i in range(waiting.size):
        place = waiting[U((turn + i) % waiting.size)]
        if place.is_there != 0:
            _swap(W, place)
            learn(R, S, N, P, W, place.result, B.to_play == BLACK, turn + i)
            place.is_there = 0


@leaf
def _play_again(B, R, N, P, T, W, komi):
    """One more game from the leaf that has just been played from."""
    W.board[U(0)] = B
    board = W.board[U(0)]
    for depth in range(1, W.depth + 1):
        play(board, np.int64(W.sequence[U(depth - 1)]))
        visit(R, N, np.int64(W.path[U(depth)]))
    atomic_add(N[U(W.path[U(0)])], "visits", 1)
    W.length = W.depth
    return play_out(board, R, P, T, W, komi)


@entry
def search_leaves(B, R, S, N, P, T, W, games):
    """T20: descents from B up to the goal, with so many games from every leaf."""
    for turn in range(S.taken, S.goal):
        result = explore(B, R, S, N, P, T, W)
        for _ in range(1, games):
            learn(R, S, N, P, W, result, B.to_play == BLACK, turn)
            result = _play_again(B, R, N, P, T, W, S.komi)
        learn(R, S, N, P, W, result, B.to_play == BLACK, turn)
        if turn % OWNERSHIP_EVERY == 0:
            note_owners(W.board[U(0)], W, result)
