"""A small game and made-up views of its positions, for the tests of reviews."""

from __future__ import annotations

from montego.go import BLACK, WHITE, parse_move, sgf
from montego.lab.tools.review import Review, View, review

GAME = "(;SZ[5]KM[7.5]PB[one]PW[two]RE[W+R];B[cc]C[a thought](;W[bb];B[])(;W[dd]))"


def at(name: str) -> int:
    return parse_move(name, 5)


def view(color: int, win_rate: float, score: float, *line: str) -> View:
    points = tuple(map(at, line))
    return View(color, win_rate, score, points[0], points)


VIEWS = [
    view(BLACK, 0.60, 3.0, "C3", "B2"),
    view(WHITE, 0.45, -1.0, "D4", "B2", "A1"),
    view(BLACK, 0.90, 5.5, "D3"),
    view(WHITE, 0.85, 2.0, "A1"),
]


def reviewed(count: int = 4, text: str = GAME) -> Review:
    """The review, interrupted after so many positions."""
    views = iter(VIEWS)
    seen: list[View] = []
    record = sgf.loads(text)
    found = review(
        record.position,
        lambda position: next(views),
        lambda now: seen.extend(now[len(seen) :]),
        lambda: len(seen) >= count,
    )
    return Review(record, found, len(found) == len(VIEWS), "montego, 10 simulations a position")
