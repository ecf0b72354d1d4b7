"""One contract for all searches, and what each of them promises beyond it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from montego.planning import (
    BANDITS,
    Chance,
    Found,
    PlanningError,
    ProblemError,
    Progress,
    Widening,
    alpha_beta,
    estimate,
    flat_monte_carlo,
    mcts,
    minimax,
    nested,
    nrpa,
    solve,
)
from montego.planning.examples.connect_four import Board, ConnectFour
from montego.planning.examples.tic_tac_toe import TicTacToe
from montego.planning.tree_search import BACKUPS
from tests.planning.problems import (
    NOT_A_NUMBER,
    Alone,
    Circle,
    DeadEnd,
    Odd,
    RandomTree,
    Slope,
    Walk,
    Word,
)

SEARCHES: dict[str, Callable[..., Any]] = {
    "minimax": minimax,
    "alpha-beta": alpha_beta,
    "flat": partial(flat_monte_carlo, evaluations=60),
    "nested": partial(nested, level=1),
    "nrpa": partial(nrpa, level=1, iterations=30),
    "solve": solve,
    **{f"mcts {name}": partial(mcts, evaluations=60, bandit=name) for name in BANDITS},
}
ANYTIME = [name for name in SEARCHES if name not in ("minimax", "solve")]
SEEDED = [name for name in ANYTIME if name != "alpha-beta"]


@pytest.mark.parametrize("name", SEARCHES)
class TestContract:
    """Every search names the state of a mistake."""

    def test_a_state_without_actions(self, name: str) -> None:
        with pytest.raises(ProblemError, match="no actions in a state that is not terminal: 2"):
            SEARCHES[name](DeadEnd(), 0)

    def test_a_cycle(self, name: str) -> None:
        with pytest.raises(PlanningError, match=r"cycle|no end after 50 actions"):
            SEARCHES[name](Circle(), 0)

    @pytest.mark.parametrize("odd", [NOT_A_NUMBER, 1.5, "much"])
    def test_a_reward_that_is_none(self, name: str, odd: Any) -> None:
        with pytest.raises(ProblemError, match=r"the reward .*: 3$"):
            SEARCHES[name](Odd(odd), 0)

    def test_an_object_that_is_no_problem(self, name: str) -> None:
        with pytest.raises(ProblemError, match="a problem needs a method"):
            SEARCHES[name](object(), 0)


@pytest.mark.parametrize("name", ANYTIME)
class TestAnytime:
    """Every search but two has an answer whenever it is stopped."""

    def search(self, name: str, **options: Any) -> Found:
        search = SEARCHES[name]
        plain = search.func if isinstance(search, partial) else search
        keywords = {"bandit": name.split()[1]} if name.startswith("mcts") else {}
        problem = RandomTree(1, depth=40, width=9) if name == "alpha-beta" else Word()
        return plain(problem, problem.START, **keywords, **options)  # type: ignore[no-any-return]

    def test_evaluations_are_counted(self, name: str) -> None:
        found = self.search(name, evaluations=37)
        assert found.evaluations == 37
        assert found.stopped == "budget"
        assert found.action is not None

    def test_an_interrupt_keeps_the_best(self, name: str) -> None:
        def interrupt(progress: Progress) -> None:
            raise KeyboardInterrupt

        found = self.search(name, seconds=20, progress=interrupt)
        assert found.stopped == "interrupt"
        assert found.action is not None

    def test_an_interrupt_at_the_very_end_too(self, name: str) -> None:
        def interrupt(progress: Progress) -> None:
            raise KeyboardInterrupt

        found = self.search(name, evaluations=3, progress=interrupt)
        assert found.stopped == "interrupt"
        assert found.action is not None

    def test_seconds(self, name: str) -> None:
        found = self.search(name, seconds=0.05)
        assert found.stopped == "budget"
        assert found.action is not None

    def test_a_budget_has_to_be_positive(self, name: str) -> None:
        with pytest.raises(PlanningError, match="evaluations has to be positive"):
            self.search(name, evaluations=0)


@pytest.mark.parametrize("name", SEEDED)
def test_the_same_seed_gives_the_same_answer(name: str) -> None:
    search, word = SEARCHES[name], Word()
    first, again, other = (search(word, "", seed=seed) for seed in (5, 5, 6))
    assert (first.sequence, first.value) == (again.sequence, again.value)
    assert (first.sequence, first.actions) != (other.sequence, other.actions)


# --- exact searches --------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"steps": True}, {"chance": True}, {"merges": True}], ids=str
)
@pytest.mark.parametrize("kind", [RandomTree, Alone])
def test_alpha_beta_equals_minimax_with_fewer_nodes(kind: Any, options: dict[str, bool]) -> None:
    """T1."""
    nodes = [0, 0, 0]
    for seed in range(12):
        tree = kind(seed, **options)
        exact = minimax(tree, tree.START)
        plain = alpha_beta(tree, tree.START, table=False, deepen=False)
        tabled = alpha_beta(tree, tree.START)
        assert exact.is_proved
        assert plain.value == tabled.value == pytest.approx(exact.value)
        assert solve(tree, tree.START).value(tree.START) == pytest.approx(exact.value)
        assert plain.nodes <= exact.nodes
        for i, found in enumerate((exact, plain, tabled)):
            nodes[i] += found.nodes
    assert nodes[1] < nodes[0] or kind is Alone  # a single player leaves nothing to refute


def test_a_depth_is_where_the_heuristic_speaks() -> None:
    for seed in range(10):
        tree = RandomTree(seed, depth=5)
        for depth in (1, 2, 3):
            exact = minimax(tree, tree.START, depth=depth)
            for deepen in (False, True):
                found = alpha_beta(tree, tree.START, depth=depth, deepen=deepen)
                assert found.value == exact.value
                assert found.is_proved == exact.is_proved
    with pytest.raises(PlanningError, match="heuristic"):
        alpha_beta(TicTacToe(), TicTacToe.START, depth=3)


def test_tic_tac_toe_is_a_draw() -> None:
    game = TicTacToe()
    assert alpha_beta(game, game.START).value == 0
    found = mcts(game, game.START, evaluations=20_000, transpositions=True)
    assert (found.value, found.is_proved) == (0, True)
    after_a_mistake = "X.O......"  # X wins by force
    assert minimax(game, after_a_mistake).value == alpha_beta(game, after_a_mistake).value == 1
    assert game.apply(after_a_mistake, alpha_beta(game, after_a_mistake).action).count("X") == 2


def brute_force(columns: int, rows: int) -> int:
    """Connect Four once more, written differently: columns as text, every position once."""
    known: dict[tuple[str, ...], int] = {}

    def four(board: tuple[str, ...], who: str) -> bool:
        at = {(c, r): s for c, column in enumerate(board) for r, s in enumerate(column)}
        return any(
            all(at.get((c + k * dc, r + k * dr)) == who for k in range(4))
            for c, r in at
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    def value(board: tuple[str, ...], who: str) -> int:
        if board not in known:
            other = "O" if who == "X" else "X"
            best = None
            for c, column in enumerate(board):
                if len(column) < rows:
                    after = (*board[:c], column + who, *board[c + 1 :])
                    won = 1 if four(after, who) else -value(after, other)
                    best = won if best is None else max(best, won)
                    if best == 1:
                        break
            known[board] = 0 if best is None else best
        return known[board]

    return value(("",) * columns, "X")


@pytest.mark.parametrize(("columns", "rows"), [(4, 3), (3, 4), (2, 5)])
def test_connect_four_on_small_boards(columns: int, rows: int) -> None:
    game = ConnectFour(columns, rows)
    assert alpha_beta(game, game.START, deepen=False).value == brute_force(columns, rows)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (5, 4), (4, 5)])
def test_connect_four_on_larger_boards(columns: int, rows: int) -> None:
    game = ConnectFour(columns, rows)
    found = alpha_beta(game, game.START, deepen=False)
    assert found.value == brute_force(columns, rows) == 0


def test_connect_four_sees_all_lines() -> None:
    game = ConnectFour()
    for line in (
        "0 1 0 1 0 1 0",
        "0 0 1 1 2 2 3",
        "0 1 1 2 2 3 2 3 3 5 3",
        "3 2 2 1 1 0 1 0 0 5 0",
    ):
        board = game.START
        for column in map(int, line.split()):
            assert not game.is_terminal(board)
            board = game.apply(board, column)
        assert game.is_terminal(board)
        assert game.reward(board) == 1


# --- Monte Carlo -----------------------------------------------------------------------


@pytest.mark.parametrize("bandit", BANDITS)
def test_mcts_proves_what_minimax_finds(bandit: str) -> None:
    """T6."""
    for seed in range(4):
        tree = RandomTree(seed, depth=3)
        found = mcts(tree, tree.START, evaluations=2000, bandit=bandit)
        assert found.is_proved
        assert found.value == minimax(tree, tree.START).value


def test_mcts_finds_a_win_that_has_to_be_forced() -> None:
    game = ConnectFour()
    board = Board(0, 0)
    for column in (3, 3, 2, 2):
        board = game.apply(board, column)
    found = mcts(game, board, evaluations=1500, seed=1)
    assert found.action in (1, 4)  # three in a row, open on both sides
    assert found.value > 0.6


def test_mcts_under_chance_comes_near_the_exact_value() -> None:
    walk = Walk(0.2)
    exact = 1 - 1 / (1 + 4**3)  # gambler's ruin with 0.8 against 0.2
    found = mcts(walk, 0, evaluations=2000, transpositions=True)
    assert found.action == 1
    assert found.value == pytest.approx(exact, abs=0.1)
    assert not found.is_proved


def test_a_circle_of_chance_ends_in_a_playout() -> None:
    """Alone every search would go round and round: nothing is lost by it, so all is explored."""

    class Waiting:
        longest = 50

        def actions(self, state: int) -> list[str]:
            return ["wait", "go"]

        def apply(self, state: int, action: str) -> Chance:
            return Chance([(0.5, state), (0.5, 1 - state)] if action == "wait" else [(1.0, 2)])

        def is_terminal(self, state: int) -> bool:
            return state == 2

        def reward(self, state: int) -> float:
            return 0.0

        def step(self, state: int, action: str, after: int) -> float:
            return 0.0 if action == "wait" else -1.0

    for backup in BACKUPS:
        found = mcts(Waiting(), 0, evaluations=500, transpositions=True, backup=backup)
        assert found.value == -1.0


def test_the_best_backup_forgets_what_exploration_cost() -> None:
    class Doors:
        """A door to ten rooms of which one is good, or a middling one."""

        def actions(self, state: str) -> list[str]:
            return ["left", "right"] if not state else [str(n) for n in range(10)]

        def apply(self, state: str, action: str) -> str:
            return state + action

        def is_terminal(self, state: str) -> bool:
            return state == "right" or len(state) == 5

        def reward(self, state: str) -> float:
            return 0.5 if state == "right" else float(state == "left7")

        def player(self, state: str) -> int:
            return 0

    means = {
        backup: mcts(
            Doors(), "", evaluations=100, bandit="uniform", solver=False, backup=backup
        ).actions["left"][0]
        for backup in BACKUPS
    }
    assert means["mean"] < 0.5
    assert means["best"] == 1.0
    with pytest.raises(PlanningError, match="mean, best"):
        mcts(Doors(), "", evaluations=1, backup="median")


def test_widening_searches_a_set_that_cannot_be_listed() -> None:
    found = mcts(Slope(), (), evaluations=1500, widening=Widening(1.0, 0.4), seed=1)
    assert found.value > -0.006
    assert len(found.actions) == 19  # ceil(1500^0.4)
    with pytest.raises(PlanningError, match="can only sample"):
        alpha_beta(Slope(), ())


def test_rave_learns_faster_where_order_does_not_matter() -> None:
    class Subset:
        """Choose eight of 40 numbers; every order is the same set."""

        def actions(self, state: Any) -> list[int]:
            return [i for i in range(40) if i not in state]

        def apply(self, state: Any, action: Any) -> Any:
            return (*state, action)

        def is_terminal(self, state: Any) -> bool:
            return len(state) == 8

        def reward(self, state: Any) -> float:
            return float(sum(state))

        def code(self, state: Any, action: Any) -> Any:
            return action

    def mean(bandit: str) -> float:
        runs = [mcts(Subset(), (), evaluations=150, bandit=bandit, seed=seed) for seed in range(8)]
        return sum(run.value for run in runs) / len(runs)

    assert mean("rave") > mean("ucb-alpha") + 5


def test_flat_monte_carlo_sees_what_playouts_see() -> None:
    found = flat_monte_carlo(Word(), "", evaluations=2000)
    assert found.action == "a"
    assert sum(visits for _, visits in found.actions.values()) == 2000


def test_nested_remembers_the_best_sequence() -> None:
    """T2."""
    scores = []
    for level in (1, 2):
        found = nested(Word(), "", level, seed=2)
        assert Word().reward("".join(found.sequence)) == found.value
        scores.append(found.value)
    assert scores[0] < scores[1]
    assert nested(Word(), "", 2, seed=2, evaluations=5000, goal=7).stopped == "goal"
    with pytest.raises(PlanningError, match="one player"):
        nested(TicTacToe(), TicTacToe.START)


def test_policy_adaptation_learns() -> None:
    assert nrpa(Word(), "", 2, iterations=20, seed=1).value == 10.0


def test_pi_is_within_its_interval() -> None:
    """T4."""
    found = estimate(
        lambda rng: 4.0 * (rng.random() ** 2 + rng.random() ** 2 <= 1), evaluations=20_000
    )
    assert found.low < 3.14159 < found.high
    assert found.high - found.low < 0.1


def test_planning_imports_no_go_and_compiles_nothing() -> None:
    program = (
        "import sys, montego.planning; print([n for n in sys.modules if n.startswith('numba') or "
        "n.split('.')[:2] in (['montego', r] for r in ('go', 'mcts', 'knowledge', 'engine'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
