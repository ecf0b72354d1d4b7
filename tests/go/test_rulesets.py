"""Rules by name, and as KataGo describes them."""

from __future__ import annotations

from typing import Any

import pytest

from montego.go import BadRules, Rules
from montego.go.rulesets import (
    NAMED,
    TROMP_TAYLOR,
    Ruleset,
    describe_ruleset,
    find_ruleset,
    ruleset_of,
)


@pytest.mark.parametrize(
    ("name", "superko", "suicide", "unplayed"),
    [
        ("chinese", "simple", False, []),
        ("Chinese_KGS", "positional", False, []),
        ("AGA", "situational", False, []),
        ("new zealand", "situational", True, []),
        ("new_zealand", "situational", True, []),
        ("TrompTaylor", "positional", True, []),
        ("japanese", "simple", False, ["territory scoring"]),
        ("korean", "simple", False, ["territory scoring"]),
        ("stone_scoring", "simple", False, ["a tax on groups"]),
        ("aga-button", "situational", False, ["a button"]),
        ("ancient territory", "simple", False, ["territory scoring"]),
    ],
)
def test_names(name: str, superko: str, suicide: bool, unplayed: list[str]) -> None:
    ruleset = find_ruleset(name)
    rules = ruleset.rules(5.5)
    assert (rules.superko, rules.suicide, rules.komi) == (superko, suicide, 5.5)
    assert ruleset.unplayed == unplayed


@pytest.mark.parametrize("name", ["", "house", "koSIMPLEscoreAREA"])
def test_unknown_names_are_told_with_those_that_are_known(name: str) -> None:
    with pytest.raises(BadRules, match=r"unknown rules: chinese, .* are known"):
        find_ruleset(name)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, TROMP_TAYLOR),
        ({"ko": "SIMPLE", "suicide": False, "friendlyPassOk": True}, Ruleset("simple")),
        ({"scoring": "TERRITORY"}, Ruleset("positional", True, territory=True, tax="seki")),
        ({"whiteHandicapBonus": "N-1"}, Ruleset("positional", True, bonus="n-1")),
        ({"whiteHandicapBonus": 0, "hasButton": True}, Ruleset("positional", True, button=True)),
        ({"tax": "ALL", "komi": 7}, Ruleset("positional", True, tax="all")),
    ],
)
def test_descriptions(told: dict[str, Any], expected: Ruleset) -> None:
    assert describe_ruleset(told) == expected


@pytest.mark.parametrize("told", [{"ko": "NONE"}, {"suicide": 1}, {"tax": []}, {"colour": "red"}])
def test_descriptions_of_nothing(told: dict[str, Any]) -> None:
    with pytest.raises(BadRules):
        describe_ruleset(told)


def test_what_is_not_told_stays_as_it_was() -> None:
    now = ruleset_of(Rules(superko="situational", suicide=True))
    assert describe_ruleset({"suicide": False}, now) == Ruleset("situational")


def test_points_for_handicap_stones() -> None:
    bonuses = {name: NAMED[name].handicap_bonus(4) for name in ("chinese", "aga", "tromp-taylor")}
    assert bonuses == {"chinese": 4, "aga": 3, "tromp-taylor": 0}
    assert NAMED["chinese"].handicap_bonus(1) == 0
