"""R18: MoGo's rank from its games against people (T50)."""

from __future__ import annotations

from collections.abc import Sequence

from montego.lab.experiments.model import Experiment, Figure, Panel, Read, Row, Scale
from montego.lab.matches.igs import TAIWAN_2008, HandicapGame, igs_rank

PANEL = Panel("rank by the likelihood of the Internet Go Server", "dan")
FEW_STONES = 4


def rows(scale: Scale) -> list[Row]:
    few = [game for game in TAIWAN_2008 if game.stones <= FEW_STONES]
    return [
        Row("all", "all 24 games", PANEL, _rank(TAIWAN_2008), paper=Figure(1.6)),
        Row("few-stones", "at most 4 handicap stones", PANEL, _rank(few), paper=Figure(5.3)),
    ]


def _rank(games: Sequence[HandicapGame]) -> Read:
    def read(lines: object) -> Figure:
        rank = igs_rank(games)
        return Figure(rank.dan, *rank.interval, len(games))

    return read


EXPERIMENT = Experiment(
    "R18",
    "MoGo's rank among people",
    "Thesis, section A.2.3, tables A.3 and A.4",
    rows,
    notes="The thesis' 5.3 dan follows from its tables; its 1.6 dan for all games does not.",
)
