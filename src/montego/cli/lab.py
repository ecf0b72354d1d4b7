"""The laboratory: ``montego match``, ``extract``, ``rank``, ``reproduce``, ``regress``,
``predict``, ``review`` and ``tune``; and ``convert-records``, which is not listed."""

from __future__ import annotations

from enum import StrEnum
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from montego.cli.common import (
    INTERRUPTED,
    MOST_WORKERS,
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
from montego.cli.typed import choose_sprt
from montego.lab.base.errors import LabError

app = typer.Typer()


class Scale(StrEnum):
    """How much of an experiment is run."""

    quick = "quick"
    full = "full"


class Judge(StrEnum):
    """Who scores a finished game."""

    area = "area"
    gnugo = "gnugo"


@app.command("match")
def play_match(
    first: Annotated[str, typer.Argument(metavar="A", help="A player.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder of the match; a match in it is resumed.")
    ],
    size: Size = 9,
    komi: Komi = 7.5,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games in all.")] = 100,
    workers: Annotated[
        int, typer.Option(min=1, max=MOST_WORKERS, metavar="N", help="Games at a time.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another seed, other games.")] = 0,
    openings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Openings, the moves of one in a line.")
    ] = None,
    handicap: Annotated[
        int, typer.Option(min=0, metavar="N", help="Stones that A, who is White then, gives B.")
    ] = 0,
    referee: Annotated[Judge, typer.Option(help="Who scores a finished game.")] = Judge.area,
    reply_seconds: ReplySeconds = 120.0,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="E0,E1", help="Stop when one of two Elo differences is decided on."),
    ] = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Play a match; started again, it resumes where it stopped.

    A player is the engine with a recipe (montego,simulations=2000), the bare search of one
    (search:uct), random, any program that speaks GTP (gtp:gnugo --mode gtp), or a recipe or player
    of your own in a file (python:mine.py:MINE).
    """
    bounds = choose_sprt(sprt)
    from montego.lab.base.farm import crew
    from montego.lab.matches import session

    with told_to_the_user(LabError, OSError):
        match = session.prepare(
            first, second, referee.value, out, openings,
            size=size, komi=komi, seed=seed, reply_seconds=reply_seconds, handicap=handicap,
        )  # fmt: skip
        get_kernels_ready()
        with crew(cluster, workers) as hands:
            complete = session.run(match, out, openings, games, hands, bounds, json)
    if not complete:
        end_interrupted()


@app.command()
def extract(
    match: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder of a match or a tuning.")
    ],
    number: Annotated[int, typer.Argument(min=1, metavar="N", help="Which game of it.")],
) -> None:
    """Print a game of a match as SGF: montego extract DIR 17 > game.sgf."""
    from montego.lab.base.record import read_game

    with told_to_the_user(LabError, OSError):
        typer.echo(read_game(match, number))


@app.command("convert-records", hidden=True)
def convert_records(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders of records, or above them.")
    ],
) -> None:
    """Turn records of earlier versions into such as are written today.

    What match.json says becomes the first line of games.jsonl, and games that are a file each
    become one file a match, so that matches that were begun before can be resumed. Old files are
    deleted when the new ones hold the same; whatever stops it, the same command resumes.
    """
    from montego.lab.tools import convert

    with told_to_the_user(LabError, OSError):
        failed = convert.run(folders)
    raise typer.Exit(failed)


@app.command("rank")
def rank_players(
    results: Annotated[
        list[Path], typer.Argument(metavar="RESULTS...", help="Folders of matches, or above them.")
    ],
    zero: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="The player at 0 Elo.", show_default="the mean"),
    ] = None,
    figure: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the scale: .svg or .png.")
    ] = None,
    json: Json = False,
) -> None:
    """Put the players of some matches on one Elo scale, with 95 % intervals."""
    from montego.lab.matches import rank

    with told_to_the_user(LabError, OSError):
        ratings = rank.rank(results, zero)
        if figure is not None:
            rank.write_figure(ratings, figure)
        if json:
            typer.echo(dumps(rank.as_json(ratings), indent=2))
        else:
            rank.show(ratings)


@app.command()
def reproduce(
    experiment: Annotated[
        str | None,
        typer.Argument(
            metavar="[EXPERIMENT]",
            help="R1 to R18 of the papers; K1 to K5 of our own.",
            autocompletion=complete_experiment,
        ),
    ] = None,
    list_all: Annotated[
        bool,
        typer.Option("--list", help="Show all experiments, or the rows of one, and how far."),
    ] = False,
    scale: Annotated[
        Scale, typer.Option(help="Some 20 minutes on two cores, or as much as the paper.")
    ] = Scale.quick,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="ROW", help="Only this row of --list; * stands for anything, 9x9-*."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Games a match.", show_default="what the scale says"),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the records are.")] = Path(
        "results"
    ),
    workers: Workers = 2,
    show: Annotated[
        bool, typer.Option("--show", help="Run and write nothing, show all that is recorded.")
    ] = False,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="As --show, and write the tables and figures again.")
    ] = False,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Run a paper's experiment again and show our figures beside the paper's.

    Started again, it resumes where it stopped. The table, also as CSV and Markdown, and a
    figure are written to DIR/EXPERIMENT/SCALE.
    """
    from montego.lab.base.farm import crew
    from montego.lab.experiments import reproduction

    with told_to_the_user(LabError, OSError):
        if experiment is None:
            reproduction.show_list(out, json)
            return
        if list_all:
            reproduction.show_rows(experiment, out, json)
            return
        asked = reproduction.Asked(experiment, scale.value, tuple(only or ()), games, out)
        chosen, complete = reproduction.prepare(asked), True
        if not (show or redraw):
            reproduction.make_folder(chosen, out)
            get_kernels_ready()
            with crew(cluster, workers) as hands:
                complete = reproduction.run(chosen, asked, hands)
        reproduction.show(chosen, asked, json)
        if redraw or not show:
            reproduction.write(chosen, asked)
    if not complete:
        end_interrupted()


@app.command()
def regress(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES.tst...", help="Files of GTP commands.")
    ],
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="A recipe, gtp:COMMAND, or python:FILE.py:NAME.")
    ] = "montego,simulations=10000",
    workers: Workers = 2,
    reply_seconds: ReplySeconds = 300.0,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Test a player with files of positions and right replies (.tst).

    Exit code 1 says that a test failed whose failure is not marked as known.
    """
    from montego.lab.base.farm import crew
    from montego.lab.tools import regress

    with told_to_the_user(LabError, OSError):
        regress.prepare(files, player)
        if not player.startswith("gtp:"):
            get_kernels_ready()
        with crew(cluster, workers) as hands:
            code = regress.run(files, player, hands, reply_seconds, json)
    raise typer.Exit(code)


@app.command()
def predict(
    games: Annotated[
        Path,
        typer.Argument(metavar="GAMES", help="Records: .sgf, .sgfs (one a line), or .gz."),
    ],
    playouts: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="Whose playouts: a recipe with settings, or playout:KIND; first comes what "
            "the others are compared with.",
        ),
    ],
    size: Size = 9,
    positions: Annotated[
        int, typer.Option(min=10, metavar="N", help="Positions, one of a game.")
    ] = 2_000,
    count: Annotated[
        int, typer.Option("--count", min=1, metavar="N", help="Playouts from each.")
    ] = 200,
    workers: Workers = 2,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Other positions.")] = 0,
    json: Json = False,
) -> None:
    """Compare how well playouts predict who wins: minutes, before a match of hours.

    The smaller the log loss the better. Ctrl-C shows what there is.
    """
    from montego.lab.tools import predict

    with told_to_the_user(LabError, OSError):
        cases = predict.prepare(playouts, [games], size, positions, seed)
        get_kernels_ready()
        complete = predict.run(cases, playouts, count, workers, json)
    if not complete:
        raise typer.Exit(INTERRUPTED)


@app.command()
def review(
    game: Annotated[Path, typer.Argument(metavar="GAME.sgf", help="The game.")],
    number: Annotated[
        int | None,
        typer.Option("--game", metavar="N", help="Which one, in a file of several games."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Review all games of the file.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The reviewed game.", show_default="GAME-review.sgf"),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A page to look at.", show_default="as FILE, .html"),
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The graph, .png or .svg.", show_default="as FILE, .png"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier review.")] = False,
    simulations: Annotated[
        int, typer.Option(min=1, metavar="N", help="Simulations for every position.")
    ] = 5_000,
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="The recipe that looks at it.")
    ] = "montego",
    json: Json = False,
) -> None:
    """Analyse a whole game: win rates, points, better moves, blunders; an SGF, a page, a graph.

    Ctrl-C keeps what has been analysed.
    """
    from montego.lab.tools import review_session as session

    with told_to_the_user(LabError, OSError):
        asked = session.Asked(game, out, graph, html, player, simulations, json, force)
        job = session.prepare(asked, number, everything)
        get_kernels_ready()
        complete = session.run(job)
    if not complete:
        raise typer.Exit(INTERRUPTED)


@app.command()
def tune(
    recipe: Annotated[
        str, typer.Argument(metavar="RECIPE", help="What is tuned, as a player of a match.")
    ],
    against: Annotated[str, typer.Option(metavar="PLAYER", help="Its opponent.")],
    parameter: Annotated[
        list[str],
        typer.Option(metavar="NAME:LOW:HIGH[:log|int]", help="What to tune and where; several."),
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder of the tuning; one in it is resumed.")
    ],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games in all.")] = 1_000,
    size: Size = 9,
    komi: Komi = 7.5,
    workers: Workers = 2,
    seed: Seed = 0,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Find the best parameters of a recipe against an opponent, from single games (CLOP).

    Started again, it resumes where it stopped; more games can be asked for at any time.
    """
    from montego.lab.base.farm import crew
    from montego.lab.tools import tune

    with told_to_the_user(LabError, OSError):
        setup = {"size": size, "komi": komi, "seed": seed}
        plan = tune.prepare(recipe, against, parameter, setup)
        get_kernels_ready()
        with crew(cluster, workers) as hands:
            complete = tune.run(plan, out, games, hands, json)
    if not complete:
        end_interrupted()


def complete_experiment(incomplete: str) -> list[str]:
    """Their names, for the shell."""
    from montego.lab.experiments import NAMES

    return [name for name in NAMES if name.startswith(incomplete.upper())]
