"""Problems made of kernels: the state is one record, and searches run at compiled speed.

A random playout in Python takes a millisecond; nested searches need millions.  From three kernels
(see kernels/compiler/jit.py), nested Monte-Carlo search (T2) is compiled:

* ``moves(state, buffer, at)`` writes the moves of a state to ``buffer[at:]`` and returns their
  number; a state without moves is terminal;
* ``play(state, move)`` changes the state;
* ``score(state)`` is the reward of a terminal state;
* ``choose(state, buffer, at, count, W)``, optional, draws a playout's move; by default uniformly.

With a number of ``codes``, nested rollout policy adaptation is compiled, too (see
compiled_adaptation.py):

* ``code(state, move)``, below ``codes``, is the name of a move shared by different states; by
  default the move itself.  It is called only for a state whose moves have just been listed;
* ``prior(state, move)``, optional, says how many times likelier a move is to begin with.

The result is a problem like any other, for all searches and any number of threads.  It is compiled
when it is first used.  A new instance notices changes of a kernel, a helper or a constant and is
compiled again.

Kernels are trusted: writes out of bounds are not checked.  But a game of more than ``longest``
moves, a state with more than ``widest`` moves, an invalid code and a score that is not a number
raise a ProblemError.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from montego.kernels.compiler.diagnosis import Mistake, Role, check_arguments
from montego.kernels.compiler.jit import Kernel, U, kernel
from montego.kernels.compiler.own_entry import KernelRoles, OwnEntry
from montego.kernels.compiler.rng import below
from montego.planning.compiled_adaptation import (
    BAD_SCORE,
    SLACK,
    TOO_LONG,
    TOO_WIDE,
    CompiledAdaptation,
    make_adaptation,
    move_as_code,
    no_prior,
    problem_message,
)
from montego.planning.errors import KernelError, PlanningError, ProblemError

WORK = np.dtype([("rng", np.uint64), ("playouts", np.int64), ("error", np.int64)])
"""A search's work record: random state, a count, and an error of the problem."""
LEVELS = 2
"""Compiled levels; levels above run in Python."""
LARGEST = 10_000_000
"""The largest number of moves and codes."""
MOVES, PLAY, SCORE, SEARCH = range(4)
"""Tasks of the one compiled function; a search of level n is SEARCH + n."""


@dataclass(frozen=True)
class ProblemKernels:
    """The kernels of a problem, and the limits that are compiled into its searches."""

    moves: Any
    play: Any
    score: Any
    choose: Any
    code: Any
    prior: Any
    longest: int
    widest: int

    def roles(self, state: np.dtype[np.void]) -> KernelRoles:
        """Each kernel with its arguments and its result."""
        buffer = (np.dtype(np.int32),)
        names = ("state", "buffer", "at", "count", "W")
        move = ("state", "move")
        return (
            (self.moves, Role("moves", names[:3], (state, buffer, int), "whole number")),
            (self.play, Role("play", move, (state, int))),
            (self.score, Role("score", names[:1], (state,), "number")),
            (self.choose, Role("choose", names, (state, buffer, int, int, WORK), "whole number")),
            (self.code, Role("code", move, (state, int), "whole number")),
            (self.prior, Role("prior", move, (state, int), "number")),
        )


SEARCH_KERNELS = 4
"""The first 4 roles are those of nested search; policy adaptation uses all."""


def check_kernels(kernels: KernelRoles) -> None:
    """Raise a KernelError for a kernel that is none, or that takes other arguments."""
    for own, role in kernels:
        if not isinstance(own, Kernel):
            name = getattr(own, "__name__", repr(own))
            raise KernelError(f"{role.name}: {name} is not a kernel: decorate it with @kernel")
        with as_kernel_error():
            check_arguments(own.__wrapped__, role)  # type: ignore[attr-defined]


class ProblemEntry(OwnEntry):
    """Compiled code of a problem; what is wrong with its kernels is a KernelError."""

    def _load(self, kinds: tuple[Any, ...]) -> tuple[int, str]:
        with as_kernel_error():
            return super()._load(kinds)


@contextmanager
def as_kernel_error() -> Iterator[None]:
    """Turn a mistake in a user's kernel into a KernelError."""
    try:
        yield
    except Mistake as mistake:
        raise KernelError(str(mistake)) from mistake.__cause__


@kernel
def any_move(state, buffer, at, count, W):
    """A uniformly random move."""
    return buffer[U(at + below(W, count))]


def make_playout(kernels: ProblemKernels) -> Kernel:
    """Level 0: a playout of states[0] to its end."""
    moves, play, score, choose = kernels.moves, kernels.play, kernels.score, kernels.choose
    longest, widest = kernels.longest, kernels.widest

    def playout(states, lines, lengths, buffer, W):
        state = states[0]
        n = 0
        while True:
            count = moves(state, buffer, 0)
            if count == 0:
                break
            if count < 0 or count > widest:
                W.error = TOO_WIDE
                return 0.0
            if n == longest:
                W.error = TOO_LONG
                return 0.0
            move = choose(state, buffer, 0, count, W)
            play(state, move)
            lines[U(n)] = move
            n += 1
        W.playouts += 1
        lengths[U(0)] = n
        value = float(score(state))
        if not math.isfinite(value):
            W.error = BAD_SCORE
        return value

    return Kernel(playout)


def make_level(level: int, lower: Kernel, kernels: ProblemKernels) -> Kernel:
    """Algorithm 3 at states[level]; the best line is left in its part of ``lines``."""
    moves, play, score = kernels.moves, kernels.play, kernels.score
    longest, widest = kernels.longest, kernels.widest
    own, rest, at = level * longest, (level - 1) * longest, level * widest

    def search(states, lines, lengths, buffer, W):
        state = states[level]
        best = -math.inf
        n = 0
        length = 0
        while True:
            count = moves(state, buffer, at)
            if count == 0:
                break
            if count < 0 or count > widest:
                W.error = TOO_WIDE
                return best
            if n == longest:
                W.error = TOO_LONG
                return best
            for i in range(count):
                move = buffer[U(at + i)]
                states[level - 1] = states[level]
                play(states[level - 1], move)
                value = lower(states, lines, lengths, buffer, W)
                if n + 1 + lengths[U(level - 1)] > longest:
                    W.error = TOO_LONG
                if W.error != 0:
                    return best
                if value > best:
                    best = value
                    lines[U(own + n)] = move
                    for j in range(lengths[U(level - 1)]):
                        lines[U(own + n + 1 + j)] = lines[U(rest + j)]
                    length = n + 1 + lengths[U(level - 1)]
            play(state, np.int64(lines[U(own + n)]))
            n += 1
        lengths[U(level)] = length
        if n == 0:
            best = float(score(state))
            if not math.isfinite(best):
                W.error = BAD_SCORE
        return best

    return Kernel(search)


class Memory:
    """The memory of compiled code; every thread has its own."""

    def __init__(self, problem: Compiled) -> None:
        self.states = np.zeros(LEVELS + 1, problem.state)
        self.lines = np.zeros((LEVELS + 1) * problem.longest, np.int32)
        self.lengths = np.zeros(LEVELS + 1, np.int64)
        self.buffer = np.empty((LEVELS + 1) * problem.widest + SLACK, np.int32)
        self.work = np.zeros(1, WORK)[0]
        self.done = 0.0
        """The last result."""


def check_sizes(name: Any, state: Any, **sizes: Any) -> None:
    """Raise a PlanningError for an invalid name, state type or size."""
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
        code: Any = move_as_code,
        prior: Any = no_prior,
    ) -> None:
        check_sizes(name, state, longest=longest, widest=widest, codes=codes)
        self.state, self.longest, self.widest, self.codes = state, longest, widest, codes
        kernels = ProblemKernels(
            moves, play, score, choose or any_move, code, prior, longest, widest
        )
        roles = kernels.roles(state)
        check_kernels(roles)
        levels = [make_playout(kernels)]
        for level in range(1, LEVELS + 1):
            levels.append(make_level(level, levels[-1], kernels))
        first, second, third = levels

        def run(states, lines, lengths, buffer, W, task, move):
            if task == MOVES:
                count = moves(states[0], buffer, 0)
                if count < 0 or count > widest:
                    W.error = TOO_WIDE
                return float(count)
            if task == PLAY:
                play(states[0], move)
                return 0.0
            if task == SCORE:
                return float(score(states[0]))
            if task == SEARCH:
                return float(first(states, lines, lengths, buffer, W))
            if task == SEARCH + 1:
                return float(second(states, lines, lengths, buffer, W))
            return float(third(states, lines, lengths, buffer, W))

        self._run = ProblemEntry(run, name, roles[:SEARCH_KERNELS])
        adaptation = make_adaptation(moves, play, score, code, prior)
        self.adaptation_entry = ProblemEntry(adaptation, f"{name}_adaptation", roles)
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
        """Call the compiled function; its results are in the memory of this thread."""
        memory = self._memory
        memory.states[at] = self.checked(state)
        memory.work["error"] = 0
        memory.done = self._run(
            memory.states, memory.lines, memory.lengths, memory.buffer, memory.work, task, int(move)
        )
        error = int(memory.work["error"])
        if error:
            raise ProblemError(problem_message(error, self.longest, self.widest), state)
        return memory

    def checked(self, state: Any) -> np.void:
        """A state of this problem."""
        if not isinstance(state, np.void) or state.dtype != self.state:
            raise ProblemError("a state of this problem is a record of its type, not", state)
        return state

    # --- the methods of a problem ------------------------------------------------------

    def actions(self, state: np.void) -> list[int]:
        memory = self._do(MOVES, state)
        return memory.buffer[: int(memory.done)].tolist()

    def apply(self, state: np.void, move: int) -> np.void:
        return self._do(PLAY, state, move).states[0].copy()

    def is_terminal(self, state: np.void) -> bool:
        return self._do(MOVES, state).done == 0

    def reward(self, state: np.void) -> float:
        return self._do(SCORE, state).done

    def key(self, state: np.void) -> bytes:
        return state.tobytes()

    def playout(self, state: np.void, rng: Random) -> tuple[float, list[int]]:
        """A random playout."""
        total, line, _ = self.nested(state, 0, rng)
        return total, line

    def nested(self, state: np.void, level: int, rng: Random) -> tuple[float, list[int], int]:
        """A nested search: the total reward, the moves, and the number of playouts."""
        if not 0 <= level <= LEVELS:
            raise PlanningError(f"levels 0 to {LEVELS} are compiled, not {level}")
        work = self._memory.work
        work["rng"], work["playouts"] = rng.getrandbits(64), 0
        memory = self._do(SEARCH + level, state, at=level)
        begin = level * self.longest
        line = memory.lines[begin : begin + int(memory.lengths[level])].tolist()
        return memory.done, line, int(work["playouts"])

    def adaptation(
        self, state: np.void, level: int, iterations: int, alpha: float, rng: Random
    ) -> CompiledAdaptation | None:
        """A search by nested rollout policy adaptation; None without codes."""
        if not self.codes:
            return None
        return CompiledAdaptation(self, state, level, iterations, alpha, rng)
