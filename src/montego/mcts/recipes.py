"""Recipes: the programs of the papers, and our own, as data."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from montego.kernels.tree.knowledge import knowledge_address
from montego.kernels.tree.strategy import STRATEGY
from montego.mcts import rules
from montego.mcts.learned import SHIPPED, Learned
from montego.mcts.playouts import Expert, Mango, Mogo, Orego, Playout, Uniform
from montego.mcts.ranges import BOOLEANS

PARTS = ("selection", "open", "growth", "backup", "knowledge", "playout", "final", "learned")


@dataclass(frozen=True)
class Recipe:
    """A whole search: one rule for every part."""

    name: str
    selection: rules.Selection = field(default_factory=rules.Uct)
    open: rules.Rule = field(default_factory=rules.AllOpen)
    growth: rules.Rule = field(default_factory=rules.AfterVisits)
    backup: rules.Rule = field(default_factory=rules.Average)
    knowledge: rules.Rule = field(default_factory=rules.NoKnowledge)
    playout: Playout = field(default_factory=Uniform)
    final: rules.Final = field(default_factory=rules.Robust)
    learned: Learned = SHIPPED

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
            rule = replace(getattr(recipe, part), **{number: _like(known[name], name, value)})
            recipe = replace(recipe, **{part: rule})
        return recipe


def _like(model: Any, name: str, value: Any) -> Any:
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


MANGO_BIAS = rules.ProgressiveBias()
MANGO = Recipe(
    "mango",
    selection=MANGO_BIAS,
    open=rules.Unpruning(),
    growth=rules.Threshold(),
    knowledge=rules.MangoKnowledge(),
    playout=Mango(),
)

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("uct"),
        MANGO,
        replace(MANGO, name="mango-plain", selection=rules.Uct(), open=rules.AllOpen()),
        replace(MANGO, name="mango-pb", open=rules.AllOpen()),
        replace(MANGO, name="mango-pu", selection=rules.Uct()),
        Recipe(
            "mogo",
            selection=rules.MogoRave(),
            knowledge=rules.MogoKnowledge(),
            playout=Mogo(),
        ),
        Recipe("orego", selection=rules.Uct(first_play=1.0), playout=Orego("fighting", best_of=4)),
        Recipe(
            "orego-ordering",
            selection=rules.MoveOrdering(),
            knowledge=rules.OregoKnowledge(),
            playout=Orego("fighting", best_of=1),
        ),
        Recipe(
            "omc",
            selection=rules.Objective(),
            backup=rules.ObjectiveBackup(),
            growth=rules.AfterVisits(expand_at=1),
        ),
        Recipe("rave-uniform", selection=rules.RaveMixture(rave_decay=0)),
        Recipe(
            "montego",
            selection=rules.RaveMixture(),
            growth=rules.AfterVisits(expand_at=2),
            knowledge=rules.LearnedGames(),
            playout=Expert(),
        ),
    )
}
"""The recipes by name."""
