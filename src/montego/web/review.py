"""The review of a game: the same figures as those of ``montego review``, for the page."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from montego.go import BLACK, Position, sgf, vertex
from montego.go.notes import annotate
from montego.lab.tools.review import Review, Reviewed as Judged, Reviewer, View, positions, review
from montego.lab.tools.review_page import page
from montego.lab.tools.review_report import notes
from montego.web.jobs import Job, ReviewDone
from montego.web.messages import Reviewed, ReviewedMove

INTERVAL = 0.2
"""Seconds between two reports."""


def review_game(
    job: Job, position: Position, tell: Callable[[Reviewed], bool], stopped: Callable[[], bool]
) -> ReviewDone:
    """Look at every position of a game that ends with this one."""
    record = sgf.loads(job.sgf, None, position.rules)
    reviewer = Reviewer.parse(job.player.recipe, job.player.simulations or 1)
    total, told = len(positions(record.position)), [time.monotonic()]

    def known(views: Sequence[View]) -> Review:
        return Review(record, tuple(views), len(views) == total, str(reviewer))

    def watch(views: Sequence[View]) -> None:
        if time.monotonic() - told[0] >= INTERVAL:
            told[0] = time.monotonic()
            tell(as_message(job, known(views), total))

    done = known(review(record.position, reviewer.searcher(stopped), watch, stopped))
    return ReviewDone(
        reviewed=as_message(job, done, total),
        page=page(done) if done.views else "",
        sgf=annotate(job.sgf.encode(), notes(done)).decode() if done.views else job.sgf,
    )


def as_message(job: Job, found: Review, total: int) -> Reviewed:
    """A review, for the page."""
    return Reviewed(
        done=len(found.views),
        total=total,
        by=found.by,
        win_rates=[round(rate, 5) for rate in found.win_rates],
        leads=[round(lead, 2) for lead in found.leads],
        moves=[_move(job, move, found.record.position.size) for move in found.moves],
    )


def _move(job: Job, move: Judged, size: int) -> ReviewedMove:
    return ReviewedMove.model_validate(
        {
            "node": job.line[move.number],
            "before": job.line[move.number - 1],
            "number": move.number,
            "color": "black" if move.color == BLACK else "white",
            "move": vertex(move.move, size),
            "best": vertex(move.best, size),
            "verdict": move.verdict,
            "chance": round(move.before, 5),
            "loss": round(move.loss, 5),
            "points_lost": round(move.points_lost, 2),
            "line": [vertex(point, size) for point in move.line],
        }
    )
