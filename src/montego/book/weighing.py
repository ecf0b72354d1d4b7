"""T33, Donninger and Lorenz (2006): advice from a collection of games, by weighted statistics.

Their first step leaves out games that tell nothing: the filters of records.py.  Then the value of a
move is a linear combination of how it went and how often it was played, in all games, in those of
top players, and in recent ones.  Hydra's terms were those of chess; ours are the ones that records
of Go tell.  Their weights were tuned by experiments, ours are a first guess:

    success        1      success rate in all games, 0 to 1, draws half
    top_success    1      the same in games of top players
    share          0.5    part of all games of the position in which the move was played
    top_share      0.5    the same of the games of top players
    recent_share   0.25   the same of recent games

A single game that was won does not make a good move: rates begin with DOUBT games, in all games
half of them won, in those of top players as many as in all.  The best move of each position becomes
a piece of advice in another book; a pass is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from math import isfinite, nan

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.keys import key_of
from montego.book.records import RATING, parse_rank
from montego.go import PASS, color_letter

DOUBT = 10
"""Games that every success rate begins with."""


@dataclass(frozen=True)
class Weights:
    """Of the terms of a move's value."""

    success: float = 1.0
    top_success: float = 1.0
    share: float = 0.5
    top_share: float = 0.5
    recent_share: float = 0.25

    def with_changes(self, changes: dict[str, str]) -> Weights:
        """With some weights changed; raises BookError for what is none."""
        known = {item.name: getattr(self, item.name) for item in fields(self)}
        for name, value in changes.items():
            if name not in known:
                raise BookError(f"there is no weight {name!r}: {', '.join(known)} are")
            try:
                known[name] = float(value)
            except ValueError:
                known[name] = nan
            if not isfinite(known[name]):
                raise BookError(f"{name}={value} is not a number")
        return Weights(**known)


@dataclass(frozen=True)
class Classes:
    """Which games are of top players, and which are recent."""

    top: str = "1p"
    """The rank that both players have at least."""
    since: str = ""
    """The date of the oldest recent game as SGF has it, ``2018`` or ``2018-05``; empty: none is."""

    def __post_init__(self) -> None:
        if parse_rank(self.top) is None:
            raise BookError(f"{self.top!r} is not a rank: 3k, 5d, 1p or a rating such as 2300 are")

    def is_top(self, game: BookGame) -> bool:
        least = parse_rank(self.top)
        assert least is not None
        ranks = [parse_rank(game.about.get(name, "")) for name in ("BR", "WR")]
        return all(
            rank is not None and rank >= least and (rank >= RATING) == (least >= RATING)
            for rank in ranks
        )

    def is_recent(self, game: BookGame) -> bool:
        return bool(self.since) and game.about.get("DT", "") >= self.since


@dataclass
class Tried:
    """A move of a position, and the games in which it was played."""

    games: int = 0
    points: float = 0.0
    """Of its player: 1 a win, a half a draw."""
    top_games: int = 0
    top_points: float = 0.0
    recent_games: int = 0


@dataclass
class Weighed:
    """A position with its moves."""

    path: tuple[tuple[int, int], ...]
    """The moves of the first game that led there."""
    game: BookGame
    tried: dict[int, Tried] = field(default_factory=dict)

    def values(self, weights: Weights) -> dict[int, float]:
        """The value of every move."""
        games = sum(tried.games for tried in self.tried.values())
        top = sum(tried.top_games for tried in self.tried.values()) or 1
        recent = sum(tried.recent_games for tried in self.tried.values()) or 1
        found = {}
        for number, tried in self.tried.items():
            success = _doubted(tried.points, tried.games, 0.5)
            top_success = _doubted(tried.top_points, tried.top_games, success)
            found[number] = (
                weights.success * success
                + weights.top_success * top_success
                + weights.share * tried.games / games
                + weights.top_share * tried.top_games / top
                + weights.recent_share * tried.recent_games / recent
            )
        return found


def _doubted(points: float, games: int, before: float) -> float:
    """A success rate that begins at another one."""
    return (points + DOUBT * before) / (games + DOUBT)


def weigh(games: Iterable[BookGame], classes: Classes, moves: int) -> dict[int, Weighed]:
    """What the first moves of all games say, by the keys of positions."""
    found: dict[int, Weighed] = {}
    for game in games:
        is_top, is_recent = classes.is_top(game), classes.is_recent(game)
        for number, (position, move) in enumerate(game.positions(), start=game.counted_from):
            if number >= moves:
                break
            place = key_of(position)
            weighed = found.setdefault(place.key, Weighed(game.moves[:number], game))
            tried = weighed.tried.setdefault(place.number(move), Tried())
            won = {None: 0.5, position.to_play: 1.0}.get(game.winner, 0.0)
            tried.games += 1
            tried.points += won
            tried.top_games += is_top
            tried.top_points += won * is_top
            tried.recent_games += is_recent
    return found


def advice(found: dict[int, Weighed], weights: Weights, least: int) -> Iterator[BookGame]:
    """The best move of every position with enough games."""
    for weighed in found.values():
        if sum(tried.games for tried in weighed.tried.values()) < least:
            continue
        values = weighed.values(weights)
        best = max(values.keys() - {PASS}, key=lambda n: (values[n], -n), default=None)
        if best is not None:
            yield _told(weighed, best, values[best], weighed.game)


def _told(weighed: Weighed, best: int, value: float, game: BookGame) -> BookGame:
    position = game.first
    for color, move in weighed.path:
        position = position.play(move, color)
    mover = game.moves[len(weighed.path)][0]
    position = position if position.to_play == mover else position.with_to_play(mover)
    point = key_of(position).point(best)
    return BookGame(
        (*weighed.path, (mover, point)), f"{color_letter(mover)}+", game.size, game.rules,
        game.start, len(weighed.path), source="weighed", name="advice",
        about={"value": f"{value:.3f}"},
    )  # fmt: skip
