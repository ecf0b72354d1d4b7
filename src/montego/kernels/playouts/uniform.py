"""Uniform playouts (O1): every legal move that fills no own eye is equally likely.

The choice itself is ``random_move`` in board/choice.py, which other playouts fall back to.  Nothing
but the moves matters here, so less of the board is kept up to date than in other playouts.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS, pass_turn, play_light
from montego.kernels.board.choice import random_move
from montego.kernels.compiler.jit import leaf
from montego.kernels.playouts.policy import BY_CHANCE, note_move


@leaf
def finish_uniform(B, W, limit):
    """Play random moves until two passes, or until the game has ``limit`` moves."""
    W.rule = BY_CHANCE
    while B.passes < 2 and B.moves < limit:
        p = random_move(B, W, np.int64(B.to_play))
        note_move(W, p)
        if p == PASS:
            pass_turn(B)
        else:
            play_light(B, p)
