"""``montego predict``: how well playouts predict who wins.

A match tells whether other playouts are stronger, in hours; this tells in minutes whether they
judge positions better.  From positions of games whose winner is known, one of each game, every
kind of playout is played many times.  The logarithm of Black's wins to White's becomes a
probability by a logistic curve that is fitted to all positions, so that bold and timid playouts
are compared for what they know; what counts is the log loss.  Two kinds of playout are compared
position by position, which cancels how hard the positions are.
"""

from __future__ import annotations

import json
from collections import Counter as Counts
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from montego.go import GoError, Position, Rules
from montego.go.sgf import loads
from montego.knowledge.games import check_paths, records
from montego.lab.base.console import plain_console
from montego.lab.base.errors import LabError
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.progress import Counter
from montego.lab.base.statistics import Interval, mean_interval
from montego.lab.base.workers import work_through
from montego.lab.matches.entrants import parse_player
from montego.mcts.playouts import Playout, simulate
from montego.mcts.ready import warm_up

SHORTEST = 10
"""Moves that a game has to have."""
EARLIEST, LATEST = 0.2, 0.95
"""Where in a game its position may be."""
STAGES = {"opening": (0.0, 0.45), "middle": (0.45, 0.7), "end": (0.7, 1.0)}
"""Parts of a game."""


class PredictError(LabError):
    """Games or playouts that cannot be used."""


# --- positions -------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A position of a game, and who won it."""

    size: int
    komi: float
    moves: tuple[tuple[int, int], ...]
    """Colour and point of every move up to it."""
    stage: float
    """Which part of the game's moves that is."""
    black_won: bool

    def position(self) -> Position:
        """The position itself."""
        position = Position.start(self.size, Rules(komi=self.komi))
        for color, move in self.moves:
            position = position.play(move, color)
        return position


def _case(record: bytes, size: int, rng: Random) -> Case:
    game = loads(record)
    moves, winner = game.position.moves, game.result[:2]
    if winner not in ("B+", "W+"):
        raise PredictError("has no winner")
    if game.position.size != size:
        raise PredictError(f"played on {game.position.size}x{game.position.size}")
    if game.position.first.stones("black") or game.position.first.stones("white"):
        raise PredictError("does not begin with an empty board")
    if len(moves) < SHORTEST:
        raise PredictError(f"has fewer than {SHORTEST} moves")
    stage = rng.uniform(EARLIEST, LATEST)
    before = tuple(moves[: int(stage * len(moves))])
    return Case(size, game.position.komi, before, stage, winner == "B+")


def read_cases(
    paths: Sequence[Path], size: int, most: int, seed: int
) -> tuple[list[Case], Counts[str]]:
    """Positions of games drawn from files, and why other games could not be used."""
    try:
        check_paths(paths)
    except ValueError as error:
        raise PredictError(str(error)) from None
    rng, found, skipped = Random(seed), list[Case](), Counts[str]()
    try:
        drawn = [record for path in paths for record in records(path)]
    except GoError as error:
        raise PredictError(str(error)) from None
    rng.shuffle(drawn)
    for record in drawn:
        if len(found) == most:
            break
        try:
            found.append(_case(record, size, rng))
        except (GoError, PredictError) as error:
            skipped[str(error)] += 1
    if len({case.black_won for case in found}) < 2:
        reason = f", most of the others: {skipped.most_common(1)[0][0]}" if skipped else ""
        raise PredictError(f"too few games can be used: {len(found)} of {len(drawn)}{reason}")
    return found, skipped


# --- playing ---------------------------------------------------------------------------


def playout_of(text: str) -> Playout:
    """The playouts of a player such as ``montego,playout.race=0`` or ``playout:mogo``."""
    entrant = parse_player(text)
    if entrant.command is not None or entrant.make is not None:
        raise PredictError(f"{text}: the playouts of another program are not known")
    return entrant.recipe.playout if entrant.recipe else entrant.playout


class Predictor:
    """What a worker process does: play all kinds of playout from a position."""

    def __init__(self, cases: Sequence[Case], texts: Sequence[str], count: int) -> None:
        warm_up()
        self.cases, self.count = cases, count
        self.playouts = [playout_of(text) for text in texts]

    def __call__(self, number: int) -> list[float]:
        """Black's wins by kind, a draw as half of one."""
        position = self.cases[number].position()
        samples = (simulate(position, playout, self.count, number) for playout in self.playouts)
        return [sample.black_wins + sample.draws / 2 for sample in samples]

    def close(self) -> None:
        """Nothing to end."""


# --- figures ---------------------------------------------------------------------------


def log_losses(logits: NDArray[np.float64], won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By position, after the logistic curve that fits best (Newton's method)."""
    inputs = np.column_stack([np.ones_like(logits), logits])
    curve = np.zeros(2)
    for _ in range(25):
        chance = 1 / (1 + np.exp(-inputs @ curve))
        slope = inputs.T @ (won - chance)
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + 1e-9 * np.eye(2)
        curve += np.linalg.solve(bend, slope)
    return np.logaddexp(0, np.where(won, -1, 1) * (inputs @ curve))


@dataclass(frozen=True)
class Predicted:
    """What the playouts of one kind are worth."""

    text: str
    loss: float
    by_stage: dict[str, float]
    difference: float
    """To the first kind; below 0 is better."""
    interval: Interval
    """Of the difference, 95 %."""
    right: float
    """How often who wins most playouts wins the game."""


def figures(
    cases: Sequence[Case], wins: NDArray[np.float64], count: int, texts: Sequence[str]
) -> list[Predicted]:
    """From Black's wins, by position and kind, to the figures of every kind."""
    won = np.array([case.black_won for case in cases])
    stage = np.array([case.stage for case in cases])
    logits = np.log((wins + 1) / (count - wins + 1))
    losses = [log_losses(logits[:, kind], won) for kind in range(len(texts))]
    found = []
    for kind, text in enumerate(texts):
        loss, more = losses[kind], losses[kind] - losses[0]
        parts = {name: (stage >= low) & (stage < high) for name, (low, high) in STAGES.items()}
        found.append(
            Predicted(
                text=text,
                loss=float(loss.mean()),
                by_stage={n: float(loss[part].mean()) for n, part in parts.items() if part.any()},
                difference=float(more.mean()),
                interval=mean_interval([float(one) for one in more]),
                right=float(((logits[:, kind] > 0) == won).mean()),
            )
        )
    return found


# --- the command -----------------------------------------------------------------------


def prepare(
    texts: Sequence[str], paths: Sequence[Path], size: int, most: int, seed: int
) -> list[Case]:
    """Positions to try the playouts of these players on; what could not be used is told."""
    for text in texts:
        playout_of(text)
    cases, skipped = read_cases(paths, size, most, seed)
    console = plain_console(stderr=True)
    for reason, number in skipped.most_common():
        console.print(f"skipped {number}: {reason}", soft_wrap=True)
    return cases


def run(
    cases: Sequence[Case], texts: Sequence[str], count: int, workers: int, as_json: bool
) -> bool:
    """Play, show; returns False if the user interrupted it, with what there is shown."""
    factory = partial(Predictor, cases, texts, count)
    done: dict[int, list[float]] = {}
    with interrupts_noted() as interrupted, Counter("positions", len(cases)) as show:
        tasks: Iterator[int] = iter(range(len(cases)))
        for number, wins in work_through(factory, tasks, workers, lambda: bool(interrupted)):
            done[number] = wins
            show(done)
    if len(done) > 1:
        seen = [cases[number] for number in done]
        found = figures(seen, np.array(list(done.values())), count, texts)
        _print_json(found, len(done), count) if as_json else _show(found, len(done), count)
    return not interrupted


def _print_json(found: Sequence[Predicted], positions: int, count: int) -> None:
    kinds: list[dict[str, Any]] = [
        {
            "playouts": kind.text,
            "loss": round(kind.loss, 5),
            "by_stage": {name: round(loss, 5) for name, loss in kind.by_stage.items()},
            "difference": round(kind.difference, 5),
            "interval": [round(bound, 5) for bound in kind.interval],
            "right": round(kind.right, 4),
        }
        for kind in found
    ]
    print(json.dumps({"positions": positions, "playouts": count, "kinds": kinds}, indent=2))


def _show(found: Sequence[Predicted], positions: int, count: int) -> None:
    console = plain_console()
    table = Table(title=f"{positions} positions, {count} playouts each", title_justify="left")
    for heading in ("", "log loss", *STAGES, "to 1", "95 %", "right, %"):
        table.add_column(heading, justify="right")
    for number, kind in enumerate(found, start=1):
        stages = (f"{kind.by_stage[name]:.3f}" if name in kind.by_stage else "" for name in STAGES)
        low, high = kind.interval
        compared = (f"{kind.difference:+.4f}", f"{low:+.4f} to {high:+.4f}")
        table.add_row(
            str(number), f"{kind.loss:.4f}", *stages, *(compared if number > 1 else ("", "")),
            f"{100 * kind.right:.1f}",
        )  # fmt: skip
        console.print(f"{number}  {kind.text}", soft_wrap=True)
    console.print(table)
