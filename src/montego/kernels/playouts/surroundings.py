"""What the shapes of the eight points round a move promise: patterns to play, holes to look into.

Both are seen in one walk without a branch: a table tells them by shape, two bits a point.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DIRECTIONS
from montego.kernels.board.choice import may_play
from montego.kernels.board.shape import EMPTY, seen_by
from montego.kernels.compiler.jit import U, kernel, leaf


@kernel
def look_round(B, T, centre, color):
    """The promises of the points round a move, two bits each, in the order of DIRECTIONS."""
    promises = 0
    for k in range(8):
        p = centre + DIRECTIONS[k]
        promise = np.int64(T.promise[U(seen_by(np.int64(B.shape[U(p)]), color))])
        promises |= (promise if B.color[U(p)] == EMPTY else 0) << (2 * k)
    return promises


@leaf
def list_patterns(W, centre, promises, count):
    """Candidates: the points round a move that match a 3x3 pattern, playable or not."""
    for k in range(8):
        W.candidates[U(count)] = centre + DIRECTIONS[k]
        count += (promises >> (2 * k)) & 1
    return count


@kernel
def list_playable_patterns(B, W, centre, promises, color):
    """Candidates: the points round a move that match a 3x3 pattern and may be played."""
    kept = 0
    for i in range(list_patterns(W, centre, promises, 0)):
        p = np.int64(W.candidates[U(i)])
        W.candidates[U(kept)] = p
        kept += may_play(B, p, color)
    return kept
