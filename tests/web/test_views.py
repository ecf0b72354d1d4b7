"""From settings to the program that plays by them."""

from __future__ import annotations

import pytest

from montego.engine.engine import Engine
from montego.engine.levels import TABLE, Level, level_of
from montego.mcts.recipes import RECIPES
from montego.web.limits import MOST_SECONDS
from montego.web.messages import Limit, Settings
from montego.web.views import check_parameters, limit_of, turned


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


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_a_constant_can_be_turned_to_is_not_refused(recipe: str) -> None:
    constants = turned(recipe)
    assert constants
    for constant in constants:
        assert constant.least <= constant.value <= constant.most
        for number in (constant.least, constant.most):
            check_parameters(recipe, {constant.name: number})


def test_what_a_network_says_can_be_turned() -> None:
    most = {constant.name: constant.most for constant in turned("montego")}
    assert (most["network.at"], most["network.value"]) == (32, 1)
    assert not any(constant.name.startswith("network") for constant in turned("classic"))
