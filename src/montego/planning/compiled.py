"""Problems whose state is one record, searched at compiled speed.

A random playout in Python takes a millisecond; nested searches need millions.  Whoever can write
three kernels (see kernels/compiler/jit) gets all levels of nested Monte Carlo (T2) compiled:

* ``moves(S, room, at)`` writes the moves of a state to ``room[at:]`` and returns their number;
  none means the end;
* ``play(S, move)`` changes the state;
* ``score(S)`` is the reward of an end;
* ``choose(S, room, at, count, W)``, if given, draws a playout's move; else all are equal.

With a number of ``codes`` it gets nested rollout policy adaptation, too (see adapting.py):

* ``code(S, move)``, below ``codes``, is what moves of different states have in common; the move
  itself unless told.  Asked only of a state whose moves have just been listed;
* ``prior(S, move)``, if given, says how many times likelier a move is to begin with.

The result is a problem like any other, for all searches and any number of threads.  It is compiled
when it is first used, and goes on as it was then; made again after a change of a kernel, of a
helper or of a constant, it is compiled with that.

Kernels are trusted with memory: one that writes where it should not is not stopped.  But a game of
more than ``longest`` moves, a state of more than ``widest``, a code that is none and a score that
is no number are a ProblemError.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np

from montego.kernels.compiler.dependence import refresh
from montego.kernels.compiler.examining import (
    Mistake,
    Role,
    check_arguments,
    check_body,
    check_result,
)
from montego.kernels.compiler.jit import Entry, Kernel, U, compile_for, kernel
from montego.kernels.compiler.native import Code
from montego.kernels.compiler.rng import below
from montego.planning.adapting import (
    BAD_SCORE,
    SLACK,
    TOO_LONG,
    TOO_WIDE,
    Wheels,
    make_adaptation,
    no_prior,
    own_code,
    told_trouble,
)
from montego.planning.errors import KernelError, PlanningError, ProblemError

WORK = np.dtype([("rng", np.uint64), ("playouts", np.int64), ("trouble", np.int64)])
"""A search's scratch: the dice, a count, and what is wrong with the problem."""
LEVELS = 2
"""Compiled levels; levels above are Python's."""
LARGEST = 10_000_000
"""Moves and codes that memory is made for."""
LONGEST_NAME = 40
"""Characters of a problem's name in the name of a file."""
MOVES, PLAY, SCORE, SEARCH = range(4)
"""What the one compiled function can be asked for; searches of level n are SEARCH + n."""
Kernels = Sequence[tuple[Any, Role]]


def roles(state: np.dtype[np.void]) -> tuple[Role, ...]:
    """What the kernels of a problem are given and have to return, in the order of our account."""
    room = (np.dtype(np.int32),)
    drawing = ("S", "room", "at", "count", "W")
    return (
        Role("moves", drawing[:3], (state, room, int), "whole number"),
        Role("play", ("S", "move"), (state, int)),
        Role("score", ("S",), (state,), "number"),
        Role("choose", drawing, (state, room, int, int, WORK), "whole number"),
        Role("code", ("S", "move"), (state, int), "whole number"),
        Role("prior", ("S", "move"), (state, int), "number"),
    )


def check_kernels(kernels: Kernels) -> None:
    """Raise a KernelError for what is no kernel, or takes other arguments than it is given."""
    for own, role in kernels:
        if not isinstance(own, Kernel):
            name = getattr(own, "__name__", repr(own))
            raise KernelError(f"{role.name}: {name} is no kernel: put @kernel over it")
        with as_kernel_error():
            check_arguments(own.__wrapped__, role)  # type: ignore[attr-defined]


class OwnEntry(Entry):
    """An entry whose file is named after all that a user's kernels depend on, too."""

    def __init__(self, function: Callable[..., Any], name: str, kernels: Kernels) -> None:
        function.__name__ = re.sub(r"\W+", "_", name)[:LONGEST_NAME]
        super().__init__(function)
        self._kernels = kernels

    def _file(self, kinds: tuple[Any, ...]) -> str:
        with as_kernel_error():
            digest = refresh(self._function).digest()
        return f"{super()._file(kinds).removesuffix('.code')}-{digest}.code"

    def _compile(self, kinds: tuple[Any, ...]) -> Code:
        """As ever; but if that fails, one of the user's kernels is to blame."""
        failure = None
        try:
            code = compile_for(self.dispatcher, kinds)
        except Exception as error:  # Numba raises errors of all kinds
            failure = error
        with as_kernel_error():
            for own, role in self._kernels:
                # One that is compiled anew fails for its own reasons, not for those of a caller.
                one = Kernel(own.__wrapped__).dispatcher if failure else own.dispatcher
                if failure:
                    check_body(one, role)
                check_result(one, role)
        if failure:
            raise failure
        return code


@contextmanager
def as_kernel_error() -> Iterator[None]:
    """A mistake of the user's as an exception of this library."""
    try:
        yield
    except Mistake as mistake:
        raise KernelError(str(mistake)) from mistake.__cause__


@kernel
def any_move(S, room, at, count, W):
    """All moves are equal."""
    return room[U(at + below(W, count))]


def make_playout(
    moves: Any, play: Any, score: Any, choose: Any, longest: int, widest: int
) -> Kernel:
    """Level 0: states[0] is played to its end."""

    def playout(states, lines, lengths, room, W):
        S = states[0]
        n = 0
        while True:
            count = moves(S, room, 0)
            if count == 0:
                break
            if count < 0 or count > widest:
                W.trouble = TOO_WIDE
                return 0.0
            if n == longest:
                W.trouble = TOO_LONG
                return 0.0
            move = choose(S, room, 0, count, W)
            play(S, move)
            lines[U(n)] = move
            n += 1
        W.playouts += 1
        lengths[U(0)] = n
        value = float(score(S))
        if not math.isfinite(value):
            W.trouble = BAD_SCORE
        return value

    return Kernel(playout)


def make_level(
    level: int, lower: Kernel, moves: Any, play: Any, score: Any, longest: int, widest: int
) -> Kernel:
    """Algorithm 3 at states[level]; the best line is left in its part of ``lines``."""
    own, rest, at = level * longest, (level - 1) * longest, level * widest

    def search(states, lines, lengths, room, W):
        S = states[level]
        best = -math.inf
        n = 0
        length = 0
        while True:
            count = moves(S, room, at)
            if count == 0:
                break
            if count < 0 or count > widest:
                W.trouble = TOO_WIDE
                return best
            if n == longest:
                W.trouble = TOO_LONG
                return best
            for i in range(count):
                move = room[U(at + i)]
                states[level - 1] = states[level]
                play(states[level - 1], move)
                value = lower(states, lines, lengths, room, W)
                if n + 1 + lengths[U(level - 1)] > longest:
                    W.trouble = TOO_LONG
                if W.trouble != 0:
                    return best
                if value > best:
                    best = value
                    lines[U(own + n)] = move
                    for j in range(lengths[U(level - 1)]):
                        lines[U(own + n + 1 + j)] = lines[U(rest + j)]
                    length = n + 1 + lengths[U(level - 1)]
            play(S, np.int64(lines[U(own + n)]))
            n += 1
        lengths[U(level)] = length
        if n == 0:
            best = float(score(S))
            if not math.isfinite(best):
                W.trouble = BAD_SCORE
        return best

    return Kernel(search)


class Memory:
    """What compiled code works with; every thread has one of its own."""

    def __init__(self, problem: Compiled) -> None:
        self.states = np.zeros(LEVELS + 1, problem.state)
        self.lines = np.zeros((LEVELS + 1) * problem.longest, np.int32)
        self.lengths = np.zeros(LEVELS + 1, np.int64)
        self.room = np.empty((LEVELS + 1) * problem.widest + SLACK, np.int32)
        self.work = np.zeros(1, WORK)[0]
        self.done = 0.0
        """What was returned last."""


def check_sizes(name: Any, state: Any, **sizes: Any) -> None:
    """Raise a PlanningError for what no memory can be made of."""
    if not isinstance(name, str) or not name:
        raise PlanningError(f"a problem has a name, not {name!r}")
    if not isinstance(state, np.dtype) or state.names is None or state.hasobject:
        raise PlanningError(f"a state is a record of numbers, not {state!r}")
    for size, number in sizes.items():
        least = 0 if size == "codes" else 1
        if type(number) is not int or not least <= number <= LARGEST:
            raise PlanningError(f"{size} is a number from {least} to {LARGEST:,}, not {number!r}")


class Compiled:
    """A problem for one player, made of kernels."""

    nested_levels = LEVELS

    def __init__(
        self,
        name: str,
        state: np.dtype[np.void],
        moves: Any,
        play: Any,
        score: Any,
        *,
        longest: int,
        widest: int,
        choose: Any = None,
        codes: int = 0,
        code: Any = own_code,
        prior: Any = no_prior,
    ) -> None:
        check_sizes(name, state, longest=longest, widest=widest, codes=codes)
        self.state, self.longest, self.widest, self.codes = state, longest, widest, codes
        kernels = (moves, play, score, choose or any_move)
        own = list(zip((*kernels, code, prior), roles(state), strict=True))
        check_kernels(own)
        levels = [make_playout(*kernels, longest, widest)]
        for level in range(1, LEVELS + 1):
            levels.append(make_level(level, levels[-1], moves, play, score, longest, widest))
        first, second, third = levels

        def run(states, lines, lengths, room, W, task, move):
            if task == MOVES:
                count = moves(states[0], room, 0)
                if count < 0 or count > widest:
                    W.trouble = TOO_WIDE
                return float(count)
            if task == PLAY:
                play(states[0], move)
                return 0.0
            if task == SCORE:
                return float(score(states[0]))
            if task == SEARCH:
                return float(first(states, lines, lengths, room, W))
            if task == SEARCH + 1:
                return float(second(states, lines, lengths, room, W))
            return float(third(states, lines, lengths, room, W))

        self._run = OwnEntry(run, name, own[: len(kernels)])
        adapting = make_adaptation(moves, play, score, code, prior)
        self.adapting = OwnEntry(adapting, f"{name}_adaptation", own)
        self._own = threading.local()

    @property
    def _memory(self) -> Memory:
        """This thread's."""
        try:
            return self._own.memory
        except AttributeError:
            self._own.memory = Memory(self)
            return self._own.memory

    def _do(self, task: int, state: np.void, move: int = 0, at: int = 0) -> Memory:
        """Let the compiled function work; what it did is in the memory of this thread."""
        memory = self._memory
        memory.states[at] = self.checked(state)
        memory.work["trouble"] = 0
        memory.done = self._run(
            memory.states, memory.lines, memory.lengths, memory.room, memory.work, task, int(move)
        )
        trouble = int(memory.work["trouble"])
        if trouble:
            raise ProblemError(told_trouble(trouble, self.longest, self.widest), state)
        return memory

    def checked(self, state: Any) -> np.void:
        """A state of this problem."""
        if not isinstance(state, np.void) or state.dtype != self.state:
            raise ProblemError("a state of this problem is a record of its type, not", state)
        return state

    # --- a problem as searches know it -------------------------------------------------

    def actions(self, state: np.void) -> list[int]:
        memory = self._do(MOVES, state)
        return memory.room[: int(memory.done)].tolist()

    def apply(self, state: np.void, move: int) -> np.void:
        return self._do(PLAY, state, move).states[0].copy()

    def is_terminal(self, state: np.void) -> bool:
        return self._do(MOVES, state).done == 0

    def reward(self, state: np.void) -> float:
        return self._do(SCORE, state).done

    def key(self, state: np.void) -> bytes:
        return state.tobytes()

    def playout(self, state: np.void, dice: Random) -> tuple[float, list[int]]:
        """A random playout."""
        total, line, _ = self.nested(state, 0, dice)
        return total, line

    def nested(self, state: np.void, level: int, dice: Random) -> tuple[float, list[int], int]:
        """A nested search: the total, the moves, and how many playouts it took."""
        if not 0 <= level <= LEVELS:
            raise PlanningError(f"levels 0 to {LEVELS} are compiled, not {level}")
        work = self._memory.work
        work["rng"], work["playouts"] = dice.getrandbits(64), 0
        memory = self._do(SEARCH + level, state, at=level)
        begin = level * self.longest
        line = memory.lines[begin : begin + int(memory.lengths[level])].tolist()
        return memory.done, line, int(work["playouts"])

    def adaptation(
        self, state: np.void, level: int, iterations: int, alpha: float, dice: Random
    ) -> Wheels | None:
        """A search by nested rollout policy adaptation; None without codes."""
        return Wheels(self, state, level, iterations, alpha, dice) if self.codes else None
