"""From settings to the program that plays by them."""

from __future__ import annotations

import pytest

from montego.engine.engine import Engine
from montego.engine.levels import TABLE, Level, level_of
from montego.web.limits import MOST_SECONDS
from montego.web.messages import Limit, Settings
from montego.web.views import limit_of


@pytest.mark.parametrize("level", [TABLE[0], TABLE[4], TABLE[-1]], ids=lambda level: level.name)
def test_a_level_is_the_one_of_the_terminal(level: Level) -> None:
    settings = Settings(recipe="uct", limit=Limit(by="level", amount=level.number))
    thinker = limit_of(settings, seed=5)
    engine = Engine(
        thinker.recipe, simulations=thinker.simulations, parameters=thinker.parameters
    )  # its seconds are only a bound
    assert (thinker.seed, thinker.seconds) == (5, MOST_SECONDS)
    assert level_of(engine) is level


def test_other_limits_leave_the_recipe() -> None:
    settings = Settings(recipe="uct", limit=Limit(by="simulations", amount=70))
    thinker = limit_of(settings, seed=1)
    assert (thinker.recipe, thinker.simulations, thinker.parameters) == ("uct", 70, {})
