"""The elite of a search by TAG: which trials are in it, and how random paths learn from it."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings, strategies as st

from montego.planning import Tag, TagSettings, Trial, optimise
from tests.planning.test_tag import random_dag


@given(seed=st.integers(0, 10_000), exact=st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_elite_are_the_best_and_their_paths_lead_to_their_sinks(seed: int, exact: bool) -> None:
    graph, rng = random_dag(seed, 60), Random(seed)
    tag = Tag(
        (0, graph.__getitem__), seed=seed, deterministic=exact, settings=TagSettings(s=4, elite=5)
    )
    out: list[Trial] = []
    for _ in range(60):
        trial = tag.ask()
        out += [] if trial is None else [trial]
        if out and rng.random() < 0.6:
            told = out.pop(rng.randrange(len(out)))
            if rng.random() < 0.1:
                tag.fail(told, "bad luck")
            else:
                tag.tell(told, (told.sink * 7919) % 101)
    best = [trial for _, _, trial in tag.elite.best]
    done = sorted(t.reward for t in tag.trials if t.reward is not None)
    assert sorted(t.reward for t in best if t.reward is not None) == done[-5:]
    assert {t.number for t in tag.trials if t.path} <= {t.number for t in [*best, *out]}
    taken: dict[tuple[int, int, int], int] = {}
    for trial in [*best, *out]:
        vertex = 0
        for depth, (edges, index) in enumerate(trial.path):
            assert len(graph[vertex]) == edges
            vertex = graph[vertex][index]
            if trial in best:
                taken[depth, edges, index] = taken.get((depth, edges, index), 0) + 1
        assert vertex == trial.sink
    assert {key: count for key, count in tag.elite.taken.items() if count} == taken


def test_random_paths_follow_the_elite() -> None:
    def successors(word: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [] if len(word) == 12 else [(*word, digit) for digit in range(4)]

    def reached(elite: int) -> float:
        settings = TagSettings(elite=elite)
        found = [
            optimise(
                ((), successors), sum, evaluations=150, seed=seed, settings=settings
            ).best_value
            for seed in range(5)
        ]
        return sum(value for value in found if value is not None) / len(found)

    assert reached(10) > reached(0) + 2
