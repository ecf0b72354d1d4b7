"""The colours of a point's eight neighbours as one 16-bit code, read by bit masks.

Two bits a neighbour, in the order of ``DIRECTIONS``: the four orthogonal ones in the low
byte, the diagonal ones in the high byte.  EMPTY is 00, BLACK 01, WHITE 10 and BORDER 11,
so one bit says "black or border" and the other "white or border".
"""

from __future__ import annotations

from montego.kernels.compiler.jit import leaf

EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3
LOW_BITS = 0x55  # of four fields
ALL_LOW_BITS = 0x5555


@leaf
def opponent(color):
    """The other colour."""
    return 3 - color


@leaf
def count_low_bits(bits):
    """How many of the low bits of four two-bit fields are set (``bits`` within 0x55)."""
    bits = (bits & 0x11) + ((bits >> 2) & 0x11)
    return (bits + (bits >> 4)) & 7


@leaf
def has_empty_neighbour(shape):
    """Whether one of the four orthogonal neighbours is empty."""
    return ((shape | (shape >> 1)) & LOW_BITS) != LOW_BITS


@leaf
def empty_neighbours(shape):
    """How many of the four orthogonal neighbours are empty."""
    return count_low_bits(~(shape | (shape >> 1)) & LOW_BITS)


@leaf
def touches(shape, color):
    """Whether an orthogonal neighbour is a stone of this colour."""
    return ((shape >> (color - 1)) & ~(shape >> (2 - color)) & LOW_BITS) != 0


@leaf
def is_surrounded(shape, color):
    """Whether all orthogonal neighbours are stones of this colour or border.

    BLACK is 01, WHITE 10 and BORDER 11, so the bit of the colour has to be set everywhere.
    """
    mask = LOW_BITS << (color - 1)
    return (shape & mask) == mask


@leaf
def is_eye(shape, color):
    """Whether a point of this shape is an eye that its owner should not fill.

    Surrounded, and the opponent has at most one of the diagonal points (none at the edge).
    """
    if not is_surrounded(shape, color):
        return False
    diagonal = shape >> 8
    border = diagonal & (diagonal >> 1) & LOW_BITS
    enemies = (diagonal >> (2 - color)) & ~(diagonal >> (color - 1)) & LOW_BITS
    return count_low_bits(enemies) + (border != 0) < 2


@leaf
def seen_by(shape, color):
    """The shape as the player of this colour sees it: own stones as BLACK, enemies as WHITE."""
    if color == BLACK:
        return shape
    return ((shape & ALL_LOW_BITS) << 1) | ((shape >> 1) & ALL_LOW_BITS)
