"""Large books: opened at once, and a look-up takes less than a tenth of a millisecond."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from statistics import median

import pytest

from montego.book.statistics import packed
from montego.book.store import Book
from tests.book.games import random_game

POSITIONS = 1_000_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of a million made-up positions among which some real games are."""
    path = tmp_path_factory.mktemp("large") / "a.book"
    rng = Random(1)
    keys = sorted(rng.getrandbits(64) - 2**63 for _ in range(POSITIONS))  # in order it is faster
    with Book.create(path) as book:
        book.add(random_game(seed, 9, 40) for seed in range(20))
        with book._transaction():
            book._base.executemany(
                "INSERT OR IGNORE INTO positions VALUES (?, ?)",
                ((key, packed(key, {rng.randrange(82): (9, 5, 4), 81: (3, 1, 2)}))
                 for key in keys),
            )  # fmt: skip
    return path


@pytest.mark.slow
def test_a_large_book_opens_at_once_and_answers_at_once(large: Path) -> None:
    positions = [p for seed in range(20) for p, _ in random_game(seed, 9, 40).positions()]
    begin = time.perf_counter()
    with Book(large) as book:
        assert book.look_up(positions[0])
        opened = time.perf_counter() - begin
        times = []
        for position in positions * 3:
            begin = time.perf_counter()
            assert book.look_up(position)
            times.append(time.perf_counter() - begin)
        assert book.position_count > POSITIONS
    megabytes = large.stat().st_size / 1e6
    print(f"{opened:.4f} s to open, {1e6 * median(times):.1f} µs a look-up, {megabytes:.0f} MB")
    assert opened < 1.0
    assert median(times) < 1e-4
