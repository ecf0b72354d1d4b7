"""The rules, case by case: a drawing, moves, and the drawing that has to come out."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from montego.go import BLACK, WHITE, BadRules, IllegalMove, Position, Reason, Rules, vertex
from tests.go.boards import KO, ONE_POINT, SENDING_TWO, plain, played

SIMPLE, POSITIONAL, SITUATIONAL = (
    Rules(superko="simple"),
    Rules(superko="positional"),
    Rules(superko="situational"),
)


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
SUICIDAL = {
    kind: Rules(superko=kind, suicide=True) for kind in ("simple", "positional", "situational")
}
SUPERKO = Reason.SUPERKO

BANS: list[tuple[str, str, str, str, dict[Rules, Reason | None]]] = [
    # name, diagram, moves before, move, and by rules: None (legal) or the reason
    ("ko at once", KO, "C3", "B3", dict.fromkeys((SIMPLE, POSITIONAL, SITUATIONAL), Reason.KO)),
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
        dict.fromkeys((SIMPLE, POSITIONAL, SITUATIONAL), Reason.SUICIDE),
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


def test_superko_has_a_known_name() -> None:
    with pytest.raises(BadRules):
        Rules(superko="none")  # type: ignore[arg-type]
