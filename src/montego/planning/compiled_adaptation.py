"""Nested rollout policy adaptation (Rosin 2011), compiled, for problems made of kernels.

A search of level n calls level n − 1 a number of times, each time with a copy of its policy, and
after each call makes its best sequence more likely; level 0 is a playout by the policy of level 1.
The recursion is unrolled into one iteration counter for every level: after every playout the
counter of level 1 advances; a level that has done its iterations advances the next one, and starts
again with a copy of its policy.  So the search can stop after any playout and continue later.

A policy holds the odds e^weight of every code; a move is drawn in proportion to its odds and its
prior, which is what the problem knows beforehand (the e^bias of Cazenave 2020).  Weights themselves
are not stored: adapting multiplies odds and takes one exponential for each code in the sequence,
and playouts take none.
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
"""The highest level."""
SLACK = 1 << 20
"""Moves beyond ``widest`` that fit into the buffer, so that an overrun is noticed in time."""
TOO_LONG, TOO_WIDE, BAD_SCORE, BAD_CODE = range(1, 5)
"""Errors of a problem; compiled code stores one in its work record and returns."""
START, NOW = 0, 1
"""The two states: the start of all playouts, and the current one."""


def problem_message(error: int, longest: int, widest: int) -> str:
    """An error of a problem as text for the user; the state follows."""
    return {
        TOO_LONG: f"a game of more than {longest:,} moves (longest) from",
        TOO_WIDE: f"not 0 to {widest:,} moves (widest) somewhere in a game from",
        BAD_SCORE: "the score is infinite or not a number somewhere in a game from",
        BAD_CODE: "a code is not below codes somewhere in a game from",
    }[error]


def work_type(longest: int, widest: int, codes: int) -> np.dtype[np.void]:
    """The work record of a search.

    A sequence is stored with every choice that it had, in one array: their codes and priors, which
    of them was chosen, and where the choices of each step end.
    """
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
            ("error", np.int64),
            ("iteration", np.int64, (levels,)),
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
def move_as_code(state, move):
    """A move has the same code wherever it can be played."""
    return move


@kernel
def no_prior(state, move):
    """All moves are equally likely to begin with."""
    return 1.0


@kernel
def keep(W, level):
    """The sequence of the level below becomes this level's best."""
    own, below = level * W.longest, (level - 1) * W.longest
    n = W.length[U(level - 1)]
    for i in range(n):
        W.line[U(own + i)] = W.line[U(below + i)]
        W.chosen[U(own + i)] = W.chosen[U(below + i)]
        W.end[U(own + i)] = W.end[U(below + i)]
    if n > 0:
        used = np.int64(W.end[U(below + n - 1)])
        own, below = own * W.widest, below * W.widest
        for j in range(used):
            W.code[U(own + j)] = W.code[U(below + j)]
            W.prior[U(own + j)] = W.prior[U(below + j)]
    W.length[U(level)] = n
    W.best[U(level)] = W.best[U(level - 1)]


@kernel
def adapt(W, level):
    """Make the best sequence of a level more likely: a step up the gradient of its likelihood."""
    odds, own = level * W.codes, level * W.longest
    choices = own * W.widest
    begin = 0
    for i in range(W.length[U(level)]):
        end = np.int64(W.end[U(own + i)])
        total = 0.0
        for j in range(begin, end):
            share = W.odds[U(odds + W.code[U(choices + j)])] * W.prior[U(choices + j)]
            W.share[U(j)] = share
            total += share
        for j in range(begin, end):
            W.change[U(W.code[U(choices + j)])] -= W.alpha * W.share[U(j)] / total
        W.change[U(W.code[U(choices + W.chosen[U(own + i)])])] += W.alpha
        begin = end
    for j in range(begin):
        code = np.int64(W.code[U(choices + j)])
        if W.change[U(code)] != 0.0:
            W.odds[U(odds + code)] *= math.exp(W.change[U(code)])
            W.change[U(code)] = 0.0


@kernel
def restart(W, level):
    """A level starts with the policy of the one above it."""
    for i in range(W.codes):
        W.odds[U(level * W.codes + i)] = W.odds[U((level + 1) * W.codes + i)]
    W.best[U(level)] = -math.inf
    W.iteration[U(level)] = 0


@kernel
def advance_levels(W):
    """After a playout: adapt the levels that are due; True when the top level is done."""
    level = 1
    while True:
        if W.best[U(level - 1)] >= W.best[U(level)]:
            keep(W, level)
        adapt(W, level)
        W.iteration[U(level)] += 1
        if W.iteration[U(level)] < W.iterations:
            break
        if level == W.top:
            return True
        level += 1
    for lower in range(level - 1, 0, -1):
        restart(W, lower)
    return False


def make_adaptation(moves: Any, play: Any, score: Any, code: Any, prior: Any) -> Any:
    """The function that is compiled for a problem: more playouts of a search."""

    def playout(states, W, buffer):
        """Level 0, by the policy of level 1."""
        states[NOW] = states[START]
        state = states[NOW]
        n = 0
        used = 0
        while True:
            count = moves(state, buffer, 0)
            if count == 0:
                break
            if count < 0 or count > W.widest:
                W.error = TOO_WIDE
                return
            if n == W.longest:
                W.error = TOO_LONG
                return
            total = 0.0
            for i in range(count):
                move = np.int64(buffer[U(i)])
                name = np.int64(code(state, move))
                if name < 0 or name >= W.codes:
                    W.error = BAD_CODE
                    return
                W.code[U(used + i)] = name
                W.prior[U(used + i)] = prior(state, move)
                total += W.odds[U(W.codes + name)] * W.prior[U(used + i)]
                W.share[U(i)] = total
            place = unit(W) * total
            pick = 0
            while pick < count - 1 and W.share[U(pick)] <= place:
                pick += 1
            move = np.int64(buffer[U(pick)])
            W.line[U(n)] = move
            W.chosen[U(n)] = used + pick
            used += count
            W.end[U(n)] = used
            play(state, move)
            n += 1
        W.length[U(0)] = n
        W.best[U(0)] = score(state)
        if not math.isfinite(W.best[U(0)]):
            W.error = BAD_SCORE

    level_0 = Kernel(playout)

    def adaptation(states, W, buffer, playouts, goal):
        """Returns how many playouts were made: fewer at the end of the search or at the goal."""
        for done in range(1, playouts + 1):
            level_0(states, W, buffer)
            if W.error != 0:
                return done
            if advance_levels(W) or W.best[U(0)] >= goal:
                return done
        return playouts

    return adaptation


class CompiledAdaptation:
    """A search from one state in progress."""

    def __init__(
        self,
        problem: Any,
        state: np.void,
        level: int,
        iterations: int,
        alpha: float,
        rng: Random,
    ) -> None:
        if not 1 <= level <= HIGHEST:
            raise PlanningError(f"levels 1 to {HIGHEST} are compiled, not {level}")
        self._run = problem.adaptation_entry
        self._states = np.zeros(2, problem.state)
        self._states[START] = problem.checked(state)
        self._buffer = np.empty(problem.widest + SLACK, np.int32)
        sizes = problem.longest, problem.widest, problem.codes
        try:
            self.work = np.zeros(1, work_type(*sizes))[0]
        except (MemoryError, ValueError):
            message = "no memory for longest {:,}, widest {:,} and {:,} codes"
            raise PlanningError(message.format(*sizes)) from None
        work = self.work
        work["rng"], work["alpha"] = rng.getrandbits(64), alpha
        work["top"], work["iterations"] = level, iterations
        work["longest"], work["widest"], work["codes"] = sizes
        work["best"][:] = -math.inf
        work["odds"][:] = 1.0

    def advance(self, playouts: int, goal: float = math.inf) -> int:
        """Make more playouts; returns how many: fewer at the end of the search or at the goal."""
        made = int(self._run(self._states, self.work, self._buffer, playouts, goal))
        work = self.work
        if work["error"]:
            sizes = int(work["longest"]), int(work["widest"])
            raise ProblemError(problem_message(int(work["error"]), *sizes), self._states[START])
        return made

    def best(self) -> tuple[float, list[int]]:
        """The best total so far and its moves.  What a level forgets, the one above has kept."""
        work = self.work
        level = int(np.argmax(work["best"]))
        begin = level * int(work["longest"])
        line = work["line"][begin : begin + int(work["length"][level])]
        return float(work["best"][level]), line.tolist()
