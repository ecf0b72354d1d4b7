"""What costs a player the game whatever the board says, and how it is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from montego.go import GoError


class Kind(StrEnum):
    """The kinds of foul, as records name them."""

    RULES = "rules"
    """An illegal move, or the refusal of a legal one."""
    TIME = "time"
    """No reply in the time allowed."""
    CRASH = "crash"
    """The program stopped, or raised an error."""
    NONSENSE = "nonsense"
    """A reply that is not of the protocol, or not a move."""


class Foul(Exception):  # noqa: N818 - it is the players' mistake, not the program's
    """A player has lost its game: the kind, and what happened in plain words."""

    def __init__(self, kind: Kind, told: str) -> None:
        super().__init__(told)
        self.kind = kind
        self.told = told


@contextmanager
def errors_as_fouls() -> Iterator[None]:
    """Whatever a player raises is its crash; the match has to go on."""
    try:
        yield
    except Foul:
        raise
    except GoError as error:
        raise Foul(Kind.RULES, str(error)) from error
    except Exception as error:
        raise Foul(Kind.CRASH, f"{type(error).__name__}: {error}") from error
