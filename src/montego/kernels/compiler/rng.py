"""Random numbers for kernels: SplitMix64, one 64-bit word of explicit state.

The state is a field ``rng`` of a thread's scratch record (see policy.WORK): a counter that
walks in steps of an odd constant, and whose scrambled value is the draw (Steele, Lea and
Flood 2014).  It passes BigCrush, any seed is a good seed, and since only an addition
separates two states, the processor overlaps one draw with the next.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.compiler.jit import U, leaf

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)


@leaf
def next_word(W):
    """64 random bits."""
    state = W.rng + STEP
    W.rng = state
    word = (state ^ (state >> U(30))) * MIX_1
    word = (word ^ (word >> U(27))) * MIX_2
    return word ^ (word >> U(31))


@leaf
def below(W, n):
    """A random integer in [0, n), n < 2**31; the bias is below n / 2**32."""
    return np.int64(((next_word(W) >> U(32)) * U(n)) >> U(32))


@leaf
def unit(W):
    """A random float in [0, 1)."""
    return np.float64(next_word(W) >> U(11)) * (1.0 / 9007199254740992.0)
