"""``montego learn`` and ``montego explain``: strengths of moves, from games and for eyes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from montego.knowledge.explain import Explained
    from montego.knowledge.games import Collection
    from montego.knowledge.learning import Accuracy

GUESSES = (1, 5, 20)


CheckWritable = Callable[[Path, str], None]


def register(app: typer.Typer, check_writable: CheckWritable) -> None:
    """Add the command to the program; ``check_writable`` refuses a file, given by an option,
    that could not be written."""

    @app.command()
    def learn(
        games: Annotated[
            list[Path],
            typer.Argument(help="Game records: .sgf, .sgfs (one a line), or .gz of them."),
        ],
        out: Annotated[Path, typer.Option(help="The file of strengths to write.")],
        size: Annotated[
            int, typer.Option(min=2, max=19, metavar="N", help="Lines of the board.")
        ] = 19,
        held_out: Annotated[
            float, typer.Option(min=0.0, max=0.9, help="Part of the games kept for the test.")
        ] = 0.1,
        most: Annotated[int | None, typer.Option(min=1, help="Games to read at most.")] = None,
        passes: Annotated[int, typer.Option(min=1, max=100, help="How often to read them.")] = 4,
        seed: Annotated[int, typer.Option(help="Another seed, other games held out.")] = 0,
        json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    ) -> None:
        """Learn how strong moves are, by their features and shapes, from games."""
        check_writable(out, "'--out'")
        from montego.knowledge.games import check_paths

        try:
            check_paths(games)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        manifest = _learn(games, out, size, held_out, most, passes, seed)
        typer.echo(dumps(manifest, indent=2) if json else _told(manifest))

    @app.command()
    def explain(
        game: Annotated[Path, typer.Argument(help="A game record.")],
        move: Annotated[int, typer.Argument(min=1, help="The number of a move.")],
        top: Annotated[int, typer.Option(min=1, help="How many moves to show.")] = 10,
        every: Annotated[
            bool, typer.Option("--every", help="Show terms that hardly matter.")
        ] = False,
        json: Annotated[bool, typer.Option("--json", help="Print all moves as JSON.")] = False,
    ) -> None:
        """Explain what knowledge thinks of the moves where a move of a game was played."""
        from montego.go import GoError

        try:
            explained, played = _explain(game, move)
        except GoError as error:
            raise typer.BadParameter(str(error)) from None
        if json:
            typer.echo(dumps({"played": played, "moves": [asdict(e) for e in explained]}, indent=2))
        else:
            _show(explained, played, top, every)


def _explain(game: Path, number: int) -> tuple[list[Explained], str]:
    """The moves of the position before a move of a game, and the name of that move."""
    from montego.go import GoError, sgf, vertex
    from montego.knowledge.explain import explain

    moves = sgf.load(game).position.moves
    if number > len(moves):
        raise GoError(f"the game has only {len(moves)} moves")
    color, move = moves[number - 1]
    position = sgf.load(game, number).position
    position = position if position.to_play == color else position.with_to_play(color)
    return explain(position), vertex(move, position.size)


def _show(explained: list[Explained], played: str, top: int, every: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("", "move", "probability", "because", title=f"{played} was played")
    for rank, one in enumerate(explained, start=1):
        if rank <= top or one.vertex == played:
            terms = one.terms if every else one.main_terms()
            reasons = "\n".join(f"× {term.gamma:.3g} {term.name}" for term in terms)
            style = "bold" if one.vertex == played else ""
            table.add_row(str(rank), one.vertex, f"{one.probability:.1%}", reasons, style=style)
    Console().print(table)


def _learn(
    paths: list[Path],
    out: Path,
    size: int,
    held_out: float,
    most: int | None,
    passes: int,
    seed: int,
) -> dict[str, Any]:
    from rich.console import Console
    from rich.progress import Progress

    from montego.knowledge.games import read
    from montego.knowledge.learning import Learner, Teaching, as_moves

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        collection = read(paths, size, most, lambda: bar.advance(task))
        if len(collection.games) < 2:
            raise typer.BadParameter(f"no games to learn from: {_reasons(collection)}")
        random.Random(seed).shuffle(collection.games)
        kept = round(len(collection.games) * held_out)
        test, lessons = (as_moves(part) for part in _split(collection.games, kept))
        learner = Learner(size, Teaching(passes=passes))
        task = bar.add_task("learning", total=passes + 1)
        patterns = learner.harvest(lessons)
        bar.advance(task)
        for number in range(passes):
            learner.learn(lessons, number)
            bar.advance(task)
        accuracy = learner.examine(test)
    manifest = _manifest(paths, size, len(collection.games) - kept, kept, accuracy)
    manifest |= {"patterns": patterns, "skipped": dict(collection.skipped)}
    learner.strengths(manifest).save(out)
    return manifest


def _split(games: list[Any], kept: int) -> tuple[list[Any], list[Any]]:
    return games[:kept], games[kept:]


def _manifest(
    paths: list[Path], size: int, learned: int, kept: int, accuracy: Accuracy
) -> dict[str, Any]:
    return {
        "data": [path.name for path in paths],
        "size": size,
        "games": learned,
        "test_games": kept,
        "test_moves": accuracy.moves,
        "accuracy": {str(n): round(accuracy.within(n), 4) for n in GUESSES},
        "log_likelihood": round(accuracy.log_likelihood, 4),
        "date": datetime.now(UTC).date().isoformat(),
    }


def _reasons(collection: Collection) -> str:
    told = [f"{count} {reason}" for reason, count in collection.skipped.most_common(3)]
    return "; ".join(told) or "the files are empty"


def _told(manifest: dict[str, Any]) -> str:
    guesses = ", ".join(
        f"{100 * part:.1f} % within {n}" for n, part in manifest["accuracy"].items()
    )
    skipped = sum(manifest["skipped"].values())
    return (
        f"learned from {manifest['games']:,} games ({skipped:,} skipped); "
        f"of {manifest['test_moves']:,} moves of {manifest['test_games']:,} other games "
        f"guessed {guesses}"
    )
