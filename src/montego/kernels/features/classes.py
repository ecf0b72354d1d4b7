"""The features of a move by name: ten groups, and the classes of each.

A move has one class of every group.  All classes stand one after the other in the vector of
strengths: class c of group g is feature START[g] + c.
"""

from __future__ import annotations

CAPTURE, SAVE, SELF_ATARI, ATARI, DEFENCE, LINE, NEAR_LAST, NEAR_BEFORE, STAGE, KO = range(10)
SIZES = (7, 9, 6, 9, 9, 6, 17, 17, 8, 2)
"""How many classes each group has."""
GROUPS = len(SIZES)
START = tuple(sum(SIZES[:group]) for group in range(GROUPS))
FEATURES = sum(SIZES)

NONE_OF_IT = 0
"""The first class of the groups from CAPTURE to DEFENCE: the move does nothing of the kind."""

# CAPTURE, of a chain in atari; lost: it could not get away
LOST_STONE, STONE, LOST_STONES, STONES, ATTACKERS, LAST_CHAIN = range(1, 7)

# SAVE, ATARI and DEFENCE have four classes, and four more where the last move is concerned
AT_LAST = 4
"""Added to a class if the last move made the atari, stands in the chain or beside it."""
# SAVE, of an own chain in atari: the liberties it reaches
TO_ONE, TO_TWO_IN_LADDER, TO_TWO, TO_THREE = range(1, 5)
# ATARI, on an enemy chain: what it can still do
NO_WAY_OUT, LADDER, WAY_OUT, WAY_TO_THREE = range(1, 5)
# DEFENCE, of an own chain with two liberties
FILLS_SAFE, STRENGTHENS_SAFE, CANNOT_SAVE, SAVES = range(1, 5)

# SELF_ATARI: of how many stones; or into a ladder
OF_ONE, OF_TWO_OR_THREE, OF_MORE, ONE_INTO_LADDER, MORE_INTO_LADDER = range(1, 6)

# LINE: 1 to 6 or higher.  NEAR_LAST and NEAR_BEFORE: no such move, then distances 2 to FARTHEST.
HIGHEST_LINE = SIZES[LINE]
FARTHEST = SIZES[NEAR_LAST]
# STAGE, how full the board is, and KO, whether one stands, are the same for all moves of a
# position: they matter to what other features mean.
