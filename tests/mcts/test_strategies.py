"""Selection and backup on real trees, against formulas written out again (P1-P5, T7, T12)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from montego.go import Position, Rules, vertex
from montego.kernels.tree.select import select_child
from montego.kernels.tree.tree import ONE, ROOT, SHUT
from montego.mcts import node_knowledge, strategies
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.search import LocalSearch
from tests.kernels.exposed import exposed
from tests.positions import random_position

select = exposed(select_child)
POSITIONS = [(5, 4), (7, 10), (9, 30)]


def children(search: LocalSearch, node: int = ROOT) -> list[Any]:
    """The child records of a node, in their order."""
    pool, found = search.pool, []
    child = int(pool[node]["first_child"])
    while child:
        found.append(pool[child])
        child = int(pool[child]["sibling"])
    return found


def searched(recipe: Recipe, size: int, moves: int, simulations: int = 700) -> LocalSearch:
    search = LocalSearch(recipe, memory_mb=64, seed=5)
    search.run(random_position(size, moves, seed=1), Budget(simulations=simulations))
    return search


def uct(c: Any, log_n: float, r: Any) -> float:
    return float(c["value"] + r["c"] * math.sqrt(log_n / c["visits"]))


def rave_mean(c: Any) -> float:
    return float(c["rave_total"] / ONE / c["rave_visits"])


def rate(value: float) -> float:
    return (1 + value) / 2


def rave(c: Any, log_n: float, r: Any, gamma: float = 0.0) -> float:
    """T7, in rates; gamma is what MoGo's other reading takes from the weight of the mean."""
    n, n_rave = int(c["visits"]), int(c["rave_visits"])
    beta = n_rave / (n_rave + n + r["rave_bias"] * n * n_rave) if n_rave else 0.0
    mean = rate(c["value"]) if n else r["first_play"]
    transient = beta * rate(rave_mean(c)) if n_rave else 0.0
    exploration = 0.0
    if r["c"] > 0:
        exploration = r["c"] * math.sqrt(log_n / n) if n else 1e6
    return float((1 - beta - gamma) * mean + transient + exploration)


def mogo(c: Any, log_n: float, r: Any) -> float:
    """T12."""
    h = r["bias_scale"] * c["h"]
    gamma = r["gamma"] / max(c["rave_visits"], 1)
    weight = gamma + r["bias_c"] / math.log(2 + c["visits"])
    return rave(c, log_n, r, gamma if r["less_gamma"] else 0.0) + float(weight * h)


def mixture(c: Any, log_n: float, r: Any) -> float:
    n, n_rave = c["visits"] + c["prior"], c["rave_visits"]
    v = (c["value"] * c["visits"] + c["prior"] * c["q"]) / n
    beta = n_rave / (n_rave + n + r["rave_bias"] * n * n_rave)
    return float((1 - beta) * v + beta * rave_mean(c))


FORMULAS: list[tuple[strategies.Selection, Callable[[Any, float, Any], float]]] = [
    (strategies.Uct(), uct),
    (strategies.UctAlpha(), lambda c, ln, r: c["value"] + r["alpha"] * math.sqrt(ln / c["visits"])),
    (
        strategies.ProgressiveBias(),
        lambda c, ln, r: uct(c, ln, r) + r["bias_scale"] * c["h"] / (c["visits"] + 1),
    ),
    (
        strategies.PriorKnowledge(),
        lambda c, ln, r: (
            (c["value"] * c["visits"] + r["n_prior"] * c["q"]) / (c["visits"] + r["n_prior"])
            + r["c"] * math.sqrt(ln / (c["visits"] + r["n_prior"]))
        ),
    ),
    (strategies.Rave(), rave),
    (strategies.Rave(c=0.3), rave),
    (strategies.MogoRave(), mogo),
    (strategies.MogoRave(c=0.1, less_gamma=True), mogo),
    (strategies.RaveMixture(), mixture),
    (strategies.MoveOrdering(), uct),
]


@pytest.mark.parametrize(("selection", "formula"), FORMULAS, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize(("size", "moves"), POSITIONS)
def test_the_largest_score_is_selected(
    selection: strategies.Selection,
    formula: Callable[[Any, float, Any], float],
    size: int,
    moves: int,
) -> None:
    knowledge = node_knowledge.VirtualGames()
    recipe = Recipe("test", selection=selection, knowledge=knowledge)
    search = searched(recipe, size, moves)
    record, pool = search._strategy, search.pool
    log_n = math.log(pool[ROOT]["visits"])
    chosen = pool[int(select(record, pool, search.workspaces[0].work, ROOT))]
    tried = [c for c in children(search) if c["visits"] > 0]
    tried = [c for c in tried if not record["rave"] or c["rave_visits"] > 0]
    assert chosen["visits"] > 0
    best = max(formula(c, log_n, record) for c in tried)
    assert formula(chosen, log_n, record) == pytest.approx(best, abs=1e-6)


RAVE_RULES = [(rule, formula) for rule, formula in FORMULAS if formula in (rave, mogo)]


@pytest.mark.parametrize(("selection", "formula"), RAVE_RULES, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("simulations", [3, 20, 60, 700])
def test_rave_with_and_without_visits(
    selection: strategies.Selection,
    formula: Callable[[Any, float, Any], float],
    simulations: int,
) -> None:
    """T7, T12: all children, a pass and those that were never tried included."""
    recipe = Recipe("test", selection=selection, knowledge=node_knowledge.MogoKnowledge())
    search = searched(recipe, 7, 10, simulations)
    record, pool = search._strategy, search.pool
    log_n = math.log(pool[ROOT]["visits"])
    chosen = pool[int(select(record, pool, search.workspaces[0].work, ROOT))]
    best = max(formula(c, log_n, record) for c in children(search))
    assert formula(chosen, log_n, record) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("selection", [strategies.Rave(c=0.01), strategies.MogoRave(c=0.01)])
def test_with_exploration_rave_tries_every_move(selection: strategies.Selection) -> None:
    search = LocalSearch(Recipe("test", selection=selection), memory_mb=64, seed=5)
    search.run(Position.start(9), Budget(simulations=200))
    assert [c["visits"] > 0 for c in children(search)] == [True] * 81


def test_mogo_does_not_pass_because_it_is_behind() -> None:
    """A pass has no RAVE of its own; that must not make it better than moves that have it."""
    lost = Position.from_diagram(
        """
        . . O . O . .
        . O O O O O .
        O O . . . O O
        . . . X . . .
        O O . . . O O
        . O O O O O .
        . . O . O . .
        """,
        rules=Rules(komi=9.5),
    )
    search = LocalSearch(RECIPES["mogo"], memory_mb=64, seed=1)
    found = search.run(lost, Budget(simulations=2000))
    visits = {vertex(int(c["move"]), 7): int(c["visits"]) for c in children(search)}
    assert found.value < 0.2
    assert "pass" in visits
    assert visits["pass"] < 200  # nine moves share nearly all of the visits


@pytest.mark.parametrize(
    "selection", [strategies.ProgressiveBias(), strategies.MoveOrdering()], ids=repr
)
def test_untried_children_come_in_the_order_of_h(selection: strategies.Selection) -> None:
    recipe = Recipe("test", selection=selection, knowledge=node_knowledge.MangoKnowledge())
    search = searched(recipe, 9, 20, simulations=25)
    found = children(search)
    values = [c["h"] for c in found]
    assert values == sorted(values, reverse=True)
    assert [c["visits"] > 0 for c in found] == sorted(
        (c["visits"] > 0 for c in found), reverse=True
    )


@pytest.mark.parametrize(
    ("heuristic", "first", "h"), [("capture", "D5", 1.0), ("fighting", "D5", -1.0)]
)
def test_oregos_heuristics_order_the_moves(heuristic: str, first: str, h: float) -> None:
    recipe = RECIPES["orego-ordering"].with_parameters({"knowledge.heuristic": heuristic})
    position = Position.from_diagram(
        """
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        to_play="white",
    )
    search = LocalSearch(recipe, memory_mb=1)
    search.run(position, Budget(simulations=1))
    found = children(search)
    assert (vertex(int(found[0]["move"]), 7), found[0]["h"]) == (first, h)
    assert found[0]["visits"] == 1
    assert min(c["h"] for c in found) >= -16


def test_unpruning_keeps_the_rest_closed() -> None:
    search = searched(RECIPES["mango-pu"], 9, 20, simulations=400)
    visited = [c["visits"] > 0 for c in children(search)]
    # P8: 50 * 1.3^7 = 313.7 < 400 <= 50 * 1.3^8, so 5 + 7 are open
    assert visited == [True] * 12 + [False] * (len(visited) - 12)


def test_pruning_shuts_only_what_is_surely_worse() -> None:
    search = searched(Recipe("test", selection=strategies.ProgressivePruning()), 7, 12, 6000)
    found = children(search)
    shut = [c for c in found if c["flags"] & SHUT]
    open_ = [c for c in found if not c["flags"] & SHUT]
    assert shut
    assert open_
    counts = [c["visits"] for c in open_]
    assert max(counts) - min(counts) <= 1  # siblings are sampled equally
    assert max(c["value"] for c in shut) < max(c["value"] for c in open_)


def test_pruned_moves_have_no_say_in_the_value() -> None:
    hasty = strategies.ProgressivePruning(confidence=0.5, enough_to_prune=2)
    recipe = Recipe(
        "test", selection=hasty, backup=strategies.Minimax(), growth=strategies.AfterVisits(1 << 30)
    )
    search = searched(recipe, 7, 12, 3000)
    root, found = search.pool[ROOT], children(search)
    open_ = [c["value"] for c in found if not c["flags"] & SHUT]
    shut = [c["value"] for c in found if c["flags"] & SHUT]
    assert max(shut) > max(open_)  # what a few lucky games said of them stands for ever
    assert root["value"] == pytest.approx(-max(open_), abs=1e-6)


def test_objective_draws_by_urgency() -> None:
    search = searched(Recipe("test", selection=strategies.Objective()), 5, 6, 3000)
    record, pool, work = search._strategy, search.pool, search.workspaces[0].work
    found = [c for c in children(search) if c["visits"] > 1]
    best = max(c["value"] for c in found)
    weights = {}
    for c in found:
        variance = max(c["squares"] / c["visits"] - c["value"] ** 2, 1e-4)
        sigma = math.sqrt(variance / c["visits"])
        weights[int(c["move"])] = math.erfc((best - c["value"]) / (math.sqrt(2) * sigma))
    draws = [int(pool[int(select(record, pool, work, ROOT))]["move"]) for _ in range(8000)]
    for move, weight in weights.items():
        share = weight / sum(weights.values())
        assert draws.count(move) / 8000 == pytest.approx(share, abs=0.03)


def test_annealing_cools_down_to_the_best() -> None:
    warm, cold = (
        searched(Recipe("test", selection=strategies.Annealing(cooling=cooling)), 5, 6, 3000)
        for cooling in (1e9, 200.0)
    )
    spread = [np.std([c["visits"] for c in children(search)]) for search in (warm, cold)]
    assert spread[1] > 2 * spread[0]


@pytest.mark.parametrize(
    "backup", [strategies.Average(), strategies.ObjectiveBackup(), strategies.Minimax()]
)
def test_backups(backup: strategies.Strategy) -> None:
    recipe = Recipe("test", backup=backup, growth=strategies.AfterVisits(1))
    search = searched(recipe, 5, 4, 2000)
    pool = search.pool
    root, found = pool[ROOT], [c for c in children(search) if c["visits"] > 0]
    values = np.array([c["value"] for c in found])
    if isinstance(backup, strategies.Average):
        expected = root["total"] / ONE / root["visits"]
    elif isinstance(backup, strategies.Minimax):
        expected = -values.max()
    else:
        visits = np.array([c["visits"] for c in found], dtype=float)
        squares = np.array([c["squares"] for c in found], dtype=float)
        means = np.array([c["total"] for c in found]) / ONE / visits
        sigma = np.sqrt(np.maximum(squares / visits - means**2, 1e-4) / visits)
        sigma[visits < 2] = 1.0
        urgencies = [
            math.erfc((values.max() - v) / (math.sqrt(2) * s))
            for v, s in zip(values, sigma, strict=True)
        ]
        expected = -np.average(values, weights=np.array(urgencies) * visits)
    assert root["value"] == pytest.approx(expected, abs=1e-6)


def test_a_threshold_leaves_the_choice_to_the_simulation_strategy() -> None:
    plain = replace(RECIPES["mango-plain"], growth=strategies.Threshold(30))
    search = searched(plain, 9, 10, simulations=2000)
    pool = search.pool
    for child in children(search):
        grandchildren = int(child["children"])
        assert (grandchildren > 0) == (child["visits"] >= 30) or child["visits"] == 30
    singles = [c for c in children(search) if 1 < c["visits"] < 30]
    for child in singles:  # P3: one node a game
        first, count = int(child["first_child"]), 0
        while first:
            count += 1
            first = int(pool[first]["sibling"])
        assert 1 <= count <= child["visits"]


@pytest.mark.parametrize(
    ("recipe", "change"),
    [
        ("montego", "selection.c=nan"),
        ("montego", "selection.c=-1"),
        ("montego", "selection.c=inf"),
        ("montego", "selection.rave_bias=1e300"),
        ("montego", "growth.expand_at=0"),
        ("montego", "playout.race=nan"),
        ("montego", "playout.veto=2"),
        ("mango", "open.unprune_b=1"),
        ("mango", "open.k_init=0"),
        ("mango", "growth.threshold=-5"),
        ("mogo", "knowledge.hane=nan"),
        ("mogo", "knowledge.hane=1e9"),
        ("omc", "selection.objective_shift=3"),
    ],
)
def test_numbers_out_of_range_are_refused(recipe: str, change: str) -> None:
    name, _, value = change.partition("=")
    with pytest.raises(ValueError, match=f"{name.partition('.')[2]} has to be between"):
        RECIPES[recipe].with_parameters({name: value})


def test_a_final_move_has_a_range_too() -> None:
    with pytest.raises(ValueError, match="a has to be between"):
        strategies.Secure(a=float("nan"))
    with pytest.raises(ValueError, match="extension has to be between"):
        strategies.RobustMax(extension=-1)
