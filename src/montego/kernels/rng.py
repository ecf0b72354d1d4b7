"""Random numbers for kernels: SplitMix64, one 64-bit word of explicit state.

The state is a counter that walks in steps of an odd constant; the output scrambles it
(Steele, Lea and Flood 2014).  It passes BigCrush, any seed is a good seed, and since only
an addition separates two states, the processor overlaps one draw with the next.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from montego.kernels.jit import U, entry, leaf

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)


def new_dice(seed: int) -> NDArray[np.uint64]:
    """The state of a generator: pass it to every kernel that draws."""
    return np.array([seed % 2**64], dtype=np.uint64)


@leaf
def next_word(dice):
    """64 random bits."""
    state = dice[U(0)] + STEP
    dice[U(0)] = state
    word = (state ^ (state >> U(30))) * MIX_1
    word = (word ^ (word >> U(27))) * MIX_2
    return word ^ (word >> U(31))


@leaf
def below(dice, n):
    """A random integer in [0, n), n < 2**31; the bias is below n / 2**32."""
    return np.int64(((next_word(dice) >> U(32)) * U(n)) >> U(32))


@leaf
def unit(dice):
    """A random float in [0, 1)."""
    return np.float64(next_word(dice) >> U(11)) * (1.0 / 9007199254740992.0)


@entry
def draw_many(dice, n, out):
    """Fill ``out`` with draws below n (for tests)."""
    for i in range(out.size):
        out[U(i)] = below(dice, n)
