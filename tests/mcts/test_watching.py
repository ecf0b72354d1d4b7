"""Playouts that tell why: the rule of every move."""

from __future__ import annotations

import pytest

from montego.go import Position
from montego.mcts.playouts import KINDS, Mogo, Playout, Uniform, simulate
from montego.mcts.watching import PASSED, RULES, Watcher

MAY = {
    "uniform": {"random"},
    "mango": {"capture", "save", "near", "shape"},
    "mogo": {"save", "nakade", "fill", "pattern", "approach", "capture", "random"},
    "expert": {"take", "save", "race", "nakade", "pattern", "random"},
    "orego-capture": {"heuristic"},
    "orego-fighting": {"heuristic"},
    "orego-pattern": {"heuristic"},
}
"""The rules that each kind has switched on."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_move_has_a_rule_of_its_kind(kind: str) -> None:
    watcher, seen = Watcher(KINDS[kind], 9, seed=3), set()
    for _ in range(60):
        played = watcher.play(Position.start(9))
        assert len(played.moves) == len(played.rules)
        assert all((move == 0) == (rule == PASSED) for move, rule in
                   zip(played.moves, played.rules, strict=True))  # fmt: skip
        seen |= {*played.rules}
    assert seen - {PASSED} == MAY[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_playout_that_a_search_would_play(kind: str) -> None:
    position = Position.start(9).play("E5")
    watcher = Watcher(KINDS[kind], 9, seed=5)
    scores = [watcher.play(position).score for _ in range(40)]
    told = simulate(position, KINDS[kind], 40, seed=5)
    assert sum(scores) / 40 == pytest.approx(told.mean_score)
    assert sum(score > 0 for score in scores) == told.black_wins


def first_rule(playout: Playout, position: Position) -> tuple[str, int]:
    played = Watcher(playout, position.size).play(position)
    return played.rules[0], played.moves[0]


def test_a_chain_in_atari_is_saved() -> None:
    """White's last move put E5 in atari; one step gets it out."""
    position = Position.set_up(9, ["E5"], ["D5", "E6"], "white").play("F5")
    rule, move = first_rule(Mogo(), position)
    assert (rule, move) == ("save", position.play("E4").moves[-1][1])


def test_without_rules_all_is_chance() -> None:
    off = Mogo(save=False, nakade=False, fill_tries=0, patterns=False, capture=False)
    for playout in (Uniform(), off):
        played = Watcher(playout, 7).play(Position.start(7))
        assert {*played.rules} <= {"random", PASSED}


def test_the_names_are_different() -> None:
    assert len({*RULES.values()}) == len(RULES)
