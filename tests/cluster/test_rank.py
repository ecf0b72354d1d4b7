"""One process of a job, without the others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from montego.cluster import wire
from montego.cluster.link import Frame
from montego.cluster.rank import DEAF, PULSE, Rank
from montego.go import Position


def rank_of(number: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Rank, list[float], list[Frame]]:
    """A rank, the time as it sees it, and what it tells others."""
    now: list[float] = [100.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("montego.cluster.rank.time", clock)
    rank = Rank(SimpleNamespace(Get_rank=lambda: number, Get_size=lambda: 2))
    told: list[Frame] = []
    monkeypatch.setattr(rank, "_tell_others", told.append)
    return rank, now, told


def test_a_rank_that_hears_nothing_for_long_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    rank, now, _ = rank_of(1, monkeypatch)
    for has_heard, is_over in ((False, False), (True, False), (False, False), (False, True)):
        now[0] += 0.6 * DEAF
        rank._feel_the_pulse(has_heard)
        assert rank.is_over == is_over


def test_the_first_process_gives_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    rank, now, told = rank_of(0, monkeypatch)
    for _ in range(100):
        now[0] += PULSE / 10
        rank._feel_the_pulse(has_heard=False)
    assert told == [Frame({"do": "pulse"})] * len(told)
    assert 8 <= len(told) <= 10
    assert not rank.is_over
    rank._obey(told[0])  # which asks for nothing
    assert not rank.is_over


def test_a_search_that_begins_at_once_does_not_hide_the_end_of_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next search may come between the end of one and the next look at it."""
    rank, _, told = rank_of(0, monkeypatch)
    ended: Any = SimpleNamespace(is_stopping=True)
    fresh: Any = SimpleNamespace(is_stopping=False)
    part: Any = SimpleNamespace(machine=None, begin=lambda search, position, avoided: fresh)
    rank.part, rank.exchange, rank._id = part, ended, 4
    asked, board = wire.pack_position(Position.start(5), None)
    rank._begin(Frame({"do": "search", "id": 5, "avoided": [], **asked}, board))
    assert told == [Frame({"do": "hurry", "id": 4})]
    assert rank.exchange is fresh
