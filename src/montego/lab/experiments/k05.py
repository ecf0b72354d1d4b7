"""K5: what expensive knowledge is worth, by its price: a network asked at T visits, at equal time.

A node has to earn the network by T visits (P2): asked early, it costs many forward passes; asked
late, it comes to few nodes.  And how its word is used: as prior games, as progressive bias (P7),
for the order in which children are opened (P8), and in PUCT.  And what its word about who wins is
worth, by its part in the results of simulations.

All of them play against ``montego`` as it is, and so does the search without a network: against
that one nearly all win nearly always, and nothing would tell them apart.
"""

from __future__ import annotations

from dataclasses import replace

from montego.knowledge.network import BY_SIZE, SHIPPED, weights_for
from montego.lab.base.statistics import Sprt
from montego.lab.experiments.matches import Amount, duel
from montego.lab.experiments.model import Claim, Experiment, Panel, Row, Scale

BOARDS = (9, 13, 19)
VISITS = (1, 5, 20, 50, 200)
OTHERS = {  # what is different: label and settings
    "none": ("no network", "network=none"),
    "bias": ("as progressive bias", "selection=bias"),
    "unpruning": (
        "for the order of unpruning",
        "open=unpruning,growth=visits,growth.expand_at=5,network.at=5",
    ),
    "puct": ("in PUCT", "selection=puct"),
    "both": ("in PUCT's term beside RAVE", "selection.puct=0.5"),
    "moves-alone": ("moves alone, λ = 0", "network.value=0"),
    "value-alone": ("no playouts, λ = 1", "network.value=1"),
}
AT = {
    size: Panel(f"asked at T visits, against T = 8, {size}×{size}", x="T", log_x=True, even=50.0)
    for size in BOARDS
}
OTHER = {size: Panel(f"other uses, against montego, {size}×{size}", even=50.0) for size in BOARDS}
DECIDED = Sprt(-60, 60)
AMOUNTS = {
    Scale.quick: {
        9: Amount("seconds=0.05", 10), 13: Amount("seconds=0.1", 4), 19: Amount("seconds=0.2", 2),
    },
    Scale.full: {
        9: Amount("seconds=0.1", 100, DECIDED),
        13: Amount("seconds=0.1", 60, DECIDED),
        19: Amount("seconds=0.2", 30, DECIDED),
    },
}  # fmt: skip


def rows(scale: Scale) -> list[Row]:
    found = []
    for size in BOARDS:
        own = weights_for(BY_SIZE, size)
        networks = {name: (name, f"network.weights={name}") for name in SHIPPED if name != own}
        for visits in VISITS:
            settings = f"network.at={visits}"
            row = _row(scale, f"at-{visits}", AT[size], f"T = {visits}", settings, size)
            found.append(replace(row, x=visits, curve=own))
        for key, (label, settings) in (networks | OTHERS).items():
            found.append(_row(scale, key, OTHER[size], label, settings, size))
    return found


def _row(scale: Scale, key: str, panel: Panel, label: str, settings: str, size: int) -> Row:
    players = (f"montego,{settings}", "montego")
    return duel("K5", scale, f"{size}x{size}-{key}", panel, label, players, size,
                AMOUNTS[scale][size])  # fmt: skip


EXPERIMENT = Experiment(
    "K5",
    "What expensive knowledge is worth, by its price",
    "our own question; the idea: progressive strategies, sections 3.1 and 3.2",
    rows,
    claims=tuple(
        Claim(f"{size}×{size}: better asked at 20 visits than at 200", f"{size}x{size}-at-20",
              f"{size}x{size}-at-200") for size in BOARDS
    ),
    notes="Equal time for a move, one core. The opponent is montego as it is: 96x5, asked at 8 "
    "visits, prior games, λ = 0.7. A match ends when it is decided (SPRT, −60 against 60 Elo), so "
    "a clear lead looks a little larger than it is.",
)  # fmt: skip
