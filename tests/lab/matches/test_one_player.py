"""One player everywhere: what a match plays is what GTP plays and what regressions test."""

from __future__ import annotations

from pathlib import Path

import pytest

from montego.engine.engine import Engine
from montego.go import Position, color_name, sgf, vertex
from montego.go.sgf import GameRecord
from montego.gtp.session import GtpSession
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.players import EnginePlayer
from montego.lab.tools.regress import FileRunner, command_of
from tests.engine.test_status import WALL
from tests.positions import random_position

SEED = 7
TEXT = "montego,simulations=150,memory=16,playout.race=0"

STONES = random_position(9, 14, seed=3)
OPEN = Position.set_up(9, STONES.stones("b"), STONES.stones("w"))
SETTLED = Position.from_diagram(WALL, to_play="white")
"""White has won, and passes."""
POSITIONS = {"open": OPEN, "settled": SETTLED}


def in_a_match(position: Position) -> str:
    player = parse_player(TEXT).player(1)
    assert isinstance(player, EnginePlayer)
    player.new_game(position.size, position.komi, SEED)
    assert player.engine is not None
    player.engine.set_up(position.stones("b"), position.stones("w"), position.to_play)
    return vertex(player.genmove(position.to_play).move, position.size)


def by_gtp(position: Position) -> str:
    def make() -> Engine:
        return Engine(simulations=150, memory_mb=16, parameters={"playout.race": "0"})

    session = GtpSession(make)
    setup = " ".join(
        f"{color} {vertex(point, position.size)}"
        for color in ("b", "w")
        for point in position.stones(color)
    )
    for line in (f"boardsize {position.size}", f"set_random_seed {SEED}", f"gogui-setup {setup}"):
        assert session.handle(line).startswith("=")
    return session.handle(f"genmove {color_name(position.to_play)}").split()[1]


def by_regress(position: Position, folder: Path) -> str:
    sgf.save(folder / "game.sgf", GameRecord(position))
    test = folder / "moves.tst"
    test.write_text(f"loadsgf game.sgf\nreg_genmove {color_name(position.to_play)}\n#? [x]\n")
    runner = FileRunner([test], command_of(f"{TEXT},seed={SEED}"), seconds=60)
    return runner(0).tests[0].reply


@pytest.mark.parametrize("name", POSITIONS)
def test_match_gtp_and_regress_choose_the_same_move(name: str, tmp_path: Path) -> None:
    position = POSITIONS[name]
    moves = [in_a_match(position), by_gtp(position), by_regress(position, tmp_path)]
    assert len({move.lower() for move in moves}) == 1
    assert (moves[0] == "pass") == (name == "settled")


def test_a_bare_search_is_another_player() -> None:
    """It plays on where the engine passes."""
    player = parse_player(f"search:{TEXT}").player(1)
    player.new_game(9, 7.5, SEED)
    player.position = SETTLED  # type: ignore[attr-defined]
    assert player.genmove(SETTLED.to_play).move != 0
