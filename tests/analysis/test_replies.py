"""Replies: whose view their figures have, and what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from montego.analysis.passing import with_pass
from montego.engine.reports import priors
from montego.go import PASS, Position
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from tests.analysis.sessions import answer, query
from tests.fake_search import FakeSearch

BLACK_MOVES: Any = {"moves": []}
WHITE_MOVES: Any = {"moves": [["B", "E5"]]}


def owning(ownership: float) -> FakeSearch:
    search = FakeSearch()
    search.ownership = ownership
    return search


@pytest.mark.parametrize(
    ("game", "side", "rate", "lead", "owner"),
    [
        (BLACK_MOVES, "BLACK", 0.6, 3.0, 0.5),
        (BLACK_MOVES, "WHITE", 0.4, -3.0, -0.5),
        (BLACK_MOVES, "SIDETOMOVE", 0.6, 3.0, 0.5),
        (WHITE_MOVES, "BLACK", 0.4, -3.0, 0.5),
        (WHITE_MOVES, "WHITE", 0.6, 3.0, -0.5),
        (WHITE_MOVES, "SIDETOMOVE", 0.6, 3.0, -0.5),
    ],
)
def test_whose_view(game: Any, side: str, rate: float, lead: float, owner: float) -> None:
    (reply,) = answer(query(**game, includeOwnership=True), owning(0.5), side=side)
    best = reply["moveInfos"][0]
    for told in (best, reply["rootInfo"]):
        assert told["winrate"] == pytest.approx(rate)
        assert told["utility"] == pytest.approx(2 * rate - 1)
        assert told["scoreLead"] == told["scoreMean"] == told["scoreSelfplay"] == lead
        # The bound lies on the mover's bad side, whoever looks.
        assert (told["lcb"] < told["winrate"]) == (rate == 0.6)
    assert set(reply["ownership"]) == {owner}


def test_moves() -> None:
    (reply,) = answer(query(includePVVisits=True))
    moves = reply["moveInfos"]
    assert [move["order"] for move in moves] == list(range(6))
    assert [move["move"] for move in moves] == ["A9", "B9", "C9", "D9", "E9", "pass"]
    assert moves[0]["pv"] == ["A9"]
    assert moves[0]["visits"] == 500
    assert sum(move["prior"] for move in moves) == pytest.approx(1.0, abs=1e-5)
    assert reply["rootInfo"]["visits"] == 1000


def test_only_what_was_asked_for_is_there() -> None:
    (reply,) = answer(query())
    assert set(reply) == {"id", "isDuringSearch", "turnNumber", "moveInfos", "rootInfo"}
    assert not {"pvVisits", "ownership"} & set(reply["moveInfos"][0])


def test_positions_have_names_of_their_own() -> None:
    moves = [["B", "E5"], ["W", "C3"], ["B", "pass"], ["W", "pass"]]
    replies = answer(query(moves=moves, analyzeTurns=[0, 1, 2, 3, 4]))
    hashes = [reply["rootInfo"]["thisHash"] for reply in replies]
    assert len(set(hashes)) == 4
    assert hashes[2] == hashes[4]


# --- with a real search ----------------------------------------------------------------


@pytest.fixture(scope="module")
def search() -> LocalSearch:
    return LocalSearch(RECIPES["montego"], memory_mb=16, seed=1)


def real(search: LocalSearch, **more: Any) -> Any:
    told = {"maxVisits": 400, "includeOwnership": True, "includePolicy": True,
            "includeMovesOwnership": True, "includePVVisits": True}  # fmt: skip
    (reply,) = answer(query(**told | more), search)  # type: ignore[arg-type]
    return reply


def test_everything_at_once(search: LocalSearch) -> None:
    reply = real(search, moves=[["B", "E5"], ["W", "C3"]])
    assert reply["rootInfo"]["visits"] == 400
    best = reply["moveInfos"][0]
    assert best["pvVisits"][0] == best["visits"]
    assert len(best["pvVisits"]) == len(best["pv"])
    assert len(reply["ownership"]) == len(best["ownership"]) == 81
    assert reply["ownership"][40] > 0.2
    assert best["scoreStdev"] > 1
    owned = [m for m in reply["moveInfos"] if "ownership" in m]
    assert all(m["visits"] > 0 for m in owned)
    policy = reply["policy"]
    assert len(policy) == 82
    assert [policy[40], policy[6 * 9 + 2]] == [-1.0, -1.0]
    assert sum(p for p in policy if p >= 0) == pytest.approx(1.0, abs=1e-4)


def test_owners_differ_from_move_to_move() -> None:
    position = Position.from_diagram(
        """
        X X . O O
        X X . O O
        X X . O O
        X X X O O
        . X X O .
        """
    )
    search = LocalSearch(RECIPES["uct"], memory_mb=4, seed=1)
    found = search.run(position, Budget(simulations=400))
    means = [c.ownership.mean() for c in found.candidates if c.ownership is not None]
    assert max(means) - min(means) > 0.1
    weights = [c.visits for c in found.candidates if c.ownership is not None]
    assert np.average(means, weights=weights) == pytest.approx(found.ownership.mean(), abs=0.15)


def test_avoided_moves_are_no_candidates(search: LocalSearch) -> None:
    only = [{"player": "B", "moves": ["A1", "B2"], "untilDepth": 1}]
    moves = {m["move"] for m in real(search, allowMoves=only)["moveInfos"]}
    assert moves
    assert moves <= {"A1", "B2"}


def test_a_policy_without_knowledge_is_even() -> None:
    reply = real(LocalSearch(RECIPES["uct"], memory_mb=4))
    assert set(reply["policy"]) == {round(1 / 82, 6)}


def test_priors_are_parts_of_one() -> None:
    found = FakeSearch().run(Position.start(9), Budget(simulations=1))
    assert sum(priors(found).values()) == pytest.approx(1.0)


SETTLED = """
    X . X O .
    X X X O O
    . X X O .
    X X X O O
    X . X O .
    """


@pytest.mark.parametrize("color", ["black", "white"])
def test_who_has_nothing_left_to_play_passes(color: str) -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=4, seed=1)
    position = Position.from_diagram(SETTLED, color)
    found = search.run(position, Budget(simulations=200))
    found = with_pass(search, position, found, lambda _: True, 0.1)
    assert found.move == PASS
    assert found.candidates[0].visits >= 50


def test_a_pass_is_no_candidate_while_something_is_open() -> None:
    search = FakeSearch()
    found = search.run(Position.start(9), Budget(simulations=100))
    assert with_pass(search, Position.start(9), found, lambda _: True, 0.1) is found
