"""Statistics out of a tree and into it: what machines that search together tell each other.

Algorithm 9 of the thesis (T24): near the root, the statistics of the nodes with more than a
share of the root's visits are summed over all machines.  Here a machine tells, again and
again, all that it has found *itself* so far, and never what it has heard.  So a message that is
late, lost or repeated does no harm, and nothing is ever counted twice.

``visits`` and ``total`` of a node hold what is its own and what came from others: the loops of
the search know nothing of machines.  A table beside the tree (FOREIGN) keeps for every node
that was shared what others have told, and what of it is in the node: the difference between
the node and the latter is the machine's own.  The table is touched only when machines share.

A node is named by the moves from the start of the game on, as one number: it stays the same when
the root moves on, when a node gets all its children and they move to another place, and from one
machine to the other.  Names of siblings differ at their end alone, and are neighbours in a table.

A node that a machine lacks is not made for the sake of what others tell of it, for that would
take its board and its knowledge.  It waits in the table: its parent's visits have come already, so
the next simulation that passes there makes it, and the next share finds it.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.tree.backup import set_value
from montego.kernels.tree.strategy import MOGO_KNOWLEDGE
from montego.kernels.tree.tree import NONE, ONE, ROOT

COUNTS = (
    ("total", np.int64),
    ("rave_total", np.int64),
    ("squares", np.float64),
    ("visits", np.int32),
    ("rave_visits", np.int32),
)

STATISTICS = np.dtype(
    [
        ("key", np.uint64),  # the name of a node, never 0
        *COUNTS,
        ("is_open", np.int32),  # whether its children are shared as well
        ("node", np.int32),  # where it is in the tree of the machine that tells
    ],
    align=True,
)
"""What a machine has found itself of one node."""

FOREIGN = np.dtype(
    [
        ("key", np.uint64),  # 0: an empty place
        *COUNTS,  # what others have told
        *((f"in_{name}", kind) for name, kind in COUNTS),  # what of it is in the node
        ("is_open", np.int32),
    ],
    align=True,
)
"""What others have told of one node: a place of a hash table, whose size is a power of two."""

PLACE = np.dtype([("key", np.uint64), ("node", np.int32), ("depth", np.int32)])
"""A node on the way through the part of a tree that is shared."""

NUMBERED = np.dtype([("key", np.uint64), ("row", np.int64)])
"""Which row of a sum is about a node: a place of a hash table, as above."""

GOLDEN = U(0x9E3779B97F4A7C15)  # the numbers of splitmix64
MOVE_BITS = 9  # a name ends with the move, plus 1: at most the number of points, 441
MOVE_MASK = U((1 << MOVE_BITS) - 1)
MIX_1, MIX_2 = U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)


# --- names -----------------------------------------------------------------------------


@leaf
def _names(key):
    """What the names of all children of a node have in common; the move is added to it."""
    mixed = key * GOLDEN
    mixed = (mixed ^ (mixed >> U(30))) * MIX_1
    mixed = (mixed ^ (mixed >> U(27))) * MIX_2
    return (mixed ^ (mixed >> U(31))) << U(MOVE_BITS)


@leaf
def _named(names, move):
    """The name of a child, never 0."""
    return names | U(move + 1)


@entry
def path_key(moves):
    """The name of the position that these moves lead to."""
    key = U(1)
    for i in range(moves.size):
        key = _named(_names(key), moves[U(i)])
    return key


@leaf
def _place(F, key):
    """Where a name is in the table, or would be.

    Children of one node are neighbours, and stay so where others are in their way: they are gone
    through one after the other, and memory is fast at that.
    """
    mask = U(F.size - 1)
    at = ((key >> U(MOVE_BITS)) + (key & MOVE_MASK)) & mask
    while F[at].key != U(0) and F[at].key != key:
        at = (at + GOLDEN) & mask
    return at


@leaf
def _entered(F, key):
    """The place of a name, entered if it was not there."""
    at = _place(F, key)
    F[at].key = key
    return at


# --- what others tell ------------------------------------------------------------------


@leaf
def _add_row(to, row, sign):
    to.total += sign * row.total
    to.rave_total += sign * row.rave_total
    to.squares += sign * row.squares
    to.visits += sign * row.visits
    to.rave_visits += sign * row.rave_visits
    to.is_open |= row.is_open


@leaf
def _add(F, told, sign):
    """Add rows to the table, or take them away; returns how many names are new to it."""
    new = 0
    for i in range(told.size):
        at = _place(F, told[U(i)].key)
        new += F[at].key == U(0)
        F[at].key = told[U(i)].key
        _add_row(F[at], told[U(i)], sign)
    return new


@entry
def hear(F, before, now):
    """Put what a machine tells now in the place of what it told before.

    Returns how many names are new to the table.
    """
    return _add(F, before, -1) + _add(F, now, 1)


@entry
def add_up(numbered, told, total, count):
    """Add what a machine tells to a sum that has so many rows, a row a node.

    ``numbered`` is a table of them, which begins empty.  Returns how many rows there are then.
    """
    for i in range(told.size):
        row = told[U(i)]
        at = _entered(numbered, row.key)
        if numbered[at].row == 0:
            total[U(count)] = row
            count += 1
            numbered[at].row = count  # 0 is for none
        else:
            _add_row(total[U(numbered[at].row - 1)], row, 1)
    return count


@entry
def enter_again(F, larger):
    """Copy a table into a larger one, which is empty."""
    for i in range(F.size):
        if F[U(i)].key != U(0):
            larger[_place(larger, F[U(i)].key)] = F[U(i)]


@leaf
def _begin(F, places, root_key):
    """Start at the root, whose children are always shared."""
    F[_entered(F, root_key)].is_open = 1
    places[U(0)].key, places[U(0)].node, places[U(0)].depth = root_key, ROOT, 0
    return 1


@leaf
def _enqueue(F, places, found, at, child, depth):
    """Go through the children of a child later, if it is open and there is room."""
    if F[at].is_open == 0 or found >= places.size:
        return found
    places[U(found)].key, places[U(found)].node = F[at].key, child
    places[U(found)].depth = depth
    return found + 1


@leaf
def _update(N, F, at, node):
    """Put what others have told into a node, for what they had told before."""
    told = F[at]
    changed = N[U(node)]
    changed.total += told.total - told.in_total
    changed.rave_total += told.rave_total - told.in_rave_total
    changed.squares += np.float32(told.squares - told.in_squares)
    changed.visits += told.visits - told.in_visits
    changed.rave_visits += told.rave_visits - told.in_rave_visits
    told.in_total, told.in_rave_total = told.total, told.rave_total
    told.in_squares = told.squares
    told.in_visits, told.in_rave_visits = told.visits, told.rave_visits


@kernel
def _update_children(N, F, places, found, place):
    """Every child of a node with what others know of it; those that are open come later.

    Returns how many nodes are to be gone through in all.
    """
    names = _names(place.key)
    child = np.int64(N[U(place.node)].first_child)
    while child != NONE:
        at = _place(F, _named(names, np.int64(N[U(child)].move)))
        if F[at].key != U(0):
            _update(N, F, at, child)
            found = _enqueue(F, places, found, at, child, place.depth + 1)
        child = np.int64(N[U(child)].sibling)
    return found


@kernel
def _set_values(R, N, node, depth):
    child = np.int64(N[U(node)].first_child)
    while child != NONE:
        _set_value(R, N, child, depth + 1)
        child = np.int64(N[U(child)].sibling)
    _set_value(R, N, node, depth)


@leaf
def _set_value(R, N, node, depth):
    if N[U(node)].visits > 0:
        set_value(R, N, node, depth)
    else:
        N[U(node)].value = 0.0


@entry
def take_in(R, N, F, places, root_key):
    """Bring the tree to what others have told; no simulation may run meanwhile.

    Returns how many nodes had their children looked at.
    """
    found = _begin(F, places, U(root_key))
    _update(N, F, _place(F, U(root_key)), ROOT)
    done = 0
    while done < found:
        found = _update_children(N, F, places, found, places[U(done)])
        done += 1
    for i in range(found - 1, -1, -1):  # children before their parents
        _set_values(R, N, np.int64(places[U(i)].node), np.int64(places[U(i)].depth))
    return found


# --- what is told ----------------------------------------------------------------------


@leaf
def _own(R, N, F, row, at, node, with_rave):
    """Write down what a node has of its own: not what came from others, nor what was known of the
    move before, which every machine knows."""
    told, known = F[at], N[U(node)]
    row.node, row.is_open = node, told.is_open
    row.visits = known.visits - told.in_visits
    row.total = known.total - told.in_total
    row.squares = known.squares - told.in_squares
    row.rave_visits = 0
    row.rave_total = 0
    if with_rave:
        games = np.int64(known.prior) if R.knowledge == MOGO_KNOWLEDGE else np.int64(0)
        row.rave_visits = known.rave_visits - told.in_rave_visits - games
        row.rave_total = known.rave_total - told.in_rave_total
        row.rave_total -= np.int64(games * np.float64(known.q) * ONE)


@kernel
def _tell_children(R, N, F, places, found, told, count, place, least, deepest, with_rave):
    """Write down the children of a node; those that are open come later.

    T24: the children with more than so many visits are open, unless they are too deep or too many.
    Returns how many nodes are to be gone through in all, and how many rows there are.
    """
    names = _names(place.key)
    child = np.int64(N[U(place.node)].first_child)
    while child != NONE:
        key = _named(names, np.int64(N[U(child)].move))
        at = _place(F, key)
        if place.depth + 1 < deepest:
            if N[U(child)].visits > least and found < places.size:
                F[at].key, F[at].is_open = key, 1
            found = _enqueue(F, places, found, at, child, place.depth + 1)
        if count < told.size:
            told[U(count)].key = key
            _own(R, N, F, told[U(count)], at, child, with_rave)
            count += told[U(count)].visits > 0 or told[U(count)].rave_visits > 0
        child = np.int64(N[U(child)].sibling)
    return found, count


@entry
def tell(R, N, F, places, told, root_key, share, deepest, with_rave):
    """Write down what this machine has found itself, from the root on, down to a depth: the
    children of every node that has more than a share of the root's visits, or once had.

    Returns how many rows there are.
    """
    found = _begin(F, places, U(root_key))
    least = share * N[U(ROOT)].visits
    _own(R, N, F, told[U(0)], _place(F, U(root_key)), ROOT, with_rave)
    told[U(0)].key = U(root_key)
    count, done = 1, 0
    while done < found:
        place = places[U(done)]
        found, count = _tell_children(
            R, N, F, places, found, told, count, place, least, deepest, with_rave
        )
        done += 1
    return count
