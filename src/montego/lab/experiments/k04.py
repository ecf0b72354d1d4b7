"""K4: what 16 machines are worth: by method, by how often they share, by messages lost or late."""

from __future__ import annotations

from dataclasses import replace

from montego.lab.experiments.matches import MatchWork, match_row
from montego.lab.experiments.measurements import turns_row, turns_work
from montego.lab.experiments.model import Claim, Experiment, Figure, Panel, Row, Scale
from montego.lab.experiments.updates import UpdateShare
from montego.mcts.recipes import RECIPES

MACHINES = 16
FOUR = Panel("games won by 4 machines against one with 4 times the time, 19×19", even=50.0)
METHOD = Panel("games won by 16 machines against one with 16 times the time, 9×9", even=50.0)
BETWEEN = Panel(
    "the slow tree by simulations between two shares, 9×9", x="simulations", log_x=True, even=50.0
)
LOSS = Panel("the slow tree by messages that are lost, 9×9", x="lost, %", even=50.0)
DELAY = Panel("the slow tree by delay of messages, 9×9", x="simulations", log_x=True, even=50.0)
BOUND = Panel("share everything: the bound 1/α of Amdahl's law", "times", 1)
METHODS = ("leaf", "root", "multiple-runs", "threads", "share-everything", "slow-tree")
AMOUNTS = {Scale.quick: (64, 8, 4), Scale.full: (64, 8, 100)}
"""Simulations of a machine for a move, between two shares, games."""
LARGE = {
    "four-19x19": {Scale.quick: (50, 5, 2), Scale.full: (125, 12, 60)},
    "four-19x19-often": {Scale.quick: (50, 1, 2), Scale.full: (250, 2, 60)},
}
"""The same of 4 machines on 19×19: few shares for a move, and as many as in six seconds of the
thesis, which has 20 in a second."""
PARTS = (0.02, 0.05, 0.1, 0.3, 1.0)
"""Time between two shares, of the time for a move."""
LOST = (0.1, 0.5, 0.9)
LATE = (0.1, 0.3, 1.0)
"""Delay of a message, of the time for a move."""
SPEED = {Scale.quick: (200, 3), Scale.full: (2_000, 10)}
"""Simulations whose updates are timed, and how often."""


def rows(scale: Scale) -> list[Row]:
    simulations, between, _ = AMOUNTS[scale]
    found = [
        _row(scale, f"method-{method}", method, METHOD, f"cluster={method}", between)
        for method in METHODS
    ]
    found.append(
        _row(scale, "method-no-rave", "slow-tree, RAVE not shared", METHOD,
             "cluster=slow-tree,cluster.rave=no", between)
    )  # fmt: skip
    for part in PARTS:
        every = max(round(part * simulations), 1)
        row = _row(scale, f"between-{every}", f"every {every}", BETWEEN, "cluster=slow-tree", every)
        found.append(replace(row, x=every, curve="slow tree"))
    for lost in LOST:
        text = f"cluster=slow-tree,cluster.loss={lost:g}"
        row = _row(scale, f"loss-{lost:g}", f"{lost:.0%} lost", LOSS, text, between)
        found.append(replace(row, x=100 * lost, curve="slow tree"))
    for part in LATE:
        late = max(round(part * simulations), 1)
        text = f"cluster=slow-tree,cluster.delay={late}"
        row = _row(scale, f"delay-{late}", f"{late} late", DELAY, text, between)
        found.append(replace(row, x=late, curve="slow tree"))
    return [*found, *(_large_row(scale, key) for key in LARGE), *_bounds(scale)]


def _large_row(scale: Scale, key: str) -> Row:
    simulations, between, games = LARGE[key][scale]
    work = MatchWork(
        f"K4/{scale}/{key}",
        f"mogo,cluster=slow-tree,machines=4,cluster.between={between},simulations={simulations}",
        f"mogo,simulations={4 * simulations}", 19, games,
    )  # fmt: skip
    return match_row(key, f"every {between} of {simulations}", FOUR, work)


def _row(scale: Scale, key: str, label: str, panel: Panel, cluster: str, between: int) -> Row:
    """16 machines against one that has the time of all of them."""
    simulations, _, games = AMOUNTS[scale]
    work = MatchWork(
        f"K4/{scale}/{key}",
        f"classic,{cluster},machines={MACHINES},cluster.between={between},"
        f"simulations={simulations}",
        f"classic,simulations={MACHINES * simulations}", 9, games,
    )  # fmt: skip
    return match_row(key, label, panel, work)


def _bounds(scale: Scale) -> list[Row]:
    simulations, repeats = SPEED[scale]
    found = []
    for size in (9, 19):
        for name in ("mogo", "classic"):
            measures = {"updates": UpdateShare(RECIPES[name], size, simulations)}
            work = turns_work(f"K4/{scale}/updates-{name}-{size}x{size}", measures, repeats)
            found.append(
                turns_row(
                    f"bound-{name}-{size}x{size}", f"{name}, {size}×{size}", BOUND, work,
                    lambda of: float(of["updates"]["simulated"] / of["updates"]["updated"]),
                    Figure(20.0) if name == "mogo" else None,
                )
            )  # fmt: skip
    return found


EXPERIMENT = Experiment(
    "K4",
    "What 16 machines are worth",
    "our own question; the bound: thesis, section 2.2.2",
    rows,
    claims=(
        Claim("the slow tree is better than single runs", "method-slow-tree", "method-root"),
        Claim("multiple runs are better than single runs", "method-multiple-runs", "method-root"),
        Claim("share everything is better than leaves", "method-share-everything", "method-leaf"),
    ),
    notes="Against one machine with 16 times the simulations: at 50 % the machines lose nothing. "
    "The time of communication is not counted: for the two methods with one tree and for share "
    "everything it decides. MoGo's α was 0.05.",
)
