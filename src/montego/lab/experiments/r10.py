"""R10: several threads on one tree: simulations a second, also with locks (T21), and strength."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product

from montego.lab.base.journal import Line
from montego.lab.experiments.matches import MatchWork, match_row
from montego.lab.experiments.measurements import turns_row, turns_work
from montego.lab.experiments.model import (
    Claim,
    Experiment,
    Figure,
    Panel,
    Row,
    Scale,
    plus_minus,
)
from montego.lab.experiments.speed import SearchSpeed, wall_rate
from montego.mcts.recipes import RECIPES
from montego.mcts.rules import RULES

SPEEDUP = Panel(
    "simulations a second, in multiples of one thread's", "times", 2, x="threads", log_x=True
)
LOCKED = Panel(
    "the same by how the tree is locked, in multiples of one thread without locks", "times", 2,
    x="threads", log_x=True,
)  # fmt: skip
WON = Panel("games won by more threads at equal time, 9×9", even=50.0)
DELAY = Panel(
    "games won by virtual threads against one, at equal simulations, 9×9",
    x="threads", log_x=True, even=50.0,
)  # fmt: skip
DELAYED = {Scale.quick: (512, 20), Scale.full: (1_024, 100)}
"""Simulations for a move, and games."""
THREADS = (1, 2, 4, 8, 16, 32)
SIZES = (9, 19)
AMOUNTS = {Scale.quick: (2.0, 6), Scale.full: (3.0, 7)}
"""Seconds of a search, and how often it is repeated."""
MATCHES = {  # more threads, fewer, paper
    "2-against-1": (2, 1, plus_minus(62.9, 1.8)),
    "4-against-1": (4, 1, plus_minus(80.0, 3.4)),
    "16-against-4": (16, 4, plus_minus(69.5, 4.5)),
}
SECONDS, GAMES = {Scale.quick: 0.1, Scale.full: 1.0}, {Scale.quick: 40, Scale.full: 1_000}


def rows(scale: Scale) -> list[Row]:
    found: list[Row] = []
    for size in SIZES:
        found += _speed_rows(scale, size)
    for size in SIZES:
        found += _lock_rows(scale, size)
    found += [_delay_row(scale, threads) for threads in THREADS[1:]]
    for key, (more, fewer, paper) in MATCHES.items():
        first, second = (
            f"search:mogo,seconds={SECONDS[scale]:g},threads={threads}" for threads in (more, fewer)
        )
        work = MatchWork(f"R10/{scale}/{key}", first, second, 9, GAMES[scale], threads=more)
        found.append(match_row(key, f"{more} threads against {fewer}", WON, work, paper))
    return found


def _delay_row(scale: Scale, threads: int) -> Row:
    """Virtual threads: N - 1 results are missing whenever a simulation begins."""
    simulations, games = DELAYED[scale]
    work = MatchWork(
        f"R10/{scale}/delay-{threads}",
        f"mogo,cluster=threads,machines={threads},simulations={simulations // threads}",
        f"mogo,simulations={simulations}", 9, games,
    )  # fmt: skip
    row = match_row(f"delay-{threads}", f"{threads} virtual threads", DELAY, work)
    return replace(row, x=threads, curve="9×9")


def _speed_rows(scale: Scale, size: int) -> list[Row]:
    seconds, repeats = AMOUNTS[scale]
    possible = _possible()
    measures = {str(n): SearchSpeed(RECIPES["mogo"], size, seconds, n) for n in possible}
    work = turns_work(f"R10/{scale}/speed-{size}x{size}", measures, repeats)
    found = []
    for threads in THREADS:
        row = turns_row(
            f"speed-{size}x{size}-{threads}", f"{size}×{size}, threads: {threads}", SPEEDUP,
            work, _speedup(str(threads)), Figure(1.0) if threads == 1 else None,
            x=threads, curve=f"{size}×{size}",
        )  # fmt: skip
        found.append(row if threads in possible else _left_out(row, threads))
    return found


def _lock_rows(scale: Scale, size: int) -> list[Row]:
    """The three schemes take turns; one thread takes no locks."""
    seconds, repeats = AMOUNTS[scale]
    measures = {"1": SearchSpeed(RECIPES["mogo"], size, seconds)}
    for locks, threads in product(RULES["locks"], _possible()[1:]):
        recipe = RECIPES["mogo"].with_parameters({"locks": locks})
        measures[f"{locks}-{threads}"] = SearchSpeed(recipe, size, seconds, threads)
    work = turns_work(f"R10/{scale}/locks-{size}x{size}", measures, repeats)
    found = []
    for locks, threads in product(RULES["locks"], THREADS[1:]):
        key = f"{locks}-{threads}"
        row = turns_row(
            f"locks-{size}x{size}-{key}", f"{size}×{size}, locks: {locks}, threads: {threads}",
            LOCKED, work, _speedup(key), x=threads, curve=f"{size}×{size}, {locks}",
        )  # fmt: skip
        found.append(row if key in measures else _left_out(row, threads))
    return found


def _possible() -> list[int]:
    """The numbers of threads that this machine has cores for."""
    return [threads for threads in THREADS if threads <= (os.cpu_count() or 1)]


def _left_out(row: Row, threads: int) -> Row:
    return replace(row, works=(), missing=f"needs {threads} cores")


def _speedup(key: str) -> Callable[[Mapping[str, Line]], float]:
    return lambda of: wall_rate(of[key]) / wall_rate(of["1"])


EXPERIMENT = Experiment(
    "R10",
    "Several threads on one tree",
    "Thesis, tables 2.1 and 2.2, figures 2.3 and 2.4",
    rows,
    claims=(Claim("19×19 gains more from two threads", "speed-19x19-2", "speed-9x9-2"),),
    finding="Nearly linear up to 4 threads on 9×9 and up to 10 on 19×19.",
    notes="Virtual threads take turns in one process: what N threads lose by the delay alone. "
    "The thesis protects its tree by mutexes; our own way is without locks. It plays against "
    "a fixed version of MoGo; its figures have no numbers in the text.",
)
