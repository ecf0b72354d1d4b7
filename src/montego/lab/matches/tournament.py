"""A tournament: matches between many players, and one Elo scale for all of them.

    tournament.json      who plays, by which pairing and how; resuming with anything else is refused
    01-02/ 01-03/ …      a match for every pair that meets, as ``montego match`` has it
    table.md figure.svg  how it stands, written when a run ends

The games of all pairs are played round by round, so that an unfinished tournament is a smaller
one: after any interruption all pairs have played about as often.  One crew of workers plays them
all, and a game is decided by its pair and its number, as in a match.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import combinations
from pathlib import Path

from montego.lab.base.errors import LabError, cannot_go_on
from montego.lab.base.journal import Line, read_json, refuse_another, write_whole
from montego.lab.base.lock import Lock
from montego.lab.base.record import Record, read_games, score_of
from montego.lab.base.statistics import Score
from montego.lab.base.workers import Workers, work_through
from montego.lab.matches.entrants import Entrant
from montego.lab.matches.game import Game
from montego.lab.matches.match import Match, MatchPlayer, Opening, line_of, sgf_of
from montego.lab.matches.players import SEEDS, mixed_seed
from montego.lab.matches.rating import Rating, rate
from montego.lab.matches.referee import Referee

CONFIG = "tournament.json"
Pair = tuple[int, int]
"""Two players by their places in the list, 1 the first."""
Task = tuple[Pair, int]
"""A game: its pair and its number."""


class Pairing(StrEnum):
    """Who meets whom."""

    round_robin = "round-robin"
    ladder = "ladder"

    def pairs(self, players: int, reach: int) -> list[Pair]:
        """The pairs of so many players; on a ladder up to ``reach`` places apart."""
        everybody = combinations(range(1, players + 1), 2)
        far = players if self is Pairing.round_robin else reach
        return [(one, other) for one, other in everybody if other - one <= far]


@dataclass(frozen=True)
class Tournament:
    """All that decides the games of a tournament."""

    players: Sequence[Entrant]
    pairing: Pairing = Pairing.round_robin
    reach: int = 1
    """Of a ladder: how many places apart two players may be that meet."""
    size: int = 9
    komi: float = 7.5
    seed: int = 0
    referee: Referee = Referee.area
    reply_seconds: float = 120.0
    openings: Sequence[Opening] = field(default=((),), repr=False)

    def __post_init__(self) -> None:
        texts = [player.text for player in self.players]
        if len(texts) < 2:
            raise LabError("a tournament needs two players or more")
        if again := next((text for text in texts if texts.count(text) > 1), None):
            raise LabError(f"{again!r} is there twice: set another seed= for one of them")

    @property
    def pairs(self) -> list[Pair]:
        """Who meets whom, in the order of play."""
        return self.pairing.pairs(len(self.players), self.reach)

    def match(self, pair: Pair) -> Match:
        """The match of a pair; each has games of its own, though all have one seed."""
        first, second = (self.players[place - 1] for place in pair)
        return Match(
            first, second, self.size, self.komi,
            mixed_seed(self.seed, first.text, second.text) % SEEDS,
            self.referee, self.reply_seconds, self.openings,
        )  # fmt: skip

    def config(self) -> dict[str, object]:
        """What has to be the same when it is resumed; files and books are in the matches' own."""
        reach = {"reach": self.reach} if self.pairing is Pairing.ladder else {}
        return {
            "players": [player.text for player in self.players],
            "pairing": self.pairing.value,
            **reach,
            "size": self.size,
            "komi": self.komi,
            "seed": self.seed,
            "referee": self.referee.value,
            "reply_seconds": self.reply_seconds,
        }


def folder_of(pair: Pair) -> str:
    """The folder of a pair's match in that of the tournament."""
    return f"{pair[0]:02}-{pair[1]:02}"


# --- how it stands ---------------------------------------------------------------------


@dataclass
class Standing:
    """A tournament and the games that have been played."""

    tournament: Tournament
    games: Mapping[Pair, list[Line]]
    """Of each pair, seen by its first player."""

    @classmethod
    def read(cls, tournament: Tournament, folder: Path) -> Standing:
        """What is recorded in a folder."""
        pairs = tournament.pairs
        return cls(tournament, {pair: read_games(folder / folder_of(pair)) for pair in pairs})

    @property
    def names(self) -> list[str]:
        """The players as they are written."""
        return [player.text for player in self.tournament.players]

    @property
    def played(self) -> int:
        """Games in all."""
        return sum(map(len, self.games.values()))

    def score(self, one: int, other: int) -> Score | None:
        """What a player has scored against another one; None if they do not meet."""
        if (one, other) in self.games:
            return score_of(self.games[one, other])
        if (other, one) not in self.games:
            return None
        theirs = score_of(self.games[other, one])
        return Score(theirs.losses, theirs.wins, theirs.draws)

    def ratings(self, zero: str | None = None) -> list[Rating]:
        """All players on one scale, the best first; none while some are not connected by games."""
        names, points = self.names, dict[tuple[str, str], float]()
        for (one, other), games in self.games.items():
            if not games:
                return []
            score = score_of(games)
            first, second = names[one - 1], names[other - 1]
            points[first, second] = score.points
            points[second, first] = score.games - score.points
        return rate(points, zero)


# --- playing ---------------------------------------------------------------------------


class TournamentPlayer:
    """What a worker process does: play games of all pairs."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.matches: dict[Pair, MatchPlayer] = {}

    def __call__(self, task: Task) -> Game:
        pair, number = task
        if pair not in self.matches:
            self.matches[pair] = MatchPlayer(self.tournament.match(pair))
        return self.matches[pair](number)

    def close(self) -> None:
        """End the programs of all players."""
        for match in self.matches.values():
            match.close()


def play_tournament(
    tournament: Tournament,
    folder: Path,
    games: int,
    workers: Workers = 1,
    watch: Callable[[Standing], None] = lambda standing: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Standing:
    """Play what is missing of games 1 to ``games`` of every pair, and record it.

    ``watch`` sees how it stands, at the start and after every game; ``stopped`` is asked now and
    then whether to leave.
    """
    lock = Lock(folder)
    try:
        _keep_config(folder, tournament.config())
        matches = {pair: tournament.match(pair) for pair in tournament.pairs}
        standing = Standing(tournament, _opened(matches, folder))
        watch(standing)
        tasks: Iterator[Task] = iter(_missing(standing, games))
        play = partial(TournamentPlayer, tournament)
        with closing(work_through(play, tasks, workers, stopped)) as played:
            for (pair, number), game in played:
                line = _keep(matches[pair], folder / folder_of(pair), number, game, games)
                standing.games[pair].append(line)
                watch(standing)
        return standing
    finally:
        lock.close()


def _keep_config(folder: Path, config: dict[str, object]) -> None:
    """Write it the first time; afterwards it has to be the same."""
    path = folder / CONFIG
    before = read_json(path)
    if before is not None:
        refuse_another(folder, path.stem, before, config)
        return
    try:
        write_whole(path, json.dumps(config, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise cannot_go_on(path, error) from None


def _opened(matches: Mapping[Pair, Match], folder: Path) -> dict[Pair, list[Line]]:
    """The games so far; a folder that holds another match, or an unfit book, is refused here."""
    found = {}
    for pair, match in matches.items():
        match.check_books()
        with Record(folder / folder_of(pair), match.config()) as record:
            found[pair] = list(record.games)
    return found


def _missing(standing: Standing, games: int) -> list[Task]:
    """The games that are left, round by round."""
    done = {(pair, line["game"]) for pair, lines in standing.games.items() for line in lines}
    tasks = ((pair, number) for number in range(1, games + 1) for pair in standing.games)
    return [task for task in tasks if task not in done]


def _keep(match: Match, folder: Path, number: int, game: Game, games: int) -> Line:
    """Record a game; the files of a pair are open only meanwhile, for there may be many pairs."""
    with Record(folder, match.config()) as record:
        record.add(line_of(match, number, game), sgf_of(match, number, game))
        if record.is_complete(games):
            record.pack()
        return record.games[-1]
