"""What a network says without a search: the same as a plain network, and as a search hears."""

from __future__ import annotations

import numpy as np
import pytest

from montego.go import BLACK, PASS, WHITE, Position, Rules
from montego.knowledge.guess import guess
from montego.knowledge.network import SHIPPED, find_network, weights_of
from montego.mcts.found import Budget
from montego.mcts.recipes import parse_recipe
from montego.mcts.search import LocalSearch
from tests.kernels.net.plain import plain_forward
from tests.mcts.test_network import naive_planes
from tests.positions import place_of, random_position


@pytest.mark.parametrize(("size", "name"), [(9, "32x2"), (9, "64x3"), (19, "96x5")])
def test_it_is_what_a_plain_network_says(size: int, name: str) -> None:
    position = random_position(size, moves=30, seed=size)
    planes = naive_planes(position).reshape(-1, size, size)
    komi = position.komi if position.to_play == BLACK else -position.komi
    logits, value = plain_forward(weights_of(find_network(name)), planes, komi)
    moves = [move for move in position.legal() if move != PASS]
    powers = np.exp([logits.ravel()[place_of(move, size)] for move in moves])
    expected = dict(zip(moves, powers / powers.sum(), strict=True))
    said = guess(position, name)
    assert said.network == name
    assert list(said.probabilities.values()) == sorted(said.probabilities.values(), reverse=True)
    assert said.probabilities == pytest.approx(expected, rel=0.05, abs=1e-4)
    assert said.win_rate == pytest.approx((1 + value) / 2, abs=0.02)


@pytest.mark.parametrize("size", [9, 19])
def test_it_is_what_a_search_hears(size: int) -> None:
    position = random_position(size, moves=20, seed=3)
    search = LocalSearch(parse_recipe("montego,network.at=1"), memory_mb=32)
    heard = search.run(position, Budget(simulations=20)).candidates
    said = guess(position).probabilities
    for candidate in heard:
        if candidate.move != PASS:
            assert said[candidate.move] == pytest.approx(candidate.prior, rel=0.05, abs=2e-3)


@pytest.mark.parametrize("name", SHIPPED)
def test_komi_is_for_white(name: str) -> None:
    for color, sign in ((BLACK, -1), (WHITE, 1)):
        rates = [
            guess(Position.set_up(9, [], [], color, Rules(komi=komi)), name).win_rate
            for komi in (-20.5, 7.5, 30.5)
        ]
        assert [sign * rate for rate in rates if rate is not None] == sorted(
            sign * rate for rate in rates if rate is not None
        )
        assert None not in rates


def test_only_legal_moves_are_guessed() -> None:
    position = Position.start(2).play("A1").play("pass").play("B2")
    assert set(guess(position).probabilities) == {m for m in position.legal() if m != PASS}
    over = position.play("pass").play("pass")
    assert guess(over).probabilities.keys() <= guess(position).probabilities.keys()
