"""Attacks: random and hostile input for as long as there is time; run by ``make test-attack``.

    MONTEGO_ATTACK_SEED      the seed of all that is random (default: a new one each day)
    MONTEGO_ATTACK_SECONDS   the time for all attacks together (default 600)

A new attack is a test in this folder that takes the fixture ``attack``: it draws from
``attack.random``, works in ``for number in attack.steps(30_000)``, which ends early when its share
of the time is over, and says at its end what it did by ``attack.tell``.  The marker is set here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

SEED = int(os.environ.get("MONTEGO_ATTACK_SEED", datetime.now(UTC).strftime("%Y%m%d")))
SECONDS = float(os.environ.get("MONTEGO_ATTACK_SECONDS", "600"))
FOLDER = Path(__file__).parent
TOLD = pytest.StashKey[list[str]]()
BEGIN = pytest.StashKey[float]()


@dataclass
class Attack:
    """What one attack has: its random numbers, its time, and what it did."""

    name: str
    seconds: float
    told: list[str]
    random: Random = field(default_factory=Random)
    begin: float = field(default_factory=time.monotonic)
    done: int = 0
    asked: int = 0

    def __post_init__(self) -> None:
        self.random = Random(f"{SEED} {self.name}")

    @property
    def is_over(self) -> bool:
        """Whether the time is used up."""
        return time.monotonic() - self.begin > self.seconds

    def steps(self, count: int) -> Iterator[int]:
        """The numbers 0, 1, 2 … of what is to be done, while there is time."""
        self.asked = count
        for number in range(count):
            if self.is_over:
                return
            yield number
            self.done = number + 1

    def tell(self, what: str) -> None:
        """Say what was done; it is shown at the end."""
        seconds = time.monotonic() - self.begin
        self.told.append(f"{self.name}: {self.done:,} of {self.asked:,} {what}, {seconds:.0f} s")


@pytest.fixture
def attack(request: pytest.FixtureRequest) -> Attack:
    """With its share of the time that is left for all attacks that are still to come."""
    chosen = [item for item in request.session.items if item.get_closest_marker("attack")]
    to_come = sum(map(share_of, chosen[chosen.index(request.node) :]))
    stash, now = request.config.stash, time.monotonic()
    left = max(SECONDS - (now - stash.setdefault(BEGIN, now)), 1.0)
    told = stash.setdefault(TOLD, [])
    seconds = left * share_of(request.node) / to_come
    return Attack(request.node.name.removeprefix("test_"), seconds, told)


def share_of(item: pytest.Item) -> float:
    """How many times the usual share of the time an attack needs, by ``@pytest.mark.share``."""
    marker = item.get_closest_marker("share")
    return 1.0 if marker is None else float(marker.args[0])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker("attack")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    told = terminalreporter.config.stash.get(TOLD, None)
    if told is not None:
        again = f"MONTEGO_ATTACK_SEED={SEED} MONTEGO_ATTACK_SECONDS={SECONDS:g} make test-attack"
        terminalreporter.write_sep("=", "attacks")
        for line in [*told, f"the same again: {again}"]:
            terminalreporter.write_line(line)
