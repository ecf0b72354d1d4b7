"""``level`` and ``montego-levels``."""

from __future__ import annotations

from montego.engine.engine import Engine
from montego.engine.levels import TABLE
from montego.gtp.session import GtpSession
from tests.gtp.sessions import ask


def test_levels_over_gtp() -> None:
    session = GtpSession(lambda: Engine(size=5, memory_mb=16))
    assert ask(session, "level") == "= none"
    assert ask(session, "level 1") == "="
    assert ask(session, "level") == "= 1 first game"
    assert ask(session, "montego-param manners.impulse") == "= 1.0"
    assert session.engine.clock.simulations == TABLE[0].simulations
    assert ask(session, "level First Game") == "="
    assert ask(session, "genmove b").startswith("= ")
    assert ask(session, "level strongest") == "="
    assert ask(session, "level") == "= 10 strongest"
    assert ask(session, "montego-param manners.impulse") == "= 0.0"


def test_a_level_that_there_is_not() -> None:
    session = GtpSession(lambda: Engine(size=5, memory_mb=16))
    assert ask(session, "level 11").startswith("? 11 is not a level: 1 to 10 are, or first game,")
    assert ask(session, "level") == "= none"


def test_the_list_of_levels() -> None:
    session = GtpSession(lambda: Engine(size=5, memory_mb=16))
    lines = ask(session, "montego-levels").removeprefix("= ").splitlines()
    assert lines[0] == f"1 first game: {TABLE[0].description}"
    assert len(lines) == len(TABLE)
