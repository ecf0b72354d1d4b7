"""Bandits against Lai and Robbins' bound; dynamic programming, with and without substructure."""

from __future__ import annotations

import math
from random import Random

import pytest

from montego.planning import (
    BANDITS,
    Grammar,
    PlanningError,
    ProblemError,
    SubstructureError,
    derive,
    shortest_path,
    solve,
    value_iteration,
)
from montego.planning.bandits import (
    Arm,
    RewardRange,
    divergence,
    lai_robbins,
    play,
    regret,
    threshold_ascent,
)
from tests.planning.problems import Circle, Walk

FIGURE_1_4 = {
    "A": {"B": 3, "C": 4, "D": 6},
    "B": {"E": 2, "F": 5},
    "C": {"E": 7, "F": 1},
    "D": {"E": 6, "F": 4},
    "E": {"G": 2},
    "F": {"G": 3},
}


def coins(*means: float) -> list[object]:
    return [lambda rng, p=p: float(rng.random() < p) for p in means]


@pytest.mark.parametrize("name", ["ucb1", "ucb-alpha", "ucb-tuned", "thompson"])
def test_regret_grows_slower_than_the_pulls(name: str) -> None:
    means = (0.8, 0.5, 0.4)
    lost = regret(play(name, coins(*means), 3000, seed=1), means)  # type: ignore[arg-type]
    assert lost[-1] < 0.1 * 3000 * (0.8 - 0.55)  # a tenth of what chance loses
    assert lost[-1] - lost[1499] < lost[1499]


def test_lai_and_robbins_by_hand() -> None:
    d = 0.5 * math.log(0.5 / 0.8) + 0.5 * math.log(0.5 / 0.2)
    assert divergence(0.5, 0.8) == pytest.approx(d)
    assert lai_robbins((0.8, 0.5), 1000) == pytest.approx(0.3 / d * math.log(1000))


def test_threshold_ascent_by_hand() -> None:
    assert threshold_ascent(5, 10, 2.0) == pytest.approx((5 + 2 + math.sqrt(20 + 4)) / 10)


def test_threshold_ascent_looks_for_the_highest_reward() -> None:
    """A steady arm of 0.6 and one that is mostly 0, but 1 now and then."""
    arms = [lambda rng: 0.6, lambda rng: float(rng.random() < 0.1)]
    for_the_mean = play("ucb-tuned", arms, 2000, seed=2)
    for_the_best = play("threshold-ascent", arms, 2000, seed=2)
    assert for_the_mean.count(1) < 200
    assert for_the_best.count(1) > 500


def test_a_scale_that_is_learned() -> None:
    scale = RewardRange()
    assert scale.place(5.0) == 0.5
    scale.see(10.0)
    scale.see(20.0)
    assert scale.place(15.0) == 0.5
    assert scale.place(-10.0, sign=-1) == 1.0
    assert BANDITS["ucb1"].choose([Arm()], scale, Random(0)) == 0


def test_the_worked_example_of_the_thesis() -> None:
    """T3."""
    path = shortest_path(FIGURE_1_4, "A", "G")
    assert path.vertices == ["A", "B", "E", "G"]
    assert path.length == 7
    assert path.distances == {"G": 0, "E": 2, "F": 3, "B": 4, "C": 4, "D": 7, "A": 7}


def test_graphs_that_dynamic_programming_refuses() -> None:
    with pytest.raises(SubstructureError, match="cycle, B → E → B"):
        shortest_path(FIGURE_1_4 | {"E": {"G": 2, "B": -5}}, "A", "G")
    with pytest.raises(SubstructureError, match="length nan"):
        shortest_path({"A": {"B": math.nan}}, "A", "B")
    with pytest.raises(PlanningError, match="no path leads from 'G' to 'A'"):
        shortest_path(FIGURE_1_4, "G", "A")
    with pytest.raises(SubstructureError, match="value_iteration"):
        solve(Circle(), 0)


def test_a_markov_decision_process_with_cycles() -> None:
    solution = value_iteration(Walk(0.2), 0)
    assert solution.value(0) == pytest.approx(1 - 1 / (1 + 4**3))
    assert {solution.action(state) for state in range(-2, 3)} == {1}
    assert solution.action(3) is None
    with pytest.raises(ProblemError, match="cannot be reached from the one that was solved: 9"):
        solution.value(9)

    class Treadmill(Circle):
        def step(self, state: int, action: int, after: int) -> float:
            return 1.0

    with pytest.raises(SubstructureError, match="still change after 100 sweeps"):
        value_iteration(Treadmill(), 0, sweeps=100)


def test_derivation_is_right_where_parts_do_not_care_for_each_other() -> None:
    grammar = Grammar({"S": [["A", "A"], ["A", "B", "A"]], "A": [["1"], ["3"]], "B": [["2"]]}, "S")
    found = derive(grammar, lambda word: sum(map(int, word)), contexts=50)
    assert found.word == ("3", "2", "3")
    assert found.evaluations == 5

    def jealous(word: tuple[str, ...]) -> float:
        return -10 if word.count("3") > 1 else sum(map(int, word))

    with pytest.raises(SubstructureError, match="is the best 'A' alone"):
        derive(grammar, jealous, contexts=50)
