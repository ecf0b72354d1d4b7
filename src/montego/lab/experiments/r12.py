"""R12: opening books against none, as they grow; and with more thinking than they were made for."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from montego.lab.books.ways import NOBODY, Way
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

GROWN = Panel("against no book", even=50.0)
STAGES = Panel("the book of MVBM at stages of its growth, against no book", x="games", even=50.0)
MORE = Panel("the book of MVBM with six times the thinking it was grown for", even=50.0)
LEARNING = Panel("the learner's games while the book grew, moving average", x="games", even=50.0)
SELF = Panel("White's games of algorithm 10, moving average", x="games", even=50.0)

RESIGNS = "manners.resign_simulations=0,manners.resign_value=-0.6,manners.resign_times=1"
"""At few simulations an engine does not resign by itself; games that are lost would go on."""
PLAYER = f"classic,memory=16,{RESIGNS}"
BY_RATE = "book_rule=rate,book_games=20"
TIMES = 6
"""The thesis: 60 seconds a move with a book of 10 seconds."""
PAPER = {  # way, colour: figures 3.2 and 3.3 and table 3.1; section 3.2.1
    ("mvbm", "black"): plus_minus(64.6, 2.4),
    ("mvbm", "white"): plus_minus(74.5, 2.3),
    ("mbm", "black"): plus_minus(48.0, 1.9),
}
BEFORE = {"black": plus_minus(48.5, 1.8), "white": plus_minus(51.5, 1.8)}
COLORS = ("black", "white")


WAYS = {
    "mvbm": ("MVBM", Way("mvbm", NOBODY)),
    "mbm": ("MBM", Way("mbm", NOBODY)),
    "ucb": ("UCB1", Way("ucb", NOBODY)),
    "itself": ("algorithm 10 as printed", Way("mvbm")),
    "buro": ("Buro", Way("buro")),
}
"""Those against no book follow a position once enough games have come through it."""


class Amount(NamedTuple):
    """How much is played, and on which board."""

    size: int
    komi: float
    simulations: int
    stages: tuple[int, ...]
    """Games in the book of MVBM when it is tried."""
    compared: int
    """Games in the books of other ways."""
    games: int
    """Of every match, half with each colour."""
    window: int
    """Of the moving average."""
    least: int
    """Games that a position needs before one of its moves is followed."""


AMOUNTS = {
    Scale.quick: Amount(7, 9.0, 50, (300, 1000), 300, 600, 100, 10),
    Scale.full: Amount(9, 7.5, 50, (1000, 3000, 5000, 7000), 3000, 600, 200, 50),
}


def rows(scale: Scale) -> list[Row]:
    size, komi, games = _board(scale)
    player = _player(scale)
    before = MatchWork(f"R12/{scale}/none", player, player, size, games, komi)
    found = [
        color_row(f"none-{color}", f"without, as {color.capitalize()}", GROWN, (before,), color, 0,
                  BEFORE[color])
        for color in COLORS
    ]  # fmt: skip
    for name in WAYS:
        found += _against_none(scale, name)
    return found + _by_rate(scale) + _stages(scale) + _more_thinking(scale) + _averages(scale)


def _player(scale: Scale, times: int = 1) -> str:
    return f"{PLAYER},simulations={times * AMOUNTS[scale].simulations}"


def _board(scale: Scale) -> tuple[int, float, int]:
    """Size, komi, and the games of a match."""
    amount = AMOUNTS[scale]
    return amount.size, amount.komi, amount.games


def _last(scale: Scale, name: str) -> int:
    """How far a book grows."""
    amount = AMOUNTS[scale]
    return amount.stages[-1] if name == "mvbm" else amount.compared


def _book(scale: Scale, name: str) -> GrowWork:
    folder = f"R12/{scale}/{name}"
    size, komi, _ = _board(scale)
    way = WAYS[name][1]
    if way.against == NOBODY:
        way = replace(way, least=AMOUNTS[scale].least)
    return GrowWork(folder, way, _player(scale), _last(scale, name), size, komi)


def _match(scale: Scale, name: str, stage: int, times: int = 1) -> BookMatchWork:
    player = _player(scale, times)
    folder = f"R12/{scale}/{name}-{stage}{'-more' * (times > 1)}"
    size, komi, games = _board(scale)
    return BookMatchWork(folder, player, player, size, games, komi, book=name, stage=stage)


def _against_none(scale: Scale, name: str) -> list[Row]:
    """A book that has grown, with either colour."""
    last = _last(scale, name)
    works = (_book(scale, name), _match(scale, name, last))
    return [
        color_row(f"{name}-{color}", f"{WAYS[name][0]}, {last:,} games, as {color.capitalize()}",
                  GROWN, works, color, 0, PAPER.get((name, color)))
        for color in COLORS
    ]  # fmt: skip


def _by_rate(scale: Scale) -> list[Row]:
    """The same book by another rule: the highest success rate of moves with enough games."""
    book, plain = _book(scale, "mvbm"), _match(scale, "mvbm", _last(scale, "mvbm"))
    match = replace(plain, folder=f"{plain.folder}-rate", first=f"{plain.first},{BY_RATE}")
    return [
        color_row(f"rate-{color}", f"MVBM, by success rate, as {color.capitalize()}", GROWN,
                  (book, match), color, 0)
        for color in COLORS
    ]  # fmt: skip


def _stages(scale: Scale) -> list[Row]:
    book = _book(scale, "mvbm")
    return [
        color_row(f"stage-{stage}-{color}", f"{stage:,} games, as {color.capitalize()}", STAGES,
                  (book, _match(scale, "mvbm", stage)), color, stage)
        for stage in AMOUNTS[scale].stages for color in COLORS
    ]  # fmt: skip


def _more_thinking(scale: Scale) -> list[Row]:
    """The thesis: it becomes a handicap."""
    works = (_book(scale, "mvbm"), _match(scale, "mvbm", AMOUNTS[scale].stages[-1], TIMES))
    simulations = TIMES * AMOUNTS[scale].simulations
    return [
        color_row(f"more-{color}", f"{simulations} simulations, as {color.capitalize()}", MORE,
                  works, color, 0)
        for color in COLORS
    ]  # fmt: skip


def _averages(scale: Scale) -> list[Row]:
    """Figures 3.2 and 3.3, as each colour against no book; and 3.4, White against itself."""
    window = AMOUNTS[scale].window
    learning, itself = _book(scale, "mvbm"), _book(scale, "itself")
    found = []
    for color in COLORS:
        for end in _ends(learning.total, window):
            label = f"to game {end:,}, as {color.capitalize()}"
            key = f"learning-{end}-{color}"
            found.append(average_row(key, label, LEARNING, learning, end, window, color))
    return found + [
        average_row(f"self-{end}", f"to game {end:,}", SELF, itself, end, window, "white")
        for end in _ends(itself.total, window)
    ]


def _ends(total: int, window: int) -> list[int]:
    """The last games of about twenty windows."""
    return [*reversed(range(total, window - 1, -max(total // 20, window // 4)))]


CLAIMS = (
    Claim("White gains by MVBM", "mvbm-white", "none-white"),
    Claim("Black gains by MVBM", "mvbm-black", "none-black"),
    Claim("Black gains more by MVBM than by MBM", "mvbm-black", "mbm-black"),
)


EXPERIMENT = Experiment(
    "R12",
    "Opening books against none",
    "Thesis, sections 3.2.1 and 3.2.2, figures 3.2 to 3.4, table 3.1",
    rows,
    claims=CLAIMS,
    finding="By hand: 62.9 % as White and 49.7 % as Black against none. With 60 s a move the book "
    "that was grown with 10 s won 40.7 % as White and 30.6 % as Black against the one by hand.",
    notes="Fixed simulations in place of 6 hours a side, and engines that resign early; our books "
    "begin empty, the thesis' with a small one by hand. But for algorithm 10 as printed and Buro, "
    "books are grown against no book, and positions are followed once "
    f"{AMOUNTS[Scale.full].least} games have come through them, on 7×7 "
    f"{AMOUNTS[Scale.quick].least} (see Opening books). At six times the thinking our opponent "
    "has no book. White's figure before "
    "learning is what Black's leaves: the thesis says that both sum to 100 %.",
)
