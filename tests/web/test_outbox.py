"""A slow reader: what waits for it does not grow."""

from __future__ import annotations

import asyncio

from montego.web.messages import Problem, Thinking
from montego.web.outbox import Outbox


def thinking(simulations: int) -> Thinking:
    return Thinking(
        work="move", simulations=simulations, seconds=1, share=0, win_rate=None, move=None
    )


def problem(text: str) -> Problem:
    return Problem(code="bad", text=text)


def test_of_what_changes_the_latest_waits() -> None:
    outbox = Outbox(8)
    for number in range(1000):
        outbox.put(thinking(number))
    assert len(outbox) == 1
    assert asyncio.run(outbox.get()) == thinking(999)


def test_of_the_rest_a_few() -> None:
    outbox = Outbox(8)
    for number in range(1000):
        outbox.put(problem(str(number)))
    assert len(outbox) == 8
    assert asyncio.run(outbox.get()) == problem("992")


def test_who_waits_gets_what_comes() -> None:
    async def talk() -> list[object]:
        outbox = Outbox(8)
        waiting = asyncio.ensure_future(outbox.get())
        await asyncio.sleep(0)
        outbox.put(thinking(1))
        outbox.put(problem("one"))
        return [await waiting, await outbox.get()]

    assert asyncio.run(talk()) == [problem("one"), thinking(1)]
