"""Analysis sessions with fake searches, for tests."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

from montego.analysis.session import AnalysisSession
from montego.analysis.settings import Settings
from montego.go import Position
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Found
from tests.fake_search import FakeSearch

Json = dict[str, Any]


class SlowSearch(FakeSearch):
    """Goes on until it is stopped or released, and says when it has begun."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun = threading.Event()
        self.release = threading.Event()

    def run(
        self,
        position: Position,
        budget: Budget,
        progress: Callable[[Found], bool] | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Found:
        self.has_begun.set()
        found = super().run(position, budget, None, interval, avoided)
        while not self.release.wait(0.005):
            if progress is not None and not progress(found):
                break
        return found


class Client:
    """A session, what it was sent and what it replied."""

    def __init__(self, *searches: FakeSearch, settings: Settings | None = None) -> None:
        self.searches = searches or (FakeSearch(),)
        self.log = io.StringIO()
        self.lines: list[str] = []
        self.session = AnalysisSession(
            self.searches, settings or Settings(), self.lines.append, "montego", self.log
        )

    def send(self, *told: Any) -> None:
        for query in told:
            raw = query if isinstance(query, bytes) else json.dumps(query).encode()
            self.session.receive(raw)

    def finish(self) -> list[Json]:
        """Let all queries finish; everything that was replied."""
        self.session.run([])
        return self.replies

    @property
    def replies(self) -> list[Json]:
        return [json.loads(line) for line in self.lines]


def query(**more: Any) -> Json:
    """A query about the empty board, with other fields; None takes one out."""
    usual = {"id": "q", "moves": [], "rules": "tromp-taylor", "boardXSize": 9, "boardYSize": 9}
    return {name: value for name, value in (usual | more).items() if value is not None}


def answer(told: Any, *searches: FakeSearch, **settings: Any) -> list[Json]:
    """What a session replies to one query."""
    client = Client(*searches, settings=Settings(**settings))
    client.send(told)
    return client.finish()
