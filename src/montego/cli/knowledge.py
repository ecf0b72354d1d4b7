"""``montego learn``, ``examine`` and ``explain``: strengths of moves, from games and for eyes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from functools import partial
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montego.cli.common import Cluster, Json, Size, Workers, told_to_the_user
from montego.cli.typed import check_picture, check_writable
from montego.lab.base.errors import LabError

if TYPE_CHECKING:
    from montego.go import Position
    from montego.knowledge.explain import Explained
    from montego.knowledge.mogo import MogoMove
    from montego.knowledge.training import Draw

app = typer.Typer()


BAD_GAMES = (ValueError, OSError)
"""What is wrong with games or files; a GoError is a ValueError."""


class Explainable(StrEnum):
    """The recipes whose knowledge can be explained."""

    MONTEGO = "montego"
    MOGO = "mogo"


Games = Annotated[
    list[Path], typer.Argument(help="Game records: .sgf, .sgfs (one a line), or .gz of them.")
]
Most = Annotated[int | None, typer.Option(min=1, help="Games to read at most.")]


@app.command()
def learn(
    games: Games,
    out: Annotated[Path, typer.Option(help="The file of strengths to write.")],
    size: Size = 19,
    held_out: Annotated[
        float, typer.Option(min=0.0, max=0.9, help="Part of the games kept for the test.")
    ] = 0.1,
    most: Most = None,
    passes: Annotated[int, typer.Option(min=1, max=100, help="How often to read them.")] = 2,
    least_played: Annotated[
        int, typer.Option(min=1, help="How often a large pattern has to be played.")
    ] = 10,
    seed: Annotated[int, typer.Option(help="Another seed, other games held out.")] = 0,
    mango: Annotated[
        bool, typer.Option("--mango", help="Learn Mango's shapes instead, from all games.")
    ] = False,
    workers: Workers = 1,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Learn how strong moves are, by their features and shapes, from games."""
    check_writable(out, "'--out'")
    from montego.knowledge.training import Source, teach, teach_mango
    from montego.lab.base.farm import crew
    from montego.lab.base.workers import map_in_order

    with told_to_the_user(*BAD_GAMES, LabError), crew(cluster, workers) as hands:
        source = Source(games, size, most, partial(map_in_order, hands))
        if mango:
            manifest = teach_mango(source, out, least_played)
        else:
            manifest = teach(source, out, held_out, passes, seed, least_played)
    if json:
        typer.echo(dumps(manifest, indent=2))
    else:
        skipped = sum(manifest["skipped"].values())
        typer.echo(f"learned from {manifest['games']:,} games ({skipped:,} skipped)")
        typer.echo(f"{manifest['patterns']:,} patterns" if mango else _told(manifest))


@app.command()
def examine(
    games: Games,
    strengths: Annotated[
        Path | None, typer.Option(help="A file of strengths; otherwise the shipped one.")
    ] = None,
    size: Size = 19,
    most: Most = None,
    figure: Annotated[Path | None, typer.Option(help="A picture to draw: .svg, .png.")] = None,
    json: Json = False,
) -> None:
    """Examine how well the moves of games are guessed by what was learned from others."""
    draw: Draw | None = None
    if figure is not None:
        check_picture(figure, "'--figure'")
        from montego.lab.tools.accuracy import draw_accuracy

        draw = partial(draw_accuracy, path=figure)
    from montego.knowledge.training import Source, examine

    with told_to_the_user(*BAD_GAMES):
        found = examine(Source(games, size, most), strengths, draw)
    typer.echo(dumps(found, indent=2) if json else _told(found))


@app.command()
def explain(
    game: Annotated[Path, typer.Argument(help="A game record.")],
    move: Annotated[int, typer.Argument(min=1, help="The number of a move.")],
    top: Annotated[int, typer.Option(min=1, help="How many moves to show.")] = 10,
    every: Annotated[bool, typer.Option("--every", help="Show all terms.")] = False,
    recipe: Annotated[
        Explainable, typer.Option(help="Whose knowledge: montego's, or MoGo's terms.")
    ] = Explainable.MONTEGO,
    json: Json = False,
) -> None:
    """Explain what knowledge thinks of the moves where a move of a game was played."""
    with told_to_the_user(*BAD_GAMES):
        position, played = _position_before(game, move)
    if recipe is Explainable.MOGO:
        from montego.knowledge.mogo import explain_mogo

        by_terms = explain_mogo(position)
        if json:
            _print_as_json(by_terms, played)
        else:
            _show_terms(by_terms, played, top)
    else:
        from montego.knowledge.explain import explain as explain_moves

        explained = explain_moves(position)
        if json:
            _print_as_json(explained, played)
        else:
            _show(explained, played, top, every)


def _print_as_json(moves: Sequence[Explained | MogoMove], played: str) -> None:
    typer.echo(dumps({"played": played, "moves": [asdict(one) for one in moves]}, indent=2))


def _told(found: dict[str, Any]) -> str:
    guesses = ", ".join(f"{100 * part:.1f} % within {n}" for n, part in found["accuracy"].items())
    return f"of {found['test_moves']:,} moves of {found['test_games']:,} games guessed {guesses}"


def _position_before(game: Path, number: int) -> tuple[Position, str]:
    """The position before a move of a game, and the name of that move."""
    from montego.go import sgf, vertex

    moves = sgf.load(game).position.moves
    if number > len(moves):
        raise ValueError(f"the game in {game} has only {len(moves)} moves")
    color, move = moves[number - 1]
    position = sgf.load(game, number).position
    position = position if position.to_play == color else position.with_to_play(color)
    return position, vertex(move, position.size)


def _show(explained: list[Explained], played: str, top: int, every: bool) -> None:
    from rich.table import Table

    from montego.lab.base.console import plain_console

    table = Table("", "move", "probability", "because", title=f"{played} was played")
    for rank, one in enumerate(explained, start=1):
        if rank <= top or one.vertex == played:
            terms = [*one.terms, *one.pairs] if every else one.main_terms()
            reasons = "\n".join(f"× {term.gamma:.3g} {term.name}" for term in terms)
            style = "bold" if one.vertex == played else ""
            table.add_row(str(rank), one.vertex, f"{one.probability:.1%}", reasons, style=style)
    plain_console().print(table)


def _show_terms(moves: list[MogoMove], played: str, top: int) -> None:
    from rich.table import Table

    from montego.lab.base.console import plain_console

    table = Table("", "move", "games", "probability", "because", title=f"{played} was played")
    for rank, one in enumerate(moves, start=1):
        if rank <= top or one.vertex == played:
            reasons = "\n".join(f"{games:+.3g} {name}" for name, games in one.games.items())
            style = "bold" if one.vertex == played else ""
            cells = (str(rank), one.vertex, f"{one.balance:+.3g}", f"{one.probability:.1%}")
            table.add_row(*cells, reasons, style=style)
    plain_console().print(table)
