"""Liberties of a chain in one word: how many, their sum, and the sum of their squares.

Liberties are *pseudo-liberties*: a pair (stone, empty neighbour) counts once, so a stone's
liberties are added and taken away without looking at the rest of its chain, and joining
two chains is one addition.  By Cauchy and Schwarz  count * squares >= sum * sum,  with
equality exactly when all of them are the same point: that is how atari is seen without
counting, and the last liberty is then sum / count.  A word of zero means captured.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.compiler.jit import U, leaf

# At most 4 * 361 pseudo-liberties, points below 441: 11 + 20 + 29 bits.
SQUARES_BITS, SUM_BITS = 29, 20
SUM_SHIFT, COUNT_SHIFT = SQUARES_BITS, SQUARES_BITS + SUM_BITS
SQUARES_MASK, SUM_MASK = 2**SQUARES_BITS - 1, 2**SUM_BITS - 1
ONE_LIBERTY = 1 << COUNT_SHIFT
ONE_SUM = 1 << SUM_SHIFT

NEVER = (1 << 60) + (1 << 28)
"""Neither zero nor single, and so it stays when four liberties are taken away."""


@leaf
def liberty(p):
    """One pseudo-liberty at p, packed."""
    return ONE_LIBERTY + p * (ONE_SUM + p)


@leaf
def pseudo_liberties(word):
    """How many pseudo-liberties a packed word holds."""
    return word >> COUNT_SHIFT


@leaf
def is_single(word):
    """Whether all pseudo-liberties in a word (at least one) are the same point."""
    total = (word >> SUM_SHIFT) & SUM_MASK
    return (word >> COUNT_SHIFT) * (word & SQUARES_MASK) == total * total


@leaf
def single_point(word):
    """The only liberty in a word for which ``is_single`` holds."""
    return np.int64(U((word >> SUM_SHIFT) & SUM_MASK) // U(word >> COUNT_SHIFT))
