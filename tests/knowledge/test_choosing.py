"""How a network chooses moves of many games: as it guesses, and by looking ahead; needs PyTorch."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from montego.kernels.features.planes import NO_MOVE
from tests.knowledge.against_itself import needs_torch, shipped_tower, torch

AREA = 49


def chooser(tower: Any, ahead: int) -> Any:
    from montego.knowledge.choosing import Chooser

    return Chooser(tower, ahead, seed=1)


def new_table(count: int) -> Any:
    from montego.knowledge.self_play import _Table

    table = _Table(7, count, (1, 7, 0), ThreadPoolExecutor(1), 1)
    table._in_parts(table._write, count)
    return table


def knowing_tower(point: int) -> Any:
    """One that guesses nothing, and knows that whoever has played a point has won."""

    class Knowing(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.nothing = torch.nn.Parameter(torch.zeros(1))

        def forward(self, planes: Any) -> Any:
            return torch.zeros(len(planes), AREA)

        def judge(self, planes: Any, given: Any) -> Any:
            stones = planes[:, :8].sum(dim=1).flatten(1)
            return -4.0 * stones[:, point], None, None

    return Knowing()


@needs_torch
def test_a_winning_move_that_is_seen_is_played() -> None:
    table, cool = new_table(64), np.zeros(64, bool)
    choice = chooser(knowing_tower(24), AREA).choose(table, cool, 0)
    assert (choice.moves == 24).all()
    at_center = choice.candidates == 24
    assert at_center.sum() == 64
    assert (choice.chances[at_center] > 0.99).all()
    seen = chooser(knowing_tower(24), 10).choose(table, cool, 0)
    saw_it = (seen.candidates == 24).any(axis=1)
    assert 0 < saw_it.sum() < 64
    assert ((seen.moves == 24) == saw_it).all()


@needs_torch
def test_where_it_is_hot_moves_are_drawn_as_guessed() -> None:
    table, hot = new_table(2000), np.ones(2000, bool)
    choice = chooser(knowing_tower(24), AREA).choose(table, hot, 0)
    assert not choice.chances.any()
    assert (choice.candidates == NO_MOVE).all()
    free = table.hints[0] > 0
    drawn = np.bincount(choice.moves, minlength=AREA)[free]
    assert drawn.min() > 0.3 * 2000 / free.sum()
    assert drawn.max() < 2.0 * 2000 / free.sum()


@needs_torch
@pytest.mark.parametrize("number", [0, 1])
def test_chances_are_those_of_the_formula(number: int) -> None:
    """Guess and value of every child, by the forward pass that plays."""
    from montego.knowledge.choosing import KOMI, TRUST
    from montego.knowledge.examples import Examples
    from montego.knowledge.network import find_network, packed
    from tests.kernels.net.plain import compiled_forward

    def planes(positions: Any, i: int) -> Any:
        codes, hints, recent = positions
        nothing = np.zeros(len(codes), np.int16)
        return Examples(7, codes, hints, recent, nothing, nothing).planes(i)

    table, network = new_table(1), packed(find_network("32x2"))
    if number:
        table._move(np.array([10], np.int16), None, 0, 1)
        table._in_parts(table._write, 1)
    choice = chooser(shipped_tower(), 6).choose(table, np.zeros(1, bool), number)
    logits, _ = compiled_forward(network, planes((table.codes, table.hints, table.recent), 0))
    logits = np.where((table.codes[0] == 0) & (table.hints[0] > 0), logits.ravel(), -np.inf)
    children = table.children(np.array([0]), choice.candidates)
    given = KOMI if number else -KOMI
    won = [-compiled_forward(network, planes(children, i), given)[1] for i in range(6)]
    candidates = choice.candidates[0]
    guessed = np.exp(logits - np.logaddexp.reduce(logits))
    known = guessed[candidates]
    gained = np.full(AREA, (known / known.sum() * won).sum())
    gained[candidates] = won
    improved = guessed * np.exp(TRUST * gained)
    assert np.allclose(choice.chances[0], (improved / improved.sum())[candidates], atol=2e-3)


@needs_torch
def test_without_a_move_it_passes() -> None:
    table = new_table(3)
    table.hints[1] = 0
    for ahead in (0, 4):
        choice = chooser(shipped_tower(), ahead).choose(table, np.zeros(3, bool), 0)
        assert (choice.moves == NO_MOVE).tolist() == [False, True, False]
        assert (choice.candidates[1] == NO_MOVE).all()
        assert not choice.chances[1].any()
