"""Games that a network plays against itself, thousands in step; needs PyTorch."""

from __future__ import annotations

import numpy as np

from tests.knowledge.against_itself import needs_torch, outcomes_of


@needs_torch
def test_games_of_a_network_against_itself() -> None:
    outcomes = outcomes_of(7, 40)
    examples = outcomes.examples
    assert len(outcomes) == len(examples) > 100
    assert outcomes.scores.shape == (40, 8)
    assert outcomes.owners.shape == (40, 49)
    assert np.abs(outcomes.owners).max() == 8
    assert (outcomes.owners.sum(axis=1) == outcomes.scores.sum(axis=1)).all()
    own_stones = ((examples.codes > 0) & (examples.codes < 5)).sum(axis=1)
    assert own_stones[examples.numbers > 20].min() > 3
    assert (np.diff(np.unique(outcomes.games)) >= 1).all()
    assert 0.1 < (outcomes.scores > 7.5).mean() < 0.9


@needs_torch
def test_playouts_agree_who_has_won_when_a_game_is_stopped() -> None:
    outcomes = outcomes_of(9, 40, seed=3)
    assert np.abs(np.sign(outcomes.scores - 7.5).mean(axis=1)).mean() > 0.95
    assert outcomes.examples.numbers.max() < 0.85 * 81


@needs_torch
def test_one_that_looks_ahead_tells_what_it_found() -> None:
    outcomes = outcomes_of(7, 20, ahead=5)
    assert outcomes.candidates.shape == outcomes.chances.shape == (len(outcomes), 5)
    chances = outcomes.chances.astype(float)
    assert (chances.sum(axis=1) < 1.001).all()
    assert chances.sum(axis=1).mean() > 0.5
    there = outcomes.candidates >= 0
    codes = np.take_along_axis(outcomes.examples.codes, outcomes.candidates.clip(min=0), axis=1)
    assert (codes[there] == 0).all()
    assert (chances[~there] == 0).all()
    played = outcomes.candidates == outcomes.examples.targets[:, None]
    assert played.any(axis=1).all()
    assert chances[played].mean() > chances[there & ~played].mean() + 0.2
