"""One game between two players: every move is checked here, and every trouble ends it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from montego.go import BLACK, WHITE, Position, Rules, color_letter
from montego.go.colors import other_color
from montego.lab.matches.foul import Foul, Kind, errors_as_fouls
from montego.lab.matches.players import RESIGN, Choice, Player
from montego.lab.matches.referee import Referee

_LETTER_OF_FOUL = {Kind.TIME: "T"}  # what SGF writes behind the plus; any other foul is F


@dataclass(frozen=True)
class Setup:
    """All that decides a game besides its players."""

    size: int
    komi: float
    opening: Sequence[int]
    move_limit: int
    referee: Referee
    first: Position | None = None
    """Where it begins, with stones that are set up; None: on an empty board."""


@dataclass(frozen=True)
class Ply:
    """One move, who made it, and what it took; moves of the opening took nothing."""

    color: int
    move: int
    win_rate: float | None = None
    seconds: float = 0.0
    simulations: int = 0


@dataclass(frozen=True)
class Ending:
    """How a game ended."""

    winner: int | None
    """BLACK, WHITE, or None for a draw."""
    result: str
    """As SGF has it: ``B+3.5``, ``W+R``, ``B+T`` (time), ``W+F`` (forfeit), ``0``."""
    reason: str
    """``score``, ``resignation``, ``move limit``, or ``forfeit: KIND``."""
    detail: str = ""


@dataclass(frozen=True)
class Game:
    """A finished game."""

    plies: Sequence[Ply]
    ending: Ending
    seconds: float
    machine: str = ""
    """Where it was played."""

    def seconds_of(self, color: int) -> float:
        """What a player took for all its moves."""
        return sum(ply.seconds for ply in self.plies if ply.color == color)

    def simulations_of(self, color: int) -> int:
        """What a player searched for all its moves."""
        return sum(ply.simulations for ply in self.plies if ply.color == color)


class _Lost(Exception):  # noqa: N818 - an ending, not an error
    """The foul of one player."""

    def __init__(self, color: int, foul: Foul) -> None:
        super().__init__(foul.told)
        self.color = color
        self.foul = foul


def play_game(setup: Setup, players: Mapping[int, Player], seeds: Mapping[int, int]) -> Game:
    """Play one game; ``players`` and ``seeds`` are by colour."""
    begin = time.perf_counter()
    table = _Table(setup, players)
    try:
        table.sit_down(seeds)
        ending = table.play_to_the_end()
    except _Lost as lost:
        ending = _forfeit(lost)
    return Game(table.plies, ending, time.perf_counter() - begin)


class _Table:
    """The board between the two players, whom it does not trust."""

    def __init__(self, setup: Setup, players: Mapping[int, Player]) -> None:
        self.setup = setup
        self.players = players
        self.position = setup.first or Position.start(setup.size, Rules(komi=setup.komi))
        self.plies: list[Ply] = []

    def sit_down(self, seeds: Mapping[int, int]) -> None:
        """Set up both players' boards and play the opening."""
        for color, player in self.players.items():
            with _blame(color):
                player.new_game(self.setup.size, self.setup.komi, seeds[color])
                if self.setup.first is not None:
                    player.set_up(self.setup.first)
        for move in self.setup.opening:
            color = self.position.to_play
            self._note(Ply(color, move))
            for told in (BLACK, WHITE):
                self._tell(told, color, move)

    def play_to_the_end(self) -> Ending:
        """Let them move in turn."""
        while not self.position.is_over:
            if len(self.plies) >= self.setup.move_limit:
                return _scored(self.setup.referee, self.position, "move limit")
            color = self.position.to_play
            ply = self._ask(color)
            if ply.move == RESIGN:
                winner = other_color(color)
                return Ending(winner, f"{color_letter(winner)}+R", "resignation")
            self._note(ply)
            self._tell(other_color(color), color, ply.move)
        return _scored(self.setup.referee, self.position, "score")

    def _ask(self, color: int) -> Ply:
        begin = time.perf_counter()
        with _blame(color):
            choice: Choice = self.players[color].genmove(color)
            seconds = time.perf_counter() - begin
            return Ply(color, choice.move, choice.win_rate, seconds, choice.simulations)

    def _note(self, ply: Ply) -> None:
        with _blame(ply.color):
            self.position = self.position.play(ply.move, ply.color)
        self.plies.append(ply)

    def _tell(self, told: int, color: int, move: int) -> None:
        with _blame(told):
            self.players[told].play(color, move)


@contextmanager
def _blame(color: int) -> Iterator[None]:
    """Whatever goes wrong inside costs this player the game."""
    try:
        with errors_as_fouls():
            yield
    except Foul as foul:
        raise _Lost(color, foul) from foul


def _forfeit(lost: _Lost) -> Ending:
    winner, kind = other_color(lost.color), lost.foul.kind
    result = f"{color_letter(winner)}+{_LETTER_OF_FOUL.get(kind, 'F')}"
    return Ending(winner, result, f"forfeit: {kind}", lost.foul.told)


def _scored(referee: Referee, position: Position, reason: str) -> Ending:
    score = referee.score(position)
    if score == 0:
        return Ending(None, "0", reason)
    winner = BLACK if score > 0 else WHITE
    return Ending(winner, f"{color_letter(winner)}+{abs(score):g}", reason)
