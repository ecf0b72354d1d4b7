"""Every rule by its name: reachable, listed, within its ranges; the contract of all of them."""

from __future__ import annotations

import json
import math
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from montego import cli
from montego.go import Position
from montego.mcts import network, node_knowledge, playouts, strategies
from montego.mcts.found import Budget
from montego.mcts.own_rules import OwnRule
from montego.mcts.ranges import range_of
from montego.mcts.recipes import RECIPES, Recipe, parse_recipe
from montego.mcts.rules import RULES, name_of, numbers_of, parts_of
from montego.mcts.search import LocalSearch

ROOT = Path(__file__).resolve().parents[2]
ALL = [(part, name) for part, rules in RULES.items() for name in rules]
NUMBERS = [
    (part, name, entry["name"])
    for part, name in ALL
    for entry in numbers_of(RULES[part][name].value)
    if "least" in entry
]


def classes(*bases: type) -> set[type]:
    """All classes below some."""
    below: set[type] = set()
    for base in bases:
        below.update(base.__subclasses__())
    return below | classes(*below) if below else set()


def test_every_rule_has_a_name() -> None:
    named = {type(rule.value) for rules in RULES.values() for rule in rules.values()}
    made = classes(strategies.Strategy, strategies.Final, playouts.Playout)
    ours = {
        kind
        for kind in made
        if str(kind.__module__).startswith("montego.") and not issubclass(kind, OwnRule)
    }
    assert ours - {strategies.Selection, network.NetworkUse} == named


@pytest.mark.parametrize(("part", "name"), ALL)
class TestEveryRule:
    def test_it_is_reached_by_its_name(self, part: str, name: str) -> None:
        recipe = parse_recipe(f"uct,{part}={name}")
        assert getattr(recipe, part) == RULES[part][name].value
        assert recipe.parameters()[part] == name
        assert recipe.with_parameters(recipe.parameters()) == recipe

    def test_a_search_runs_with_it(self, part: str, name: str) -> None:
        search = LocalSearch(parse_recipe(f"uct,{part}={name}"), threads=2, memory_mb=16, seed=1)
        found = search.run(Position.start(5), Budget(simulations=400))
        assert search.root_visits == found.simulations >= 400
        assert -1 <= found.value <= 1

    def test_it_is_on_the_page(self, part: str, name: str) -> None:
        page = (ROOT / "docs/search.md").read_text(encoding="utf-8")
        (row,) = re.findall(rf"^\| `{part}` \|.*$", page, re.MULTILINE)
        kind = type(RULES[part][name].value).__name__
        assert f"`{name}` `{kind}`" in row or part == "playout"  # which has a page of its own

    def test_its_paper_is_in_the_key(self, part: str, name: str) -> None:
        key = (ROOT / "docs/methods.md").read_text(encoding="utf-8")
        for cited in re.findall(r"[POHTRK]\d+b?", RULES[part][name].papers):
            assert f"</a>{cited} |" in key


@pytest.mark.parametrize(("part", "name", "number"), NUMBERS)
def test_numbers_out_of_range_are_refused(part: str, name: str, number: str) -> None:
    rule = RULES[part][name].value
    low, high = range_of(rule, number)
    assert low <= getattr(rule, number) <= high
    above, below = math.nextafter(high, math.inf), math.nextafter(low, -math.inf)
    for value in (math.nan, math.inf, -math.inf, above, below):
        with pytest.raises(ValueError, match=f"^{type(rule).__name__}: {number} has to be") as told:
            replace(rule, **{number: value})
        assert "\n" not in str(told.value)
    for value in (low, high):
        replace(rule, **{number: type(getattr(rule, number))(value)})


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize(("part", "name", "number"), NUMBERS)
def test_a_search_runs_at_both_ends_of_a_range(part: str, name: str, number: str, end: int) -> None:
    rule = RULES[part][name].value
    value = type(getattr(rule, number))(range_of(rule, number)[end])
    recipe = parse_recipe(f"uct,{part}={name}").with_parameters({f"{part}.{number}": value})
    search = LocalSearch(recipe, memory_mb=4, seed=1)
    found = search.run(Position.start(5), Budget(simulations=300))
    assert -1 <= found.value <= 1  # and no NaN
    assert search.root_visits == found.simulations


# --- recipes by their text -------------------------------------------------------------


def test_a_recipe_is_what_its_line_says(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["recipes"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in lines] == list(RECIPES)
    for line in lines:
        name, _, settings = line.partition(",")
        changes = dict(pair.split("=") for pair in settings.split(","))
        plain = Recipe(name).with_parameters(changes)  # any recipe becomes this one
        assert plain == RECIPES[name]


def test_the_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["recipes", "--rules"])
    out = capsys.readouterr().out
    for part, name in ALL:
        rule = RULES[part][name]
        assert f"{part}={name}  ({rule.papers})  {rule.formula}" in out
        assert all(f"{part}.{field.name}=" in out for field in fields(rule.value))


def test_the_lists_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["recipes", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert {name: recipe["rules"] for name, recipe in told["recipes"].items()} == {
        name: parts_of(recipe) for name, recipe in RECIPES.items()
    }
    assert [(part, name) for part, rules in told["rules"].items() for name in rules] == ALL
    numbers = {n["name"]: n for n in told["rules"]["selection"]["prior"]["parameters"]}
    assert numbers["n_prior"] == {"name": "n_prior", "value": 20.0, "least": 1e-3, "most": 1e6}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("soup", "'soup' is not a recipe: uct, mango"),
        ("uct,selection=best", "'best' is not a rule of selection: uct, uct-alpha"),
        ("uct,final=", "'final=' is not of the form key=value"),
        ("uct,final=max,final=max", "sets final twice"),
        ("uct,selection.n_prior=3", "uct has no parameter 'selection.n_prior'"),
        ("uct,final=secure,final.a=nan", "Secure: a has to be between 0 and 1,000,000, not nan"),
        ("uct,selection=prior,knowledge=nothing", "selection=prior needs Q, which"),
        ("uct,open=unpruning,knowledge=nothing", "open=unpruning needs H, which"),
        ("mango,selection=prior", "knowledge=mango does not give: virtual, learned, mogo do"),
        ("mango,knowledge=nothing", "selection=bias needs H, which knowledge=nothing does not"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)) as told:
        parse_recipe(text)
    assert "\n" not in str(told.value)


def test_a_rule_that_needs_knowledge_brings_it_where_there_is_none() -> None:
    assert parse_recipe("uct,selection=prior").knowledge == node_knowledge.LearnedGames()
    assert parse_recipe("uct,selection=uct-tuned").knowledge == node_knowledge.NoKnowledge()
    assert parse_recipe("mogo,selection=prior").knowledge == RECIPES["mogo"].knowledge
    asked = parse_recipe("uct,selection=prior,knowledge=virtual,knowledge.even=5")
    assert asked.knowledge == node_knowledge.VirtualGames(even=5.0)


def test_a_rule_that_is_there_already_keeps_its_numbers() -> None:
    changed = parse_recipe("montego,growth=visits,selection=mixture,selection.c=0.1")
    assert changed.growth == strategies.AfterVisits(2)
    assert parse_recipe("montego,growth=threshold").growth == strategies.Threshold()


def test_a_rule_of_the_user_s_own_has_no_name() -> None:
    class Mine(strategies.Uct):
        pass

    assert name_of("selection", Mine()) is None
    assert "selection" not in Recipe("mine", selection=Mine()).parameters()
