"""What is known of shapes and features, as one record.

Tables are fields of a record, because reading a plain array in a hot loop is slower.  The
first two are the papers' (see knowledge/patterns.py), the others hold learned strengths (see
features.py and knowledge/strengths.py).
"""

from __future__ import annotations

import numpy as np

SHAPES = 1 << 16
LEVELS = 9  # sizes of large patterns
RING_POINTS = 104  # points of the largest
PATTERNS = 1 << 19  # places in the table of large patterns
MOST_PATTERNS = PATTERNS // 2  # so that half of them stay free for quick looks
FREE = -1  # the key of a place that is not taken

# The groups of features that are no shapes, one after the other in the vector of strengths.
CAPTURE = 0  # nothing; a stone that is lost anyway or not, stones; attackers; last move's chain
SAVE = CAPTURE + 7  # nothing; to 1; to 2 in a ladder, or not; to 3 or more; the same, last move's
SELF_ATARI = SAVE + 9  # none; of 1, of 2 or 3, of more stones; into a ladder, 1 stone or more
ATARI = SELF_ATARI + 6  # none; no way out; a ladder; a way out, to 3 or more; the same, last move's
DEFENCE = ATARI + 9  # none; of what is not threatened, to 2, 3 or more; lost or saved; at last move
LINE = DEFENCE + 9  # 1 to 6
NEAR_LAST = LINE + 6  # no last move; 2 to 17
NEAR_BEFORE = NEAR_LAST + 17
STAGE = NEAR_BEFORE + 17  # how full the board is, in eighths; the same for all moves,
KO = STAGE + 8  # as is whether a ko stands: both matter to what other features mean
FEATURES = KO + 2
GROUPS = 10
FACTORS = 8  # numbers in the vector of a feature, see features.py
UNEQUAL_SHAPES = 8740  # 3x3 shapes, symmetric ones counted once

TABLES = np.dtype(
    [
        ("reader", np.int64),  # addresses of compiled code: the reader of ladders (reading),
        ("judge", np.int64),  # the judge of self-ataris (selfatari)
        # by 3x3 shape, seen by the player to move: urgency (0 for own eyes), pattern or not
        ("urgency", np.uint16, SHAPES),
        ("matches", np.uint8, SHAPES),
        ("ratio", np.float32, SHAPES),  # how often it was played where it could be (H5)
        # learned strengths of features, of 3x3 shapes, of large patterns
        ("gamma", np.float32, FEATURES),
        ("shape_gamma", np.float32, SHAPES),
        ("factor", np.float32, FEATURES * FACTORS),
        ("shape_number", np.int16, SHAPES),  # the same for symmetric ones
        ("shape_factor", np.float32, UNEQUAL_SHAPES * FACTORS),
        ("pattern_code", np.int32, PATTERNS),
        ("pattern_gamma", np.float32, PATTERNS),
        # the rings of large patterns: where each begins, their points, and a random number for
        # every point, colour and symmetry
        ("ring_start", np.int32, LEVELS + 1),
        ("ring_row", np.int32, RING_POINTS),
        ("ring_column", np.int32, RING_POINTS),
        ("ring_number", np.int64, RING_POINTS * 4 * 8),
    ],
    align=True,
)
