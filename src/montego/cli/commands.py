"""The table of commands, and the group that loads a command's module when it is called.

Making the options of all commands costs more than most commands need to begin.  So the help and
completion know a name and a summary, and the module is imported for the one command that runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class Entry(NamedTuple):
    """A command, as the help shows it."""

    module: str
    """In this room; its ``app`` has the command, or is it if it has commands of its own."""
    summary: str
    """The first paragraph of its help."""
    hidden: bool = False


COMMANDS = {
    "play": Entry(
        "game",
        "Play a game against the program: in the browser where there is one, else in the terminal.",
    ),
    "web": Entry("web", "Play and analyse on a board in the browser."),
    "gtp": Entry("gtp", "Speak the Go Text Protocol with a GUI or another program."),
    "analysis": Entry(
        "analysis",
        "Analyse positions for KaTrain and other programs that speak KataGo's analysis protocol.",
    ),
    "review": Entry(
        "lab",
        "Analyse a whole game: win rates, points, better moves, blunders; an SGF, a page, a graph.",
    ),
    "recipes": Entry(
        "recipes", "List the recipes, each with its rules, or all rules that a recipe may have."
    ),
    "book": Entry("book", "Opening books."),
    "match": Entry("lab", "Play a match; started again, it resumes where it stopped."),
    "tournament": Entry(
        "tournament",
        "Play a tournament: a cross table, and all players on one Elo scale with 95 % intervals.",
    ),
    "extract": Entry("lab", "Print a game of a match as SGF: montego extract DIR 17 > game.sgf."),
    "rank": Entry("lab", "Put the players of some matches on one Elo scale, with 95 % intervals."),
    "reproduce": Entry(
        "lab", "Run a paper's experiment again and show our figures beside the paper's."
    ),
    "regress": Entry("lab", "Test a player with files of positions and right replies (.tst)."),
    "predict": Entry(
        "lab", "Compare how well playouts predict who wins: minutes, before a match of hours."
    ),
    "tune": Entry(
        "lab",
        "Find the best parameters of a recipe against an opponent, from single games (CLOP).",
    ),
    "learn": Entry(
        "knowledge",
        "Learn from games how strong moves are: by features and shapes, or by a network.",
    ),
    "examine": Entry(
        "knowledge",
        "Examine how well the moves of games are guessed by what was learned from others.",
    ),
    "explain": Entry(
        "knowledge", "Explain what knowledge thinks of the moves where a move of a game was played."
    ),
    "bench": Entry("bench", "Measure playouts and simulations per second of every kind and size."),
    "optimise": Entry(
        "planning", "Find the best sink of a graph by TAG; Ctrl-C keeps the best so far."
    ),
    "dft": Entry("dft", "A fast Fourier transform, tuned to this machine."),
    "convert-records": Entry(
        "lab", "Turn records of earlier versions into such as are written today.", hidden=True
    ),
}


def load(name: str) -> Any:
    """A command with its options."""
    app = import_module(f"montego.cli.{COMMANDS[name].module}").app
    group = typer.main.get_group(app)
    return group if app.info.name == name else group.commands[name]


class Commands(TyperGroup):
    """Commands by name and summary, until one is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, entry in COMMANDS.items():
            self.commands[name] = TyperCommand(name, help=entry.summary, hidden=entry.hidden)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the command that is called, or whose options are completed."""
        if args and args[0] in COMMANDS:
            self.commands[args[0]] = load(args[0])
        return super().resolve_command(ctx, args)
