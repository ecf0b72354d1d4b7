"""All games of a server, by names that cannot be guessed."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable

from montego.go import GoError
from montego.web import messages as m
from montego.web.limits import Limits
from montego.web.outbox import Outbox
from montego.web.pool import Pool
from montego.web.table import Table


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
        make: dict[type[m.Message], Callable[..., Table]] = {
            m.New: Table.new,
            m.Open: Table.open,
            m.Follow: Table.follow,
        }
        name = secrets.token_urlsafe(12)
        table = make[type(asked)](name, self.pool, asked)
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
