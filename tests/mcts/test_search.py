"""The contract of every recipe's search: counts, reuse, memory, threads, time."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from montego.engine.clock import Absolute
from montego.engine.engine import Engine
from montego.go import Position, Rules
from montego.go.points import parse_vertex, vertex
from montego.kernels.board.board import PASS
from montego.kernels.tree.tree import NODE, ONE, ROOT, SHUT
from montego.mcts import strategies
from montego.mcts.found import Budget, Found
from montego.mcts.pace import Pace
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.search import LocalSearch
from tests.positions import random_position


def test_every_move_has_a_score_of_its_own() -> None:
    """White moves: what a capture wins or a blunder loses is seen in points, for both colours."""
    diagram = """
        X X . X X
        . X X X .
        O O O O O
        X X X X X
        . O O O O
        """
    for to_play, sign in (("white", 1), ("black", -1)):
        position = Position.from_diagram(diagram, to_play=to_play, rules=Rules(komi=0.5))
        search = LocalSearch(RECIPES["uct"], memory_mb=16, seed=1)
        found = search.run(position, Budget(simulations=500))
        scores = {vertex(c.move, 5): c.score for c in found.candidates if c.visits}
        assert scores["A1"] == max(scores.values())
        assert max(scores.values()) - min(scores.values()) > 5
        assert found.score == scores[vertex(found.move, 5)]
        assert min(scores.values()) >= -25.5
        assert max(scores.values()) <= 25 + 0.5 * sign


def test_a_move_that_was_not_tried_has_the_mean_score() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=16, seed=1)
    found = search.run(Position.start(9), Budget(simulations=50))
    tried = [c for c in found.candidates if c.visits]
    untried = [c for c in found.candidates if not c.visits]
    mean = sum(c.visits * c.score for c in tried) / sum(c.visits for c in tried)
    assert untried
    assert all(c.score == pytest.approx(mean) for c in untried)


def test_a_node_is_a_line_of_the_cache() -> None:
    assert NODE.itemsize <= 64


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda r: r.name)
class TestEveryRecipe:
    def test_visits_add_up(self, recipe: Recipe) -> None:
        position = random_position(7, 8, seed=2)
        search = LocalSearch(recipe, memory_mb=32, seed=1)
        found = search.run(position, Budget(simulations=600))
        assert found.simulations == search.root_visits == 600
        assert sum(c.visits for c in found.candidates) == 600
        assert found.move in {c.move for c in found.candidates}
        assert position.is_legal(found.move)
        assert -1 <= found.value <= 1
        assert found.variation[0] == found.move
        assert np.abs(found.ownership).max() <= 1

    def test_one_seed_one_tree(self, recipe: Recipe) -> None:
        position = random_position(7, 8, seed=3)
        one, two = (
            LocalSearch(recipe, memory_mb=32, seed=9).run(position, Budget(simulations=400))
            for _ in range(2)
        )
        assert one.candidates == two.candidates
        assert (one.ownership == two.ownership).all()

    def test_takes_what_is_there_for_the_taking(self, recipe: Recipe) -> None:
        """Both are in atari at A1: who plays there has won, and no other move wins."""
        position = Position.from_diagram(
            """
            X X . X X
            . X X X .
            O O O O O
            X X X X X
            . O O O O
            """,
            to_play="white",
            rules=Rules(komi=0.5),
        )
        found = LocalSearch(recipe, memory_mb=32, seed=1).run(position, Budget(simulations=4000))
        assert vertex(found.move, 5) == "A1"
        assert found.value > 0.5

    def test_the_subtree_of_the_move_played_is_kept(self, recipe: Recipe) -> None:
        position = Position.start(5)
        search = LocalSearch(recipe, memory_mb=32, seed=4)
        found = search.run(position, Budget(simulations=1500))
        after = position.play(found.move)
        again = search.run(after, Budget(simulations=100))
        assert search.root_visits == found.visits + 100
        assert again.simulations == 100

    def test_a_full_pool_does_not_stop_the_search(self, recipe: Recipe) -> None:
        search = LocalSearch(recipe, memory_mb=1, seed=4)
        found = search.run(Position.start(9), Budget(simulations=4000))
        assert search.nodes <= len(search.pool) + 1024
        assert sum(pool.nbytes for pool in search._pools) <= 1 << 20
        assert found.simulations == search.root_visits == 4000


@pytest.mark.parametrize("expand_at", [1, 2, 8])
def test_a_simulation_grows_the_tree_by_the_children_of_one_node(expand_at: int) -> None:
    recipe = RECIPES["uct"].with_parameters({"growth.expand_at": expand_at})
    search = LocalSearch(recipe, memory_mb=32, seed=1)
    search.run(Position.start(5), Budget(simulations=200))
    moves = 26  # at most, with the pass
    assert search.nodes <= ROOT + 1 + 200 * moves
    assert search.nodes > ROOT + 1 + moves


def test_a_long_search_leaves_room_in_its_pool() -> None:
    recipe = RECIPES["uct"].with_parameters({"growth.expand_at": 2})
    search = LocalSearch(recipe, memory_mb=4, seed=1)
    search.run(Position.start(9), Budget(simulations=3000))
    capacity = len(search.pool)
    begun = search.nodes
    search.run(Position.start(9), Budget(simulations=9000))
    assert 0.25 < begun / capacity < 1  # without thrift 3,000 simulations would need it all
    assert begun < search.nodes < capacity


def test_another_position_begins_a_new_tree() -> None:
    search = LocalSearch(RECIPES["uct"], memory_mb=16)
    search.run(Position.start(5), Budget(simulations=100))
    search.run(Position.start(5).play("A1"), Budget(simulations=70))
    assert search.root_visits == 70


def test_superko_is_obeyed_at_the_root() -> None:
    # After the capture at B5 and two passes' worth of moves elsewhere the ko may be retaken,
    # but not while it would repeat the whole board.
    position = Position.from_diagram(
        """
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
        """
    )
    taken = position.play("C4")
    found = LocalSearch(RECIPES["uct"], memory_mb=16).run(taken, Budget(simulations=300))
    assert parse_vertex("B4", 5) not in {c.move for c in found.candidates}


def test_a_reused_tree_shuts_what_superko_forbids_now() -> None:
    position = Position.from_diagram(
        """
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
        """
    )
    search = LocalSearch(RECIPES["uct"], memory_mb=16)
    search.run(position, Budget(simulations=2000))
    taken = position.play("C4")
    found = search.run(taken, Budget(simulations=300))
    assert found.move != parse_vertex("B4", 5)


def test_two_passes_end_the_game_in_the_tree() -> None:
    won = Position.from_diagram(
        """
        . X . O .
        X X O O O
        X X O O .
        . X X O O
        X X X X O
        """,
        rules=Rules(komi=0.5),
    ).play("pass", "white")
    found = LocalSearch(RECIPES["montego"], memory_mb=16).run(won, Budget(simulations=500))
    assert won.score() > 0
    passing = next(c for c in found.candidates if c.move == PASS)
    assert passing.value == 1.0


def test_time_is_kept() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=64)
    search.run(Position.start(9), Budget(simulations=10))
    begin = time.perf_counter()
    search.run(Position.start(9).play("E5"), Budget(seconds=0.3))
    assert time.perf_counter() - begin < 2  # 0.31 on an idle machine


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_without_time_plays_what_the_knowledge_likes_best(threads: int) -> None:
    position = Position.start(9).play("E5").play("E3").play("C5").play("D3")
    search = LocalSearch(RECIPES["montego"], threads=threads, memory_mb=16)
    search.run(position, Budget(simulations=64))
    search.clear()
    found = search.run(position, Budget(seconds=1e-6))
    assert found.simulations == 1
    assert found.candidates[0].prior == max(c.prior for c in found.candidates)
    assert found.move == found.candidates[0].move


def test_a_decided_search_stops_early() -> None:
    position = Position.from_diagram(". X . X\nX X X X\nX X X X\nX X X .")
    search = LocalSearch(RECIPES["montego"], memory_mb=16)
    search.run(position, Budget(simulations=10))
    begin = time.perf_counter()
    search.run(position.play("pass"), Budget(seconds=30.0))
    assert time.perf_counter() - begin < 10


def test_progress_sees_the_search_and_may_stop_it() -> None:
    seen: list[Found] = []

    def look(found: Found) -> bool:
        seen.append(found)
        return len(seen) < 3

    search = LocalSearch(RECIPES["uct"], memory_mb=64)
    found = search.run(Position.start(9), Budget(seconds=20), progress=look, interval=0.01)
    assert len(seen) == 3
    assert found.seconds < 10


@pytest.mark.parametrize("locks", ["global", "node"])
@pytest.mark.parametrize("recipe", ["uct", "montego", "omc"])
def test_threads_with_locks_lose_nothing(recipe: str, locks: str) -> None:
    """T21: every count is exact, those that are not added atomically too."""
    results_alone = {"network.value": 0} if recipe == "montego" else {}
    changed = RECIPES[recipe].with_parameters(
        {"locks": locks, "backup.by_score": False, "growth.expand_at": 2} | results_alone
    )
    search = LocalSearch(changed, threads=4, memory_mb=64, seed=1)
    position = Position.start(9)  # komi 7.5: nothing is drawn, and a result squared is 1
    found = search.run(position, Budget(simulations=8000))
    assert search.root_visits == found.simulations == 8000
    assert sum(c.visits for c in found.candidates) == 8000
    nodes = search.pool[ROOT : search.nodes]
    visited = nodes[nodes["visits"] > 0]
    assert (visited["squares"] == visited["visits"]).all()
    assert (visited["total"] % ONE == 0).all()
    assert ((visited["total"] // ONE - visited["visits"]) % 2 == 0).all()
    assert (abs(visited["total"]) <= visited["visits"].astype(np.int64) * ONE).all()
    if changed.parameters()["backup"] == "average":
        means = visited["total"] / ONE / visited["visits"]
        assert visited["value"] == pytest.approx(means)


def test_locks_change_nothing_for_one_thread() -> None:
    position = random_position(9, 12, seed=1)
    found = [
        LocalSearch(RECIPES["montego"].with_parameters({"locks": locks}), 1, 16, seed=7)
        .run(position, Budget(simulations=300))
        .candidates
        for locks in ("none", "global", "node")
    ]
    assert found[0] == found[1] == found[2]


def test_threads_share_one_tree_and_lose_no_visit() -> None:
    search = LocalSearch(RECIPES["montego"], threads=3, memory_mb=64, seed=1)
    position = Position.start(9)
    search.run(position, Budget(simulations=1))  # while one makes the children, others play out
    found = search.run(position, Budget(simulations=6000))
    assert search.root_visits >= 6000
    assert sum(c.visits for c in found.candidates) == search.root_visits


@pytest.mark.parametrize(
    "final", [strategies.Robust(), strategies.Max(), strategies.RobustMax(), strategies.Secure()]
)
def test_final_moves(final: strategies.Final) -> None:
    """P6."""
    recipe = Recipe("test", final=final)
    found = LocalSearch(recipe, memory_mb=16, seed=2).run(Position.start(5), Budget(800))
    visited = [c for c in found.candidates if c.visits]
    chosen = next(c for c in visited if c.move == found.move)
    if isinstance(final, strategies.Max):
        assert chosen.value == max(c.value for c in visited)
    elif isinstance(final, strategies.Secure):
        assert chosen.value - 4 / chosen.visits**0.5 == max(
            c.value - 4 / c.visits**0.5 for c in visited
        )
    else:
        assert chosen.visits == max(c.visits for c in visited)
    if isinstance(final, strategies.RobustMax):
        assert found.simulations == 1200 or chosen.value == max(c.value for c in visited)


@pytest.fixture
def undecided(monkeypatch: pytest.MonkeyPatch) -> LocalSearch:
    """A search by robust-max that never finds a move that is both, and knows its speed."""
    recipe = RECIPES["uct"].with_parameters({"final": "robust-max"})
    search = LocalSearch(recipe, memory_mb=4)
    search.run(Position.start(5), Budget(simulations=200))
    search._pace = Pace()
    search._pace.note(10_000, 1.0)
    monkeypatch.setattr(search, "_is_settled", lambda: False)
    return search


def test_robust_max_goes_on_for_half_of_the_seconds(undecided: LocalSearch) -> None:
    assert undecided._fitting(1.0, None, 10_000, 0.99) > 0
    assert undecided._fitting(1.0, None, 10_000, 1.2) > 0
    assert undecided._fitting(1.0, None, 10_000, 1.5) == 0


def test_robust_max_never_exceeds_the_longest_time(undecided: LocalSearch) -> None:
    for longest in (1.0, 1.2, 2.5):
        assert undecided._fitting(1.0, longest, 10_000, 0.98 * longest) > 0
        assert undecided._fitting(1.0, longest, 10_000, longest) == 0


def test_robust_max_keeps_time_to_go_on_and_stops_when_it_is_settled(
    undecided: LocalSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seconds that are a hard limit: it aims at two thirds of them."""
    monkeypatch.setattr(undecided, "_is_settled", lambda: True)
    monkeypatch.setattr(undecided, "_cannot_be_caught", lambda still: False)
    assert undecided._fitting(1.0, 1.0, 10_000, 0.66) > 0
    assert undecided._fitting(1.0, 1.0, 10_000, 0.67) == 0
    assert undecided._fitting(1.0, None, 10_000, 0.99) > 0
    assert undecided._fitting(1.0, None, 10_000, 1.0) == 0


def test_only_robust_max_goes_on_where_the_second_cannot_catch_up(
    undecided: LocalSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undecided, "_cannot_be_caught", lambda still: True)
    assert undecided._fitting(1.0, None, 10_000, 0.5) > 0
    undecided.recipe = RECIPES["uct"]
    assert undecided._fitting(1.0, None, 10_000, 0.5) == 0
    assert undecided._fitting(1.0, None, 10_000, 1.0) == 0


@pytest.mark.parametrize(
    ("visits", "before", "at_target", "beyond"),
    [
        ([700, 650, 10], True, True, True),
        ([700, 290, 10], True, True, True),
        ([700, 270, 10], True, False, False),
        ([9_000, 900, 100], False, False, False),
        ([6_000, 3_900, 100], False, True, True),
        ([16_000, 7_000, 100], False, True, False),
    ],
)
def test_a_search_goes_on_while_the_race_is_close(
    undecided: LocalSearch, monkeypatch: pytest.MonkeyPatch,
    visits: list[int], before: bool, at_target: bool, beyond: bool,
) -> None:  # fmt: skip
    """Ten thousand simulations a second; a target of one second, and two and a half at most.

    The last row: seven thousand more cannot catch up with a lead of nine thousand.
    """
    undecided.recipe = RECIPES["uct"]
    monkeypatch.setattr(undecided, "_children", lambda: (None, np.array(visits), None, None, None))
    assert (undecided._fitting(1.0, 2.5, 5_000, 0.5) > 0) == (before or at_target)
    assert (undecided._fitting(1.0, 2.5, 10_000, 1.0) > 0) == at_target
    assert (undecided._fitting(1.0, 2.5, 18_000, 1.8) > 0) == beyond
    assert undecided._fitting(1.0, 2.5, 25_000, 2.5) == 0
    assert (undecided._fitting(1.0, 1.0, 9_000, 0.9) > 0) == before


def test_robust_max_settles_on_open_moves() -> None:
    """A move that was pruned may look best for ever."""
    hasty = strategies.ProgressivePruning(confidence=0.5, enough_to_prune=2)
    search = LocalSearch(Recipe("test", selection=hasty), memory_mb=16, seed=5)
    search.run(random_position(7, 12, seed=1), Budget(simulations=3000))
    _, visits, values, _, flags = search._children()
    is_open = flags & SHUT == 0
    most = is_open & (visits == visits[is_open].max())
    assert values[~is_open].max() > values[is_open].max()
    assert search._is_settled() == (values[most].max() >= values[is_open].max())


def test_robust_max_loses_no_game_on_time() -> None:
    recipe = RECIPES["montego"].with_parameters({"final": "robust-max", "final.extension": 10})
    engine = Engine(recipe, size=5, memory_mb=16, seed=3)
    engine.search()  # whatever has to be loaded
    engine.set_time(Absolute(1.5))
    for _ in range(30):
        if engine.position.is_over or engine.genmove().resigned:
            break
    assert min(engine.clock.left(color).seconds for color in (1, 2)) > 0


def test_budgets_and_parameters_are_checked() -> None:
    with pytest.raises(ValueError, match="needs a number"):
        Budget()
    with pytest.raises(ValueError, match="thread"):
        LocalSearch(RECIPES["uct"], threads=0)
    with pytest.raises(ValueError, match="no parameter"):
        RECIPES["uct"].with_parameters({"selection.magic": 1})
    with pytest.raises(ValueError, match="not a value"):
        RECIPES["uct"].with_parameters({"selection.c": "much"})
    changed = RECIPES["mogo"].with_parameters({"playout.nakade": "no", "selection.c": "0.5"})
    assert changed.parameters()["playout.nakade"] is False
    assert changed.parameters()["selection.c"] == 0.5


GROWTH = """
from pathlib import Path
from montego.go import Position
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from montego.mcts.found import Budget

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

LocalSearch(RECIPES["montego"], memory_mb=1).run(Position.start(9), Budget(simulations=500))
before, position = resident(), Position.start(9)
search = LocalSearch(RECIPES["montego"], memory_mb=16, seed=1)
for _ in range(4):
    found = search.run(position, Budget(simulations=60_000))
    position = position.play(found.move)
print(search.nodes * 64, resident() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells")
def test_the_memory_of_the_process_stays_within_the_limit() -> None:
    """Four searches that fill the pool, measured as the system sees the process."""
    done = subprocess.run(
        [sys.executable, "-c", GROWTH], capture_output=True, text=True, check=True
    )
    in_tree, grown = (int(number) / 2**20 for number in done.stdout.split())
    assert in_tree > 6  # of a pool of 8, the other half of 16 is for copies: thrift comes late
    assert grown < 16 + 2


@pytest.mark.slow
def test_five_by_five_is_black_s_from_the_centre() -> None:
    """The solved game: Black takes all 25 points; with a komi of 24 that decides."""
    search = LocalSearch(RECIPES["montego"], memory_mb=1024, seed=1)
    position = Position.start(5, Rules(komi=24.0))
    values = []
    for simulations in (50_000, 150_000, 400_000, 600_000):
        found = search.run(position, Budget(simulations=simulations))
        assert vertex(found.move, 5) == "C3"
        values.append(found.value)
    assert values == sorted(values)  # it converges
    assert values[-1] > 0.6
