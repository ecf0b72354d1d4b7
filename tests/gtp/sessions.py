"""Sessions with a fake search, for tests."""

from __future__ import annotations

import io
from typing import Any

from montego.gtp.session import GtpSession
from tests.fake_search import FakeSearch, fake_engine


def fake_session(**told: Any) -> tuple[GtpSession, FakeSearch]:
    """A session whose search does as it is told."""
    engine, search = fake_engine(**told)
    return GtpSession(lambda: engine, log=io.StringIO()), search


def ask(session: GtpSession, *lines: str) -> str:
    """Send lines; the reply to the last one, without its end."""
    replies = [session.handle(line) for line in lines]
    assert all(reply.endswith("\n\n") for reply in replies)
    return replies[-1][:-2]
