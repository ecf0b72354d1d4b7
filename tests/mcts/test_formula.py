"""The parts of a score add up to what the search computes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from montego.kernels.tree.select import score
from montego.kernels.tree.tree import NODE, ONE
from montego.mcts import strategies as s
from montego.mcts.formula import PARTS, UNTRIED, Child, parts_of_score
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.rules import RULES
from tests.kernels.exposed import exposed

KERNEL = exposed(score)
LOG_N_P = math.log(900)
NODE_V = 0.125
SCORED = [rule.value for rule in RULES["selection"].values() if type(rule.value) in PARTS]
CHANGED = [s.MogoRave(less_gamma=True), s.MogoRave(c=0.3), s.Rave(c=0.2), s.RaveMixture(c=0.1),
           s.RaveMixture(puct=0.7)]  # fmt: skip


def node(visits: int, rave_visits: int, prior: float) -> Any:
    made = np.zeros(1, dtype=NODE)
    made["visits"], made["value"] = visits, 0.25 if visits else 0.0
    made["total"], made["squares"] = int(0.25 * visits * ONE), 0.8 * visits
    made["rave_visits"], made["rave_total"] = rave_visits, int(-0.125 * rave_visits * ONE)
    made["h"], made["q"], made["prior"] = 0.5, 0.375, prior
    return made


def by_kernel(rule: s.Selection, nodes: Any) -> float:
    recipe = Recipe("x", selection=rule, knowledge=RECIPES["montego"].knowledge)
    record = np.zeros(1, dtype=recipe.record().dtype)
    record[0] = recipe.record()
    untried = NODE_V - getattr(rule, "less_untried", 0.0)
    return float(KERNEL(record[0], nodes, 0, LOG_N_P, untried, rule.KIND))


@pytest.mark.parametrize("visits", [0, 1, 40])
@pytest.mark.parametrize("rave_visits", [0, 300])
@pytest.mark.parametrize("prior", [0.0, 12.0])
@pytest.mark.parametrize("rule", SCORED + CHANGED, ids=repr)
def test_the_parts_add_up(rule: s.Selection, visits: int, rave_visits: int, prior: float) -> None:
    child = Child(
        n=visits, v=0.25 if visits else 0.0, log_n_p=LOG_N_P, h=0.5, q=0.375, prior=prior,
        r=rave_visits, rave=-0.125, variance=max(0.8 - 0.0625, 1e-4) if visits >= 2 else 1.0,
        node_v=NODE_V,
    )  # fmt: skip
    parts = parts_of_score(rule, child)
    assert parts is not None
    assert sum(parts.values()) == pytest.approx(by_kernel(rule, node(visits, rave_visits, prior)))


def test_what_has_not_been_tried_says_so() -> None:
    assert parts_of_score(s.Uct(), Child(0, 0.0, LOG_N_P)) == {UNTRIED: 1000.0}


def test_a_rule_that_draws_has_no_score() -> None:
    assert parts_of_score(s.Objective(), Child(3, 0.1, LOG_N_P)) is None
