"""Area scoring on drawn boards; random boards are compared elsewhere, move by move."""

from __future__ import annotations

import pytest

from montego.go import BLACK, WHITE, Position
from montego.go.points import all_points
from montego.kernels.board.board import POINTS
from montego.kernels.board.scoring import area_score, scratch
from montego.kernels.board.shape import BORDER

CASES = [
    # name, rows, owners, score
    ("empty", ". . . / . . . / . . .", "... ... ...", 0),
    ("one stone owns the board", ". . . / . X . / . . .", "XXX XXX XXX", 9),
    ("two colours at one region", "X . . / . . . / . . O", "X.. ... ..O", 0),
    ("a wall", ". X . / X X . / . . O", "XX. XX. ..O", 3),
    ("regions that meet only at a corner", ". O X / O O X / X X .", "OOX OOX XXX", 1),
    ("an eye of each and nothing between", ". X O / X X O / O O .", "XXO XXO OOO", -1),
]
LETTERS = {0: ".", BLACK: "X", WHITE: "O"}


@pytest.mark.parametrize(
    ("rows", "owners", "score"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_owners_and_score(rows: str, owners: str, score: int) -> None:
    position = Position.from_diagram(rows.replace("/", "\n"))
    owner, queue = scratch()
    assert area_score(position.board_copy()[0], owner, queue) == score
    found = [LETTERS[owner[p]] for p in all_points(3)]
    assert "".join(found) == owners.replace(" ", "")


def test_nobody_owns_the_border_and_scratch_may_be_used_again() -> None:
    owner, queue = scratch()
    owner[:] = 77
    board = Position.from_diagram(". X\nX .").board_copy()[0]
    assert area_score(board, owner, queue) == area_score(board, owner, queue) == 4
    outside = set(range(POINTS)) - set(all_points(2))
    assert {int(owner[p]) for p in outside} == {BORDER}
