"""Last good replies: remembered when they won, forgotten when they lost."""

from __future__ import annotations

import numpy as np

from montego.go import BLACK, PASS, WHITE, Position
from montego.go.points import parse_vertex
from montego.kernels.compiler.jit import entry
from montego.kernels.playouts.policy import WORK
from montego.kernels.playouts.reply import last_good_reply, learn_replies


@entry
def call_learn(W, first, winner):
    learn_replies(W, first, winner)


@entry
def call_reply(B, W, color):
    return last_good_reply(B, W, color)


def game(work: np.void, winner: int, *moves: str) -> None:
    """A game that Black began."""
    points = [PASS if move == "pass" else parse_vertex(move, 9) for move in moves]
    work["length"] = len(points)
    work["sequence"][: len(points)] = points
    call_learn(work, BLACK, winner)


def replies(work: np.void, color: int, to: str) -> int:
    return int(work["reply"][color, parse_vertex(to, 9)])


def test_the_winner_remembers_and_the_loser_forgets() -> None:
    work = np.zeros(1, dtype=WORK)[0]
    game(work, WHITE, "E5", "C3", "G7", "pass", "D4", "D5")
    assert replies(work, WHITE, "E5") == parse_vertex("C3", 9)
    assert replies(work, WHITE, "D4") == parse_vertex("D5", 9)
    assert replies(work, WHITE, "G7") == PASS  # a pass is no reply
    assert replies(work, BLACK, "C3") == PASS  # Black has lost
    game(work, BLACK, "E5", "C3", "G7", "F6")
    assert replies(work, WHITE, "E5") == PASS  # lost this time
    assert replies(work, WHITE, "D4") == parse_vertex("D5", 9)  # not played
    assert replies(work, BLACK, "C3") == parse_vertex("G7", 9)
    game(work, BLACK, "E5", "E4", "D4", "C4")
    assert replies(work, WHITE, "D4") == parse_vertex("D5", 9)  # another one lost


def test_a_reply_is_played_only_where_it_can_be() -> None:
    work = np.zeros(1, dtype=WORK)[0]
    game(work, WHITE, "E5", "C3")
    empty = Position.start(9).play("E5")
    assert call_reply(empty.board_copy()[0], work, WHITE) == parse_vertex("C3", 9)
    taken = Position.start(9).play("C3").play("A1").play("E5")
    assert call_reply(taken.board_copy()[0], work, WHITE) == PASS
    other = Position.start(9).play("E4")
    assert call_reply(other.board_copy()[0], work, WHITE) == PASS
