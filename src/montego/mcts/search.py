"""The search for people: a position and a budget in, everything that was found out.

``LocalSearch`` owns a tree and its threads.  It runs kernels in short batches and looks at
the clock between them; it keeps the part of the tree that belongs to the next position.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from montego.go import Position
from montego.kernels.board.board import PASS, POINTS
from montego.kernels.tree.search import search_batch, shut_forbidden
from montego.kernels.tree.tree import (
    HISTORY,
    NODE,
    ROOT,
    SHUT,
    TREE,
    child_of_root,
    clear_tree,
    keep_subtree,
    new_nodes,
    principal_variation,
    root_children,
)
from montego.mcts import strategies
from montego.mcts.avoid import Avoid, avoided_until
from montego.mcts.balance import CLOSE, EVEN, Balance
from montego.mcts.found import Budget, Candidate, Found, Progress
from montego.mcts.pace import FIRST_BATCH, NEAR, Pace, first_two
from montego.mcts.playouts import Workspace
from montego.mcts.recipes import Recipe
from montego.mcts.seeding import PriorGames, seed_root
from montego.mcts.tally import SUMS, Tally

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

LONGEST_LINE = 64
MEGABYTE = 1 << 20

Simulate = Callable[[int], None]
"""Runs so many simulations."""


class LocalSearch:
    """A tree in the memory of this process, grown by one or more threads."""

    def __init__(
        self, recipe: Recipe, threads: int = 1, memory_mb: int = 512, seed: int = 0
    ) -> None:
        if threads < 1 or memory_mb < 1:
            raise ValueError("a search needs at least one thread and one megabyte")
        self.recipe = recipe
        seeds = [seed + 0x5DEECE66D * i for i in range(threads)]
        self.workspaces = [
            Workspace(seed, learned=recipe.learned, network=recipe.network.scratch())
            for seed in seeds
        ]
        self._policy = recipe.playout.record()
        self._strategy = recipe.record(threads)
        capacity = max(2048, memory_mb * MEGABYTE // NODE.itemsize // 2)
        # Two pools: what is kept of a tree is copied from one into the other.
        self._pools = [new_nodes(capacity) for _ in range(2)]
        self.tree = np.zeros(1, dtype=TREE)[0]
        """What the nodes of the pool have in common."""
        self._position: Position | None = None
        self._avoided: tuple[Avoid, ...] = ()
        self.seeded: Position | None = None
        """The position that began with games from elsewhere."""
        self._pace = Pace()
        self._balance, self._extra_komi = EVEN, 0.0
        self.clear()

    # --- the tree -------------------------------------------------------------------

    def clear(self) -> None:
        """Forget everything."""
        clear_tree(self.tree, self.pool)
        self._position = None
        self._is_shifted = False  # whether the tree holds results with extra komi

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None:
        """Make a position the root; keep what the tree knows of it.

        A tree in which moves were left out serves no other search, not even a later one.
        """
        goes_on = position is self._position and avoided == self._avoided
        if not goes_on and (avoided or self._avoided or not self._follow(position)):
            self.clear()
        self._position, self._avoided = position, avoided
        self._board = position.board_copy()
        self.tree["avoided"] = avoided_until(avoided)
        self.tree["komi"] = position.komi
        empty = int(self._board[0]["empties"]) / position.size**2
        self.tree["belief"] = self.recipe.network.belief(empty)
        for name, number in self.recipe.network.on_board(position.size).items():
            self._strategy[name] = number
        self.tree["allowed"] = 0
        self.tree["allowed"][position.legal()] = 1
        recent = [move for _, move in position.moves[::-1][:HISTORY]]
        self.tree["history"] = recent + [PASS] * (HISTORY - len(recent))
        shut_forbidden(self.tree, self.pool)
        for space in self.workspaces:
            space.set_size(position.size)
            for sums in SUMS:
                space.work[sums] = 0
        self._count_with(self._balance.extra_komi)
        self._looked = 0.0, 0.0

    def balance(self, balance: Balance) -> None:
        """Count with extra komi in the searches to come; a tree by a very different one goes."""
        if abs(balance.extra_komi - self._extra_komi) > CLOSE:
            self.clear()
        self._balance = balance

    def _count_with(self, extra_komi: float) -> None:
        """Let results that enter the tree have so much komi more."""
        self._extra_komi = extra_komi
        self._is_shifted |= extra_komi != 0
        for space in self.workspaces:
            space.work["extra_komi"] = extra_komi

    def begin_with(self, position: Position, known: Mapping[int, PriorGames]) -> None:
        """Let the moves of a position begin with games, such as an opening book's."""
        seed_root(self, position, known)

    def _follow(self, position: Position) -> bool:
        """Walk down the tree by the moves played since the last search."""
        before = self._position
        if before is None or before.size != position.size or before.rules != position.rules:
            return False
        steps: list[int] = []
        current: Position | None = position
        while current is not None and current is not before and len(steps) < 8:
            if current.parent is None or current.parent.to_play == current.to_play:
                return False
            steps.append(current.last or PASS)
            current = current.parent
        return current is before and all(self._step(move) for move in reversed(steps))

    def _step(self, move: int) -> bool:
        child = child_of_root(self.pool, move)
        if child == 0:
            return False
        keep_subtree(self.tree, self.pool, self._pools[1], child)
        self._pools.reverse()
        return True

    # --- running --------------------------------------------------------------------

    def run(
        self,
        position: Position,
        budget: Budget,
        progress: Progress | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Found:
        """Search a position.  ``progress`` sees the state now and then; False stops."""
        from concurrent.futures import ThreadPoolExecutor  # not before the first search

        begin = time.perf_counter()
        self.set_position(position, tuple(avoided))
        with ThreadPoolExecutor(len(self.workspaces)) as pool:
            simulate: Simulate = lambda batch: self.simulate(batch, pool)  # noqa: E731
            done = self.drive(simulate, budget, progress, interval, begin)
        return self.found(done, time.perf_counter() - begin)

    def drive(
        self,
        simulate: Simulate,
        budget: Budget,
        progress: Progress | None,
        interval: float,
        begin: float,
    ) -> int:
        """Simulate in batches until the budget is used up; returns how many there were.

        The search began at that time, by ``perf_counter``.
        """
        self._pace.begin()
        shown, done = begin, 0
        while (batch := self._next_batch(budget, done, time.perf_counter() - begin)) > 0:
            batch_begin = time.perf_counter()
            simulate(batch)
            now = time.perf_counter()
            done += batch
            self._pace.note(batch, now - batch_begin)
            self._rebalance(done)
            if progress is not None and now - shown >= interval:
                shown = now
                if not progress(self.found(done, now - begin)):
                    break
        return done

    def _rebalance(self, done: int) -> None:
        """Let the extra komi move by what playouts have said since it last did."""
        if self._balance.adjust is None or done % self._balance.every:
            return
        total, count = self._tally.balanced
        before, counted = self._looked
        if count > counted:
            mean = (total - before) / (count - counted)
            self._count_with(self._balance.adjust(self._extra_komi, mean))
        self._looked = total, count

    def arguments(self, thread: int = 0) -> tuple[Any, ...]:
        """What the kernels of a search take, each thread with a workspace of its own."""
        space = self.workspaces[thread]
        return (
            self._board[0], self._strategy, self.tree, self.pool, self._policy, space.tables,
            space.work,
        )  # fmt: skip

    def simulate(self, batch: int, pool: ThreadPoolExecutor | None = None) -> None:
        """Run so many simulations from the position that was set; alone without a pool."""
        assert self._position is not None
        goal = int(self.tree["taken"]) + batch
        self.tree["goal"] = goal
        work = [self.arguments(thread) for thread in range(len(self.workspaces))]
        if pool is None or batch <= FIRST_BATCH:  # not worth waking another thread, and waiting
            search_batch(*work[0])
        else:
            others = pool.map(lambda arguments: search_batch(*arguments), work[1:])
            search_batch(*work[0])
            list(others)
        self.tree["taken"] = goal  # every thread has looked once beyond it

    def _next_batch(self, budget: Budget, done: int, elapsed: float) -> int:
        """How many simulations to run before the next look; 0 ends the search."""
        batch = self._pace.batch
        if budget.simulations is not None:
            batch = min(batch, self._wanted(budget.simulations, done))
        if budget.seconds is not None:
            batch = min(batch, self._fitting(budget.seconds, budget.longest, done, elapsed))
        if self._balance.adjust is not None:
            batch = min(batch, self._balance.every - done % self._balance.every)
        return batch if done else max(batch, 1)

    def _wanted(self, simulations: int, done: int) -> int:
        """What is missing of a number of simulations.

        P6: robust-max goes on until one move is both, within a bound.
        """
        final = self.recipe.final
        if (
            done >= simulations
            and isinstance(final, strategies.RobustMax)
            and not self._is_settled()
        ):
            simulations = int(simulations * (1 + final.extension))
        return max(simulations - done, 0)

    def _fitting(self, target: float, longest: float | None, done: int, elapsed: float) -> int:
        """What may be run within a time; 0 if the search need not go on.

        It goes on beyond the target while the race is close.  P6: robust-max does until one move
        is both; it never exceeds a longest time that it was told, and if there is little above the
        target it aims at less, to have time for that.
        """
        final = self.recipe.final
        if isinstance(final, strategies.RobustMax):
            longest = longest or target * (1 + final.extension)
            target = min(target, longest / (1 + final.extension))
        longest = longest or target
        speed = done / elapsed if done else math.inf
        if done and self._is_over(speed * (target - elapsed), speed * (longest - elapsed)):
            return 0
        return self._pace.within(longest - elapsed)

    def _is_over(self, to_target: float, to_longest: float) -> bool:
        """Whether more simulations are not needed; so many fit in before the two times."""
        is_ahead = to_target <= 0 or self._cannot_be_caught(to_target)
        if isinstance(self.recipe.final, strategies.RobustMax):
            return is_ahead and self._is_settled()
        return (is_ahead and not self._is_close()) or self._cannot_be_caught(to_longest)

    def _is_settled(self) -> bool:
        """Whether one of the most visited moves is also the best valued one."""
        _, visits, values, _, flags = self._children()
        tried = (visits > 0) & (flags & SHUT == 0)
        if not tried.any():
            return True
        most = tried & (visits == visits[tried].max())
        return bool(values[most].max() >= values[tried].max())

    def _cannot_be_caught(self, simulations_left: float) -> bool:
        first, second = first_two(self._children()[1])
        return first - second > simulations_left

    def _is_close(self) -> bool:
        first, second = first_two(self._children()[1])
        return first < NEAR * second

    # --- what was found -------------------------------------------------------------

    @property
    def _tally(self) -> Tally:
        assert self._position is not None
        return Tally(self.workspaces, self._position)

    def _children(self) -> tuple[NDArray[Any], ...]:
        """Moves, visits, values, priors and flags of the root's children."""
        arrays = (
            np.zeros(POINTS, dtype=np.int64),
            np.zeros(POINTS, dtype=np.int64),
            np.zeros(POINTS),
            np.zeros(POINTS),
            np.zeros(POINTS, dtype=np.int64),
        )
        count = root_children(self.pool, *arrays)
        return tuple(array[:count] for array in arrays)

    def _variation(self, move: int, tries: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The expected moves from one on that was tried so often, and their visits."""
        if tries == 0:
            return (move,), (0,)
        line, visits = np.zeros((2, LONGEST_LINE), dtype=np.int64)
        length = principal_variation(self.pool, move, line, visits)
        return tuple(line[:length].tolist()), tuple(visits[:length].tolist())

    def found(self, simulations: int, seconds: float) -> Found:
        """The state of the search."""
        moves, visits, values, priors, flags = self._children()
        shut = flags & SHUT != 0
        tally = self._tally
        scores, deviations = tally.scores(moves)
        owned, grids = tally.ownerships(moves)
        order = np.lexsort((-priors, -values, -visits, shut))
        told = tally.values(moves) if self._is_shifted else values
        columns = (moves, visits, told, priors, shut, scores, deviations, owned)
        candidates = []
        for row in zip(*(column[order].tolist() for column in columns), order, strict=True):
            move, tries, value, prior, is_shut, score, deviation, is_owned, i = row
            line, line_visits = self._variation(move, tries)
            candidates.append(
                Candidate(
                    move=move,
                    visits=tries,
                    value=value,
                    prior=prior,
                    variation=line,
                    is_open=not is_shut,
                    score=score,
                    deviation=deviation,
                    variation_visits=line_visits,
                    ownership=grids[i] if is_owned else None,
                )
            )
        return self._summary(candidates, values[order].tolist(), simulations, seconds)

    def _summary(
        self, candidates: list[Candidate], values: list[float], simulations: int, seconds: float
    ) -> Found:
        """All of it; the values are the tree's, by which it chooses."""
        at = self._choose(candidates, values)
        chosen = candidates[at] if candidates else None
        return Found(
            move=chosen.move if chosen else PASS,
            value=chosen.value if chosen else 0.0,
            visits=chosen.visits if chosen else 0,
            simulations=simulations,
            seconds=seconds,
            candidates=tuple(candidates),
            variation=chosen.variation if chosen else (),
            ownership=self._tally.ownership(),
            score=chosen.score if chosen else 0.0,
            deviation=chosen.deviation if chosen else 0.0,
            extra_komi=self._extra_komi,
            balanced_value=values[at] if chosen else 0.0,
        )

    def _choose(self, candidates: list[Candidate], values: list[float]) -> int:
        """Which is the final move (P6)."""
        visited = [i for i, c in enumerate(candidates) if c.visits > 0 and c.is_open]
        key = self.recipe.final.key
        return max(visited, key=lambda i: key(candidates[i].visits, values[i]), default=0)

    @property
    def pool(self) -> NDArray[Any]:
        """The nodes, from ROOT on; the other pool takes what is kept from one move to the next."""
        return self._pools[0]

    @property
    def nodes(self) -> int:
        """Nodes in use."""
        return int(self.tree["used"])

    @property
    def root_visits(self) -> int:
        """Simulations that the tree holds, those of earlier searches included."""
        return int(self.pool[ROOT]["visits"])
