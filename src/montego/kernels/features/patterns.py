"""Large patterns (P9b): shapes of growing size round a point, each known by one number.

The points round a move are ordered in rings, by dx + dy + max(dx, dy).  A pattern of level k is
what stands on the first rings up to the k-th, seen by the player to move, the same under the
eight symmetries.  Its code mixes a random number for each point and what stands there (Zobrist);
the smallest of the eight sums, one for each symmetry, speaks for all of them.

Patterns are harvested level by level, so a pattern is only known where the smaller ones inside
it are: the walk outwards ends at the first unknown one, after a few rings in most places.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import STRIDE
from montego.kernels.board.shape import BLACK, BORDER, EMPTY, opponent, seen_by
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.features.tables import CHANCES, FREE, LEVELS

MIX = 0x9E3779B97F4A7C15 - (1 << 64)  # an odd number, as signed
HASH = 0x9E3779B1
NO_PATTERN = -1


@leaf
def _seen(B, row, column, color):
    """What stands at a row and column, seen by a player: own stones as Black's."""
    if (U(row - 1) >= U(B.size)) | (U(column - 1) >= U(B.size)):
        return BORDER
    stone = np.int64(B.color[U(row * STRIDE + column)])
    return stone if (color == BLACK) | (stone == EMPTY) else opponent(stone)


@leaf
def _place(codes, mask, code):
    """Where a pattern stands in a table, whose last place is ``mask``, or the free one where it
    might."""
    place = (code * HASH >> 8) & mask
    while codes[U(place)] != code and codes[U(place)] != FREE:
        place = (place + 1) & mask
    return place


@leaf
def pattern_place(T, code):
    """Where a pattern stands in the table of strengths, or the free place where it might."""
    return _place(T.pattern_code, np.int64(T.pattern_mask), code)


@leaf
def _add_numbers(numbers, at, sums):
    """The sums of the eight symmetries and eight numbers more."""
    a, b, c, d, e, f, g, h = sums
    return (
        a ^ numbers[U(at)],
        b ^ numbers[U(at + 1)],
        c ^ numbers[U(at + 2)],
        d ^ numbers[U(at + 3)],
        e ^ numbers[U(at + 4)],
        f ^ numbers[U(at + 5)],
        g ^ numbers[U(at + 6)],
        h ^ numbers[U(at + 7)],
    )


@leaf
def sums_of_square(B, T, p, color):
    """The sums of the eight symmetries over the eight neighbours: by the two bytes of a shape."""
    shape = seen_by(np.int64(B.shape[U(p)]), color)
    sums = _add_numbers(T.square_number, 8 * (shape & 255), (0, 0, 0, 0, 0, 0, 0, 0))
    return _add_numbers(T.square_number, 8 * (256 + (shape >> 8)), sums)


@leaf
def with_ring(B, T, p, color, level, sums):
    """The sums of the eight symmetries after one more ring; the first goes round the square."""
    row, column = p // STRIDE, p % STRIDE
    for i in range(T.ring_start[U(level)], T.ring_start[U(level + 1)]):
        stone = _seen(B, row + T.ring_row[U(i)], column + T.ring_column[U(i)], color)
        sums = _add_numbers(T.ring_number, 8 * (4 * i + stone), sums)
    return sums


@leaf
def pattern_code(sums, level):
    """A number of 31 bits for a pattern; patterns of different levels differ in it."""
    a, b, c, d, e, f, g, h = sums
    smallest = min(min(min(a, b), min(c, d)), min(min(e, f), min(g, h)))
    mixed = (smallest + level + 1) * MIX
    return ((mixed ^ (mixed >> 29)) * MIX >> 33) & 0x7FFFFFFF


@leaf
def _largest(B, T, codes, mask, p, color):
    sums = sums_of_square(B, T, p, color)
    found = NO_PATTERN
    for level in range(LEVELS):
        sums = with_ring(B, T, p, color, level, sums)
        place = _place(codes, mask, pattern_code(sums, level))
        if codes[U(place)] == FREE:
            return found, level
        found = place
    return found, LEVELS


@kernel
def largest_pattern(B, T, p, color):
    """The place in the table of the largest known pattern round a point, or NO_PATTERN, and how
    many levels are known."""
    return _largest(B, T, T.pattern_code, np.int64(T.pattern_mask), p, color)


@kernel
def chance_place(B, T, p, color):
    """The place of the largest pattern round a point that Mango knows; the last one for none."""
    place, _ = _largest(B, T, T.chance_code, CHANCES - 1, p, color)
    return CHANCES if place == NO_PATTERN else place


@entry
def enter_patterns(T, codes, gammas):
    """Fill the table."""
    for i in range(codes.size):
        place = pattern_place(T, codes[U(i)])
        T.pattern_code[U(place)] = codes[U(i)]
        T.pattern_gamma[U(place)] = gammas[U(i)]


@entry
def enter_chances(T, codes, chances):
    """Fill Mango's table."""
    for i in range(codes.size):
        place = _place(T.chance_code, CHANCES - 1, codes[U(i)])
        T.chance_code[U(place)] = codes[U(i)]
        T.chance[U(place)] = chances[U(i)]
