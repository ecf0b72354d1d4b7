"""When to pass and when to resign: what a search alone does not know.

A search counts stones as they stand and would fill the board before it passes.  Players
expect better: to pass when the game is settled and no sooner, never to pass into a loss, and to
give up what is hopeless.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from montego.engine.adjustable import Adjustable
from montego.engine.settled import Verifier
from montego.engine.status import PLAYOUTS, SIGN, Status, chain_at, judge, liberties
from montego.go import BLACK, EMPTY, PASS, WHITE, Position
from montego.go.colors import other_color
from montego.go.handicap import handicap_stones
from montego.mcts.found import Found
from montego.mcts.ranges import Range

CLEAR = 0.8
"""A search's value (-1 to 1) from which a game may be settled."""
INSISTENCE = 3
"""Passes of the opponent in a row that end even a game on an open board, if it is settled."""
NEUTRAL = 0.05
"""Part of the board that may be nobody's where a game on an open board is finished."""
LOST = -0.9
"""The value of a pass that the search wants, below which it changes nothing."""


@dataclass(frozen=True)
class Manners(Adjustable):
    """How the engine ends its games; the names are those of the parameters."""

    RANGES: ClassVar[dict[str, Range]] = {
        "resign_value": (-1, 1),
        "resign_times": (1, 1000),
        "resign_simulations": (0, 10**9),
        "resign_fill": (0, 10),
        "resign_handicap_fill": (0, 10),
        "temperature": (0, 100),
        "impulse": (0, 1),
        "sight": (0, 1),
    }
    """What the numbers may be."""

    cleanup: bool = False
    """Capture dead stones before passing: for referees that take nothing for dead."""
    resign: bool = True
    resign_value: float = -0.85
    """Value, seen by the engine, below which a game is given up (-1: surely lost)."""
    resign_times: int = 3
    """That many moves in a row the value has to be so low."""
    resign_simulations: int = 500
    """A search of fewer simulations does not decide about resigning."""
    resign_fill: float = 0.25
    """Never before this part of the board's points has been played."""
    resign_handicap_fill: float = 0.8
    """The same for White in a handicap game, who is behind at first by agreement."""
    points: bool = False
    """Far ahead, play for points among the moves that win as surely (see lead)."""
    ponder: bool = False
    """Think on while the opponent does."""
    temperature: float = 0.0
    """How freely it draws among the moves that it has searched; 0: it plays the best."""
    impulse: float = 0.0
    """The chance that it plays a first thought, without reading (see weakness)."""
    sight: float = 0.0
    """The chance that a stone in atari catches its eye when it does not read."""

    @property
    def leaves_to_chance(self) -> bool:
        """Whether it does not always play the best that it has found."""
        return self.temperature > 0 or self.impulse > 0


def turn_of(game: Position, mover: int) -> Position:
    """The position as a search for this player needs it: it is their turn and goes on.

    A pass before it is forgotten.  A search that could end the game would look at nothing
    else once that wins by the stones as they stand; whether to end it is decided here.
    """
    is_turn = game.to_play == mover and game.last != PASS
    return game if is_turn else game.with_to_play(mover)


# --- passing ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """A player's turn: the game, and what the search found."""

    game: Position
    mover: int
    found: Found
    seconds: float | None = None
    """What a check may take; None: as long as it needs."""
    seed: int = 0

    @cached_property
    def position(self) -> Position:
        """The position as the search saw it."""
        return turn_of(self.game, self.mover)

    @cached_property
    def status(self) -> Status:
        """Which stones are dead."""
        return judge(self.position, self.seed, seconds=self.seconds)

    @property
    def has_time(self) -> bool:
        """Whether the playouts with which a look at the stones begins fit into the time for it."""
        if self.seconds is None:
            return True
        return PLAYOUTS * self.found.seconds <= self.found.simulations * self.seconds

    @property
    def ends_game(self) -> bool:
        """Whether a pass now would be the second one."""
        return self.game.last == PASS

    @property
    def is_open(self) -> bool:
        """Whether half of the board is empty: no time to pass."""
        area = self.game.size**2
        stones = sum(len(self.game.stones(color)) for color in (BLACK, WHITE))
        return 2 * stones < area

    @property
    def is_offered(self) -> bool:
        """Whether the opponent wants to end the game: has passed again and again, or once where
        every area has its owner."""
        turns = self.game.moves[::-1][: 2 * INSISTENCE : 2]
        if len(turns) == INSISTENCE and all(move == PASS for _, move in turns):
            return True
        return self.ends_game and self._neutral() <= NEUTRAL * self.game.size**2

    def _neutral(self) -> int:
        """Points that are nobody's once the dead stones are off."""
        return int(np.count_nonzero(self.status.cleared().owner() == EMPTY))

    @property
    def leader(self) -> int:
        """Who is ahead, by the search."""
        return self.mover if self.found.value >= 0 else other_color(self.mover)

    def counted(self) -> float:
        """The mover's score with the dead stones taken off."""
        return self.status.cleared().score() * SIGN[self.mover]


def choose_move(turn: Turn, verifier: Verifier, cleanup: bool = False) -> int:
    """The move to play: the search's, a pass instead of it, or another move instead of a pass."""
    if may_pass(turn, verifier):
        return capturing_move(turn.position, turn.status, turn.found) if cleanup else PASS
    if turn.found.move != PASS:
        return turn.found.move
    return _instead_of_a_pass(turn.position, turn.found)


def may_pass(turn: Turn, verifier: Verifier) -> bool:
    """Whether a pass loses nothing: the game is settled; or it ends with this pass, and is won; or
    the search finds nothing better, and it is won, drawn or lost all the same."""
    if not turn.has_time:
        return False
    if _is_settled(turn, verifier):
        return True
    if turn.is_open:
        return False
    if turn.found.move == PASS:
        return turn.found.value < LOST or _keeps_result(turn, verifier)
    return turn.ends_game and _is_won_as_counted(turn) and _holds(turn, verifier)


def _is_settled(turn: Turn, verifier: Verifier) -> bool:
    """Whether nothing changes the winner any more; and if that is the mover, whether counting the
    areas says so as well: while borders are open it may not."""
    return (
        _looks_settled(turn)
        and (turn.leader != turn.mover or turn.counted() > 0)
        and verifier.is_settled(turn.position, turn.leader, turn.seconds)
    )


def _looks_settled(turn: Turn) -> bool:
    """Whether it is worth a closer look, by the search's own playouts."""
    if abs(turn.found.value) < CLEAR or (turn.is_open and not turn.is_offered):
        return False
    return Status(turn.position, turn.found.ownership).secure_score(turn.leader) > 0


def _keeps_result(turn: Turn, verifier: Verifier) -> bool:
    """Whether a pass that the search wants neither loses a won game nor a drawn one."""
    counted = turn.counted()
    return counted == 0 or (counted > 0 and _holds(turn, verifier))


def _is_won_as_counted(turn: Turn) -> bool:
    """Whether the game is won with the dead stones taken off: and also as the stones stand, or if
    all that is unclear is lost."""
    stands = turn.position.score() * SIGN[turn.mover] > 0
    return turn.counted() > 0 and (stands or turn.status.secure_score(turn.mover) > 0)


def _holds(turn: Turn, verifier: Verifier) -> bool:
    return verifier.holds(turn.position, turn.mover, turn.seconds)


def _instead_of_a_pass(position: Position, found: Found) -> int:
    """The most visited other move; a pass only if nothing else is left."""
    moves = [c.move for c in found.candidates if c.move != PASS and position.is_legal(c.move)]
    return moves[0] if moves else PASS


def capturing_move(position: Position, status: Status, found: Found) -> int:
    """A move towards the capture of dead enemy stones, or PASS if none are left."""
    targets = set[int]()
    for chain in status.chains("dead"):
        if position.color_at(next(iter(chain))) != position.to_play:
            targets |= liberties(position, chain)
    searched = [c.move for c in found.candidates if c.move in targets]
    for move in searched + sorted(targets - set(searched)):
        if position.is_legal(move) and _is_safe(position, move):
            return move
    return PASS


def _is_safe(position: Position, move: int) -> bool:
    """Whether the stone has two liberties or takes something."""
    after = position.play(move)
    if after.captured != position.captured:
        return True
    return len(liberties(after, chain_at(after, move))) >= 2


# --- resigning -------------------------------------------------------------------------


def is_hopeless(game: Position, mover: int, found: Found, manners: Manners) -> bool:
    """Whether this search alone would be a reason to resign."""
    if not manners.resign or found.simulations < manners.resign_simulations:
        return False
    handicap = handicap_stones(game)
    gives_handicap = mover == WHITE and handicap > 0
    fill = manners.resign_handicap_fill if gives_handicap else manners.resign_fill
    played = len(game.moves) + handicap
    value = _hope(found) if gives_handicap else found.value
    return played >= fill * game.size**2 and value < manners.resign_value


def _hope(found: Found) -> float:
    """Of who gives a handicap: the value by the real komi or, while the search plays for less, by
    that with extra komi."""
    return found.value if found.balanced_value is None else max(found.value, found.balanced_value)
