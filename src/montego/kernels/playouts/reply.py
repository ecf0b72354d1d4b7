"""Last good replies, with forgetting (Baier and Drake 2010).

A reply that was part of a game that its player won is remembered, and played when the
opponent makes the same move in a later playout; once it was part of a lost game it is forgotten.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS
from montego.kernels.board.choice import may_play
from montego.kernels.board.shape import EMPTY, opponent
from montego.kernels.board.tactics import is_self_atari
from montego.kernels.compiler.jit import U, kernel, leaf


@leaf
def last_good_reply(B, W, color):
    """The reply to the last move that is remembered, if it can be played; PASS otherwise."""
    p = np.int64(W.reply[U(color), U(B.last)])
    if p == PASS or B.color[U(p)] != EMPTY:
        return PASS
    return p if may_play(B, p, color) and not is_self_atari(B, p, color) else PASS


@kernel
def learn_replies(W, first_color, winner):
    """Remember the winner's replies in a finished game, forget the loser's."""
    color = first_color
    for i in range(1, W.length):
        color = opponent(color)
        before, move = W.sequence[U(i - 1)], W.sequence[U(i)]
        if before == PASS or move == PASS:
            continue
        if color == winner:
            W.reply[U(color), U(before)] = move
        elif W.reply[U(color), U(before)] == move:
            W.reply[U(color), U(before)] = PASS
