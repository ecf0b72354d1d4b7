"""When to pass and when to resign: what a search alone does not know.

A search counts stones as they stand and would fill the board before it passes.  Players
expect better: to pass as soon as that wins, never to pass into a loss, and to give up what
is hopeless.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from montego.engine.status import SIGN, Status, chain_at, judge, liberties
from montego.go import PASS, WHITE, Position
from montego.go.sgf import handicap_stones
from montego.mcts.search import Found

PASS_PLAYOUTS = 250
"""Enough to see whether passing wins; the clock runs meanwhile."""

Setting = float | int | bool | str


@dataclass(frozen=True)
class Manners:
    """How the engine ends its games; the names are those of the parameters."""

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
    ponder: bool = False
    """Think on while the opponent does."""

    def settings(self) -> dict[str, Setting]:
        """All values by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def with_settings(self, changes: dict[str, Setting]) -> Manners:
        """With some values changed; raises ValueError for a bad name or value."""
        known = self.settings()
        parsed: dict[str, Setting] = {}
        for name, value in changes.items():
            if name not in known:
                raise ValueError(f"there is no parameter {name!r}: {', '.join(known)} are")
            parsed[name] = _as_kind_of(known[name], value, name)
        return replace(self, **parsed)  # type: ignore[arg-type]


_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _as_kind_of(model: Setting, value: Setting, name: str) -> Setting:
    try:
        if isinstance(model, bool):
            return _BOOLEANS[str(value).lower()]
        return type(model)(value)
    except (KeyError, ValueError):
        raise ValueError(f"{value!r} is not a value of {name}") from None


def turn_of(game: Position, mover: int) -> Position:
    """The position as a search for this player needs it: it is their turn and goes on.

    A pass before it is forgotten.  A search that could end the game would look at nothing
    else once that wins by the stones as they stand; whether to end it is decided here.
    """
    is_turn = game.to_play == mover and game.last != PASS
    return game if is_turn else game.with_to_play(mover)


# --- passing ---------------------------------------------------------------------------


def choose_move(game: Position, mover: int, found: Found, cleanup: bool, seed: int = 0) -> int:
    """The move to play: the search's, a pass instead of it, or another move instead of a pass."""
    position = turn_of(game, mover)
    if game.last != PASS and not _is_about_passing(position, found):
        return found.move
    status = judge(position, PASS_PLAYOUTS, seed)
    if not _pass_wins(status, mover, found.move == PASS, ends_game=game.last == PASS):
        return found.move if found.move != PASS else _instead_of_a_pass(position, found)
    return capturing_move(position, status, found) if cleanup else PASS


def _is_about_passing(position: Position, found: Found) -> bool:
    """Whether the search passes, or its own playouts say that all is decided and won."""
    settled = Status(position, found.ownership).secure_score(position.to_play) > 0
    return found.move == PASS or settled


def _pass_wins(status: Status, color: int, is_searched: bool, ends_game: bool) -> bool:
    """Whether the game may end here: won with the dead stones taken off, also if all that is
    unclear is lost.  A pass that the search itself wants need not be so secure, nor a draw won;
    nor one that ends the game at once, if the stones as they stand win as well.
    """
    score = status.cleared().score() * SIGN[color]
    if is_searched:
        return score >= 0
    wins_as_it_stands = ends_game and status.position.score() * SIGN[color] > 0
    return score > 0 and (wins_as_it_stands or status.secure_score(color) > 0)


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
    return played >= fill * game.size**2 and found.value < manners.resign_value
