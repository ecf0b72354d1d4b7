"""All games of a server, by names that cannot be guessed."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from montego.go import BLACK, WHITE, GoError, Position
from montego.go.handicap import place_free
from montego.mcts.recipes import named_recipe
from montego.web import messages as m
from montego.web.laboratory import Laboratory
from montego.web.library import Library
from montego.web.limits import Limits
from montego.web.outbox import Outbox
from montego.web.pool import Pool
from montego.web.records import (
    LONGEST_NOTE,
    read_link,
    read_sgf,
    read_variations,
    rules_of,
)
from montego.web.table import Table
from montego.web.tree import MoveTree
from montego.web.views import welcome


class Refused(GoError):  # noqa: N818 - the name says what is wrong
    """More than a client may have."""


@dataclass(frozen=True)
class Shelf:
    """What the server was started with, beside the engines."""

    results: Path | None = None
    """A folder of the laboratory."""
    book: Path | None = None


NOTHING = Shelf()


class Lobby:
    """The tables, the one that was needed last at the end."""

    def __init__(self, limits: Limits | None = None, shelf: Shelf = NOTHING) -> None:
        self.limits = limits or Limits()
        self.shelf = shelf
        self.pool = Pool(self.limits.processes, self.limits.memory_mb, shelf.book)
        self._laboratory = Laboratory(shelf.results) if shelf.results else None
        self._library = Library(shelf.book) if shelf.book else None
        self.tables: dict[str, Table] = {}
        self.sockets: Counter[str] = Counter()
        self._owners: dict[str, str] = {}

    def enter(self, asked: m.Begin, client: str) -> Table:
        """The table that a page asks for."""
        if isinstance(asked, m.Join):
            return self._known(asked.game)
        name = secrets.token_urlsafe(12)
        table = MAKERS[type(asked)](name, self.pool, asked)
        self._make_room(client)
        self.tables[name], self._owners[name] = table, client
        return table

    def _known(self, name: str) -> Table:
        table = self.tables.pop(name, None)
        if table is None:
            raise LookupError("this game is not kept any more")
        self.tables[name] = table
        return table

    def _make_room(self, client: str) -> None:
        """Let old games go that nobody looks at; refuse if there are none."""
        owned = [name for name, owner in self._owners.items() if owner == client]
        if len(owned) >= self.limits.games_each:
            self._drop_one(owned, "you have too many games open")
        if len(self.tables) >= self.limits.games:
            self._drop_one([*self.tables], "too many games are open here")

    def _drop_one(self, names: list[str], why: str) -> None:
        wanted = {*names}
        for name, table in self.tables.items():
            if name in wanted and not table.pages:
                table.close()
                del self.tables[name], self._owners[name]
                return
        raise Refused(f"{why}: close one first")

    def leave(self, table: Table | None, page: Outbox) -> None:
        """A page has gone to another game, or away."""
        if table is not None:
            table.leave(page)

    def welcome(self) -> m.Welcome:
        """What there is to choose from."""
        book = self._library.name if self._library else ""
        return welcome(book, self._laboratory is not None)

    @property
    def laboratory(self) -> Laboratory:
        """The laboratory; raises GoError where there is none."""
        if self._laboratory is None:
            raise GoError("there is no folder of results here: montego web --results DIR")
        return self._laboratory

    def leave_laboratory(self, page: Outbox) -> None:
        """A page has gone away."""
        if self._laboratory is not None:
            self._laboratory.leave(page)

    def look_up(self, table: Table) -> m.BookShown:
        """What the book knows of a table's position; raises GoError."""
        if self._library is None:
            raise GoError("there is no book here: montego web --book FILE")
        return self._library.look_up(table.tree.at, table.position)

    async def close(self) -> None:
        """End everything."""
        if self._laboratory is not None:
            self._laboratory.close()
        if self._library is not None:
            self._library.close()
        for table in self.tables.values():
            table.close()
        await self.pool.close()


# --- how a game begins -----------------------------------------------------------------


def new_game(name: str, pool: Pool, asked: m.New) -> Table:
    """An empty board, or one with handicap stones."""
    settings = asked.settings
    named_recipe(settings.recipe)
    rules = rules_of(settings)
    if settings.handicap > 1:
        start = place_free(settings.size, settings.handicap, rules)
    else:  # a handicap of 1 is to play first
        start = Position.start(settings.size, rules)
    return Table(name, pool, MoveTree(start), settings, asked.mode)


def opened_game(name: str, pool: Pool, asked: m.Open) -> Table:
    """A game that was sent, at its end."""
    named_recipe(asked.settings.recipe)
    record, settings = read_sgf(asked.sgf, asked.settings)
    table = Table(name, pool, MoveTree(record.position), settings, asked.mode)
    table.names = {BLACK: record.black[:80], WHITE: record.white[:80]}
    table.result, table.ended_at = record.result[:40], table.tree.at
    for number, node in enumerate(table.tree.path()):
        table.tree.nodes[node].note = record.comments.get(number, "")[:LONGEST_NOTE]
    read_variations(asked.sgf, table.tree)
    return table


def followed_link(name: str, pool: Pool, asked: m.Follow) -> Table:
    """The position of a link."""
    position, settings = read_link(asked.link)
    return Table(name, pool, MoveTree(position), settings, asked.mode)


MAKERS: dict[type[m.Message], Callable[..., Table]] = {
    m.New: new_game,
    m.Open: opened_game,
    m.Follow: followed_link,
}
