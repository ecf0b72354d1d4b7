"""R6: four heuristics play each other, the best move by each without any search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from montego.lab.base.journal import Line
from montego.lab.base.record import score_of
from montego.lab.base.statistics import Score, wilson
from montego.lab.experiments.matches import MatchWork, percent
from montego.lab.experiments.model import Claim, Experiment, Figure, Panel, Read, Row, Scale

PANEL = Panel("games won in the tournament", even=50.0)
PLAYERS = {
    "random": "random",
    "capture": "playout:orego-capture,best_of=361",
    "fighting": "playout:orego-fighting,best_of=361",
    "pattern": "playout:orego-pattern,best_of=361",
}
WON = {"random": 739, "capture": 1224, "fighting": 1514, "pattern": 2523}
OF = 3000
GAMES = {Scale.quick: 100, Scale.full: 1000}
"""For every pair."""


def rows(scale: Scale) -> list[Row]:
    works = {
        (one, other): MatchWork(
            f"R6/{scale}/{one}-{other}", PLAYERS[one], PLAYERS[other], 9, GAMES[scale]
        )
        for one, other in combinations(PLAYERS, 2)
    }
    return [
        Row(
            name, name, PANEL, _total(name, works),
            tuple(work for pair, work in works.items() if name in pair), _paper(won),
        )
        for name, won in WON.items()
    ]  # fmt: skip


def _paper(won: int) -> Figure:
    low, high = wilson(won, OF)
    return Figure(100 * won / OF, 100 * low, 100 * high, OF)


def _total(name: str, works: Mapping[tuple[str, str], MatchWork]) -> Read:
    """The score of a player in all its matches."""

    def read(lines: Mapping[str, Sequence[Line]]) -> Figure | None:
        wins = losses = draws = 0
        for (one, other), work in works.items():
            if name in (one, other):
                score = score_of(lines[work.folder])
                won, lost = (
                    (score.wins, score.losses) if name == one else (score.losses, score.wins)
                )
                wins, losses, draws = wins + won, losses + lost, draws + score.draws
        return percent(Score(wins, losses, draws))

    return read


EXPERIMENT = Experiment(
    "R6",
    "Heuristics against each other",
    "Move ordering vs heavy playouts, experiment 1",
    rows,
    claims=(
        Claim("capture before random", "capture", "random"),
        Claim("fighting before capture", "fighting", "capture"),
        Claim("patterns before fighting", "pattern", "fighting"),
    ),
)
