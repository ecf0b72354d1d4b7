"""Levels: a table of opponents, the same on every machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

from montego.engine.engine import Engine
from montego.engine.levels import (
    LEVELS,
    TABLE,
    Level,
    find_level,
    level_of,
    levels_told,
    play_at,
)
from montego.engine.manners import Manners
from montego.go import PASS

WEAK = [level for level in TABLE if level.impulse or level.temperature]


def engine_at(level: Level, size: int = 9, seed: int = 1) -> Engine:
    return Engine(
        level.recipe, size, seed=seed, memory_mb=16,
        simulations=level.simulations, parameters=level.parameters,
    )  # fmt: skip


def game_at(level: Level, size: int, seed: int, most: int = 500) -> Engine:
    engine = engine_at(level, size, seed)
    while not engine.position.is_over and len(engine.position.moves) < most:
        engine.genmove()
    return engine


def test_the_table() -> None:
    assert LEVELS == 10
    assert [level.number for level in TABLE] == list(range(1, 11))
    assert (TABLE[0].name, TABLE[-1].name) == ("first game", "strongest")
    assert len({level.name for level in TABLE}) == 10
    assert levels_told() == [(level.name, level.description) for level in TABLE]
    simulations = [level.simulations for level in TABLE]
    assert simulations == sorted(simulations)
    assert TABLE[-1].recipe == Engine(size=5, memory_mb=1).recipe.name  # as strong as without one
    assert [level.number for level in WEAK] == list(range(1, len(WEAK) + 1))


def test_a_level_by_number_and_by_name() -> None:
    assert find_level(3) is find_level("3") is find_level(" Beginner ") is TABLE[2]
    assert find_level("first-game") is find_level("First  Game") is TABLE[0]
    for wrong in ("0", "11", "", "third", "-1", "1.0", "²"):
        with pytest.raises(ValueError, match="is not a level: 1 to 10 are, or first game, "):
            find_level(wrong)


def test_the_table_needs_no_numpy() -> None:
    code = "import sys, montego.engine.levels; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_engine_changes_its_level() -> None:
    engine = Engine(size=5, memory_mb=16)
    assert level_of(engine) is None
    for level in TABLE:
        play_at(engine, level)
        assert level_of(engine) is level
    assert (engine.manners, engine.recipe) == (Manners(), Engine().recipe)
    engine.set_parameters({"selection.c": 0.1})
    assert level_of(engine) is None


@pytest.mark.parametrize("level", WEAK, ids=lambda level: level.name)
def test_one_seed_one_game(level: Level) -> None:
    games = [game_at(level, 7, seed, most=20).position.moves for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize("level", WEAK, ids=lambda level: level.name)
def test_a_weak_game_ends_by_passes_on_a_full_board(level: Level) -> None:
    engine = game_at(level, 7, seed=2)
    assert engine.position.is_over
    assert not engine.result.endswith("R")
    assert len(engine.position.moves) < 2 * 49
    position = engine.position.undo().undo()
    stones = len(position.stones("black")) + len(position.stones("white"))
    assert 2 * stones >= 49
    assert PASS not in [move for _, move in position.moves[:25]]
