"""K5: what expensive knowledge is worth, by its price: a network asked at T visits, at equal time.

A node has to earn the network by T visits (P2): asked early, it costs many forward passes; asked
late, it comes to few nodes.  And how its word is used: as prior games, as progressive bias (P7),
for the order in which children are opened (P8), and in PUCT.  And what its word about who wins is
worth, by its part in the results of simulations.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from montego.lab.experiments.matches import MatchWork, match_row
from montego.lab.experiments.model import Claim, Experiment, Panel, Row, Scale

BOARDS = (9, 13, 19)
VISITS = (1, 5, 20, 50, 200)
PARTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Lambda: of the network's value in results."""
NETWORKS = ("32x2", "96x5")
"""Beside 64x3, of which all rows by T are."""
USUAL_AT = 8
USES = {
    "bias": "selection=bias",
    "unpruning": "open=unpruning,growth=visits,growth.expand_at=5,network.at=5",
    "puct": "selection=puct",
    "both": "selection.puct=0.5",
}
"""Beside prior games in the mixture of means and RAVE; the last is that with PUCT's term."""
AT = {size: Panel(f"64x3 asked at T visits, against none, {size}×{size}", x="T", log_x=True,
                  even=50.0) for size in BOARDS}  # fmt: skip
SIZES = Panel("other networks, asked at 8 visits, against none", even=50.0)
VALUE = {size: Panel(f"64x3 by the part of its value in results, against none, {size}×{size}",
                     x="lambda", even=50.0) for size in BOARDS}  # fmt: skip
USED = Panel("64x3 in other uses, against none", even=50.0)


class Amount(NamedTuple):
    """How much is played on a board."""

    seconds: float
    games: int


AMOUNTS = {
    Scale.quick: {9: Amount(0.05, 10), 13: Amount(0.1, 4), 19: Amount(0.2, 2)},
    Scale.full: {9: Amount(0.1, 100), 13: Amount(0.2, 60), 19: Amount(0.4, 30)},
}


def rows(scale: Scale) -> list[Row]:
    found = []
    for size in BOARDS:
        for visits in VISITS:
            row = _row(scale, f"at-{visits}", f"T = {visits}", AT[size],
                       f"network.at={visits}", size)  # fmt: skip
            found.append(replace(row, x=visits, curve="64x3"))
    for size in BOARDS:
        for part in PARTS:
            row = _row(scale, f"value-{part:g}", f"lambda = {part:g}", VALUE[size],
                       f"network.value={part:g}", size)  # fmt: skip
            found.append(replace(row, x=part, curve="64x3"))
    for size in BOARDS:
        for name in NETWORKS:
            settings = f"network.weights={name},network.at={USUAL_AT}"
            found.append(
                _row(scale, f"net-{name}", f"{name}, {size}×{size}", SIZES, settings, size)
            )
    for size in BOARDS:
        for name, settings in USES.items():
            found.append(_row(scale, f"use-{name}", f"{name}, {size}×{size}", USED, settings, size))
    return found


def _row(scale: Scale, key: str, label: str, panel: Panel, settings: str, size: int) -> Row:
    seconds, games = AMOUNTS[scale][size]
    name = f"{size}x{size}-{key}"
    work = MatchWork(
        f"K5/{scale}/{name}",
        f"classic,network=policy,{settings},seconds={seconds}",
        f"classic,seconds={seconds}", size, games,
    )  # fmt: skip
    return match_row(name, label, panel, work)


EXPERIMENT = Experiment(
    "K5",
    "What expensive knowledge is worth, by its price",
    "our own question; the idea: progressive strategies, sections 3.1 and 3.2",
    rows,
    claims=tuple(
        Claim(f"{size}×{size}: better asked at 20 visits than at 200", f"{size}x{size}-at-20",
              f"{size}x{size}-at-200") for size in BOARDS
    ),
    notes="Equal time for a move, one core: 0.1 s on 9×9, 0.2 s on 13×13, 0.4 s on 19×19. The "
    "opponent is the same search without a network.",
)  # fmt: skip
