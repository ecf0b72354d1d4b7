"""``montego match`` from its options to the table at the end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from montego.go.errors import BadHandicap
from montego.go.handicap import fixed_points
from montego.lab.base.errors import LabError
from montego.lab.base.inputs import read_text_lines
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.record import Record
from montego.lab.base.statistics import Sprt
from montego.lab.base.workers import Workers
from montego.lab.matches import report
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.match import Match, play_match, read_openings
from montego.lab.matches.program import find_program
from montego.lab.matches.referee import GNUGO, Referee


def prepare(
    first: str, second: str, referee: str, folder: Path, openings: Path | None, **setup: Any
) -> Match:
    """A match from what was typed; raises LabError for what makes no sense.

    The openings are only looked at: to read them takes compiled kernels.
    """
    check_referee(referee)
    match = Match(
        first=parse_player(first),
        second=parse_player(second),
        referee=Referee(referee),
        **setup,
    )
    check_paths(folder, openings)
    check_handicap(match, openings)
    return match


def check_handicap(match: Match, openings: Path | None) -> None:
    """Refuse stones that have no place, or that openings do not begin with."""
    if not match.handicap:
        return
    if openings is not None:
        raise LabError("openings begin on an empty board: leave them out, or the handicap")
    try:
        fixed_points(match.size, match.handicap)
    except BadHandicap as error:
        raise LabError(str(error)) from None


def check_referee(referee: str) -> None:
    """Refuse a referee who is not there."""
    if referee == Referee.gnugo and find_program(GNUGO[0]) is None:
        raise LabError("GNU Go cannot be the referee: it is not installed")


def check_paths(folder: Path, openings: Path | None) -> None:
    """Refuse a folder that cannot be, or a file that cannot be read."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if openings is not None:
            read_text_lines(openings, LabError)
    except OSError as error:
        raise LabError(f"{error.filename}: {error.strerror}") from None


def with_openings(match: Match, path: Path | None) -> Match:
    """The same match with the openings of a file, if there is one."""
    return match if path is None else replace(match, openings=read_openings(path, match.size))


def run(
    match: Match,
    folder: Path,
    openings: Path | None,
    games: int,
    workers: Workers,
    bounds: tuple[float, float] | None,
    as_json: bool,
) -> bool:
    """Play, show and sum up; returns False if the user interrupted it."""
    match = with_openings(match, openings)
    sprt = None if bounds is None else Sprt(*bounds)
    match.check_books()  # before there is a record
    with Record(folder, match.config()) as record:
        with report.Watch(games, sprt) as watch, interrupts_noted() as interrupted:
            play_match(match, record, games, workers, sprt, watch, lambda: bool(interrupted))
        if as_json:
            print(json.dumps(report.summary(match, record.games, games, sprt), indent=2))
        else:
            report.show(match, record.games, sprt)
    return not interrupted
