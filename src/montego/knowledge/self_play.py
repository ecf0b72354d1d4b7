"""Games of a network against itself, with PyTorch: who wins a position is learned from them.

As many games as a GPU likes are played in step (kernels/net/games).  Each begins at random: until a
move of its own, moves are drawn as the network guesses them; from there on it plays nearly its best
(as the value network of AlphaGo learned it: Silver et al. 2016), or looks ahead (choosing).
Positions from that move on are examples.  A game is stopped before the points that nobody needs are
filled, and judged by a few playouts: their scores say who wins by any komi, and their ends who owns
which point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board.board import new_boards
from montego.kernels.features.planes import NO_MOVE, RECENT
from montego.kernels.net.games import judge_ends, play_turns, write_children, write_turns
from montego.kernels.playouts.policy import WORK
from montego.knowledge.choosing import Chooser, Positions
from montego.knowledge.examples import ARRAYS, Examples, joined
from montego.knowledge.strengths import shipped_tables
from montego.knowledge.tower import Tower

AT_ONCE = 4096
"""Games in step."""
LENGTH = 1.0
"""Moves of a game, by points of the board: then even playouts agree who has won.  (After 0.75 of
them the winner by playouts is another one in a fifth of the games on 19x19.)"""
AT_RANDOM = 0.6
"""The most of them that are drawn as guessed, by the same,"""
SHOWN = 0.85
"""and the last one that may be an example: what follows is decided."""
PLAYOUTS = 8
"""That judge the end of a game."""
KEPT, KEPT_AHEAD = 12, 30
"""Examples of a game, on average; where moves were looked at ahead, each has more to teach."""
OUTCOMES = "games", "scores", "owners", "candidates", "chances"
"""Arrays of outcomes beside those of their examples, by their names."""


@dataclass(frozen=True)
class Outcomes:
    """Positions of games, and how the games ended."""

    examples: Examples
    games: NDArray[np.int32]
    """The game of every example."""
    scores: NDArray[np.int16]
    """Black's score without komi, by game and playout."""
    owners: NDArray[np.int8]
    """Sums of owners, +1 for Black, by game and point."""
    candidates: NDArray[np.int16]
    """Moves that were looked at, by example, and"""
    chances: NDArray[np.float16]
    """how often each of them should be played (choosing)."""

    def __len__(self) -> int:
        return len(self.games)

    def save(self, path: Path) -> None:
        """Write them to a file; whole, or not at all."""
        unfinished = path.with_name(f"{path.name}.unfinished")
        arrays = {name: getattr(self.examples, name) for name in ARRAYS}
        with unfinished.open("wb") as file:
            np.savez(file, **arrays, **{name: getattr(self, name) for name in OUTCOMES})
        unfinished.replace(path)

    @classmethod
    def load(cls, path: Path, size: int) -> Outcomes:
        """Read what ``save`` wrote; raises ValueError if that is damaged."""
        try:
            with np.load(path) as file:
                examples = Examples(size, **{name: file[name] for name in ARRAYS})
                return cls(examples, *(file[name] for name in OUTCOMES))
        except FileNotFoundError:
            raise ValueError(f"{path} is gone, and what was learned so far needs it") from None
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            raise ValueError(f"{path} is damaged; remove it to play its games again") from None


def play_games(
    tower: Tower,
    size: int,
    count: int,
    judge: Any,
    seed: int,
    threads: int = 1,
    tick: Callable[[int], object] = int,
    ahead: int = 0,
) -> Outcomes:
    """Games of a network against itself, which looks at so many candidates of every position;
    ``judge`` is the record of the playouts (POLICY)."""
    parts, done = [], 0
    with ThreadPoolExecutor(threads) as pool:
        while done < count:
            table = _Table(size, min(AT_ONCE, count - done), (seed, size, done), pool, threads)
            chooser = Chooser(tower, ahead, int(table.rng.integers(2**63)))
            parts.append(table.play(chooser, judge, tick))
            done += table.count
    return _together(parts, size)


def _together(parts: list[Outcomes], size: int) -> Outcomes:
    firsts = np.cumsum([0, *(len(part.scores) for part in parts[:-1])])
    return Outcomes(
        joined([part.examples for part in parts], size),
        np.concatenate([part.games + first for part, first in zip(parts, firsts, strict=True)]),
        *(np.concatenate([getattr(part, name) for part in parts]) for name in OUTCOMES[1:]),
    )


class _Table:
    """Some games in step."""

    def __init__(
        self,
        size: int,
        count: int,
        seed: tuple[int, ...],
        pool: ThreadPoolExecutor,
        threads: int,
    ) -> None:
        self.size, self.count, self.pool = size, count, pool
        self.rng = np.random.default_rng(seed)
        self.boards = new_boards(size, count)
        self.tables = shipped_tables(size)
        self.work = np.zeros(threads, dtype=WORK)
        self.work["rng"] = self.rng.integers(1, 2**63, size=threads)
        self.codes, self.hints = (np.zeros((count, size * size), np.uint8) for _ in range(2))
        self.recent = np.full((count, RECENT), NO_MOVE, np.int16)
        area = size * size
        self.length, self.shown = round(LENGTH * area), round(SHOWN * area)
        self.cool_from = self.rng.integers(0, round(AT_RANDOM * area), size=count)

    def play(self, chooser: Chooser, judge: Any, tick: Callable[[int], object]) -> Outcomes:
        """Play the games, and keep some of their positions; ``tick`` hears of every turn."""
        kept, games, candidates, chances = [], [], [], []
        for number in range(self.length):
            self._in_parts(self._write, self.count)
            choice = chooser.choose(self, number < self.cool_from, number)
            some = self._some(number, choice.moves, KEPT_AHEAD if chooser.ahead else KEPT)
            kept.append(self._examples(some, choice.moves, number))
            games.append(some.astype(np.int32))
            candidates.append(choice.candidates[some])
            chances.append(choice.chances[some])
            self._in_parts(partial(self._move, choice.moves), self.count)
            tick(0)
        scores = np.zeros((self.count, PLAYOUTS), np.int16)
        owners = np.zeros((self.count, self.size * self.size), np.int8)
        self._in_parts(partial(self._judge, judge, scores.ravel(), owners.ravel()), self.count)
        tick(self.count)
        return Outcomes(
            joined(kept, self.size), np.concatenate(games), scores, owners,
            np.concatenate(candidates), np.concatenate(chances),
        )  # fmt: skip

    def children(self, chosen: NDArray[np.int64], moves: NDArray[np.int16]) -> Positions:
        """What moves, [chosen, each], lead to in the games chosen."""
        area, games, played = self.size**2, np.repeat(chosen, moves.shape[1]), moves.ravel()
        codes, hints = (np.zeros((moves.size, area), np.uint8) for _ in range(2))
        write = partial(self._write_children, games, played, codes.ravel(), hints.ravel())
        self._in_parts(write, moves.size)
        recent = np.column_stack([played, self.recent[games, :-1]])
        return codes, hints, recent

    def _write(self, work: Any, first: int, end: int) -> None:
        bytes_ = self.codes.ravel(), self.hints.ravel()
        write_turns(self.tables, work, self.boards, *bytes_, first, end)

    def _write_children(
        self, games: Any, moves: Any, codes: Any, hints: Any, work: Any, first: int, end: int
    ) -> None:
        children = games, moves, codes, hints
        write_children(self.tables, work, self.boards, *children, first, end)

    def _move(self, moves: NDArray[np.int16], work: Any, first: int, end: int) -> None:
        play_turns(self.boards, self.recent.ravel(), moves, first, end)

    def _judge(self, judge: Any, scores: Any, owners: Any, work: Any, first: int, end: int) -> None:
        tables, boards = self.tables, self.boards
        judge_ends(judge, tables, work, boards, PLAYOUTS, scores, owners, first, end)

    def _some(self, number: int, moves: NDArray[np.int16], kept: int) -> NDArray[np.int64]:
        """The games whose position is kept now: those that are past their random moves."""
        part = kept / (self.shown - self.cool_from.mean())
        is_drawn = (self.rng.random(self.count) < part) & (number < self.shown)
        return np.flatnonzero((number >= self.cool_from) & is_drawn & (moves != NO_MOVE))

    def _examples(self, some: Any, moves: NDArray[np.int16], number: int) -> Examples:
        return Examples(
            self.size,
            codes=self.codes[some], hints=self.hints[some], recent=self.recent[some],
            targets=moves[some], numbers=np.full(len(some), number, np.int16),
        )  # fmt: skip

    def _in_parts(self, do: Callable[..., object], count: int) -> None:
        """Let every thread do its part of so many games."""
        for done in [self.pool.submit(do, *part) for part in self._parts(count)]:
            done.result()

    def _parts(self, count: int) -> Iterator[tuple[Any, int, int]]:
        ends = np.linspace(0, count, len(self.work) + 1).astype(int)
        for i, work in enumerate(self.work):
            yield work, int(ends[i]), int(ends[i + 1])
