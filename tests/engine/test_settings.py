"""What an engine refuses: one line that names the setting, before anything is done."""

from __future__ import annotations

from typing import Any

import pytest

from montego.engine.engine import Engine
from montego.engine.validation import BadSetting
from montego.go import GoError
from montego.go.errors import BadRules, BadSize


@pytest.mark.parametrize(
    ("given", "kind", "told"),
    [
        ({"simulations": 0}, BadSetting, "simulations has to be 1 or more, not 0"),
        ({"simulations": -3}, BadSetting, "simulations has to be 1 or more, not -3"),
        ({"simulations": 1e3}, BadSetting, "simulations has to be a whole number, not 1000.0"),
        ({"simulations": "9"}, BadSetting, "simulations has to be a whole number, not '9'"),
        ({"simulations": True}, BadSetting, "simulations has to be a whole number, not True"),
        ({"seconds": 0}, BadSetting, "seconds has to be a positive number of seconds, not 0"),
        ({"seconds": float("inf")}, BadSetting, "a positive number of seconds, not inf"),
        ({"seconds": "2"}, BadSetting, "seconds has to be a number of seconds, not '2'"),
        ({"size": 9.5}, BadSize, "a board is 2 to 19 lines wide, not 9.5"),
        ({"size": "9"}, BadSize, "a board is 2 to 19 lines wide, not '9'"),
        ({"size": 20}, BadSize, "a board is 2 to 19 lines wide, not 20"),
        ({"komi": "7"}, BadRules, "komi has to be a finite number, not '7'"),
        ({"threads": 0}, BadSetting, "threads has to be 1 or more, not 0"),
        ({"threads": 1.5}, BadSetting, "threads has to be a whole number, not 1.5"),
        ({"threads": 10**9}, BadSetting, "threads has to be 1024 or less"),
        ({"memory_mb": 0}, BadSetting, "memory_mb has to be 1 or more, not 0"),
        ({"seed": -1}, BadSetting, "seed has to be 0 or more, not -1"),
        ({"seed": "x"}, BadSetting, "seed has to be a whole number, not 'x'"),
        ({"recipe": "no-such"}, BadSetting, "'no-such' is not a recipe: uct, "),
        ({"recipe": None}, BadSetting, "None is not a recipe: uct, "),
    ],
)
def test_what_makes_no_sense(given: dict[str, Any], kind: type[ValueError], told: str) -> None:
    with pytest.raises(kind) as caught:
        Engine(**given)
    assert told in str(caught.value)
    assert isinstance(caught.value, BadSetting | GoError)


def test_a_seed_decides_the_replies() -> None:
    def moves(seed: int) -> list[str]:
        engine = Engine(size=5, simulations=60, memory_mb=16)
        engine.set_seed(seed)
        return [engine.genmove().vertex for _ in range(4)]

    assert moves(3) == moves(3)
    assert len({tuple(moves(seed)) for seed in range(6)}) > 1
    with pytest.raises(BadSetting, match="seed"):
        Engine().set_seed(-1)
