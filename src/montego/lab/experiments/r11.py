"""R11: the slow tree on a cluster, of virtual machines: 32 of them against fewer, at equal time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from montego.lab.base.journal import Line
from montego.lab.base.statistics import elo
from montego.lab.experiments.matches import MatchWork, match_row
from montego.lab.experiments.model import (
    Claim,
    Experiment,
    Figure,
    Panel,
    Row,
    Scale,
    plus_minus,
)

PANELS = {
    size: Panel(
        f"games won by 32 machines, {size}×{size}", x="machines of the other", log_x=True, even=50.0
    )
    for size in (9, 19)
}
ELO = Panel(
    "Elo of so many machines, seen by 32 of them", "Elo", 0, x="machines", log_x=True, even=0.0
)
SINGLE = Panel("games won by 43 trees that are joined at the end, 9×9", even=50.0)
MACHINES = 32
PAPER = {
    9: {1: (75.85, 2.49), 2: (66.30, 2.82), 4: (62.63, 2.88), 8: (59.64, 2.93), 16: (52.0, 3.01),
        32: (48.91, 3.0)},
    19: {1: (95.1, 1.37), 2: (82.38, 2.74), 4: (73.49, 3.42), 8: (63.07, 4.23), 16: (63.15, 5.53),
         32: (48.0, 9.99)},
}  # fmt: skip
AMOUNTS = {  # by size: simulations of a machine for a move, between two shares, games
    Scale.quick: {9: (64, 8, 6), 19: (16, 4, 1)},
    Scale.full: {9: (64, 8, 100), 19: (32, 8, 20)},
}


def rows(scale: Scale) -> list[Row]:
    found = [
        _row(scale, size, machines, paper)
        for size, papers in PAPER.items()
        for machines, paper in papers.items()
    ]
    simulations, _, games = AMOUNTS[scale][9]
    work = MatchWork(
        f"R11/{scale}/root-43", f"mogo,cluster=root,machines=43,simulations={simulations}",
        f"mogo,simulations={simulations}", 9, games,
    )  # fmt: skip
    ratings = [_elo_row(row) for row in found if row.x < MACHINES]
    root = match_row("root-43", "43 against 1", SINGLE, work, plus_minus(59.0, 3.0))
    return [*found, root, *ratings]


def _row(scale: Scale, size: int, machines: int, paper: tuple[float, float]) -> Row:
    simulations, between, games = AMOUNTS[scale][size]
    first, second = (
        f"mogo,cluster=slow-tree,machines={number},cluster.between={between},"
        f"simulations={simulations}"
        for number in (MACHINES, machines)
    )
    key = f"{size}x{size}-{machines}"
    work = MatchWork(f"R11/{scale}/{key}", first, second, size, games)
    label = f"{size}×{size}, 32 against {machines}"
    row = match_row(key, label, PANELS[size], work, plus_minus(*paper))
    return replace(row, x=machines, curve=f"{size}×{size}")


def _elo_row(row: Row) -> Row:
    """The same match as the Elo of the smaller number of machines."""

    def read(lines: Mapping[str, Sequence[Line]]) -> Figure | None:
        figure = row.read(lines)
        return None if figure is None else _elo(figure)

    paper = None if row.paper is None else _elo(row.paper)
    label = f"{row.curve}, machines: {row.x:g}"
    return replace(row, key=f"elo-{row.key}", label=label, panel=ELO, read=read, paper=paper)


def _elo(won: Figure) -> Figure:
    """Elo of who has lost so many games in a hundred; half a game short of all is the most."""
    most = 1 - 0.5 / (won.number or 1000)
    value, low, high = (
        None if part is None else -elo(min(part / 100, most))
        for part in (won.value, won.high, won.low)
    )
    assert value is not None
    return Figure(value, low, high, won.number)


EXPERIMENT = Experiment(
    "R11",
    "32 machines against fewer",
    "Thesis, figure 2.5 and section 2.2.2",
    rows,
    claims=(
        Claim("9×9: better against 1 machine than against 8", "9x9-1", "9x9-8"),
        Claim("19×19: better against 1 machine than against 8", "19x19-1", "19x19-8"),
        Claim("19×19: still better against 8 machines than against 32", "19x19-8", "19x19-32"),
        Claim("19×19 gains more than 9×9", "19x19-1", "9x9-1"),
        Claim("9×9: the slow tree is better than trees joined at the end", "9x9-1", "root-43"),
    ),
    notes="Virtual machines in one process; no message is late or lost. Engines, which resign. "
    "Scales are chosen so that two cores can play the games in some hours: at full scale a "
    "machine has 64 simulations for a move on 9×9 and shares after every 8 of them (19×19: 32 "
    "and 8). The thesis' machines share every 0.05 s and have some 10 s: they are stronger, "
    "and share more often. It does not say on which board 43 trees were joined at the end.",
)
