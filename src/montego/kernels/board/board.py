"""The board: one record, one pointer, and everything a move changes kept up to date.

Points.  Every board size lives in the same 21 x 21 grid, so one compilation serves all of
them: point = 21 * row + column with rows and columns from 1, and a rim of ``BORDER``
round the playing area.  Point 0 lies on the rim and stands for a pass.

Chains.  The stones of a chain form a ring (``next_stone``) and know their ``root``; what a
chain has is kept at its root: the number of its ``stones`` and its ``liberties``, packed
into one word (see liberties.py).  Points without a stone have the root NOWHERE, whose
liberties may be changed but never mean anything: so a move touches its four neighbours
without asking what they are, because a branch guessed wrong costs more than the work.

Shapes.  ``shape[p]`` holds the colours of the eight neighbours of p (see shape.py).  It is
updated with every stone, which costs less than reading it once from the colours.

Chains in atari are listed as they get into it (``atari``); an entry that has become stale
is dropped by whoever walks the list next (see tactics.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board.liberties import NEVER, is_single, liberty, single_point
from montego.kernels.board.shape import BLACK, BORDER, EMPTY, opponent
from montego.kernels.compiler.jit import U, entry, kernel, leaf

MAX_SIZE = 19
STRIDE = MAX_SIZE + 2
POINTS = STRIDE * STRIDE
MAX_AREA = MAX_SIZE * MAX_SIZE
PASS = NOWHERE = 0

UP, LEFT, RIGHT, DOWN = -STRIDE, -1, 1, STRIDE
UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = UP - 1, UP + 1, DOWN - 1, DOWN + 1
DIRECTIONS = (UP, LEFT, RIGHT, DOWN, UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT)
"""In the order of the two-bit fields of a shape."""

BOARD = np.dtype(
    [
        # the rules
        ("key", np.uint64),  # Zobrist key of the stones
        ("size", np.int32),
        ("to_play", np.int32),
        ("ko", np.int32),  # point that may not be retaken now, or 0
        ("last", np.int32),  # last move, PASS included
        ("before_last", np.int32),
        ("moves", np.int32),  # moves played, passes included
        ("passes", np.int32),  # consecutive passes
        ("round", np.int32),  # of marking, see tactics
        ("empties", np.int32),  # how many points are empty
        ("on_board", np.int32, 4),  # stones by colour
        ("captured", np.int32, 4),  # stones of that colour taken off the board
        # chains in atari, with stale entries among them
        ("ataris", np.int32),
        ("atari", np.int16, MAX_AREA),
        ("listed", np.uint8, POINTS),  # whether a root stands in that list
        # points
        ("color", np.uint8, POINTS),
        ("shape", np.uint16, POINTS),  # colours of the 8 neighbours
        ("empty", np.int16, MAX_AREA),  # the empty points, in no order
        ("slot", np.int16, POINTS),  # where an empty point stands in that list
        ("mark", np.uint8, POINTS),  # scratch: marked if equal to ``round``
        # chains: ring and root of every stone, the rest at roots only
        ("next_stone", np.int16, POINTS),
        ("root", np.int16, POINTS),
        ("stones", np.int16, POINTS),
        ("liberties", np.int64, POINTS),  # packed pseudo-liberties
    ],
    align=True,
)

KEY_1, KEY_2 = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xA0761D6478BD642F)


@leaf
def point_key(p, color):
    """The Zobrist number of a stone: a scrambled counter, so no table has to be read."""
    word = U(p * 4 + color) * KEY_1
    word = (word ^ (word >> U(32))) * KEY_2
    return word ^ (word >> U(29))


@leaf
def in_atari(B, stone):
    """Whether the chain of this stone has exactly one liberty."""
    return is_single(B.liberties[U(B.root[U(stone)])])


@leaf
def last_liberty(B, stone):
    """The only liberty of a chain in atari."""
    return single_point(B.liberties[U(B.root[U(stone)])])


@leaf
def chain_size(B, stone):
    """Stones in the chain of this stone."""
    return np.int64(B.stones[U(B.root[U(stone)])])


@leaf
def _stamp(B, p, color):
    """Add a colour (negative: take it away) to the shapes of the eight neighbours of p."""
    B.shape[U(p + UP)] += color << 6
    B.shape[U(p + LEFT)] += color << 4
    B.shape[U(p + RIGHT)] += color << 2
    B.shape[U(p + DOWN)] += color
    B.shape[U(p + UP_LEFT)] += color << 14
    B.shape[U(p + UP_RIGHT)] += color << 12
    B.shape[U(p + DOWN_LEFT)] += color << 10
    B.shape[U(p + DOWN_RIGHT)] += color << 8


# --- playing ---------------------------------------------------------------------------


@leaf
def _list_if_in_atari(B, root):
    """Enter a chain into the list of chains in atari, once."""
    if is_single(B.liberties[U(root)]) and B.listed[U(root)] == 0:
        B.listed[U(root)] = 1
        B.atari[U(B.ataris)] = root
        B.ataris += 1


@leaf
def chain_if(B, q, color):
    """The root of the chain at q if it has this colour, else NOWHERE."""
    return np.int64(B.root[U(q)]) if B.color[U(q)] == color else NOWHERE


@leaf
def liberty_if_empty(B, q):
    return liberty(q) if B.color[U(q)] == EMPTY else 0


@leaf
def _larger(B, a, b):
    return a if B.stones[U(a)] >= B.stones[U(b)] else b


@kernel
def _join(B, root, other):
    """Let the chain of ``other`` become part of the larger chain of ``root``."""
    stone = other
    while True:
        B.root[U(stone)] = root
        stone = np.int64(B.next_stone[U(stone)])
        if stone == other:
            break
    after = B.next_stone[U(root)]
    B.next_stone[U(root)] = B.next_stone[U(other)]
    B.next_stone[U(other)] = after
    B.liberties[U(root)] += B.liberties[U(other)]
    B.stones[U(root)] += B.stones[U(other)]


@leaf
def _join_at(B, root, q, color):
    other = chain_if(B, q, color)
    if other != NOWHERE and other != root:
        _join(B, root, other)


@leaf
def _add_liberty(B, q, packed):
    """Change the liberties of the chain at q; where there is none, NOWHERE takes it."""
    B.liberties[U(B.root[U(q)])] += packed


@kernel
def remove_chain(B, root):
    """Take a chain off the board; its neighbours gain liberties.  Returns its size."""
    color = np.int64(B.color[U(root)])
    empties = np.int64(B.empties)
    size = np.int64(B.stones[U(root)])
    stone = np.int64(root)
    while True:
        B.color[U(stone)] = EMPTY
        B.root[U(stone)] = NOWHERE
        B.key ^= point_key(stone, color)
        _stamp(B, stone, -color)
        given = liberty(stone)
        _add_liberty(B, stone + UP, given)
        _add_liberty(B, stone + LEFT, given)
        _add_liberty(B, stone + RIGHT, given)
        _add_liberty(B, stone + DOWN, given)
        B.empty[U(empties)] = stone
        B.slot[U(stone)] = empties
        empties += 1
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            break
    B.liberties[U(NOWHERE)] = NEVER
    B.empties = empties
    B.on_board[U(color)] -= size
    B.captured[U(color)] += size
    return size


@leaf
def _is_taken(B, root):
    return B.liberties[U(root)] == 0


@leaf
def _remove_if_taken(B, root):
    """Remove an enemy chain without liberties (unless another neighbour did).  Returns its size."""
    if _is_taken(B, root) and B.root[U(root)] == root:
        return remove_chain(B, root)
    return 0


@leaf
def _put(B, p, color):
    """Put a stone on the empty point p, with lists and shapes, as a chain of no stones yet."""
    B.color[U(p)] = color
    _stamp(B, p, color)
    B.empties -= 1
    slot, moved = B.slot[U(p)], B.empty[U(B.empties)]
    B.empty[U(slot)] = moved
    B.slot[U(moved)] = slot
    B.on_board[U(color)] += 1
    B.next_stone[U(p)] = p
    B.stones[U(p)] = 0
    B.liberties[U(p)] = 0


@leaf
def _enter_chain(B, p, root):
    """Let the stone p enter the chain of ``root``, which may be p itself."""
    B.root[U(p)] = root
    B.next_stone[U(p)] = B.next_stone[U(root)]
    B.next_stone[U(root)] = p
    B.stones[U(root)] += 1
    B.liberties[U(root)] += (
        liberty_if_empty(B, p + UP)
        + liberty_if_empty(B, p + LEFT)
        + liberty_if_empty(B, p + RIGHT)
        + liberty_if_empty(B, p + DOWN)
    )


@leaf
def _join_neighbours(B, p, color):
    """Make the stone p and the own chains round it one chain.  Returns its root."""
    up, left = chain_if(B, p + UP, color), chain_if(B, p + LEFT, color)
    right, down = chain_if(B, p + RIGHT, color), chain_if(B, p + DOWN, color)
    root = _larger(B, _larger(B, up, left), _larger(B, right, down))
    root = p if root == NOWHERE else root
    _enter_chain(B, p, root)
    if _is_other(up, root) | _is_other(left, root) | _is_other(right, root) | _is_other(down, root):
        _join_at(B, root, p + UP, color)
        _join_at(B, root, p + LEFT, color)
        _join_at(B, root, p + RIGHT, color)
        _join_at(B, root, p + DOWN, color)
    return root


@leaf
def _is_other(neighbour, root):
    return (neighbour != NOWHERE) & (neighbour != root)


# --- moves -----------------------------------------------------------------------------


@leaf
def _end_turn(B, move):
    B.before_last = B.last
    B.last = move
    B.moves += 1
    B.to_play = opponent(B.to_play)


@leaf
def _settle(B, p, color):
    """Put a stone on the board and into its chain; nothing is captured.  Returns its root."""
    _put(B, p, color)
    taken = liberty(p)
    _add_liberty(B, p + UP, -taken)
    _add_liberty(B, p + LEFT, -taken)
    _add_liberty(B, p + RIGHT, -taken)
    _add_liberty(B, p + DOWN, -taken)
    return _join_neighbours(B, p, color)


@leaf
def _play_stone(B, p, tracked):
    """Play a legal stone; ``tracked`` is a constant: also keep key and chains in atari."""
    color = np.int64(B.to_play)
    enemy = opponent(color)
    root = _settle(B, p, color)
    up, left = chain_if(B, p + UP, enemy), chain_if(B, p + LEFT, enemy)
    right, down = chain_if(B, p + RIGHT, enemy), chain_if(B, p + DOWN, enemy)
    B.ko = 0
    if _is_taken(B, up) | _is_taken(B, left) | _is_taken(B, right) | _is_taken(B, down):
        removed = _remove_if_taken(B, up)
        removed += _remove_if_taken(B, left)
        removed += _remove_if_taken(B, right)
        removed += _remove_if_taken(B, down)
        if removed == 1 and B.stones[U(root)] == 1 and is_single(B.liberties[U(root)]):
            B.ko = single_point(B.liberties[U(root)])
    if tracked:
        B.key ^= point_key(p, color)
        _list_if_in_atari(B, up)
        _list_if_in_atari(B, left)
        _list_if_in_atari(B, right)
        _list_if_in_atari(B, down)
        _list_if_in_atari(B, root)
    B.liberties[U(NOWHERE)] = NEVER
    B.passes = 0
    _end_turn(B, p)


@leaf
def pass_turn(B):
    """Let the player to move pass."""
    B.ko = 0
    B.passes += 1
    _end_turn(B, PASS)


@leaf
def play_light(B, p):
    """Play a legal stone, no suicide, without keeping the key and the chains in atari."""
    _play_stone(B, p, False)


@entry
def play(B, p):
    """Play a legal move or PASS for the player to move and keep everything up to date."""
    if p == PASS:
        pass_turn(B)
        return
    _play_stone(B, p, True)
    root = B.root[U(p)]
    if _is_taken(B, root):
        remove_chain(B, root)  # suicide, where the rules allow it


@entry
def set_stone(B, p, color):
    """Set up a stone without a move being made: nothing is captured, not even the illegal."""
    _settle(B, p, color)
    B.key ^= point_key(p, color)
    for q in (p, p + UP, p + LEFT, p + RIGHT, p + DOWN):
        if B.root[U(q)] != NOWHERE:
            _list_if_in_atari(B, B.root[U(q)])
    B.liberties[U(NOWHERE)] = NEVER


# --- making boards ---------------------------------------------------------------------


@entry
def _clear(B, size):
    B.size = size
    B.to_play = BLACK
    B.liberties[U(NOWHERE)] = NEVER
    B.color[:] = BORDER
    for row in range(1, size + 1):
        for column in range(1, size + 1):
            p = STRIDE * row + column
            B.color[U(p)] = EMPTY
            B.slot[U(p)] = B.empties
            B.empty[U(B.empties)] = p
            B.empties += 1
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        for k in range(8):
            B.shape[U(p)] |= np.int64(B.color[U(p + DIRECTIONS[k])]) << (2 * k)


def new_boards(size: int, count: int = 1) -> NDArray[np.void]:
    """Empty boards of this size; kernels take ``boards[i]``, a copy is one assignment."""
    boards = np.zeros(count, dtype=BOARD)
    for board in boards:
        _clear(board, size)
    return boards
