"""Legality as the game knows it: ko, suicide, and no situation twice (superko).

The key of the position after a move is computed without playing it: the stone's number,
and the numbers of the chains that would leave the board, are XORed into the board's key.

Every move is compared with the history, not only captures: after two stones have been
captured and retaken by one, the second stone may come back without capturing anything.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DIRECTIONS, NOWHERE, PASS, POINTS, in_atari, play, point_key
from montego.kernels.board.playable import is_suicide
from montego.kernels.board.shape import BORDER, EMPTY, has_empty_neighbour, opponent
from montego.kernels.compiler.jit import U, entry, kernel, leaf

LEGAL, OFF_BOARD, OCCUPIED, KO, SUICIDE, SUPERKO = range(6)
"""Verdicts on a move."""

SIMPLE, POSITIONAL, SITUATIONAL = range(3)
"""What may not be repeated: a ko at once, the stones, or the stones and who is to move."""


@leaf
def situation_key(key, to_play, superko):
    """The key of what may not be repeated: of the stones, and by rule of the player to move."""
    if superko == SITUATIONAL:
        return key ^ point_key(NOWHERE, to_play)
    return key


@leaf
def _chain_key(B, root):
    """The numbers of all stones of a chain, XORed."""
    key = U(0)
    stone = np.int64(root)
    while True:
        key ^= point_key(stone, np.int64(B.color[U(root)]))
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            return key


@leaf
def _is_first_of_its_chain(B, p, k):
    """Whether no neighbour of p before the k-th belongs to the k-th neighbour's chain."""
    root = B.root[U(p + DIRECTIONS[k])]
    first = True
    for j in range(k):
        first &= B.root[U(p + DIRECTIONS[j])] != root
    return first


@kernel
def key_after(B, p, color, dies):
    """The board's key once this stone is played; ``dies``: it is a suicide."""
    doomed = color if dies else opponent(color)
    key = B.key if dies else B.key ^ point_key(p, color)
    for k in range(4):
        q = p + DIRECTIONS[k]
        if B.color[U(q)] == doomed and in_atari(B, q) and _is_first_of_its_chain(B, p, k):
            key ^= _chain_key(B, np.int64(B.root[U(q)]))
    return key


@leaf
def _occurs(key, history):
    """Whether a key is in the history; without a way out of the loop it is vectorised."""
    found = False
    for i in range(history.size):
        found |= history[U(i)] == key
    return found


@entry
def verdict(B, p, color, suicide_allowed, superko, history):
    """Whether this colour may play p, and if not, why.

    ``history`` holds the situation keys of all positions so far, the present one included.
    The ko ban binds only the player whose turn it is: it was laid on him by the last move.
    """
    if p == PASS:
        return LEGAL
    if p < 0 or p >= POINTS or B.color[U(p)] == BORDER:
        return OFF_BOARD
    if B.color[U(p)] != EMPTY:
        return OCCUPIED
    if p == B.ko and color == B.to_play:
        return KO
    dies = not has_empty_neighbour(np.int64(B.shape[U(p)])) and is_suicide(B, p, color)
    if dies and not suicide_allowed:
        return SUICIDE
    if superko != SIMPLE:
        key = situation_key(key_after(B, p, color, dies), opponent(color), superko)
        if _occurs(key, history):
            return SUPERKO
    return LEGAL


@entry
def legal_moves(B, color, suicide_allowed, superko, history, out):
    """Set ``out[p]`` (uint8, POINTS) to 1 where this colour may play, else to 0."""
    out[:] = 0
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        out[U(p)] = verdict(B, p, color, suicide_allowed, superko, history) == LEGAL


@entry
def play_if_legal(B, p, color, suicide_allowed, superko, keys):
    """Play a move of either colour, in or out of turn, if it is legal.  Returns the verdict.

    ``keys`` holds the situation keys so far and a last free place for that of the new one.
    """
    said = verdict(B, p, color, suicide_allowed, superko, keys[:-1])
    if said == LEGAL:
        B.to_play = color
        play(B, p)
        keys[U(keys.size - 1)] = situation_key(B.key, np.int64(B.to_play), superko)
    return said


@entry
def start_history(B, superko, keys):
    """Enter the situation on the board as the only one of ``keys`` (uint64, 1)."""
    keys[U(0)] = situation_key(B.key, np.int64(B.to_play), superko)
