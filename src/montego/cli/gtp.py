"""``montego gtp``: the player for programs."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montego.cli.common import Seed, get_kernels_ready, told_to_the_user
from montego.cli.game import (
    DEFAULT_MEMORY,
    DEFAULT_SIZE,
    DEFAULT_THREADS,
    MOST_THREADS,
    LevelOption,
    Recipe,
    Simulations,
    chosen_book,
)
from montego.cli.streams import write_at_once
from montego.cli.typed import (
    DEFAULT_RECIPE,
    check_level_alone,
    check_memory,
    check_one_limit,
    check_recipe,
    choose_cluster,
    find_engine,
    parse_changes,
    parse_seconds,
)

if TYPE_CHECKING:
    from montego.book.choice import Opening
    from montego.book.store import Book
    from montego.engine.engine import Engine

app = typer.Typer()


class Identity(StrEnum):
    """Whose protocol a GUI believes to speak."""

    montego = "montego"
    leelaz = "leelaz"
    katago = "katago"


@app.command()
def gtp(
    changes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Rules and parameters of the recipe."),
    ] = None,
    recipe: Recipe = DEFAULT_RECIPE,
    level: LevelOption = None,
    simulations: Simulations = None,
    seconds: Annotated[
        float | None,
        typer.Option(parser=parse_seconds, metavar="S", help="The longest time for a move."),
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, max=MOST_THREADS, metavar="N", help="Threads.")
    ] = DEFAULT_THREADS,
    seed: Seed = 1,
    memory: Annotated[
        int, typer.Option(min=16, metavar="MB", help="Memory for the tree, in megabytes.")
    ] = DEFAULT_MEMORY,
    book: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Openings that it plays by (montego book).")
    ] = None,
    book_rule: Annotated[
        str,
        typer.Option(metavar="RULE", help="Which of its moves: frequent, rate, negamax, sampled."),
    ] = "frequent",
    book_games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Games that a move of the book needs.")
    ] = 1,
    book_learns: Annotated[
        bool, typer.Option("--book-learns", help="Add its games to the book; it may be a new one.")
    ] = False,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="METHOD", help="Search on many machines: slow-tree, root, …"),
    ] = None,
    machines: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="With --cluster: virtual ones, in this process."),
    ] = None,
    ranks: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="With --cluster: processes of an MPI job."),
    ] = None,
    mpiexec: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="With --ranks: what starts the job.",
            show_default="mpiexec -n N",
        ),
    ] = None,
    identity: Annotated[
        Identity,
        typer.Option("--as", help="What name and version say, for a GUI that checks them."),
    ] = Identity.montego,
) -> None:
    """Speak the Go Text Protocol with a GUI or another program.

    It plays by the controller's clock; without one, 10,000 simulations a move.
    """
    check_one_limit(level, simulations or seconds)
    check_level_alone(level, None if recipe == DEFAULT_RECIPE else recipe)
    parameters: dict[str, Any] = dict(parse_changes(changes or []))
    if level is not None:
        recipe, simulations = level.recipe, level.simulations
        parameters = level.parameters | parameters
    make_search = choose_cluster(
        recipe,
        parameters,
        {"cluster": cluster, "machines": machines, "ranks": ranks, "cluster.mpiexec": mpiexec},
    )
    own = find_engine(recipe, parameters | _given(simulations, seconds, threads, memory))
    if own is None:
        check_recipe(recipe, parameters)
    elif make_search:
        raise typer.BadParameter(f"{recipe} makes its own searches: --cluster is for recipes")
    check_memory(memory)
    use = chosen_book(book, book_learns)
    opened = checked_book(use["book"], book_rule, book_games, book_learns) if use else (None, None)
    from montego.gtp.administration import IDENTITIES
    from montego.gtp.lines import Lines
    from montego.gtp.session import GtpSession

    def make_engine() -> Engine:
        get_kernels_ready(load=True)
        from montego.engine.engine import Engine

        if own is not None:
            return own(DEFAULT_SIZE, 7.5, seed)
        return Engine(
            recipe, seed=seed, threads=threads, memory_mb=memory,
            simulations=simulations, seconds=seconds, parameters=parameters,
            book=opened[0], learns=opened[1], **make_search,
        )  # fmt: skip

    maker = ready_maker(make_engine) if make_search else make_engine
    session = GtpSession(maker, identity=IDENTITIES[identity.value])
    session.run(Lines(0, 1), write_at_once)
    if not session.is_ready:  # a compiler that still runs would not survive the usual end
        os._exit(0)


def ready_maker(make_engine: Callable[[], Engine]) -> Callable[[], Engine]:
    """An engine that is there already: machines that cannot be reached are told of at once, not
    when the first move is asked for."""
    try:
        engine = make_engine()
    except (ValueError, OSError) as error:
        raise typer.BadParameter(str(error)) from None
    return lambda: engine


def _given(
    simulations: int | None, seconds: float | None, threads: int, memory: int
) -> dict[str, str]:
    """Options that are not at their defaults, by name: what a function of the user's is told."""
    options = {
        "simulations": (simulations, None),
        "seconds": (seconds, None),
        "threads": (threads, DEFAULT_THREADS),
        "memory": (memory, DEFAULT_MEMORY),
    }
    return {name: str(now) for name, (now, usual) in options.items() if now != usual}


def checked_book(path: str, rule: str, games: int, learns: bool) -> tuple[Opening, Book | None]:
    """The book, or a line that says what is wrong with it."""
    from montego.book.errors import BookError
    from montego.engine.learning import open_book

    with told_to_the_user(BookError):
        return open_book(path, rule, games, learns)
