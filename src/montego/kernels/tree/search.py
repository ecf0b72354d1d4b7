"""One simulation after another: select, expand, play out, back up.

    while the node has children:   select one, play its move
    if it has been visited enough: give it all its children, ordered by H (``expansion``)
    play the game out
    walk back: visits, results, RAVE (``backup``)

With a threshold T (P2, P3) a node below it chooses by the simulation strategy instead, and
every simulation adds one node to the tree.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS, play
from montego.kernels.board.scoring import area_score
from montego.kernels.board.shape import BLACK, WHITE
from montego.kernels.compiler.atomic import atomic_add
from montego.kernels.compiler.jit import U, entry, leaf
from montego.kernels.playouts.playout import choose_move, finish
from montego.kernels.playouts.policy import DEEPEST
from montego.kernels.playouts.reply import learn_replies
from montego.kernels.tree.backup import back_up, update_rave
from montego.kernels.tree.expansion import add_child, expand, is_avoided, is_ripe
from montego.kernels.tree.locks import (
    lock_children,
    lock_tree,
    unlock_children,
    unlock_tree,
)
from montego.kernels.tree.network import believed, is_due, judge_children
from montego.kernels.tree.owners import note_owners
from montego.kernels.tree.select import select_child
from montego.kernels.tree.tree import (
    NONE,
    ONE,
    ROOT,
    SHUT,
    claim,
    find_child,
    is_expanded,
    release,
)

# Both are ours, untuned.
OWNERSHIP_EVERY = 4  # one playout of so many has its owners noted
SHARE = 4  # simulations that a thread takes on at a time


# --- the descent -----------------------------------------------------------------------


@leaf
def visit(R, N, child):
    """Count a visit; other threads see it as lost while it lasts."""
    atomic_add(N[U(child)], "visits", 1)
    if R.virtual_loss > 0.0:
        atomic_add(N[U(child)], "total", -np.int64(R.virtual_loss * ONE))


@leaf
def step(B, N, W, child):
    """Play the move of a child and enter it on the path."""
    move = np.int64(N[U(child)].move)
    W.sequence[U(W.length)] = move
    W.length += 1
    W.depth += 1
    W.path[U(W.depth)] = child
    play(B, move)


@leaf
def _next_child(B, R, S, N, P, T, W, node, may_grow):
    """Where a simulation goes from a node (NONE: nowhere), whether the node got all its children
    now, and whether the child is new."""
    visits = N[U(node)].visits
    has_grown, is_new = False, False
    may_expand = may_grow and (node == ROOT or is_ripe(R, S, visits))
    if may_expand and not is_expanded(N, node) and claim(N, node):
        has_grown = expand(B, R, S, N, T, W, node)
        if not has_grown:
            release(N, node)
    child = np.int64(NONE)
    if is_expanded(N, node):
        if is_due(R, N, node):
            judge_children(B, R, S, N, T, W, node)
        child = select_child(R, N, W, node)
    elif visits < R.threshold:  # P2: the simulation strategy chooses
        move = choose_move(B, P, T, W)
        if not is_avoided(B, S, W, move):
            child = find_child(N, node, move)
            if child == NONE and claim(N, node):  # P3: one node per simulated game
                child, is_new = add_child(S, N, node, move), True
                release(N, node)
    return child, has_grown, is_new


@leaf
def descend(B, R, S, N, P, T, W):
    """Walk from the root to a leaf, playing the moves on the board; the tree grows there, by the
    children of one node at most."""
    W.depth = 0
    W.length = 0
    W.path[U(0)] = ROOT
    lock_children(R, N, NONE)
    atomic_add(N[U(ROOT)], "visits", 1)
    unlock_children(R, N, NONE)
    node, may_grow, is_new = np.int64(ROOT), True, False
    while B.passes < 2 and W.depth < DEEPEST and not is_new:
        lock_children(R, N, node)
        child, has_grown, is_new = _next_child(B, R, S, N, P, T, W, node, may_grow)
        if child != NONE:
            visit(R, N, child)
        unlock_children(R, N, node)
        if child == NONE:
            return
        step(B, N, W, child)
        node, may_grow = child, may_grow and not has_grown


# --- a simulation ----------------------------------------------------------------------


@leaf
def _result(B, R, score):
    """A score (Black's, komi counted) as a result in [-1, 1]."""
    if R.by_score:
        return max(-1.0, min(1.0, score / (B.size * B.size)))
    return np.sign(score)


@leaf
def _note_score(B, R, W, score):
    """Add a score, by the real komi, to those of the root's move that led to it."""
    if W.depth > 0:
        move = W.sequence[U(0)]
        W.scores[U(move)] += score
        W.squares[U(move)] += score * score
        W.scored[U(move)] += 1
        W.results[U(move)] += _result(B, R, score)


@leaf
def explore(B, R, S, N, P, T, W):
    """Descend from B and play the game out, on W's board; the result as Black sees it."""
    W.board[U(0)] = B
    B = W.board[U(0)]
    lock_tree(R, S)
    descend(B, R, S, N, P, T, W)
    unlock_tree(R, S)
    return play_out(B, R, P, T, W, S.komi)


@leaf
def play_out(B, R, P, T, W, komi):
    """Play the game out from a leaf; the result as Black sees it, by the search's komi."""
    is_over = B.passes >= 2
    score = area_score(B, W.owner, W.queue) if is_over else finish(B, P, T, W)
    _note_score(B, R, W, score - komi)
    W.playout_moves += W.length - W.depth
    result = _result(B, R, score - komi - W.extra_komi)
    W.balanced += result
    return result


@leaf
def learn(R, S, N, P, W, result, root_is_black, turn):
    """Walk back with Black's result of the playout, and what a network makes of it."""
    seen = believed(R, S, N, W, result, root_is_black)
    walk_back(R, S, N, P, W, seen, root_is_black, turn)


@leaf
def walk_back(R, S, N, P, W, result, root_is_black, turn):
    """Take Black's result into the tree as it is."""
    lock_tree(R, S)
    back_up(R, N, W, result, root_is_black)
    if R.rave:
        update_rave(R, N, W, result, root_is_black, turn)
    unlock_tree(R, S)
    if P.reply > 0.0 and result != 0.0:
        first = BLACK if root_is_black else WHITE
        learn_replies(W, first, BLACK if result > 0.0 else WHITE)


@leaf
def _simulate(B, R, S, N, P, T, W, turn):
    """One simulation from B: descend, play out, walk back."""
    result = explore(B, R, S, N, P, T, W)
    learn(R, S, N, P, W, result, B.to_play == BLACK, turn)
    if turn % OWNERSHIP_EVERY == 0:
        note_owners(W.board[U(0)], W, result)


@entry
def search_batch(B, R, S, N, P, T, W):
    """Simulations from B up to the goal; several threads may share them, and the tree (T21).

    Who takes on which is counted without a lock in every scheme.
    """
    while True:
        first = atomic_add(S, "taken", SHARE)
        if first >= S.goal:
            return
        for turn in range(first, min(first + SHARE, S.goal)):
            _simulate(B, R, S, N, P, T, W, turn)


@entry
def shut_forbidden(S, N):
    """Shut the children of the root that superko forbids."""
    child = np.int64(N[U(ROOT)].first_child)
    while child != NONE:
        move = N[U(child)].move
        if move != PASS and S.allowed[U(move)] == 0:
            N[U(child)].flags |= SHUT
        child = np.int64(N[U(child)].sibling)
