"""The records that tell a playout how to choose its moves, and where it writes them down.

A playout is a *kind* and numbers: kernels branch on the kind, which costs nothing and lets
compiled code be cached.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import BOARD, MAX_AREA, POINTS
from montego.kernels.compiler.jit import U, leaf
from montego.kernels.features.classes import GROUPS
from montego.kernels.features.mogo_terms import MOGO_TERMS
from montego.kernels.reading.reading import READING

UNIFORM, MANGO, MOGO, OREGO, EXPERT = range(5)
BY_CAPTURE, BY_FIGHTING, BY_PATTERN, BY_OWN = range(4)  # heuristics (H1-H3), or the user's

# what a move of a playout was chosen by; see mcts/watching.py for their names
(
    BY_CHANCE, BY_SHAPE, BY_NEARNESS, BY_HEURISTIC, TAKING, SAVING, RACING, ATTACKING, KEEPING_EYE,
    NAKADE, REPLYING, FILLING, MATCHING, APPROACHING, CAPTURING,
) = range(15)  # fmt: skip

DEEPEST = 512  # moves from the root of a search to a leaf
LONGEST_SEQUENCE = 2048
LARGEST_HOLE = 6  # points of a hole that has a vital point
BLOCK_BITS = 4
BLOCKS = (POINTS >> BLOCK_BITS) + 1

POLICY = np.dtype(
    [
        ("kind", np.int32),
        ("playout", np.int64),  # address of the compiled playouts
        # Mango (P4)
        ("capture_value", np.int32),
        ("save_value", np.int32),
        ("near_factor", np.int32),
        # MoGo (T13-T16)
        ("save", np.int32),
        ("nakade", np.int32),
        ("fill_tries", np.int32),
        ("patterns", np.int32),
        ("capture", np.int32),
        ("approach", np.float64),  # ours too
        # our own rules: how often each is asked
        ("atari", np.float64),
        ("race", np.float64),
        ("victim", np.float64),
        ("eye", np.float64),
        ("hole", np.float64),
        ("reply", np.float64),
        ("local", np.float64),
        ("local_before", np.float64),
        ("weighted", np.int32),
        ("anywhere", np.float64),
        ("veto", np.float64),
        ("veto_random", np.float64),
        ("judged", np.int32),
        ("poor", np.float64),
        # Orego (H1-H4b)
        ("heuristic", np.int32),
        ("best_of", np.int32),
        ("first", np.int32),
        ("address", np.int64),  # of a user's own heuristic
    ],
    align=True,
)
"""One way of choosing the moves of a playout."""

WORK = np.dtype(
    [
        ("rng", np.uint64),  # state of the random numbers
        ("board", BOARD, 1),  # what is played on
        ("owner", np.uint8, POINTS),  # of every point, and a queue: see scoring
        ("queue", np.int16, MAX_AREA),
        ("candidates", np.int16, MAX_AREA),
        ("hole", np.int16, LARGEST_HOLE),
        ("features", np.int64, GROUPS),
        ("liberties", np.int16, POINTS),  # of chains, at their roots, see planes;
        ("caught", np.int8, POINTS),  # and whether they are caught in a ladder
        ("reading", READING),
        ("terms", np.float64, MOGO_TERMS),
        # the moves since the root of the search or the start of the playout
        ("length", np.int32),
        ("sequence", np.int16, LONGEST_SEQUENCE),
        ("rule", np.uint8),  # the one that was asked last: what chose the next move
        ("rules", np.uint8, LONGEST_SEQUENCE),  # of the sequence
        # Mango's urgencies: by colour and point, summed by blocks of points
        ("urgency", np.int32, (3, POINTS)),
        ("block", np.int32, (3, BLOCKS)),
        ("total", np.int64, 3),
        ("specials", np.int32),
        ("special_point", np.int32, 2 * MAX_AREA),
        ("special_urgency", np.int64, 2 * MAX_AREA),
        ("special_rule", np.uint8, 2 * MAX_AREA),
        ("refused", np.int16, MAX_AREA),
        ("reply", np.int16, (3, POINTS)),  # the last good one, by who replies and to which move
        # the search: its path, the knowledge of a node's moves, who played where first
        ("path", np.int32, DEEPEST + 1),
        ("depth", np.int32),
        ("h", np.float64, POINTS),
        ("q", np.float64, POINTS),
        ("prior", np.float64, POINTS),
        ("weight", np.float64, MAX_AREA + 1),
        ("first", np.int16, POINTS),
        ("owners", np.int64, POINTS),
        ("winner_owns", np.int64, POINTS),
        ("owned", np.int64),  # playouts that owners were summed over
        ("winners", np.int64),
        # by move of the root: Black's scores, komi counted, and in how many simulations
        ("scores", np.float64, POINTS),
        ("squares", np.float64, POINTS),  # of the same
        ("scored", np.int64, POINTS),
        ("results", np.float64, POINTS),  # of the same, in [-1, 1]
        ("extra_komi", np.float64),  # points more for White that only the tree's results count
        ("balanced", np.float64),  # sum of these results, Black's
        # by move of the root and point: owners, and over how many playouts they were summed
        ("move_owners", np.int32, (POINTS, POINTS)),
        ("move_owned", np.int64, POINTS),
        ("network", np.int64),  # address and length of the scratch space of a network
        ("network_size", np.int64),
        ("playout_moves", np.int64),  # moves of all playouts of this thread
        ("refused_urgency", np.int32, MAX_AREA),
    ],
    align=True,
)
"""Scratch space and random numbers of one thread."""


@leaf
def note_move(W, p):
    """Write a move down, for those who learn from the order of moves (RAVE), and its rule."""
    W.sequence[U(W.length)] = p
    W.rules[U(W.length)] = W.rule
    W.length += 1
