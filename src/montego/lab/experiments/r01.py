"""R1: Mango with and without progressive bias and unpruning, against GNU Go."""

from __future__ import annotations

from montego.lab.experiments.matches import GNUGO, Amount, duel
from montego.lab.experiments.model import Claim, Experiment, Panel, Row, Scale, plus_minus

PLAYERS = {
    "none": ("mango-plain", "neither"),
    "pu": ("mango-pu", "unpruning"),
    "pb": ("mango-pb", "bias"),
    "both": ("mango", "bias and unpruning"),
}
PAPER = {  # by size: GNU Go's level, then rate, half of the interval and games of every player
    9: (10, (33.2, 3.0, 1000), (37.2, 3.1, 1000), (58.3, 3.1, 1000), (61.7, 2.2, 2000)),
    13: (10, (8.5, 2.5, 500), (15.6, 3.2, 500), (30.0, 4.1, 500), (35.1, 4.3, 500)),
    19: (0, (0.0, 1.0, 200), (3.1, 2.5, 200), (4.8, 3.0, 200), (48.2, 4.5, 500)),
}
QUICK = {
    9: Amount("simulations=2000", 20),
    13: Amount("simulations=2000", 6),
    19: Amount("simulations=1000", 3),
}


def rows(scale: Scale) -> list[Row]:
    found = []
    for size, (level, *figures) in PAPER.items():
        panel = Panel(f"games won against GNU Go level {level}, {size}×{size}")
        for (key, (player, label)), (value, half, games) in zip(
            PLAYERS.items(), figures, strict=True
        ):
            amount = QUICK[size] if scale is Scale.quick else Amount("simulations=20000", games)
            found.append(
                duel(
                    "R1", scale, f"{size}x{size}-{key}", panel, f"{size}×{size}, {label}",
                    (player, GNUGO.format(level)), size, amount, plus_minus(value, half, games),
                )
            )  # fmt: skip
    return found


EXPERIMENT = Experiment(
    "R1",
    "Mango against GNU Go",
    "Progressive strategies, table 1",
    rows,
    claims=tuple(
        claim
        for size in PAPER
        for claim in (
            Claim(f"{size}×{size}: unpruning helps", f"{size}x{size}-pu", f"{size}x{size}-none"),
            Claim(f"{size}×{size}: bias helps", f"{size}x{size}-pb", f"{size}x{size}-none"),
            Claim(f"{size}×{size}: both help most", f"{size}x{size}-both", f"{size}x{size}-pb"),
        )
    ),
    notes="GNU Go 3.8 where the paper has 3.6; komi 7.5, which the paper does not tell. "
    "The shapes are learned from games of strong players; the paper has 89,119 patterns.",
)
