"""Recipes: the programs of the papers, and our own, as data."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from montego.kernels.tree.knowledge import knowledge_address
from montego.kernels.tree.strategy import STRATEGY
from montego.mcts import strategies
from montego.mcts.learned import SHIPPED, Learned
from montego.mcts.playouts import Expert, Mango, Mogo, Orego, Playout, Uniform
from montego.mcts.ranges import BOOLEANS

PARTS = ("selection", "open", "growth", "backup", "knowledge", "playout", "final", "learned")


@dataclass(frozen=True)
class Recipe:
    """A whole search: one rule for every part."""

    name: str
    selection: strategies.Selection = field(default_factory=strategies.Uct)
    open: strategies.Strategy = field(default_factory=strategies.AllOpen)
    growth: strategies.Strategy = field(default_factory=strategies.AfterVisits)
    backup: strategies.Strategy = field(default_factory=strategies.Average)
    knowledge: strategies.Strategy = field(default_factory=strategies.NoKnowledge)
    playout: Playout = field(default_factory=Uniform)
    final: strategies.Final = field(default_factory=strategies.Robust)
    learned: Learned = SHIPPED

    def __post_init__(self) -> None:
        for part in PARTS:
            rule = getattr(self, part)
            if isinstance(rule, type):
                raise ValueError(f"{part} of {self.name!r}: write {rule.__name__}(), a value")
            if callable(rule):
                name = getattr(rule, "__name__", repr(rule))
                raise ValueError(f"{part} of {self.name!r}: {name} is no rule yet: decorate it")

    def record(self, virtual_loss: float = 0.0) -> Any:
        """The search rules as kernels take them."""
        record = np.zeros(1, dtype=STRATEGY)[0]
        for rule in (self.selection, self.open, self.growth, self.backup, self.knowledge):
            for name, number in rule.numbers().items():
                record[name] = number
        record["virtual_loss"] = virtual_loss
        record["knower"] = knowledge_address()
        return record

    def parameters(self) -> dict[str, Any]:
        """All numbers by name, such as ``selection.c``."""
        return {
            f"{part}.{f.name}": getattr(getattr(self, part), f.name)
            for part in PARTS
            for f in fields(getattr(self, part))
        }

    def with_parameters(self, changes: dict[str, Any]) -> Recipe:
        """The same recipe with other numbers; values may be text."""
        recipe = self
        known = self.parameters()
        for name, value in changes.items():
            if name not in known:
                raise ValueError(f"{self.name} has no parameter {name!r}: {', '.join(known)}")
            part, _, number = name.partition(".")
            rule = replace(getattr(recipe, part), **{number: like(known[name], name, value)})
            recipe = replace(recipe, **{part: rule})
        return recipe


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


MANGO_BIAS = strategies.ProgressiveBias()
MANGO = Recipe(
    "mango",
    selection=MANGO_BIAS,
    open=strategies.Unpruning(),
    growth=strategies.Threshold(),
    knowledge=strategies.MangoKnowledge(),
    playout=Mango(),
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
            knowledge=strategies.MogoKnowledge(),
            playout=Mogo(),
        ),
        Recipe(
            "orego", selection=strategies.Uct(first_play=1.0), playout=Orego("fighting", best_of=4)
        ),
        Recipe(
            "orego-ordering",
            selection=strategies.MoveOrdering(),
            knowledge=strategies.OregoKnowledge(),
            playout=Orego("fighting", best_of=1),
        ),
        Recipe(
            "omc",
            selection=strategies.Objective(),
            backup=strategies.ObjectiveBackup(),
            growth=strategies.AfterVisits(expand_at=1),
        ),
        Recipe("rave-uniform", selection=strategies.RaveMixture(rave_decay=0)),
        Recipe(
            "montego",
            selection=strategies.RaveMixture(),
            growth=strategies.AfterVisits(expand_at=2),
            knowledge=strategies.LearnedGames(),
            playout=Expert(),
        ),
    )
}
"""The recipes by name."""
