"""T31: games of strong players, and books that were written by hand, as games of a book.

Game records are SGF, one a file or many.  Filters leave out what tells nothing about good openings,
which Donninger and Lorenz do first (T33).  Books as Fuego, Pachi and Matilda write them are text:

    9 E5 E7 G6 | E3 C4        # size, moves of both players by turns, and the replies

Each reply becomes a piece of advice (see games.py).  What cannot be used is counted with the
reason, and skipped.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from montego import files
from montego.book.errors import BookError
from montego.book.games import BookGame, start_text
from montego.book.keys import key_of
from montego.go import BLACK, WHITE, GoError, Position, Rules, color_letter, sgf
from montego.go.sgf import GameRecord
from montego.knowledge.games import KINDS, records

MOST_BYTES = 100_000_000
"""Of a text."""
PROFESSIONAL = 100
"""Ranks from here on are professionals'."""
RATING = 1000
"""Numbers from here on are ratings, which no rank is compared with."""
_RANK = re.compile(r"(\d+)\s*(k|d|p|kyu|dan|pro)\b.*", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{3,4})(\.\d+)?\??")


@dataclass(frozen=True)
class Filters:
    """What a game has to be."""

    size: int | None = None
    komi: tuple[float, ...] = ()
    """One of these; none: any."""
    rank: str = ""
    """Both players have at least this one: ``3k``, ``5d``, ``1p``, or a rating such as ``2300``."""
    player: str = ""
    """Part of one player's name, in any case of letters."""
    winner: int | None = None
    """BLACK or WHITE; None: whoever won, or nobody."""

    def __post_init__(self) -> None:
        if self.rank and parse_rank(self.rank) is None:
            raise BookError(f"{self.rank!r} is not a rank: 3k, 5d, 1p or a rating such as 2300 are")

    def refusal(self, record: GameRecord, winner: int | None) -> str:
        """Why a game is left out; empty if it is not."""
        position = record.position
        if self.size is not None and position.size != self.size:
            return f"played on {position.size}x{position.size}"
        if self.komi and position.komi not in self.komi:
            return f"komi {position.komi:g}"
        if self.winner is not None and winner != self.winner:
            return "won by the other colour, or by nobody"
        if self.player.lower() not in f"{record.black}\n{record.white}".lower():
            return "other players"
        return self._refusal_by_rank(record)

    def _refusal_by_rank(self, record: GameRecord) -> str:
        if not self.rank:
            return ""
        least = parse_rank(self.rank)
        assert least is not None
        ranks = [parse_rank(record.about.get(name, "")) for name in ("BR", "WR")]
        if any(rank is None or (rank >= RATING) != (least >= RATING) for rank in ranks):
            return "players without such a rank"
        return "" if min(rank for rank in ranks if rank is not None) >= least else "weaker players"


def parse_rank(text: str) -> int | None:
    """A rank as a number that grows with strength; None for what is none."""
    text = text.strip()
    if found := _NUMBER.fullmatch(text):
        return RATING + int(found[1])
    if (found := _RANK.fullmatch(text)) is None:
        return None
    number, kind = int(found[1]), found[2][0].lower()
    return {"k": 1 - number, "d": number, "p": PROFESSIONAL + number}[kind]


@dataclass
class Reading:
    """How a file is read, and what was left out."""

    filters: Filters = field(default_factory=Filters)
    moves: int | None = None
    """Only the first moves of a game; a small book needs no endings."""
    bad: frozenset[tuple[int, int]] = frozenset()
    """Advice that is not taken: keys of positions and numbers of moves."""
    seen: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    def games(self, path: Path) -> Iterator[BookGame]:
        """The games of a file, whatever its kind."""
        found = self._from_sgf(path) if is_sgf(path) else self._from_text(path)
        for game in found:
            self.seen += 1
            if isinstance(game, BookGame):
                yield game
            else:
                self.skipped[game] += 1

    def _from_sgf(self, path: Path) -> Iterator[BookGame | str]:
        for content in records(path):
            for one in sgf.split(content) or [content]:
                try:
                    yield self._game_of(sgf.loads(one), path.name)
                except (GoError, BookError) as error:
                    yield str(error)

    def _game_of(self, record: GameRecord, source: str) -> BookGame | str:
        position = record.position
        game = BookGame(
            tuple(position.moves)[: self.moves], record.result, position.size, position.rules,
            start_text(position.first), black=record.black, white=record.white, source=source,
            about=dict(record.about),
        )  # fmt: skip
        if not game.moves:
            return "without moves"
        return self.filters.refusal(record, game.winner) or game

    def _from_text(self, path: Path) -> Iterator[BookGame | str]:
        for number, line in enumerate(text_lines(path), start=1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            try:
                yield from self._advice(words, path.name)
            except (GoError, BookError, ValueError) as error:
                raise BookError(f"{path}, line {number}: {error}") from None

    def _advice(self, words: Sequence[str], source: str) -> Iterator[BookGame | str]:
        for komi in self.filters.komi or (Rules().komi,):
            for position, after in advice(words, Rules(komi=komi)):
                point = after.moves[-1][1]
                if self.filters.size not in (None, position.size):
                    yield f"for {position.size}x{position.size}"
                elif (key_of(position).key, key_of(position).number(point)) in self.bad:
                    yield "known to be bad"
                else:
                    moves, mover = tuple(after.moves), color_letter(position.to_play)
                    yield BookGame(
                        moves, f"{mover}+", position.size, position.rules,
                        counted_from=len(moves) - 1, source=source, name="advice",
                    )  # fmt: skip


def advice(words: Sequence[str], rules: Rules) -> Iterator[tuple[Position, Position]]:
    """The position of a line, and what it is after each reply; raises an error for no such line."""
    if "|" not in words:
        raise BookError("not a line such as: 9 E5 E7 | G6")
    bar = words.index("|")
    if not words[0].isdecimal() or bar == 0 or bar == len(words) - 1:
        raise BookError("not a line such as: 9 E5 E7 | G6")
    position = Position.start(int(words[0]), rules)
    for word in words[1:bar]:
        position = position.play(word)
    for reply in words[bar + 1 :]:
        yield position, position.play(reply)


def bad_advice(path: Path, komi: Sequence[float] = ()) -> frozenset[tuple[int, int]]:
    """The lines of a text that are not to be taken from others, as Pachi's book.dat.bad."""
    reading = Reading(Filters(komi=tuple(komi)))
    found = set()
    for game in reading.games(path):
        position, move = next(game.positions())
        place = key_of(position)
        found.add((place.key, place.number(move)))
    return frozenset(found)


def is_sgf(path: Path) -> bool:
    """Whether a file is named as game records are."""
    return path.name.endswith(KINDS)


def text_lines(path: Path) -> list[str]:
    """The lines of a text, packed or not."""
    try:
        content = files.read_limited(path, MOST_BYTES)
        content = gzip.decompress(content) if path.name.endswith(".gz") else content
        return content.decode().splitlines()
    except UnicodeDecodeError:
        raise BookError(f"{path} is neither SGF nor a text in UTF-8") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise BookError(f"{path} is not compressed, or is damaged") from None
    except OSError as error:
        raise BookError(f"{path}: {error.strerror}") from None


COLORS = {"black": BLACK, "white": WHITE}
