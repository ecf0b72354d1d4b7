"""Rules of the papers, written out once more from their text, on children made by hand.

Children without visits, with one, and shut ones are among them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from scipy.stats import chisquare

from montego.mcts import strategies
from tests.kernels.tree.children import Child, Tree, some_children

SEEDS = range(8)
DRAWS = 20_000


def check_shares(counts: Sequence[int], weights: Sequence[float]) -> None:
    """Whether something was drawn in proportion to weights (chi-square, fixed seeds)."""
    expected = [sum(counts) * weight / sum(weights) for weight in weights]
    assert all(count == 0 for count, e in zip(counts, expected, strict=True) if e == 0)
    common = [i for i, e in enumerate(expected) if e >= 5]
    observed = [counts[i] for i in common] + [sum(counts) - sum(counts[i] for i in common)]
    wanted = [expected[i] for i in common] + [sum(counts) - sum(expected[i] for i in common)]
    if wanted[-1] < 5:
        observed[-2:], wanted[-2:] = [sum(observed[-2:])], [sum(wanted[-2:])]
    assert len(observed) == 1 or chisquare(observed, wanted).pvalue > 1e-4


# --- P1, P7, P11, H4 and T5: the largest score -----------------------------------------


def uct_score(child: Child, n_p: int, rule: strategies.Uct) -> float:
    """P1 (2.1); a move that was not tried comes first."""
    if child.n == 0:
        return rule.first_play
    return child.mean + rule.c * math.sqrt(math.log(n_p) / child.n)


def bias_score(child: Child, n_p: int, rule: strategies.ProgressiveBias) -> float:
    """P7 (3.2): without games the mean is 0, and M = 100 stands for the square root."""
    mean = child.mean if child.n else 0.0
    root = math.sqrt(math.log(n_p) / child.n) if child.n else 100.0
    return mean + rule.c * root + rule.bias_scale * child.h / (child.n + 1)


def ordered_score(child: Child, n_p: int, rule: strategies.MoveOrdering) -> float:
    """H4: without games the value is 1 + c h."""
    if child.n == 0:
        return 1.0 + rule.bias_scale * child.h
    return child.mean + rule.c * math.sqrt(math.log(n_p) / child.n)


def alpha_score(child: Child, n_p: int, rule: strategies.UctAlpha) -> float:
    """(1.2); an arm that was not tried comes first."""
    if child.n == 0:
        return math.inf
    return child.mean + rule.alpha * math.sqrt(math.log(n_p) / child.n)


def tuned_score(child: Child, n_p: int, rule: strategies.UctTuned) -> float:
    """UCB1-tuned of Auer et al., on rewards in [0, 1]."""
    if child.n == 0:
        return math.inf
    rewards = [(result + 1) / 2 for result in child.results]
    mean = sum(rewards) / child.n
    variance = sum(reward**2 for reward in rewards) / child.n - mean**2
    bound = variance + math.sqrt(2 * math.log(n_p) / child.n)
    return mean + rule.c * math.sqrt(math.log(n_p) / child.n * min(1 / 4, bound))


def prior_score(child: Child, n_p: int, rule: strategies.PriorKnowledge) -> float:
    """(5.4): a move without games has n_prior games of value Q."""
    games = child.n + rule.n_prior
    mean = (sum(child.results) + rule.n_prior * child.q) / games
    return mean + rule.c * math.sqrt(math.log(n_p) / games)


@pytest.mark.parametrize("are_all_tried", [False, True])
@pytest.mark.parametrize(
    ("rule", "score"),
    [
        (strategies.Uct(), uct_score),
        (strategies.Uct(c=0.2, first_play=0.6), uct_score),
        (strategies.ProgressiveBias(), bias_score),
        (strategies.ProgressiveBias(c=0.0, bias_scale=0.2), bias_score),
        (strategies.MoveOrdering(), ordered_score),
        (strategies.MoveOrdering(c=0.1, bias_scale=0.002), ordered_score),
        (strategies.UctAlpha(0.3), alpha_score),
        (strategies.UctTuned(), tuned_score),
        (strategies.UctTuned(c=0.2), tuned_score),
        (strategies.PriorKnowledge(), prior_score),
        (strategies.PriorKnowledge(c=0.1, n_prior=3), prior_score),
        (strategies.PriorKnowledge(c=2.0, n_prior=0.5), prior_score),
    ],
    ids=lambda v: getattr(v, "__name__", str(v)),
)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_largest_score(rule, score, seed, are_all_tried) -> None:  # type: ignore[no-untyped-def]
    children = some_children(seed, longest=60)
    if are_all_tried:
        children = [child for child in children if child.n]
    tree = Tree(children, rule)
    scores = [-math.inf if c.is_shut else score(c, tree.n_p, rule) for c in children]
    assert scores[tree.chosen()] == pytest.approx(max(scores), abs=1e-5)


def test_a_good_prior_comes_before_moves_that_were_tried() -> None:
    children = [Child((0.0,) * 50), Child(q=0.9), Child(q=-0.9)]
    assert Tree(children, strategies.PriorKnowledge(c=0.1)).chosen() == 1
    assert Tree(children[::2], strategies.PriorKnowledge(c=0.1)).chosen() == 0


# --- O4 and O5: Objective Monte Carlo --------------------------------------------------


def urgencies(children: Sequence[Child], shift: float) -> list[float]:
    """Algorithm 1: erfc((Obj - V) / (sqrt(2) sigma)), sigma that of the mean V."""
    objective = max(c.mean for c in children if c.n and not c.is_shut) + shift
    return [
        0.0 if c.is_shut
        else 1.0 if c.n == 0  # nothing is known: sigma is infinite, and erfc(0) is 1
        else math.erfc((objective - c.mean) / (math.sqrt(2) * c.sigma / math.sqrt(c.n)))
        for c in children
    ]  # fmt: skip


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("shift", [0.0, 0.15, -0.15])
@pytest.mark.parametrize("seed", [1, 2])
def test_objective_draws_by_urgency(seed: int, shift: float, depth: int) -> None:
    children = some_children(seed)
    tree = Tree(children, strategies.Objective(shift))
    at_work = shift if depth == 1 else 0.0  # the opponent's objective
    check_shares(tree.shares(DRAWS, depth), urgencies(children, at_work))


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("shift", [0.0, 0.3, -0.3])
@pytest.mark.parametrize("seed", SEEDS)
def test_objective_backup(seed: int, shift: float, depth: int) -> None:
    """Algorithm 2: sum U V N / sum U N, by the objective of the selection."""
    children = some_children(seed)
    found = urgencies(children, shift if depth == 1 else 0.0)
    tried = [(u * c.n, c.mean) for u, c in zip(found, children, strict=True) if c.n]
    expected = sum(w * v for w, v in tried) / sum(w for w, _ in tried)
    value = Tree(children, strategies.Objective(shift)).value(depth)
    assert value == pytest.approx(expected, abs=1e-5)


def test_a_higher_objective_of_the_opponent_is_more_secure() -> None:
    """The paper's example: the opponent's moves are overestimated, and the dangerous ones among
    them, the best and the least known, are looked at more often."""
    games = tuple(0.1 * (i % 5 - 2) for i in range(20))
    children = [Child(tuple(g + 0.06 * place for g in games)) for place in range(-2, 3)]
    values, best = [], []
    for shift in (-0.2, -0.1, 0.0, 0.1, 0.2):
        tree = Tree(children, strategies.Objective(shift))
        values.append(tree.value(depth=1))
        best.append(tree.shares(4_000, depth=1)[-1])
        assert tree.value(depth=0) == pytest.approx(Tree(children, strategies.Objective()).value())
    assert values == sorted(values)
    assert values[-1] > values[0] + 0.02
    assert best == sorted(best)


def test_an_objective_out_of_reach_is_the_nearest_child_s() -> None:
    """All urgencies are 0 to the last digit: their ratios still have a limit."""
    sure = Child((0.3, 0.32) * 500)
    unsure = Child((0.9, -0.9) * 500)
    children = [sure, unsure, Child((0.1, 0.12) * 500), Child((0.99,), is_shut=True)]
    tree = Tree(children, strategies.Objective(2.0))
    assert max(urgencies(children, 2.0)) == 0.0
    assert {tree.chosen(depth=1) for _ in range(100)} == {1}
    assert tree.value(depth=1) == pytest.approx(unsure.mean, abs=1e-6)


# --- O2: progressive pruning -----------------------------------------------------------


def pruned(children: Sequence[Child], rule: strategies.ProgressivePruning) -> set[int]:
    """Whose upper bound is below the lower bound of the best move."""
    trusted = {i: c for i, c in enumerate(children) if c.n >= rule.enough_to_prune}
    open_ = [c for c in trusted.values() if not c.is_shut]
    if not open_:
        return set()
    best = max(open_, key=lambda c: c.mean)
    lower = best.mean - best.sigma * rule.confidence / math.sqrt(best.n)
    return {
        i for i, c in trusted.items()
        if c.mean + c.sigma * rule.confidence / math.sqrt(c.n) < lower
    }  # fmt: skip


@pytest.mark.parametrize("enough", [1, 2, 10, 25, 100])
@pytest.mark.parametrize("confidence", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_pruning(seed: int, confidence: float, enough: int) -> None:
    children = some_children(seed)
    if seed % 2:
        children = [child for child in children if child.n]
    rule = strategies.ProgressivePruning(confidence, enough)
    tree = Tree(children, rule)
    already = tree.shut()
    least = min((c.n, i) for i, c in enumerate(children) if not c.is_shut)[1]
    assert tree.chosen() == least  # siblings are sampled equally
    assert tree.shut() == (pruned(children, rule) | already) - {least}


# --- O3: simulated annealing -----------------------------------------------------------


def kept(children: Sequence[Child], temperature: float, by_first: bool) -> list[float]:
    """The probability that a random move is kept: 1 if nothing is better, else e^(-dE / T)."""

    def energy(child: Child) -> float | None:
        results = child.as_first if by_first and child.as_first else child.results
        return sum(results) / len(results) if results else None

    energies = [energy(child) for child in children]
    best = max(
        e for e, c in zip(energies, children, strict=True) if e is not None and not c.is_shut
    )
    return [
        0.0 if c.is_shut else 1.0 if e is None else math.exp(-(best - e) / temperature)
        for e, c in zip(energies, children, strict=True)
    ]


@pytest.mark.parametrize("temperature", [0.02, 0.3, 100.0])
@pytest.mark.parametrize("kind", [strategies.Annealing, strategies.AmafAnnealing])
@pytest.mark.parametrize("seed", [1, 2])
def test_annealing(seed: int, kind: type[strategies.Annealing], temperature: float) -> None:
    children = some_children(seed)
    rule = kind(temperature=temperature, cooling=500.0)
    tree = Tree(children, rule)
    now = temperature * math.exp(-tree.n_p / 500.0)
    check_shares(tree.shares(DRAWS), kept(children, now, kind is strategies.AmafAnnealing))


def test_a_cold_annealing_plays_in_the_order_of_all_moves_as_first() -> None:
    children = [Child((0.9,), (0.1, 0.2)), Child((-0.5,), (0.8, 0.6)), Child((0.7,), (0.3,))]
    cold = strategies.AmafAnnealing(temperature=1e-6)
    order = []
    while children:
        place = Tree(children, cold).chosen()
        order.append(children.pop(place).as_first[0])
    assert order == [0.8, 0.3, 0.1]
    pair = [Child((0.9,), (0.1,)), Child((0.5,), (0.8,))]
    assert Tree(pair, cold).chosen() == 1
    assert Tree(pair, strategies.Annealing(temperature=1e-6)).chosen() == 0
