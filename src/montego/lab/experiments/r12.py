"""R12: opening books against none, as they grow; and with more thinking than they were made for."""

from __future__ import annotations

from typing import NamedTuple

from montego.lab.experiments.books import BookMatchWork, GrowWork, average_row, color_row
from montego.lab.experiments.matches import MatchWork
from montego.lab.experiments.model import (
    Claim,
    Experiment,
    Panel,
    Row,
    Scale,
    plus_minus,
)

MVBM = Panel("grown by MVBM against no book, 9×9", x="games in the book", even=50.0)
MBM = Panel("grown by MBM against no book, 9×9", x="games in the book", even=50.0)
SELF = Panel("White's games while the book grew, moving average", x="games grown", even=50.0)
MORE = Panel("MVBM's book with six times the thinking it was grown for, against no book", even=50.0)
PLAYER = "montego,memory=64"
TIMES = 6
"""The thesis: 60 seconds a move with a book of 10 seconds."""
PAPER = {  # method, colour: figures 3.2 and 3.3 and table 3.1; section 3.2.1
    ("mvbm", "black"): plus_minus(64.6, 2.4),
    ("mvbm", "white"): plus_minus(74.5, 2.3),
    ("mbm", "black"): plus_minus(48.0, 1.9),
}
BEFORE = {"black": plus_minus(48.5, 1.8), "white": plus_minus(51.5, 1.8)}
COLORS = ("black", "white")


class Amount(NamedTuple):
    """How much is played."""

    simulations: int
    stages: tuple[int, ...]
    """Games in the book when it is tried; the last is how far it grows."""
    games: int
    """Of every match, half with each colour."""
    window: int
    """Of the moving average."""


AMOUNTS = {
    Scale.quick: Amount(100, (40, 80, 160), 60, 40),
    Scale.full: Amount(1000, (100, 300, 1000, 3000), 600, 100),
}


def rows(scale: Scale) -> list[Row]:
    amount = AMOUNTS[scale]
    found = []
    for method, panel in (("mvbm", MVBM), ("mbm", MBM)):
        found += _by_stage(scale, method, panel)
    found += _more_thinking(scale)
    book = _book(scale, "mvbm")
    step = max(amount.stages[-1] // 20, amount.window // 4)
    for end in reversed(range(amount.stages[-1], amount.window - 1, -step)):
        label = f"games {end - amount.window + 1} to {end}"
        found.append(average_row(f"self-{end}", label, SELF, book, end, amount.window))
    return found


def _book(scale: Scale, method: str) -> GrowWork:
    amount = AMOUNTS[scale]
    player = f"{PLAYER},simulations={amount.simulations}"
    return GrowWork(f"R12/{scale}/{method}", method, player, amount.stages[-1])


def _by_stage(scale: Scale, method: str, panel: Panel) -> list[Row]:
    amount, book = AMOUNTS[scale], _book(scale, method)
    player = book.player
    before = MatchWork(f"R12/{scale}/none", player, player, 9, amount.games)
    found = [
        color_row(f"{method}-0-{color}", f"without, as {color.capitalize()}", panel, (before,),
                  color, 0, BEFORE[color])
        for color in COLORS
    ]  # fmt: skip
    for stage in amount.stages:
        work = BookMatchWork(
            f"R12/{scale}/{method}-{stage}", player, player, 9, amount.games,
            book=method, stage=stage,
        )  # fmt: skip
        for color in COLORS:
            is_grown = stage == amount.stages[-1]
            paper = PAPER.get((method, color)) if is_grown else None
            label = f"{stage} games, as {color.capitalize()}"
            key = f"{method}-{'grown' if is_grown else stage}-{color}"
            found.append(color_row(key, label, panel, (book, work), color, stage, paper))
    return found


def _more_thinking(scale: Scale) -> list[Row]:
    """The thesis: it becomes a handicap."""
    amount, book = AMOUNTS[scale], _book(scale, "mvbm")
    player = f"{PLAYER},simulations={TIMES * amount.simulations}"
    stage = amount.stages[-1]
    folder = f"R12/{scale}/more-{stage}"
    work = BookMatchWork(folder, player, player, 9, amount.games, book="mvbm", stage=stage)
    return [
        color_row(f"more-{color}", f"{TIMES * amount.simulations} simulations, as "
                  f"{color.capitalize()}", MORE, (book, work), color, 0)
        for color in COLORS
    ]  # fmt: skip


CLAIMS = (
    Claim("White gains by MVBM", "mvbm-grown-white", "mvbm-0-white"),
    Claim("Black gains by MVBM", "mvbm-grown-black", "mvbm-0-black"),
    Claim("Black gains more by MVBM than by MBM", "mvbm-grown-black", "mbm-grown-black"),
)


EXPERIMENT = Experiment(
    "R12",
    "Opening books against none",
    "Thesis, sections 3.2.1 and 3.2.2, figures 3.2 to 3.4, table 3.1",
    rows,
    claims=CLAIMS,
    finding="By hand: 62.9 % as White and 49.7 % as Black against none. With 60 s a move the book "
    "that was grown with 10 s won 40.7 % as White and 30.6 % as Black against the one by hand.",
    notes="Fixed simulations in place of 6 hours a side; our books begin empty, the thesis' with a "
    "small one by hand; at six times the thinking our opponent has no book. White's figure before "
    "learning is what Black's leaves: the thesis says that both sum to 100 %.",
)
