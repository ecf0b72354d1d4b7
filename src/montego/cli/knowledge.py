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
from montego.cli.typed import check_picture, check_writable, parse_plays, parse_size, parse_tower
from montego.knowledge.course import Course
from montego.lab.base.errors import LabError

if TYPE_CHECKING:
    from montego.go import Position
    from montego.knowledge.explain import Explained
    from montego.knowledge.guess import Guess
    from montego.knowledge.mogo import MogoMove
    from montego.knowledge.training import Draw, Source

app = typer.Typer()


BAD_GAMES = (ValueError, OSError)
"""What is wrong with games or files; a GoError is a ValueError."""


class Explainable(StrEnum):
    """The recipes whose knowledge can be explained."""

    MONTEGO = "montego"
    CLASSIC = "classic"
    MOGO = "mogo"


GAMES = typer.Argument(help="Game records: .sgf, .sgfs (one a line), or .gz of them.")
Games = Annotated[list[Path], GAMES]
Most = Annotated[int | None, typer.Option(min=1, help="Games to read at most.")]


@app.command()
def learn(
    out: Annotated[Path, typer.Option(help="The file to write: strengths, shapes, a network.")],
    games: Annotated[list[Path] | None, GAMES] = None,
    size: Annotated[
        list[int],
        typer.Option(
            parser=parse_size,
            metavar="N",
            help="Lines of the board, 2 to 19; a network may have several sizes.",
        ),
    ] = [19],  # noqa: B006  # typer's way of a list
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
    network: Annotated[
        str | None,
        typer.Option(
            metavar="WxB",
            help="Learn a network instead: channels and residual blocks, 64x3. Needs PyTorch.",
        ),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="Of a network: steps to take.")] = 20_000,
    batch: Annotated[int, typer.Option(min=2, help="Of a network: positions a step.")] = 1024,
    rate: Annotated[
        float, typer.Option(min=1e-6, max=0.1, help="Of a network: how long the largest step is.")
    ] = Course.rate,
    start: Annotated[
        str, typer.Option(metavar="NETWORK", help="A network that learns on; else one begins anew.")
    ] = "",
    play: Annotated[
        list[str],
        typer.Option(
            metavar="SIZE:GAMES",
            help="Of a network: learn who wins, too, from so many games against itself.",
        ),
    ] = [],  # noqa: B006  # typer's way of a list
    teacher: Annotated[
        str, typer.Option(help="The network that plays these: 32x2, 64x3, 96x5, or a file.")
    ] = "96x5",
    ahead: Annotated[
        int,
        typer.Option(
            min=0, max=64, metavar="N", help="Look at N candidates for every move of these games."
        ),
    ] = 0,
    generations: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="Play the games in N parts, each by what was learned before."
        ),
    ] = 1,
    games_kept: Annotated[
        Path | None,
        typer.Option(help="A folder for these games, where another network finds them."),
    ] = None,
    device: Annotated[
        str, typer.Option(help="Of a network: cpu, cuda; auto is a GPU if there is one.")
    ] = "auto",
    workers: Workers = 1,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Learn from games how strong moves are: by features and shapes, or by a network.

    A network that was stopped is resumed by the same command.
    """
    check_writable(out, "'--out'")
    tower, plays = parse_tower(network), parse_plays(play)
    if tower is None and len(size) > 1:
        raise typer.BadParameter("only a network has several", param_hint="'--size'")
    if tower is not None and (ahead or generations > 1) and not plays:
        raise typer.BadParameter("there are no games to look ahead in", param_hint="'--play'")
    if not games and not (tower and plays and (start or ahead)):
        raise typer.BadParameter("no games to learn from", param_hint="'GAMES...'")
    from montego.knowledge.training import Source, teach, teach_mango
    from montego.lab.base.farm import crew
    from montego.lab.base.workers import map_in_order

    with told_to_the_user(*BAD_GAMES, LabError), crew(cluster, workers) as hands:
        mapped = partial(map_in_order, hands)
        sources = [Source(games, one, most, mapped) for one in size] if games else []
        if tower is not None:
            course = Course(
                *tower, steps=steps, batch=batch, rate=rate, seed=seed, plays=plays,
                teacher=teacher, ahead=ahead, start=start, generations=generations,
            )  # fmt: skip
            manifest = _teach_network(sources, out, course, held_out, device, games_kept)
        elif mango:
            manifest = teach_mango(sources[0], out, least_played)
        else:
            manifest = teach(sources[0], out, held_out, passes, seed, least_played)
    typer.echo(dumps(manifest, indent=2) if json else _told_of_learning(manifest))


def _teach_network(
    sources: Sequence[Source],
    out: Path,
    course: Course,
    held_out: float,
    device: str,
    games_kept: Path | None,
) -> dict[str, Any]:
    from montego.knowledge.network_training import teach_network
    from montego.lab.base.provenance import commit
    from montego.mcts.playouts import KINDS

    try:
        judge = KINDS["expert"].record() if course.plays else None
        return teach_network(sources, out, course, held_out, device, commit(), judge, games_kept)
    except KeyboardInterrupt:
        typer.echo("stopped; the same command resumes", err=True)
        raise


def _told_of_learning(manifest: dict[str, Any]) -> str:
    skipped = sum(manifest.get("skipped", {}).values())
    lines = [f"learned from {manifest['games']:,} games ({skipped:,} skipped)"]
    if not manifest["games"]:
        lines = ["learned from games against itself"]
    if "sizes" in manifest:
        lines += [f"{size}×{size}: {_told(found)}" for size, found in manifest["accuracy"].items()]
        lines += [
            f"{size}×{size}: told the winner in {found['right']:.1%} of "
            f"{found['test_positions']:,} positions of {found['test_games']:,} games against itself"
            for size, found in manifest["value"].items()
        ]
    else:
        lines.append(
            _told(manifest) if "accuracy" in manifest else f"{manifest['patterns']:,} patterns"
        )
    return "\n".join(lines)


@app.command()
def examine(
    games: Games,
    strengths: Annotated[
        Path | None, typer.Option(help="A file of strengths; otherwise the shipped one.")
    ] = None,
    network: Annotated[
        str | None, typer.Option(help="A network instead: 32x2, 64x3, 96x5, or a file.")
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

    source = Source(games, size, most)
    with told_to_the_user(*BAD_GAMES):
        found = (
            examine(source, strengths, draw)
            if network is None
            else _examine_network(source, network, draw)
        )
    typer.echo(dumps(found, indent=2) if json else _told(found))


def _examine_network(source: Source, name: str, draw: Draw | None) -> dict[str, Any]:
    from montego.knowledge.network import find_network
    from montego.knowledge.network_training import examine_with_network

    return examine_with_network(source, find_network(name), draw)


@app.command()
def explain(
    game: Annotated[Path, typer.Argument(help="A game record.")],
    move: Annotated[int, typer.Argument(min=1, help="The number of a move.")],
    top: Annotated[int, typer.Option(min=1, help="How many moves to show.")] = 10,
    every: Annotated[bool, typer.Option("--every", help="Show all terms.")] = False,
    recipe: Annotated[
        Explainable,
        typer.Option(help="Whose knowledge: a network's as well, learned strengths, MoGo's terms."),
    ] = Explainable.MONTEGO,
    network: Annotated[
        str, typer.Option(help="32x2, 64x3, 96x5, or a file; by-size is the one montego asks.")
    ] = "by-size",
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
        return
    from montego.knowledge.explain import explain as explain_moves

    explained, guessed = explain_moves(position), None
    if recipe is Explainable.MONTEGO:
        from montego.knowledge.guess import guess

        with told_to_the_user(*BAD_GAMES):
            guessed = guess(position, network)
        chances = guessed.probabilities
        explained.sort(key=lambda one: -chances[one.move])
    if json:
        _print_as_json(explained, played, guessed)
    else:
        _show(explained, played, top, every, guessed)


def _print_as_json(
    moves: Sequence[Explained | MogoMove], played: str, guessed: Guess | None = None
) -> None:
    told: dict[str, Any] = {"played": played, "moves": [asdict(one) for one in moves]}
    if guessed is not None:
        told |= {"network": guessed.network, "win_rate": guessed.win_rate}
        for one in told["moves"]:
            one["guessed"] = guessed.probabilities[one["move"]]
    typer.echo(dumps(told, indent=2))


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


def _show(
    explained: list[Explained], played: str, top: int, every: bool, guessed: Guess | None
) -> None:
    from rich.table import Table

    from montego.lab.base.console import plain_console

    table = Table("", "move", title=f"{played} was played")
    if guessed is not None:
        table.add_column("network")
        if guessed.win_rate is not None:
            table.caption = f"{guessed.network} gives who is to move {guessed.win_rate:.0%}"
    table.add_column("strengths")
    table.add_column("because")
    for rank, one in enumerate(explained, start=1):
        if rank <= top or one.vertex == played:
            terms = [*one.terms, *one.pairs] if every else one.main_terms()
            reasons = "\n".join(f"× {term.gamma:.3g} {term.name}" for term in terms)
            rates = [] if guessed is None else [guessed.probabilities[one.move]]
            cells = [f"{rate:.1%}" for rate in (*rates, one.probability)]
            style = "bold" if one.vertex == played else ""
            table.add_row(str(rank), one.vertex, *cells, reasons, style=style)
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
