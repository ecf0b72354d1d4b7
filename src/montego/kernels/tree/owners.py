"""Who owns which point at the end of a search's playouts, and which points decide the game.

A point is critical if who gets it goes along with who wins (Coulom 2009): the chance that
the winner owns it, less what that would be if both were independent.  With owners X and
winners Y as +1 (Black) and -1 that is half the covariance of X and Y.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import STRIDE
from montego.kernels.compiler.jit import U, leaf
from montego.kernels.playouts.playout import owner

NO_MOVE = 1  # a point of the rim, for playouts from the root itself
FEW = 50.0  # notes that weigh as much as knowing nothing


@leaf
def note_owners(B, W, result):
    """Add the end of a playout, and its result as Black sees it; also to its root's move."""
    winner = np.int64(np.sign(result))
    move = W.sequence[U(0)] if W.depth > 0 else NO_MOVE
    W.owned += 1
    W.winners += winner
    W.move_owned[U(move)] += 1
    for i in range(B.size):
        for j in range(B.size):
            p = STRIDE * (i + 1) + j + 1
            owns = owner(B, p)
            W.owners[U(p)] += owns
            W.winner_owns[U(p)] += owns * winner
            W.move_owners[U(move), U(p)] += owns


@leaf
def criticality(W, p):
    """How much depends on a point, from -1 to 1; near 0 while little is known."""
    n = np.float64(W.owned)
    if n == 0.0:
        return 0.0
    covariance = W.winner_owns[U(p)] / n - (W.owners[U(p)] / n) * (W.winners / n)
    return 0.5 * covariance * n / (n + FEW)
