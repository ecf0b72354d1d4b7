"""Random games beside GNU Go, where it is installed: legal moves, stones and captures.

GNU Go knows the same rule sets by its own options, and its list of legal moves follows
them, superko included.  Only suicide under superko is left out: GNU Go lets a suicide
repeat any position, even take four stones off a 2x2 board and so begin the game again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from random import Random

import pytest

from montego.go import BLACK, WHITE, Position, Rules, color_name, fixed_handicap, vertex
from montego.go.handicap import max_fixed
from montego.go.rules import Superko

GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
pytestmark = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")

SUPERKO_OPTION: dict[Superko, str] = {
    "simple": "--simple-ko",
    "positional": "--positional-superko",
    "situational": "--situational-superko",
}
RULES = [Rules(superko=kind) for kind in SUPERKO_OPTION] + [Rules(superko="simple", suicide=True)]
GAMES = [(3, 40, 30), (4, 20, 50), (5, 12, 80), (9, 3, 200), (13, 1, 350), (19, 1, 700)]
"""Size, games, and moves a game."""


class GnuGo:
    """A running GNU Go and questions to it."""

    def __init__(self, *options: str) -> None:
        assert GNUGO is not None
        command = [GNUGO, "--mode", "gtp", "--chinese-rules", *options]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, command: str) -> list[str]:
        """The words of the reply to a command."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(command, file=self.process.stdin, flush=True)
        lines = list(iter(self.process.stdout.readline, "\n"))
        assert lines, "GNU Go has stopped"
        assert lines[0].startswith("="), (command, lines)
        return " ".join(lines)[1:].split()

    def close(self) -> None:
        self.ask("quit")
        self.process.communicate()


def options_of(rules: Rules) -> list[str]:
    suicide = "--allow-all-suicide" if rules.suicide else "--forbid-suicide"
    return [SUPERKO_OPTION[rules.superko], suicide]


@pytest.fixture
def plain_gnugo() -> Iterator[GnuGo]:
    gnugo = GnuGo()
    yield gnugo
    gnugo.close()


@pytest.fixture(params=RULES, ids=lambda rules: f"{rules.superko}-suicide-{rules.suicide}")
def rules_and_gnugo(request: pytest.FixtureRequest) -> Iterator[tuple[Rules, GnuGo]]:
    gnugo = GnuGo(*options_of(request.param))
    yield request.param, gnugo
    gnugo.close()


def names(points: list[int], size: int) -> list[str]:
    return sorted(vertex(point, size) for point in points)


def compare(position: Position, gnugo: GnuGo) -> None:
    """Legal moves of the player to move, all stones, and captures."""
    mover = color_name(position.to_play)
    assert names(position.legal(), position.size) == sorted(gnugo.ask(f"all_legal {mover}"))
    for color in (BLACK, WHITE):
        listed = gnugo.ask(f"list_stones {color_name(color)}")
        assert names(position.stones(color), position.size) == sorted(listed)
    # GNU Go counts what a player has captured, we count what a player has lost
    assert gnugo.ask("captures white") == [str(position.captured.black)]
    assert gnugo.ask("captures black") == [str(position.captured.white)]


def random_game(rules: Rules, gnugo: GnuGo, size: int, moves: int, random: Random) -> None:
    gnugo.ask(f"boardsize {size}")
    gnugo.ask("clear_board")
    position = Position.start(size, rules)
    for _ in range(moves):
        legal = position.legal()
        move = random.choice(legal) if legal and random.random() > 0.03 else 0
        gnugo.ask(f"play {color_name(position.to_play)} {vertex(move, size)}")
        position = position.play(move)
        compare(position, gnugo)


@pytest.mark.parametrize(("size", "games", "moves"), GAMES)
def test_random_games(
    rules_and_gnugo: tuple[Rules, GnuGo], size: int, games: int, moves: int
) -> None:
    rules, gnugo = rules_and_gnugo
    for number in range(games):
        random_game(rules, gnugo, size, moves, Random(f"{size} {number}"))


@pytest.mark.parametrize("size", [size for size in range(7, 20) if size != 12])
def test_fixed_handicap(plain_gnugo: GnuGo, size: int) -> None:
    """On 12x12 GNU Go takes the fourth line; the protocol has the third below 13 lines."""
    plain_gnugo.ask(f"boardsize {size}")
    for stones in range(2, max_fixed(size) + 1):
        plain_gnugo.ask("clear_board")
        placed = plain_gnugo.ask(f"fixed_handicap {stones}")
        ours = names(fixed_handicap(size, stones).stones(BLACK), size)
        assert ours == sorted(placed), stones
