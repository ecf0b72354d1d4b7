"""``montego tournament``: many players, and one Elo scale."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from montego.cli.common import (
    Cluster,
    Json,
    Komi,
    ReplySeconds,
    Seed,
    Size,
    Workers,
    end_interrupted,
    get_kernels_ready,
    told_to_the_user,
)
from montego.cli.lab import Judge
from montego.lab.base.errors import LabError

app = typer.Typer()


class Pairing(StrEnum):
    """Who meets whom."""

    round_robin = "round-robin"
    ladder = "ladder"


@app.command("tournament")
def play_tournament(
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="The players, as in montego match.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Its folder; a tournament in it is resumed.")
    ],
    pairing: Annotated[
        Pairing, typer.Option(help="Everybody meets, or each only its neighbours in the list.")
    ] = Pairing.round_robin,
    reach: Annotated[
        int, typer.Option(min=1, metavar="N", help="Of a ladder: neighbours up to N places away.")
    ] = 1,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games of each pair.")] = 20,
    zero: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="The player at 0 Elo.", show_default="the mean"),
    ] = None,
    size: Size = 9,
    komi: Komi = 7.5,
    workers: Workers = 1,
    seed: Seed = 0,
    openings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Openings, the moves of one in a line.")
    ] = None,
    referee: Annotated[Judge, typer.Option(help="Who scores a finished game.")] = Judge.area,
    reply_seconds: ReplySeconds = 120.0,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Play a tournament: a cross table, and all players on one Elo scale with 95 % intervals.

    In a round robin everybody meets everybody; on a ladder, for players who are sorted by
    strength, each one meets its neighbours. Started again, it resumes where it stopped, and more
    games can be asked for at any time. Players are those of montego match.
    """
    from montego.lab.base.farm import crew
    from montego.lab.matches import tournament_session as session

    with told_to_the_user(LabError, OSError):
        tournament = session.prepare(
            players, pairing.value, referee.value, out, openings, zero,
            reach=reach, size=size, komi=komi, seed=seed, reply_seconds=reply_seconds,
        )  # fmt: skip
        get_kernels_ready()
        with crew(cluster, workers) as hands:
            complete = session.run(tournament, out, openings, games, hands, zero, json)
    if not complete:
        end_interrupted()
