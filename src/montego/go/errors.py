"""What can be wrong with a move or a game; every message says why in plain words."""

# ruff: noqa: N818 - the names of these errors already say what is wrong

from __future__ import annotations

from enum import IntEnum

from montego.kernels.board import legality


class GoError(ValueError):
    """Anything that the rules of Go, or the names of its points and players, do not allow."""


class MalformedMove(GoError):
    """A move that is neither a point's name, nor a point's number, nor a pass."""


class MalformedColor(GoError):
    """A colour that is neither Black's nor White's."""


class BadSize(GoError):
    """A board of a size that cannot be played on."""


class BadRules(GoError):
    """A komi or a superko rule that makes no sense."""


class BadHandicap(GoError):
    """Handicap stones that cannot be placed."""


class BadDiagram(GoError):
    """A drawing, or a set-up, that is not a board position."""


class BadSgf(GoError):
    """A game record that cannot be read."""


class TooLong(GoError):
    """A game of more moves than are kept."""


class NothingToUndo(GoError):
    """The game stands at its beginning."""


class Reason(IntEnum):
    """Why a move is illegal; the values are the kernels' verdicts."""

    OFF_BOARD = legality.OFF_BOARD
    OCCUPIED = legality.OCCUPIED
    KO = legality.KO
    SUICIDE = legality.SUICIDE
    SUPERKO = legality.SUPERKO


class IllegalMove(GoError):
    """A move that is understood but may not be played, with the reason."""

    def __init__(self, message: str, reason: Reason) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, Reason]]:
        return IllegalMove, (str(self), self.reason)  # so that a process can send it to another
