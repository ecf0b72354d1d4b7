"""Analysis: a search that reports its progress until the next line comes in.

Leela Zero's and KataGo's commands take the same arguments (see analysis_options.py) and differ in
how they write the report.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from montego.gtp.analysis_options import (
    DEFAULT_INTERVAL,
    AnalysisOptions,
    avoided_moves,
    parse_options,
)
from montego.gtp.arguments import Arguments
from montego.gtp.generation import log_answer
from montego.gtp.table import Emit, Stream, command

if TYPE_CHECKING:
    from montego.engine.reports import Report
    from montego.gtp.session import GtpSession
    from montego.mcts.found import Found

PATIENCE = 0.05
"""Seconds until an analysis notices that it is to stop, however rarely it reports."""


@command("lz-analyze")
def lz_analyze(session: GtpSession, arguments: Arguments) -> Stream:
    """Analyse until the next line, in Leela Zero's form."""
    from montego.engine.reports import leela

    return _analyse(session, parse_options(arguments), leela)


@command("kata-analyze", "analyze")
def kata_analyze(session: GtpSession, arguments: Arguments) -> Stream:
    """Analyse until the next line, in KataGo's form."""
    from montego.engine.reports import kata

    return _analyse(session, parse_options(arguments), kata)


@command("lz-genmove_analyze")
def lz_genmove_analyze(session: GtpSession, arguments: Arguments) -> Stream:
    """Generate a move and report meanwhile, in Leela Zero's form."""
    from montego.engine.reports import leela

    return _generate(session, parse_options(arguments), leela)


@command("kata-genmove_analyze", "genmove_analyze")
def kata_genmove_analyze(session: GtpSession, arguments: Arguments) -> Stream:
    """Generate a move and report meanwhile, in KataGo's form."""
    from montego.engine.reports import kata

    return _generate(session, parse_options(arguments), kata)


def _mover(session: GtpSession, options: AnalysisOptions) -> str:
    from montego.go import color_letter

    return options.color or color_letter(session.engine.position.to_play)


def _analyse(session: GtpSession, options: AnalysisOptions, report: Report) -> Stream:
    engine, color = session.engine, _mover(session, options)
    avoided = avoided_moves(options, engine.position.size)

    def stream(emit: Emit) -> None:
        reporter = _Reporter(
            options, emit, lambda found: report(engine.position, color, found, options)
        )

        def progress(found: Found) -> bool:
            stops = session.has_input()
            reporter(found, at_once=stops)
            return not stops

        engine.analyse(progress, color, min(options.interval, PATIENCE), avoided)
        session.wait_for_input()  # a search may end by itself, an analysis does not

    return stream


def _generate(session: GtpSession, options: AnalysisOptions, report: Report) -> Stream:
    engine, color = session.engine, _mover(session, options)
    avoided = avoided_moves(options, engine.position.size)

    def stream(emit: Emit) -> None:
        reporter = _Reporter(
            options, emit, lambda found: report(engine.position, color, found, options)
        )

        def progress(found: Found) -> bool:
            reporter(found)
            return session.goes_on()

        answer = engine.genmove(color, False, progress, min(options.interval, PATIENCE), avoided)
        session.thought = not answer.resigned
        log_answer(session, color, answer)
        reporter(answer, at_once=True)
        emit(f"play {answer.vertex}")

    return stream


class _Reporter:
    """Writes a report as often as was asked for; the first one as soon as it can."""

    def __init__(self, options: AnalysisOptions, emit: Emit, write: Callable[[Found], str]) -> None:
        self._interval, self._emit, self._write = options.interval, emit, write
        self._next = time.perf_counter() + min(self._interval, DEFAULT_INTERVAL)
        self._has_reported = False

    def __call__(self, found: Found, at_once: bool = False) -> None:
        now = time.perf_counter()
        if now >= self._next or (at_once and not self._has_reported):
            self._emit(self._write(found))
            self._next, self._has_reported = now + self._interval, True
