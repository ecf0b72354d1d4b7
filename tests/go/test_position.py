"""The rules, case by case: a drawing, moves, and the drawing that has to come out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from montego.go import (
    BLACK,
    EMPTY,
    PASS,
    WHITE,
    BadDiagram,
    BadRules,
    BadSize,
    GoError,
    IllegalMove,
    MalformedColor,
    MalformedMove,
    NothingToUndo,
    Position,
    Reason,
    Rules,
    vertex,
)
from montego.kernels.board import play

SIMPLE, POSITIONAL, SITUATIONAL = (
    Rules(superko="simple"),
    Rules(superko="positional"),
    Rules(superko="situational"),
)


def played(position: Position, moves: str) -> Position:
    """The position after these moves, in turn."""
    for move in moves.split():
        position = position.play(move)
    return position


def plain(diagram: str) -> list[str]:
    """The rows of a drawing without spaces."""
    return ["".join(row.split()) for row in diagram.strip().splitlines()]


@dataclass
class Case:
    """Moves from a drawn board, Black first, and what they lead to."""

    name: str
    before: str
    moves: str
    after: str
    score: int  # without komi
    captured: tuple[int, int] = (0, 0)  # black and white stones
    ko: str | None = None
    rules: Rules = POSITIONAL


CASES = [
    Case(
        "one stone in the corner",
        """
        O X . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "A4",
        """
        . X . . .
        X . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        score=25,
        captured=(0, 1),
    ),
    Case(
        "two chains at once",
        """
        O . O X .
        X . X . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "B5",
        """
        . X . X .
        X . X . .
        . . . . .
        . . . . .
        . . . . .
        """,
        score=25,
        captured=(0, 2),
    ),
    Case(
        "a capture comes before suicide",
        """
        . O X . .
        O X . . .
        X . . . .
        . . . . .
        . . . . .
        """,
        "A5",
        """
        X . X . .
        . X . . .
        X . . . .
        . . . . .
        . . . . .
        """,
        score=25,
        captured=(0, 2),
    ),
    Case(
        "snapback",
        """
        X O . . O
        X O O O O
        X X X X X
        . . . . .
        . . . . .
        """,
        "D5 C5 D5",
        """
        X . . X .
        X . . . .
        X X X X X
        . . . . .
        . . . . .
        """,
        score=25,
        captured=(1, 7),
    ),
    Case(
        "ko",
        """
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
        """,
        "C4",
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
        """,
        score=4 + 2 - 3,
        captured=(0, 1),
        ko="B4",
    ),
    Case(
        "a pass lifts the ko",
        """
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
        """,
        "C4 pass",
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
        """,
        score=4 + 2 - 3,
        captured=(0, 1),
    ),
    Case(
        "suicide of two stones where it is allowed",
        """
        X . O . .
        O O O . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "B5",
        """
        . . O . .
        O O O . .
        . . . . .
        . . . . .
        . . . . .
        """,
        score=-25,
        captured=(2, 0),
        rules=Rules(suicide=True),
    ),
    Case(
        "seki: the two liberties that both need belong to nobody",
        """
        X O . X O X .
        X O . X O X X
        X O X X O X .
        X O O O O X X
        X X X X X X .
        . X . X . X X
        X X X X X . X
        """,
        "",
        """
        X O . X O X .
        X O . X O X X
        X O X X O X .
        X O O O O X X
        X X X X X X .
        . X . X . X X
        X X X X X . X
        """,
        score=49 - 10 - 2 - 10,
    ),
    Case("the empty board is nobody's", ". .\n. .", "pass pass", ". .\n. .", score=0),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    position = played(Position.from_diagram(case.before, rules=case.rules), case.moves)
    assert plain(position.diagram()) == plain(case.after)
    assert position.score() == case.score - case.rules.komi
    assert position.captured == case.captured
    ko = None if position.ko is None else vertex(position.ko, position.size)
    assert ko == case.ko


# --- what may not be repeated ---------------------------------------------------------------

SENDING_TWO = """
    . X . O .
    X O O O .
    X O . . .
    X O . . .
    . O . . .
    """
SENDING_TWO_OTHER_WAY = SENDING_TWO.replace(". X . O", ". . X O")
TRIPLE_KO = """
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    """
ONE_POINT = """
    . O . .
    O . . .
    . . . .
    . . . .
    """
KO = """
    . X O .
    X O . O
    . X O .
    . . . .
    """
SUICIDAL = {
    kind: Rules(superko=kind, suicide=True) for kind in ("simple", "positional", "situational")
}
SUPERKO = Reason.SUPERKO

BANS = [
    # name, diagram, moves before, move, and by rules: None (legal) or the reason
    ("ko at once", KO, "C3", "B3", {r: Reason.KO for r in (SIMPLE, POSITIONAL, SITUATIONAL)}),
    (
        "ko after two passes",
        KO,
        "C3 pass pass",
        "B3",
        {SIMPLE: None, POSITIONAL: SUPERKO, SITUATIONAL: SUPERKO},
    ),
    (
        "sending two, returning one",
        SENDING_TWO,
        "C5 A5",
        "B5",
        {SIMPLE: None, POSITIONAL: SUPERKO, SITUATIONAL: None},
    ),
    (
        "the second of two stones sent comes back without a capture",
        SENDING_TWO_OTHER_WAY,
        "B5 A5 B5 pass",
        "C5",
        {SIMPLE: None, POSITIONAL: SUPERKO, SITUATIONAL: SUPERKO},
    ),
    (
        "triple ko",
        TRIPLE_KO,
        "C8 B2 C5 B8 C2",
        "B5",
        {SIMPLE: None, POSITIONAL: SUPERKO, SITUATIONAL: SUPERKO},
    ),
    (
        "suicide",
        ONE_POINT,
        "",
        "A4",
        {r: Reason.SUICIDE for r in (SIMPLE, POSITIONAL, SITUATIONAL)},
    ),
    (
        "suicide of one stone",
        ONE_POINT,
        "",
        "A4",
        {
            SUICIDAL["simple"]: None,
            SUICIDAL["positional"]: SUPERKO,
            SUICIDAL["situational"]: None,
        },
    ),
    (
        "suicide of one stone after a pass that led to the same situation",
        ONE_POINT,
        "pass pass",
        "A4",
        {SUICIDAL["simple"]: None, SUICIDAL["situational"]: SUPERKO},
    ),
]


@pytest.mark.parametrize(
    ("diagram", "moves", "move", "rules", "reason"),
    [
        pytest.param(diagram, moves, move, rules, reason, id=f"{name}, {rules.superko}")
        for name, diagram, moves, move, verdicts in BANS
        for rules, reason in verdicts.items()
    ],
)
def test_repetition_and_suicide(
    diagram: str, moves: str, move: str, rules: Rules, reason: Reason | None
) -> None:
    position = played(Position.from_diagram(diagram, rules=rules), moves)
    told = position.why_illegal(move)
    assert (told and told.reason) == reason
    assert position.is_legal(move) == (reason is None)
    assert (move in [vertex(p, position.size) for p in position.legal()]) == (reason is None)
    if reason is None:
        position.play(move)
    else:
        with pytest.raises(IllegalMove):
            position.play(move)


def test_ko_binds_only_the_player_it_was_laid_on() -> None:
    position = played(Position.from_diagram(KO), "C3")
    assert not position.is_legal("B3", WHITE)
    assert position.play("B3", BLACK).color_at("B3") == BLACK


# --- wrong moves ----------------------------------------------------------------------------

WRONG_MOVES = [
    ("A4", Reason.SUICIDE, "A4 would be suicide"),
    ("B4", Reason.OCCUPIED, "B4 is occupied by White"),
    ("E1", Reason.OFF_BOARD, "E1 lies off the 4x4 board"),
    ("a9", Reason.OFF_BOARD, "A9 lies off the 4x4 board"),
    (-1, Reason.OFF_BOARD, "point -1 lies off the 4x4 board"),
    (10**30, Reason.OFF_BOARD, "lies off the 4x4 board"),
    (21, Reason.OFF_BOARD, "point 21 lies off the 4x4 board"),
]


@pytest.mark.parametrize(("move", "reason", "told"), WRONG_MOVES)
def test_illegal_moves_say_why_and_change_nothing(
    move: str | int, reason: Reason, told: str
) -> None:
    position = Position.from_diagram(ONE_POINT)
    before = position.board_copy().tobytes()
    with pytest.raises(IllegalMove, match=told) as error:
        position.play(move)
    assert error.value.reason == reason
    assert position.board_copy().tobytes() == before
    assert not position.is_legal(move)


@pytest.mark.parametrize(
    "move", ["", "D", "4", "I1", "D04", "D4x", "resign", "D٣", "DD4", 1.5, None]
)
def test_malformed_moves(move: object) -> None:
    position = Position.start()
    before = position.board_copy().tobytes()
    with pytest.raises(MalformedMove):
        position.play(move)  # type: ignore[arg-type]
    assert position.board_copy().tobytes() == before


@pytest.mark.parametrize("color", ["", "x", "blackish", 0, 3, 1.5])
def test_malformed_colors(color: object) -> None:
    with pytest.raises(MalformedColor):
        Position.start().play("D4", color)  # type: ignore[arg-type]


def test_all_errors_are_value_errors() -> None:
    assert issubclass(GoError, ValueError)
    for error in (BadSize, MalformedMove, MalformedColor, IllegalMove, NothingToUndo):
        assert issubclass(error, GoError)


# --- a game ---------------------------------------------------------------------------------


def test_a_new_game() -> None:
    position = Position.start()
    assert (position.size, position.komi, position.to_play) == (9, 7.5, BLACK)
    assert (position.key, position.moves, position.last, position.ko) == (0, [], None, None)
    assert position.parent is None
    assert not position.is_over
    assert len(position.legal()) == 81


@pytest.mark.parametrize("size", [-1, 0, 1, 20, 100])
def test_sizes_that_cannot_be_played(size: int) -> None:
    with pytest.raises(BadSize):
        Position.start(size)


def test_moves_in_and_out_of_turn_are_remembered() -> None:
    position = Position.start(5).play("C3").play("d4", "b").play("pass").play(22, "White")
    names = [(color, vertex(point, 5)) for color, point in position.moves]
    assert names == [(BLACK, "C3"), (BLACK, "D4"), (WHITE, "pass"), (WHITE, "A5")]
    assert position.to_play == BLACK
    assert position.last == 22
    assert [vertex(p, 5) for p in position.stones("black")] == ["D4", "C3"]


def test_two_passes_end_the_game_but_it_may_go_on() -> None:
    position = Position.start(5).play("pass")
    assert not position.is_over
    position = position.play(PASS)
    assert position.is_over
    assert not position.play("C3").is_over


def test_undo_leads_back_to_the_start() -> None:
    start = Position.start(5)
    first = start.play("C3")
    second = first.play("C4")
    assert second.undo() is first
    assert second.undo().undo() is start
    with pytest.raises(NothingToUndo):
        start.undo()


def test_undo_keeps_the_komi() -> None:
    position = Position.start(5).play("C3").with_komi(0.5)
    assert position.moves == [(BLACK, 66)]
    assert position.undo().komi == 0.5
    assert position.undo().diagram() == Position.start(5).diagram()


def test_kernels_cannot_damage_a_position() -> None:
    position = Position.start(5)
    board = position.board_copy()
    play(board[0], 22)
    position.keys()[:] = 1
    position.owner()[:] = BLACK
    assert position.color_at("A5") == EMPTY
    assert position.is_legal("A5")
    assert position.diagram() == Position.start(5).diagram()


def test_branches_of_a_game_do_not_see_each_other() -> None:
    root = played(Position.from_diagram(SENDING_TWO), "C5 A5")
    other = root.play("E5").play("E4")
    assert root.why_illegal("B5") is not None
    assert other.parent is not None
    assert other.parent.parent is root
    assert len(other.keys()) == len(root.keys()) + 2


def test_positions_are_equal_only_to_themselves() -> None:
    one, other = Position.start(5), Position.start(5)
    assert one != other
    assert len({one, other, one}) == 2


def test_a_long_game_can_be_played_and_forgotten() -> None:
    position = Position.start(2, Rules(superko="simple"))
    for _ in range(3000):
        position = position.play("pass")
    assert len(position.moves) == 3000


@pytest.mark.parametrize(
    ("komi", "result"), [(7.5, "W+7.5"), (0, "0"), (-3.5, "B+3.5"), (1, "W+1"), (-25, "B+25")]
)
def test_results(komi: float, result: str) -> None:
    assert Position.start(5, Rules(komi=komi)).result() == result


@pytest.mark.parametrize("komi", [float("nan"), float("inf"), -float("inf")])
def test_komi_is_finite(komi: float) -> None:
    with pytest.raises(BadRules):
        Position.start().with_komi(komi)


def test_superko_has_a_known_name() -> None:
    with pytest.raises(BadRules):
        Rules(superko="none")  # type: ignore[arg-type]


def test_owner_has_its_first_row_on_top() -> None:
    owner = Position.from_diagram(". X . O .\n X X . O O" + "\n. . . . ." * 3).owner()
    assert owner.shape == (5, 5)
    assert owner[0].tolist() == [BLACK, BLACK, EMPTY, WHITE, WHITE]
    assert owner[1].tolist() == [BLACK, BLACK, EMPTY, WHITE, WHITE]
    assert not np.any(owner[2:])


# --- drawings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("diagram", "told"),
    [
        (". .\n. #", "'#' in row 2"),
        (". .\n. . .", "row 2 has 3 points"),
        (". . .\n. . .", "row 1 has 3 points"),
        ("X O\nO .", "A2 has no liberty"),
        ("X X\nX X", "has no liberty"),
    ],
)
def test_bad_diagrams(diagram: str, told: str) -> None:
    with pytest.raises(BadDiagram, match=told):
        Position.from_diagram(diagram)


@pytest.mark.parametrize("diagram", ["", ".", "\n".join(["." * 20] * 20)])
def test_diagrams_of_bad_sizes(diagram: str) -> None:
    with pytest.raises(BadSize):
        Position.from_diagram(diagram)


def test_set_up_refuses_two_stones_on_a_point_and_a_pass() -> None:
    with pytest.raises(BadDiagram, match="C3"):
        Position.set_up(5, black=["C3"], white=["C3"])
    with pytest.raises(BadDiagram, match="pass"):
        Position.set_up(5, black=["pass"])


def test_a_set_up_game_has_an_own_player_to_move() -> None:
    assert Position.from_diagram(KO, to_play="white").to_play == WHITE


def test_the_printed_board() -> None:
    position = played(Position.from_diagram(KO), "C3")
    assert str(position) == "\n".join(
        [
            "   A B C D",
            " 4 . X O . 4",
            " 3 X .(X)O 3",
            " 2 . X O . 2",
            " 1 . . . . 1",
            "   A B C D",
            "White to play, move 2, captured: 0 black, 1 white",
        ]
    )


def test_the_last_move_is_marked_at_the_edges_too() -> None:
    rows = str(Position.start(2).play("A2")).splitlines()
    assert rows[1] == " 2(X). 2"
    rows = str(Position.start(2).play("B1")).splitlines()
    assert rows[2] == " 1 .(X)1"
    assert "(" not in str(Position.start(2).play("pass"))
