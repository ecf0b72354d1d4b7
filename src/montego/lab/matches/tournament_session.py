"""``montego tournament`` from its options to the tables at the end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from montego.lab.base.errors import LabError
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.workers import Workers
from montego.lab.matches import tournament_report as report
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.match import read_openings
from montego.lab.matches.referee import Referee
from montego.lab.matches.session import check_paths, check_referee
from montego.lab.matches.tournament import Pairing, Tournament, play_tournament


def prepare(
    players: Sequence[str],
    pairing: str,
    referee: str,
    folder: Path,
    openings: Path | None,
    zero: str | None,
    **setup: Any,
) -> Tournament:
    """A tournament from what was typed; raises LabError for what makes no sense."""
    check_referee(referee)
    entrants = [parse_player(text) for text in players]
    if zero is not None and zero not in players:
        raise LabError(f"{zero!r} does not play: one of the players is at zero")
    tournament = Tournament(entrants, Pairing(pairing), referee=Referee(referee), **setup)
    check_paths(folder, openings)
    return tournament


def run(
    tournament: Tournament,
    folder: Path,
    openings: Path | None,
    games: int,
    workers: Workers,
    zero: str | None,
    as_json: bool,
) -> bool:
    """Play, show and write; returns False if the user interrupted it."""
    if openings is not None:
        found = read_openings(openings, tournament.size)
        tournament = replace(tournament, openings=found)
    total = games * len(tournament.pairs)
    with report.StandingWatch(total, zero) as watch, interrupts_noted() as interrupted:
        standing = play_tournament(
            tournament, folder, games, workers, watch.look, lambda: bool(interrupted)
        )
    if as_json:
        print(json.dumps(report.summary(standing, total, zero), indent=2))
    else:
        report.show(standing, zero)
    report.write(standing, folder, zero)
    return not interrupted
