"""All games of a server, by names that cannot be guessed."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable

from montego.go import BLACK, WHITE, GoError, Position
from montego.go.handicap import place_free
from montego.mcts.recipes import named_recipe
from montego.web import messages as m
from montego.web.limits import Limits
from montego.web.outbox import Outbox
from montego.web.pool import Pool
from montego.web.records import read_link, read_sgf, rules_of
from montego.web.table import Table
from montego.web.tree import MoveTree


class Refused(GoError):  # noqa: N818 - the name says what is wrong
    """More than a client may have."""


class Lobby:
    """The tables, the one that was needed last at the end."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.pool = Pool(self.limits.processes, self.limits.memory_mb)
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

    async def close(self) -> None:
        """End everything."""
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
        table.tree.nodes[node].note = record.comments.get(number, "")[:2000]
    return table


def followed_link(name: str, pool: Pool, asked: m.Follow) -> Table:
    """The position of a link."""
    position, settings = read_link(asked.link)
    return Table(name, pool, MoveTree(position), settings, "analyse")


MAKERS: dict[type[m.Message], Callable[..., Table]] = {
    m.New: new_game,
    m.Open: opened_game,
    m.Follow: followed_link,
}
