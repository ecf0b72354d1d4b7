"""Nested rollout policy adaptation (Rosin 2011) at compiled speed, for problems made of kernels.

A search of level n calls level n − 1 so many times, each with a copy of its policy, and after each
makes its best sequence more likely; level 0 is a playout by the policy of level 1.  The levels are
therefore the wheels of a counter: after every playout the wheel of level 1 moves on by one notch,
and a wheel that has gone round moves the next one and begins again with a copy of its policy.  That
needs no recursion, and can stop after any playout and go on later.

A policy has odds e^weight for every code; a move is drawn in proportion to them and to its prior,
which is what the problem knows of it beforehand (the e^bias of Cazenave 2020).  Weights themselves
are never kept: a step of learning multiplies odds, and takes one exponential for each code that the
sequence has met, where playouts take none.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np

from montego.kernels.compiler.jit import Kernel, U, kernel
from montego.kernels.compiler.rng import unit
from montego.planning.errors import PlanningError, ProblemError

HIGHEST = 6
"""Levels there is room for."""
SLACK = 1 << 20
"""Moves that there is room for beyond the widest: more than that are noticed in time."""
TOO_LONG, TOO_WIDE, BAD_SCORE, BAD_CODE = range(1, 5)
"""What may be wrong with a problem; compiled code notes it and returns."""
START, NOW = 0, 1
"""The two states: where all playouts begin, and the one that is played."""


def told_trouble(trouble: int, longest: int, widest: int) -> str:
    """What is wrong, for the user."""
    return {
        TOO_LONG: f"a game of more than {longest:,} moves (longest) from",
        TOO_WIDE: f"not 0 to {widest:,} moves (widest) somewhere in a game from",
        BAD_SCORE: "the score is infinite or not a number somewhere in a game from",
        BAD_CODE: "a code is not one of codes somewhere in a game from",
    }[trouble]


def wheels_of(longest: int, widest: int, codes: int) -> np.dtype[np.void]:
    """All that a search remembers.  A sequence is kept with every choice it had, one after the
    other: their codes and priors, which of them were chosen, and where each step's choices end."""
    levels = HIGHEST + 1
    return np.dtype(
        [
            ("rng", np.uint64),
            ("top", np.int64),
            ("iterations", np.int64),
            ("alpha", np.float64),
            ("longest", np.int64),
            ("widest", np.int64),
            ("codes", np.int64),
            ("trouble", np.int64),
            ("notch", np.int64, (levels,)),
            ("best", np.float64, (levels,)),
            ("length", np.int64, (levels,)),
            ("odds", np.float64, (levels * codes,)),
            ("change", np.float64, (codes,)),
            ("line", np.int32, (levels * longest,)),
            ("chosen", np.int32, (levels * longest,)),
            ("end", np.int32, (levels * longest,)),
            ("code", np.int32, (levels * longest * widest,)),
            ("prior", np.float64, (levels * longest * widest,)),
            ("share", np.float64, (longest * widest,)),
        ]
    )


@kernel
def own_code(S, move):
    """A move is called the same wherever it can be played."""
    return move


@kernel
def no_prior(S, move):
    """Nothing is known beforehand."""
    return 1.0


@kernel
def keep(A, level):
    """The sequence of the level below becomes this level's best."""
    own, below = level * A.longest, (level - 1) * A.longest
    n = A.length[U(level - 1)]
    for i in range(n):
        A.line[U(own + i)] = A.line[U(below + i)]
        A.chosen[U(own + i)] = A.chosen[U(below + i)]
        A.end[U(own + i)] = A.end[U(below + i)]
    if n > 0:
        used = np.int64(A.end[U(below + n - 1)])
        own, below = own * A.widest, below * A.widest
        for j in range(used):
            A.code[U(own + j)] = A.code[U(below + j)]
            A.prior[U(own + j)] = A.prior[U(below + j)]
    A.length[U(level)] = n
    A.best[U(level)] = A.best[U(level - 1)]


@kernel
def adapt(A, level):
    """Make the best sequence of a level more likely: a step up the gradient of its logarithm."""
    odds, own = level * A.codes, level * A.longest
    choices = own * A.widest
    begin = 0
    for i in range(A.length[U(level)]):
        end = np.int64(A.end[U(own + i)])
        total = 0.0
        for j in range(begin, end):
            share = A.odds[U(odds + A.code[U(choices + j)])] * A.prior[U(choices + j)]
            A.share[U(j)] = share
            total += share
        for j in range(begin, end):
            A.change[U(A.code[U(choices + j)])] -= A.alpha * A.share[U(j)] / total
        A.change[U(A.code[U(choices + A.chosen[U(own + i)])])] += A.alpha
        begin = end
    for j in range(begin):
        code = np.int64(A.code[U(choices + j)])
        if A.change[U(code)] != 0.0:
            A.odds[U(odds + code)] *= math.exp(A.change[U(code)])
            A.change[U(code)] = 0.0


@kernel
def begin_again(A, level):
    """A level starts with the policy of the one above it."""
    for i in range(A.codes):
        A.odds[U(level * A.codes + i)] = A.odds[U((level + 1) * A.codes + i)]
    A.best[U(level)] = -math.inf
    A.notch[U(level)] = 0


@kernel
def turn(A):
    """What follows a playout; True when the wheel of the top has gone round."""
    level = 1
    while True:
        if A.best[U(level - 1)] >= A.best[U(level)]:
            keep(A, level)
        adapt(A, level)
        A.notch[U(level)] += 1
        if A.notch[U(level)] < A.iterations:
            break
        if level == A.top:
            return True
        level += 1
    for lower in range(level - 1, 0, -1):
        begin_again(A, lower)
    return False


def make_adaptation(moves: Any, play: Any, score: Any, code: Any, prior: Any) -> Any:
    """The function that is compiled for a problem: so many playouts more."""

    def playout(states, A, room):
        """Level 0, by the policy of level 1."""
        states[NOW] = states[START]
        S = states[NOW]
        n = 0
        used = 0
        while True:
            count = moves(S, room, 0)
            if count == 0:
                break
            if count < 0 or count > A.widest:
                A.trouble = TOO_WIDE
                return
            if n == A.longest:
                A.trouble = TOO_LONG
                return
            total = 0.0
            for i in range(count):
                move = np.int64(room[U(i)])
                name = np.int64(code(S, move))
                if name < 0 or name >= A.codes:
                    A.trouble = BAD_CODE
                    return
                A.code[U(used + i)] = name
                A.prior[U(used + i)] = prior(S, move)
                total += A.odds[U(A.codes + name)] * A.prior[U(used + i)]
                A.share[U(i)] = total
            place = unit(A) * total
            pick = 0
            while pick < count - 1 and A.share[U(pick)] <= place:
                pick += 1
            move = np.int64(room[U(pick)])
            A.line[U(n)] = move
            A.chosen[U(n)] = used + pick
            used += count
            A.end[U(n)] = used
            play(S, move)
            n += 1
        A.length[U(0)] = n
        A.best[U(0)] = score(S)
        if not math.isfinite(A.best[U(0)]):
            A.trouble = BAD_SCORE

    level_0 = Kernel(playout)

    def adaptation(states, A, room, playouts, goal):
        """Returns how many were made: fewer if the search came to its end, or to the goal."""
        for done in range(1, playouts + 1):
            level_0(states, A, room)
            if A.trouble != 0:
                return done
            if turn(A) or A.best[U(0)] >= goal:
                return done
        return playouts

    return adaptation


class Wheels:
    """A search of one state in progress."""

    def __init__(
        self,
        problem: Any,
        state: np.void,
        level: int,
        iterations: int,
        alpha: float,
        dice: Random,
    ) -> None:
        if not 1 <= level <= HIGHEST:
            raise PlanningError(f"levels 1 to {HIGHEST} are compiled, not {level}")
        self._run = problem.adapting
        self._states = np.zeros(2, problem.state)
        self._states[START] = problem.checked(state)
        self._room = np.empty(problem.widest + SLACK, np.int32)
        sizes = problem.longest, problem.widest, problem.codes
        try:
            self.memory = np.zeros(1, wheels_of(*sizes))[0]
        except (MemoryError, ValueError):
            told = "no memory for longest {:,}, widest {:,} and {:,} codes"
            raise PlanningError(told.format(*sizes)) from None
        memory = self.memory
        memory["rng"], memory["alpha"] = dice.getrandbits(64), alpha
        memory["top"], memory["iterations"] = level, iterations
        memory["longest"], memory["widest"] = problem.longest, problem.widest
        memory["codes"] = problem.codes
        memory["best"][:] = -math.inf
        memory["odds"][:] = 1.0

    def advance(self, playouts: int, goal: float = math.inf) -> int:
        """So many playouts more; fewer are made if the search comes to its end, or to the goal."""
        made = int(self._run(self._states, self.memory, self._room, playouts, goal))
        memory = self.memory
        if memory["trouble"]:
            sizes = int(memory["longest"]), int(memory["widest"])
            raise ProblemError(told_trouble(int(memory["trouble"]), *sizes), self._states[START])
        return made

    def best(self) -> tuple[float, list[int]]:
        """The best total so far, and its moves.  What a wheel forgets, the next one has kept."""
        memory = self.memory
        level = int(np.argmax(memory["best"]))
        begin = level * int(memory["longest"])
        line = memory["line"][begin : begin + int(memory["length"][level])]
        return float(memory["best"][level]), line.tolist()
