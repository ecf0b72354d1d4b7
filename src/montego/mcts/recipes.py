"""Recipes: the programs of the papers, and our own, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from montego.kernels.tree.knowledge import knowledge_address
from montego.kernels.tree.strategy import STRATEGY
from montego.mcts import network, node_knowledge, strategies
from montego.mcts.learned import SHIPPED, Learned
from montego.mcts.playouts import Expert, Mango, Mogo, Orego, Playout, Uniform
from montego.mcts.ranges import BOOLEANS
from montego.mcts.rules import PARTNER, RULES, check_needs, find_rule, parts_of

PARTS = (*RULES, "learned")


@dataclass(frozen=True)
class Recipe:
    """A whole search: one rule for every part."""

    name: str
    selection: strategies.Selection = field(default_factory=strategies.Uct)
    open: strategies.Strategy = field(default_factory=strategies.AllOpen)
    growth: strategies.Strategy = field(default_factory=strategies.AfterVisits)
    backup: strategies.Strategy = field(default_factory=strategies.Average)
    knowledge: strategies.Strategy = field(default_factory=node_knowledge.NoKnowledge)
    network: network.NetworkUse = field(default_factory=network.NoNetwork)
    playout: Playout = field(default_factory=Uniform)
    final: strategies.Final = field(default_factory=strategies.Robust)
    learned: Learned = SHIPPED
    locks: strategies.Strategy = field(default_factory=strategies.NoLocks, repr=False)
    """How threads share the tree; records tell recipes apart by what is searched, without it."""

    def __post_init__(self) -> None:
        for part in PARTS:
            rule = getattr(self, part)
            if isinstance(rule, type):
                raise ValueError(f"{part} of {self.name!r}: write {rule.__name__}(), a value")
            if callable(rule):
                name = getattr(rule, "__name__", repr(rule))
                raise ValueError(f"{part} of {self.name!r}: {name} is no rule yet: decorate it")
        check_needs("selection", self.selection, self.knowledge)
        check_needs("open", self.open, self.knowledge)

    def __repr__(self) -> str:
        """Records tell recipes apart by this: a part that does nothing is left out."""
        shown = [one.name for one in fields(self) if one.repr]
        parts = [(name, getattr(self, name)) for name in shown]
        told = [
            f"{name}={part!r}" for name, part in parts if not isinstance(part, network.NoNetwork)
        ]
        return f"Recipe({', '.join(told)})"

    def record(self, threads: int = 1) -> Any:
        """The search rules as kernels take them; one thread needs no locks."""
        record = np.zeros(1, dtype=STRATEGY)[0]
        rules = [self.selection, self.open, self.growth, self.backup, self.knowledge,
                 self.network]  # fmt: skip
        if threads > 1:
            rules.append(self.locks)
            record["virtual_loss"] = 1.0
        for rule in rules:
            for name, number in rule.numbers().items():
                record[name] = number
        record["knower"] = knowledge_address()
        return record

    def parameters(self) -> dict[str, Any]:
        """The rules by part, such as ``selection``, and all numbers, such as ``selection.c``."""
        names, found = parts_of(self), dict[str, Any]()
        for part in PARTS:
            if names.get(part):
                found[part] = names[part]
            rule = getattr(self, part)
            found |= {f"{part}.{f.name}": getattr(rule, f.name) for f in fields(rule)}
        return found

    def with_parameters(self, changes: Mapping[str, Any]) -> Recipe:
        """The same recipe with other rules and numbers; values may be text."""
        recipe = self._with_rules({part: changes[part] for part in changes if part in RULES})
        known, rules = recipe.parameters(), dict[str, dict[str, Any]]()
        for name, value in changes.items():
            if name in RULES:
                continue
            if name not in known:
                raise ValueError(f"{self.name} has no parameter {name!r}: {', '.join(known)}")
            part, _, number = name.partition(".")
            rules.setdefault(part, {})[number] = like(known[name], name, value)
        return replace(
            recipe,
            **{part: replace(getattr(recipe, part), **given) for part, given in rules.items()},
        )

    def _with_rules(self, names: Mapping[str, Any]) -> Recipe:
        """The same recipe with other rules; one that is there already keeps its numbers.

        A rule that has to be told about moves brings knowledge with it, if there is none.
        """
        asked = {part: find_rule(part, str(name).strip()) for part, name in names.items()}
        rules: dict[str, Any] = {
            part: rule.value
            for part, rule in asked.items()
            if not rule.is_kind_of(getattr(self, part))
        }
        is_needed = any(getattr(rule, "NEEDS", "") for rule in rules.values())
        knows_nothing = not self.knowledge.GIVES and "knowledge" not in names
        if is_needed and knows_nothing:
            rules["knowledge"] = RULES["knowledge"][PARTNER].value
        return replace(self, **rules)


def like(model: Any, name: str, value: Any) -> Any:
    """A value, perhaps written as text, of the type that a parameter has."""
    text = str(value).strip()
    try:
        if isinstance(model, bool):
            return BOOLEANS[text.lower()]
        if isinstance(model, (int, float)):
            return type(model)(float(text) if isinstance(model, float) else int(text))
    except (KeyError, ValueError):
        raise ValueError(f"{text!r} is not a value for {name} (now {model!r})") from None
    return text


def named_recipe(name: str) -> Recipe:
    """One of the recipes below; raises a ValueError that lists them."""
    if name not in RECIPES:
        raise ValueError(f"{name!r} is not a recipe: {', '.join(RECIPES)} are")
    return RECIPES[name]


def parse_recipe(text: str, find: Callable[[str], Recipe] = named_recipe) -> Recipe:
    """A recipe as it is written: ``uct``, or ``uct,selection=prior,selection.n_prior=30``."""
    name, *words = (word.strip() for word in text.split(","))
    recipe = find(name)
    changes: dict[str, str] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not (key and sign and value):
            raise ValueError(f"{word!r} is not of the form key=value")
        if key in changes:
            raise ValueError(f"{text!r} sets {key} twice")
        changes[key] = value
    return recipe.with_parameters(changes)


MANGO_BIAS = strategies.ProgressiveBias()
MANGO = Recipe(
    "mango",
    selection=MANGO_BIAS,
    open=strategies.Unpruning(),
    growth=strategies.Threshold(),
    knowledge=node_knowledge.MangoKnowledge(),
    playout=Mango(),
)
CLASSIC = Recipe(
    "classic",
    selection=strategies.RaveMixture(),
    growth=strategies.AfterVisits(expand_at=2),
    knowledge=node_knowledge.LearnedGames(),
    playout=Expert(),
)

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("uct"),
        MANGO,
        replace(MANGO, name="mango-plain", selection=strategies.Uct(), open=strategies.AllOpen()),
        replace(MANGO, name="mango-pb", open=strategies.AllOpen()),
        replace(MANGO, name="mango-pu", selection=strategies.Uct()),
        Recipe(
            "mogo",
            selection=strategies.MogoRave(),
            knowledge=node_knowledge.MogoKnowledge(),
            playout=Mogo(),
        ),
        Recipe(
            "orego", selection=strategies.Uct(first_play=1.0), playout=Orego("fighting", best_of=4)
        ),
        Recipe(
            "orego-ordering",
            selection=strategies.MoveOrdering(),
            knowledge=node_knowledge.OregoKnowledge(),
            playout=Orego("fighting", best_of=1),
        ),
        Recipe(
            "omc",
            selection=strategies.Objective(),
            backup=strategies.ObjectiveBackup(),
            growth=strategies.AfterVisits(expand_at=1),
        ),
        Recipe("rave-uniform", selection=strategies.RaveMixture(rave_decay=0)),
        CLASSIC,
        replace(CLASSIC, name="montego", network=network.PolicyNetwork()),
    )
}
"""The recipes by name."""
