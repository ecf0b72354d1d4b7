"""Analysis: a search that tells how far it is until the next line comes in.

Leela Zero's and KataGo's commands take the same arguments (see wishes) and differ in how they write
the report.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from montego.gtp.analysis_options import DEFAULT_INTERVAL, Wishes, avoided_moves, parse_wishes
from montego.gtp.arguments import Arguments
from montego.gtp.generation import log_answer
from montego.gtp.table import Emit, Stream, command

if TYPE_CHECKING:
    from montego.engine.reports import Report
    from montego.gtp.session import GtpSession
    from montego.mcts.search import Found

PATIENCE = 0.05
"""Seconds until an analysis notices that it is to stop, however rarely it reports."""


@command("lz-analyze")
def lz_analyze(session: GtpSession, arguments: Arguments) -> Stream:
    """Analyse until the next line, in Leela Zero's form."""
    from montego.engine.reports import leela

    return _analyse(session, parse_wishes(arguments), leela)


@command("kata-analyze", "analyze")
def kata_analyze(session: GtpSession, arguments: Arguments) -> Stream:
    """Analyse until the next line, in KataGo's form."""
    from montego.engine.reports import kata

    return _analyse(session, parse_wishes(arguments), kata)


@command("lz-genmove_analyze")
def lz_genmove_analyze(session: GtpSession, arguments: Arguments) -> Stream:
    """Generate a move and report meanwhile, in Leela Zero's form."""
    from montego.engine.reports import leela

    return _generate(session, parse_wishes(arguments), leela)


@command("kata-genmove_analyze", "genmove_analyze")
def kata_genmove_analyze(session: GtpSession, arguments: Arguments) -> Stream:
    """Generate a move and report meanwhile, in KataGo's form."""
    from montego.engine.reports import kata

    return _generate(session, parse_wishes(arguments), kata)


def _mover(session: GtpSession, wishes: Wishes) -> str:
    from montego.go import color_letter

    return wishes.color or color_letter(session.engine.position.to_play)


def _analyse(session: GtpSession, wishes: Wishes, report: Report) -> Stream:
    engine, color = session.engine, _mover(session, wishes)
    avoided = avoided_moves(wishes, engine.position.size)

    def stream(emit: Emit) -> None:
        told = _Teller(wishes, emit, lambda found: report(engine.position, color, found, wishes))

        def progress(found: Found) -> bool:
            stops = session.has_input()
            told(found, at_once=stops)
            return not stops

        engine.analyse(progress, color, min(wishes.interval, PATIENCE), avoided)
        session.wait_for_input()  # a search may end by itself, an analysis does not

    return stream


def _generate(session: GtpSession, wishes: Wishes, report: Report) -> Stream:
    engine, color = session.engine, _mover(session, wishes)
    avoided = avoided_moves(wishes, engine.position.size)

    def stream(emit: Emit) -> None:
        told = _Teller(wishes, emit, lambda found: report(engine.position, color, found, wishes))

        def progress(found: Found) -> bool:
            told(found)
            return session.goes_on()

        answer = engine.genmove(color, False, progress, min(wishes.interval, PATIENCE), avoided)
        session.thought = not answer.resigned
        log_answer(session, color, answer)
        told(answer, at_once=True)
        emit(f"play {answer.vertex}")

    return stream


class _Teller:
    """Writes a report as often as was asked for; the first one as soon as it can."""

    def __init__(self, wishes: Wishes, emit: Emit, write: Callable[[Found], str]) -> None:
        self._interval, self._emit, self._write = wishes.interval, emit, write
        self._next = time.perf_counter() + min(self._interval, DEFAULT_INTERVAL)
        self._told_any = False

    def __call__(self, found: Found, at_once: bool = False) -> None:
        now = time.perf_counter()
        if now >= self._next or (at_once and not self._told_any):
            self._emit(self._write(found))
            self._next, self._told_any = now + self._interval, True
