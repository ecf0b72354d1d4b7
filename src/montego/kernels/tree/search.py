"""One simulation after another: select, expand, play out, back up.

    while the node has children:   select one, play its move
    if it has been visited enough: give it all its children, ordered by H
    play the game out
    walk back: visits, results, RAVE

With a threshold T (P2, P3) a node below it chooses by the simulation strategy instead, and
every simulation adds one node to the tree.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS, play
from montego.kernels.board.playable import is_playable
from montego.kernels.board.scoring import area_score
from montego.kernels.board.shape import BLACK, WHITE
from montego.kernels.compiler.address import call_valuer
from montego.kernels.compiler.atomic import atomic_add
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.playouts.playout import choose_move, finish
from montego.kernels.playouts.policy import DEEPEST
from montego.kernels.playouts.reply import learn_replies
from montego.kernels.tree.knowledge import know_moves
from montego.kernels.tree.locks import (
    lock_children,
    lock_tree,
    unlock_children,
    unlock_tree,
)
from montego.kernels.tree.owners import note_owners
from montego.kernels.tree.select import (
    ALL,
    best_value,
    nearest_child,
    objective_shift,
    select_child,
    urgency,
)
from montego.kernels.tree.strategy import AVERAGE, MINIMAX, MOGO_KNOWLEDGE, NOTHING, OWN
from montego.kernels.tree.tree import (
    EXPANDED,
    NONE,
    ONE,
    ROOT,
    SHUT,
    claim,
    find_child,
    is_expanded,
    release,
    reset_node,
    take_nodes,
)

# All of these are ours, untuned.
OWNERSHIP_EVERY = 4  # one playout of so many has its owners noted
SHARE = 4  # simulations that a thread takes on at a time
BUSY = 128  # visits from which threads spare each other's cache lines
BUSY_EVERY = 8  # there, RAVE counts one simulation of so many, with that weight
PASS_BELOW = 0.6  # part of the board that is empty when passing becomes a candidate


# --- growing ---------------------------------------------------------------------------


@leaf
def _is_avoided(B, S, W, move):
    """Whether the search was told to leave this move out, so near to the root."""
    return W.depth < S.avoided[U(B.to_play), U(move)]


@leaf
def _list_moves(B, S, W, is_root):
    """Candidates: what a playout might play, and a pass once the board has filled up."""
    count = 0
    color = np.int64(B.to_play)
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        is_allowed = (not is_root or S.allowed[U(p)] != 0) and not _is_avoided(B, S, W, p)
        if is_allowed and is_playable(B, p, color):
            W.candidates[U(count)] = p
            count += 1
    is_late = B.passes > 0 or B.empties < PASS_BELOW * B.size * B.size
    if count == 0 or (is_late and not _is_avoided(B, S, W, PASS)):
        W.candidates[U(count)] = PASS
        count += 1
    return count


@kernel
def _sort_by_h(W, count):
    """Order the candidates by H, the best first (Shell's sort)."""
    gap = 121
    while gap > 0:
        for i in range(gap, count):
            p = W.candidates[U(i)]
            j = i
            while j >= gap and W.h[U(W.candidates[U(j - gap)])] < W.h[U(p)]:
                W.candidates[U(j)] = W.candidates[U(j - gap)]
                j -= gap
            W.candidates[U(j)] = p
        gap //= 3


@leaf
def _set_prior(N, W, child, p):
    N[U(child)].h = W.h[U(p)]
    N[U(child)].q = W.q[U(p)]
    N[U(child)].prior = W.prior[U(p)]


@leaf
def _start_rave(N, W, child, p):
    """T12: what is known counts as so many simulations in which the move was played."""
    games = np.int64(W.prior[U(p)])
    N[U(child)].rave_visits = games
    N[U(child)].rave_total = np.int64(games * W.q[U(p)] * ONE)


@kernel
def expand(B, R, S, N, T, W, node):
    """Give a node all its children, ordered by H; whether there was room for them."""
    count = _list_moves(B, S, W, node == ROOT)
    if R.knowledge != NOTHING:
        know_moves(B, R, S, T, W, count)
        _sort_by_h(W, count)
    first = take_nodes(S, count)
    if first == NONE:
        return False
    for i in range(count):
        p, child = np.int64(W.candidates[U(i)]), first + i
        known = find_child(N, node, p)
        if known != NONE:
            N[U(child)] = N[U(known)]
            N[U(child)].lock = 0
        else:
            reset_node(N, child, p)
            if R.knowledge == MOGO_KNOWLEDGE:
                _start_rave(N, W, child, p)
        if R.knowledge != NOTHING:
            _set_prior(N, W, child, p)
        N[U(child)].sibling = child + 1 if i + 1 < count else NONE
    N[U(node)].first_child = first
    N[U(node)].children = count
    N[U(node)].flags |= EXPANDED
    return True


@leaf
def add_child(S, N, node, move):
    """P3: one node per simulated game."""
    child = take_nodes(S, 1)
    if child != NONE:
        reset_node(N, child, move)
        N[U(child)].sibling = N[U(node)].first_child
        N[U(node)].first_child = child
    return child


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
def is_ripe(R, S, visits):
    """Whether a node of so many visits gets its children: four times as many are asked for with
    every quarter of the pool that is in use, so that a long search does not end with a full one."""
    quarters = min(S.used * 4 // S.capacity, 3)
    return visits >= R.expand_at << (2 * quarters)


@leaf
def _next_child(B, R, S, N, P, T, W, node, may_grow):
    """Where a simulation goes from a node (NONE: nowhere), whether the node got all its children
    now, and whether the child is new."""
    visits = N[U(node)].visits
    has_grown, is_new = False, False
    is_due = may_grow and (node == ROOT or is_ripe(R, S, visits))
    if is_due and not is_expanded(N, node) and claim(N, node):
        has_grown = expand(B, R, S, N, T, W, node)
        if not has_grown:
            release(N, node)
    child = np.int64(NONE)
    if is_expanded(N, node):
        child = select_child(R, N, W, node)
    elif visits < R.threshold:  # P2: the simulation strategy chooses
        move = choose_move(B, P, T, W)
        if not _is_avoided(B, S, W, move):
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


# --- the way back ----------------------------------------------------------------------


@leaf
def set_value(R, N, node, depth):
    """The value of a node after a result: its mean (P5), or what its children say (O5, minimax)."""
    if R.backup == AVERAGE or not is_expanded(N, node):
        N[U(node)].value = N[U(node)].total / (N[U(node)].visits * np.float64(ONE))
    else:
        N[U(node)].value = -value_of_children(R, N, node, depth)


@kernel
def value_of_children(R, N, node, depth):
    """The value of a position to its mover: the best child's, the OMC average (O5), or what a
    rule of the user's own says.

    The objective is that of the selection, shift included.  Where no child comes near it, all
    urgencies are 0 to the last digit; then the child counts that they tend to.
    """
    if R.backup == OWN:
        return call_valuer(R.valuer, R, N, node)
    best = best_value(N, node, ALL)
    if best < -1.0:
        return -N[U(node)].value
    if R.backup == MINIMAX:
        return best
    objective = best + objective_shift(R, depth)
    weights = values = 0.0
    child = np.int64(N[U(node)].first_child)
    while child != NONE:
        n = N[U(child)].visits
        if n > 0:
            weight = urgency(N, child, objective) * n
            weights += weight
            values += weight * N[U(child)].value
        child = np.int64(N[U(child)].sibling)
    if weights == 0.0:
        return N[U(nearest_child(N, node, ALL, objective))].value
    return values / weights


@leaf
def _back_up(R, N, W, result, root_is_black):
    """Add Black's result to every node of the path, seen by the player who moved there."""
    given_back = np.int64(R.virtual_loss * ONE)
    square = np.float32(result * result)
    for depth in range(W.depth, -1, -1):
        node = np.int64(W.path[U(depth)])
        moved_by_black = (depth % 2 == 1) == root_is_black
        seen = result if moved_by_black else -result
        change = np.int64(seen * ONE)
        parent = np.int64(NONE)
        if depth > 0:
            change += given_back
            parent = np.int64(W.path[U(depth - 1)])
        lock_children(R, N, parent)  # from the root down: nobody waits in a circle
        lock_children(R, N, node)
        atomic_add(N[U(node)], "total", change)
        N[U(node)].squares += square
        set_value(R, N, node, depth)
        unlock_children(R, N, node)
        unlock_children(R, N, parent)


@kernel
def _update_rave(R, N, W, result, root_is_black, turn):
    """All moves as first (T7): every child whose move its player was the first to make below.

    ``W.first`` tells when a point was first played.  Early moves may count more: up to
    1 + decay times, falling to once at the end of the playout.  No child is skipped: adding
    nothing costs less than a branch that is guessed wrong.

    Threads that share a tree meet at its busy nodes, and every line of the cache that one of
    them writes is lost to the others.  There one simulation in eight is counted, eight times.
    """
    length = np.int64(W.length)
    W.first[:] = -1
    for i in range(length - 1, W.depth - 1, -1):
        W.first[U(W.sequence[U(i)])] = i
    for depth in range(W.depth, -1, -1):
        if depth < length:
            W.first[U(W.sequence[U(depth)])] = depth
        W.first[U(PASS)] = -1
        node = np.int64(W.path[U(depth)])
        times = 1
        if R.virtual_loss > 0.0 and N[U(node)].visits > BUSY:
            if turn % BUSY_EVERY != 0:
                continue
            times = BUSY_EVERY
        first_child = np.int64(N[U(node)].first_child)
        mover_is_black = (depth % 2 == 0) == root_is_black
        gain = np.int64((result if mover_is_black else -result) * ONE)
        slope = R.rave_decay / np.float64(max(length - depth, 1))
        lock_children(R, N, node)
        for child in range(first_child, first_child + N[U(node)].children):
            at = np.int64(W.first[U(N[U(child)].move)])
            first_to_play = (at >= depth) & (((at ^ depth) & 1) == 0)
            weight = first_to_play * times * (1 + np.int64(slope * (length - at)))
            N[U(child)].rave_visits += weight
            N[U(child)].rave_total += weight * gain
        unlock_children(R, N, node)


@leaf
def _result(B, R, score):
    """A score (Black's, komi counted) as a result in [-1, 1]."""
    if R.by_score:
        return max(-1.0, min(1.0, score / (B.size * B.size)))
    return np.sign(score)


@leaf
def _note_score(W, score):
    """Add a score to those of the root's move that led to it."""
    if W.depth > 0:
        move = W.sequence[U(0)]
        W.scores[U(move)] += score
        W.squares[U(move)] += score * score
        W.scored[U(move)] += 1


@leaf
def explore(B, R, S, N, P, T, W, komi):
    """Descend from B and play the game out, on W's board; the result as Black sees it."""
    W.board[U(0)] = B
    B = W.board[U(0)]
    lock_tree(R, S)
    descend(B, R, S, N, P, T, W)
    unlock_tree(R, S)
    return play_out(B, R, P, T, W, komi)


@leaf
def play_out(B, R, P, T, W, komi):
    """Play the game out from a leaf; the result as Black sees it."""
    is_over = B.passes >= 2
    score = area_score(B, W.owner, W.queue) if is_over else finish(B, P, T, W)
    _note_score(W, score - komi)
    W.playout_moves += W.length - W.depth
    return _result(B, R, score - komi)


@leaf
def learn(R, S, N, P, W, result, root_is_black, turn):
    """Walk back with Black's result."""
    lock_tree(R, S)
    _back_up(R, N, W, result, root_is_black)
    if R.rave:
        _update_rave(R, N, W, result, root_is_black, turn)
    unlock_tree(R, S)
    if P.reply > 0.0 and result != 0.0:
        first = BLACK if root_is_black else WHITE
        learn_replies(W, first, BLACK if result > 0.0 else WHITE)


@leaf
def _simulate(B, R, S, N, P, T, W, komi, turn):
    """One simulation from B: descend, play out, walk back."""
    result = explore(B, R, S, N, P, T, W, komi)
    learn(R, S, N, P, W, result, B.to_play == BLACK, turn)
    if turn % OWNERSHIP_EVERY == 0:
        note_owners(W.board[U(0)], W, result)


@entry
def search_batch(B, R, S, N, P, T, W, komi):
    """Simulations from B up to the goal; several threads may share them, and the tree (T21).

    Who takes on which is counted without a lock in every scheme.
    """
    while True:
        first = atomic_add(S, "taken", SHARE)
        if first >= S.goal:
            return
        for turn in range(first, min(first + SHARE, S.goal)):
            _simulate(B, R, S, N, P, T, W, komi, turn)


@entry
def shut_forbidden(S, N):
    """Shut the children of the root that superko forbids."""
    child = np.int64(N[U(ROOT)].first_child)
    while child != NONE:
        move = N[U(child)].move
        if move != PASS and S.allowed[U(move)] == 0:
            N[U(child)].flags |= SHUT
        child = np.int64(N[U(child)].sibling)
