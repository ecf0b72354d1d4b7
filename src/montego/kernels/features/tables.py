"""What is known of shapes and features, as one record.

Tables are fields of a record, because reading a plain array in a hot loop is slower.  Mango's
own are learned by themselves (see knowledge/mango.py), the patterns are MoGo's (see
knowledge/patterns.py), the others hold learned strengths (see classes.py, features.py and
knowledge/strengths.py).
"""

from __future__ import annotations

import numpy as np

from montego.kernels.features.classes import FEATURES

SHAPES = 1 << 16
LEVELS = 9  # sizes of large patterns
RING_POINTS = 104  # points of the largest
PATTERNS = 1 << 19  # places in the table of large patterns, at most
MOST_PATTERNS = PATTERNS // 2  # so that half of them stay free for quick looks
FREE = -1  # the key of a place that is not taken
CHANCES = 1 << 18  # places in the table of Mango's large patterns
MOST_CHANCES = CHANCES // 2

FACTORS = 8  # numbers in the vector of a feature, see features.py
MATCH, HOLE = 1, 2  # what a shape promises
HOLES = 0xAAAA  # of eight promises
UNEQUAL_SHAPES = 8740  # 3x3 shapes, symmetric ones counted once

TABLES = np.dtype(
    [
        ("reader", np.int64),  # addresses of compiled code: the reader of ladders (reading),
        ("judge", np.int64),  # the judge of self-ataris (selfatari)
        # Mango's: the urgency of 3x3 shapes (P4; 0 for own eyes), large patterns and the chance
        # that their move is played (P9b), the last place for a point where none is known
        ("urgency", np.uint16, SHAPES),
        ("chance_code", np.int32, CHANCES),
        ("chance", np.float32, CHANCES + 1),
        # by 3x3 shape, seen by the player to move: a pattern or not
        ("matches", np.uint8, SHAPES),
        ("promise", np.uint8, SHAPES),  # the same as MATCH, and whether it may be a HOLE
        ("ratio", np.float32, SHAPES),  # how often it was played where it could be (H5)
        # learned strengths of features, of 3x3 shapes, of large patterns
        ("gamma", np.float32, FEATURES),
        ("shape_gamma", np.float32, SHAPES),
        ("factor", np.float32, FEATURES * FACTORS),
        ("shape_number", np.int16, SHAPES),  # the same for symmetric ones
        ("shape_factor", np.float32, UNEQUAL_SHAPES * FACTORS),
        ("pattern_mask", np.int32),  # the last place that is used, 2^k - 1: few stay in the cache
        ("pattern_code", np.int32, PATTERNS),
        ("pattern_gamma", np.float32, PATTERNS),
        # the rings of large patterns: where each begins (the first beyond the 3x3 square), their
        # points, and a random number for every point, colour and symmetry
        ("ring_start", np.int32, LEVELS + 1),
        ("ring_row", np.int32, RING_POINTS),
        ("ring_column", np.int32, RING_POINTS),
        ("ring_number", np.int64, RING_POINTS * 4 * 8),
        # the same for four neighbours together, by a byte of a shape: the low ones, the high ones
        ("square_number", np.int64, 2 * 256 * 8),
    ],
    align=True,
)
