"""Area scoring as Tromp and Taylor define it: stones, and empty regions that reach one colour.

An empty region is flooded with a queue that is kept until the whole region is known, so
the second walk, which gives the points to their owner, needs no search.  Nothing is taken
for dead: whoever wants dead stones off the board has to capture them.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DIRECTIONS, MAX_AREA, POINTS
from montego.kernels.board.shape import BLACK, BORDER, EMPTY, WHITE
from montego.kernels.compiler.jit import U, entry, kernel

UNSEEN = 4
"""Owner of an empty point that no flood has reached yet; not a colour."""


@kernel
def _flood(B, start, owner, queue):
    """Queue the empty region of ``start`` and leave it neutral.

    Returns how many points it has and the colours it reaches, one bit a colour.
    """
    reached = 0
    owner[U(start)] = EMPTY
    queue[U(0)] = start
    filled, done = 1, 0
    while done < filled:
        p = np.int64(queue[U(done)])
        done += 1
        for k in range(4):
            q = p + DIRECTIONS[k]
            color = np.int64(B.color[U(q)])
            if color in (BLACK, WHITE):
                reached |= color  # 01 and 10: a colour is its own bit
            elif owner[U(q)] == UNSEEN:
                owner[U(q)] = EMPTY
                queue[U(filled)] = q
                filled += 1
    return filled, reached


@entry
def area_score(B, owner, queue):
    """Black's area minus White's, without komi.

    ``owner`` (uint8, POINTS) gets BLACK, WHITE or EMPTY for every point, BORDER outside;
    ``queue`` (int16, MAX_AREA) is scratch.
    """
    area_black = area_white = 0
    for p in range(POINTS):
        color = B.color[U(p)]
        owner[U(p)] = UNSEEN if color == EMPTY else color
    for i in range(B.empties):
        start = np.int64(B.empty[U(i)])
        if owner[U(start)] != UNSEEN:
            continue
        filled, reached = _flood(B, start, owner, queue)
        if reached in (BLACK, WHITE):
            for k in range(filled):
                owner[U(queue[U(k)])] = reached
            area_black += filled * (reached == BLACK)
            area_white += filled * (reached == WHITE)
    return area_black + B.on_board[U(BLACK)] - area_white - B.on_board[U(WHITE)]


def scratch() -> tuple[np.ndarray, np.ndarray]:
    """The two arrays that ``area_score`` fills: owner of every point, and its queue."""
    return np.full(POINTS, BORDER, dtype=np.uint8), np.zeros(MAX_AREA, dtype=np.int16)
