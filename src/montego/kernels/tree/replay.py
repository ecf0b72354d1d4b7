"""Games that are written down here, and played again in the trees of other machines (T23).

Algorithm 8 of the thesis: every machine sends all its games to all others, and each of them
updates its tree as if it had simulated the game itself: the nodes on its way, the node that grows
there, and RAVE by the moves of the playout.  Only the two dear parts are spared, the choice of
moves and the playout; what is left is the part that Amdahl's law is about.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.shape import BLACK
from montego.kernels.compiler.atomic import atomic_add
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.tree.expansion import add_child, expand, is_ripe
from montego.kernels.tree.network import believed
from montego.kernels.tree.owners import note_owners
from montego.kernels.tree.search import OWNERSHIP_EVERY, SHARE, explore, step, visit, walk_back
from montego.kernels.tree.tree import NONE, ROOT, find_child, is_expanded

GAME = np.dtype(
    [
        ("first", np.int64),  # where its moves begin, among those of all games
        ("length", np.int32),
        ("depth", np.int32),  # how many of them were played in the tree
        ("result", np.float64),  # as Black sees it, and a network, if there is one
    ],
    align=True,
)
"""A simulated game, from the root of the search on."""


@leaf
def _write_down(W, game, moves, first, result):
    """The game that has just been played; returns where the next one begins."""
    game.first, game.length, game.depth, game.result = first, W.length, W.depth, result
    for i in range(W.length):
        moves[U(first + i)] = W.sequence[U(i)]
    return first + np.int64(W.length)


@entry
def search_noted(B, R, S, N, P, T, W, games, moves):
    """Simulations from B up to the goal, as ``search_batch`` has them, each written down.

    Returns how many this thread has played; there has to be room for all of them.
    """
    count = end = np.int64(0)
    while True:
        first = atomic_add(S, "taken", SHARE)
        if first >= S.goal:
            return count
        for turn in range(first, min(first + SHARE, S.goal)):
            result = explore(B, R, S, N, P, T, W)
            seen = believed(R, S, N, W, result, B.to_play == BLACK)
            walk_back(R, S, N, P, W, seen, B.to_play == BLACK, turn)
            if turn % OWNERSHIP_EVERY == 0:
                note_owners(W.board[U(0)], W, result)
            end = _write_down(W, games[U(count)], moves, end, seen)
            count += 1


@kernel
def _follow(B, R, S, N, T, W, game, moves):
    """Walk down by the moves of a game, and grow the tree where a simulation would have."""
    W.depth = 0
    W.length = 0
    W.path[U(0)] = ROOT
    atomic_add(N[U(ROOT)], "visits", 1)
    node, has_grown, is_new = np.int64(ROOT), False, False
    while W.depth < game.depth and not is_new:
        visits = N[U(node)].visits
        is_due = not has_grown and (node == ROOT or is_ripe(R, S, visits))
        if is_due and not is_expanded(N, node):
            has_grown = expand(B, R, S, N, T, W, node)
        move = np.int64(moves[U(game.first + W.depth)])
        child = find_child(N, node, move)
        if child == NONE and visits < R.threshold and not is_expanded(N, node):
            child, is_new = add_child(S, N, node, move), True  # P3
        if child == NONE:
            return
        visit(R, N, child)
        step(B, N, W, child)
        node = child


@entry
def replay(B, R, S, N, P, T, W, games, moves):
    """Update the tree of B by the games of other machines."""
    for i in range(games.size):
        game = games[U(i)]
        W.board[U(0)] = B
        _follow(W.board[U(0)], R, S, N, T, W, game, moves)
        for k in range(W.length, game.length):
            W.sequence[U(k)] = moves[U(game.first + k)]
        W.length = game.length
        walk_back(R, S, N, P, W, game.result, B.to_play == BLACK, i)
