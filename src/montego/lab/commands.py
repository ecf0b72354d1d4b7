"""The laboratory's commands on the command line: what they understand, not how it is done.

As in cli.py, what brings Numba with it is imported inside of the commands.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from montego.lab.errors import told_to_the_user

GetReady = Callable[[], Any]
CheckWritable = Callable[[Path, str], None]


class Scale(StrEnum):
    """How much of an experiment is run."""

    quick = "quick"
    full = "full"


JSON = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
WORKERS = Annotated[int, typer.Option(min=1, metavar="N", help="Processes at a time.")]


def register(app: typer.Typer, get_ready: GetReady, check_writable: CheckWritable) -> None:
    """Add the commands to the program.

    ``get_ready`` compiles the kernels; ``check_writable`` refuses a file, given by an option,
    that could not be written.
    """

    @app.command()
    def reproduce(
        experiment: Annotated[
            str | None,
            typer.Argument(
                metavar="[EXPERIMENT]",
                help="R1 to R18 of the papers; K1 to K3 of our own.",
                autocompletion=complete_experiment,
            ),
        ] = None,
        list_all: Annotated[
            bool, typer.Option("--list", help="Show all experiments and how far they are.")
        ] = False,
        scale: Annotated[
            Scale, typer.Option(help="Some 20 minutes on two cores, or as much as the paper.")
        ] = Scale.quick,
        only: Annotated[
            list[str] | None,
            typer.Option(metavar="ROW", help="Only this row; * stands for anything, 9x9-*."),
        ] = None,
        games: Annotated[
            int | None,
            typer.Option(
                min=1, metavar="N", help="Games a match.", show_default="what the scale says"
            ),
        ] = None,
        out: Annotated[Path, typer.Option(metavar="DIR", help="Where the records are.")] = Path(
            "results"
        ),
        workers: WORKERS = 2,
        show: Annotated[
            bool, typer.Option("--show", help="Run nothing, show what has been recorded.")
        ] = False,
        json: JSON = False,
    ) -> None:
        """Run a paper's experiment again and show our figures beside the paper's.

        Started again, it goes on where it stopped. The table, also as CSV and Markdown, and a
        figure are written to DIR/EXPERIMENT/SCALE.
        """
        from montego.lab import reproduction

        with told_to_the_user():
            if list_all or experiment is None:
                reproduction.show_list(out, json)
                return
            asked = reproduction.Asked(
                experiment, scale.value, tuple(only or ()), games, out, workers
            )
            plan = reproduction.plan(asked)
            if not show:
                get_ready()
            complete = reproduction.carry_out(plan, asked, json, play=not show)
        if not complete:
            raise typer.Exit(130)

    @app.command()
    def regress(
        files: Annotated[
            list[Path], typer.Argument(metavar="FILES.tst...", help="Files of GTP commands.")
        ],
        player: Annotated[
            str, typer.Option(metavar="PLAYER", help="A recipe with settings, or gtp:COMMAND.")
        ] = "montego,simulations=10000",
        workers: WORKERS = 2,
        reply_seconds: Annotated[
            float, typer.Option(min=0.1, metavar="S", help="Time for a reply.")
        ] = 300.0,
        json: JSON = False,
    ) -> None:
        """Test a player with files of positions and right replies (.tst).

        Exit code 1 says that a test failed whose failure is not marked as known.
        """
        from montego.lab import regress

        with told_to_the_user():
            regress.command_of(player)
            for path in files:
                regress.read_steps(path)
            if not player.startswith("gtp:"):
                get_ready()
            code = regress.session(files, player, workers, reply_seconds, json)
        raise typer.Exit(code)

    @app.command()
    def foretell(
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
        size: Annotated[
            int, typer.Option(min=2, max=19, metavar="N", help="Lines of the board.")
        ] = 9,
        positions: Annotated[
            int, typer.Option(min=10, metavar="N", help="Positions, one of a game.")
        ] = 2_000,
        count: Annotated[
            int, typer.Option("--count", min=1, metavar="N", help="Playouts from each.")
        ] = 200,
        workers: WORKERS = 2,
        seed: Annotated[int, typer.Option(min=0, metavar="N", help="Other positions.")] = 0,
        json: JSON = False,
    ) -> None:
        """Compare how well playouts foretell who wins: minutes, before a match of hours.

        The smaller the log loss the better. Ctrl-C shows what there is.
        """
        from montego.lab import foretell

        with told_to_the_user():
            for text in playouts:
                foretell.playout_of(text)
            cases, skipped = foretell.read_cases([games], size, positions, seed)
            for reason, number in skipped.most_common():
                typer.echo(f"skipped {number}: {reason}", err=True)
            get_ready()
            complete = foretell.session(cases, playouts, count, workers, json)
        if not complete:
            raise typer.Exit(130)

    @app.command()
    def review(
        game: Annotated[Path, typer.Argument(metavar="GAME.sgf", help="The game.")],
        out: Annotated[
            Path | None,
            typer.Option(metavar="FILE", help="The reviewed game.", show_default="GAME-review.sgf"),
        ] = None,
        graph: Annotated[
            Path | None,
            typer.Option(
                metavar="FILE", help="The graph, .png or .svg.", show_default="as FILE, .png"
            ),
        ] = None,
        simulations: Annotated[
            int, typer.Option(min=1, metavar="N", help="Simulations for every position.")
        ] = 5_000,
        player: Annotated[
            str, typer.Option(metavar="PLAYER", help="The recipe that looks at it.")
        ] = "montego",
        json: JSON = False,
    ) -> None:
        """Analyse a whole game: win rates, better moves, blunders, a graph.

        Ctrl-C keeps what has been analysed.
        """
        out = out or game.with_name(f"{game.stem}-review.sgf")
        graph = graph or out.with_suffix(".png")
        check_picture(graph)
        for path in (out, graph):
            check_writable(path, "'--out' / '--graph'")
        from montego.lab import review

        with told_to_the_user():
            review.read_game(game)
            get_ready()
            complete = review.session(game, out, graph, player, simulations, json)
        if not complete:
            raise typer.Exit(130)

    @app.command()
    def tune(
        recipe: Annotated[
            str, typer.Argument(metavar="RECIPE", help="What is tuned, as a player of a match.")
        ],
        against: Annotated[str, typer.Option(metavar="PLAYER", help="Its opponent.")],
        parameter: Annotated[
            list[str],
            typer.Option(
                metavar="NAME:LOW:HIGH[:log|int]", help="What to tune and where; several."
            ),
        ],
        out: Annotated[
            Path, typer.Option(metavar="DIR", help="The folder of the tuning; one in it goes on.")
        ],
        games: Annotated[int, typer.Option(min=1, metavar="N", help="Games in all.")] = 1_000,
        size: Annotated[
            int, typer.Option(min=2, max=19, metavar="N", help="Lines of the board.")
        ] = 9,
        komi: Annotated[float, typer.Option(metavar="K", help="Points for White.")] = 7.5,
        workers: WORKERS = 2,
        seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another seed.")] = 0,
        json: JSON = False,
    ) -> None:
        """Find the best parameters of a recipe against an opponent, from single games (CLOP).

        Started again, it goes on where it stopped; more games can be asked for at any time.
        """
        from montego.lab import tune

        with told_to_the_user():
            setup = {"size": size, "komi": komi, "seed": seed}
            plan = tune.make_plan(recipe, against, parameter, setup)
            get_ready()
            complete = tune.session(plan, out, games, workers, json)
        if not complete:
            raise typer.Exit(130)


def check_picture(path: Path) -> None:
    """Refuse a picture of a kind that cannot be drawn."""
    if path.suffix not in (".png", ".svg"):
        raise typer.BadParameter(f"{path} is neither .png nor .svg", param_hint="'--graph'")


def complete_experiment(incomplete: str) -> list[str]:
    """Their names, for the shell."""
    from montego.lab.experiments import NAMES

    return [name for name in NAMES if name.startswith(incomplete.upper())]
