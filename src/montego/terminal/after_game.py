"""After the game: the board counted, and what one may do with the game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import numpy as np

from montego.go import GoError, color_letter, parse_color
from montego.terminal.board import legend, signs_for
from montego.terminal.game import Game, Outcome
from montego.terminal.prompt import Command, Talk
from montego.terminal.score import Count, count, estimate, told_result

Review = Callable[[Path], None]
"""Analyses the game in a file, and says what is wrong if it cannot."""


class Ending(Talk):
    """What a finished game shows and offers; ``choice`` says what comes next."""

    def __init__(self, game: Game, outcome: Outcome, review: Review) -> None:
        super().__init__(game.console, self.table(game))
        self.game = game
        self.outcome = outcome
        self.review_file = review
        self.choice = ""
        """"again", "undo" or "quit", once that is decided."""
        self.color = game.user
        """The user's colour in the next game."""

    def table(self, game: Game) -> list[Command]:
        """What can be typed now."""
        return [
            Command("save", "FILE", "write the game as SGF", game.save),
            Command("save!", "FILE", "the same, in place of a file", game.save_anyway, shown=False),
            Command("review", "", "analyse the game and show the mistakes", self.review),
            Command("again", "[COLOUR]", "another game, as black or white", self.again),
            Command("undo", "", "take your last move back and play on", self.undo),
            Command("help", "", "this list", self.help),
            Command("quit", "", "leave", self.quit),
        ]

    def run(self) -> str:
        """Show the end, and do what the user wants until that is to leave or to play."""
        try:
            self.show()
            self.help()
            while not self.choice:
                self.handle(self.ask("Game over> "))
        except (EOFError, KeyboardInterrupt):
            self.say("")
            self.quit()
        return self.choice

    def handle(self, line: str) -> None:
        """Obey a command, or say that there is none."""
        try:
            if line.strip() and not self.obey(line):
                self.say(f"{line.strip()!r} is not a command; the game is over:")
                self.help()
        except GoError as error:
            self.say(f"{error}.")

    # --- the count ----------------------------------------------------------------------

    def show(self) -> None:
        """The final board, the count and the result."""
        status, signs = self.game.engine.status(), signs_for(self.console)
        counted = (estimate if self.outcome.by_resignation else count)(status)
        marks = counted.marks(signs)
        self.game.show(marks)
        if marks:
            likely = "Likely: " if self.outcome.by_resignation else ""
            self.say(f"{likely}{legend(marks, signs)}.")
        self.say(self.told_areas(counted))
        self.say(f"{self.outcome.told}. Result: {self.outcome.result}, {self.told_winner()}.")

    def told_areas(self, counted: Count) -> str:
        """Both areas and komi."""
        komi = counted.position.komi
        if self.outcome.by_resignation:
            return (f"Played to the end: Black {counted.black:.0f}, White {counted.white:.0f}, "
                    f"komi {komi:g}: about {told_result(counted.score)}.")  # fmt: skip
        neutral = int(np.count_nonzero(counted.owners == 0))
        lines = [
            f"Black: {counted.black:g}",
            f"White: {counted.white:g} + komi {komi:g} = {counted.white + komi:g}",
            *([f"Neutral: {neutral}"] if neutral else []),
        ]
        return "\n".join(lines)

    def told_winner(self) -> str:
        """What the result means to the user."""
        if self.outcome.result == "0":
            return "a draw"
        won = self.outcome.result.startswith(color_letter(self.game.user))
        return "you win" if won else "you lose"

    # --- the commands -------------------------------------------------------------------

    def help(self, rest: str = "") -> None:
        """List the commands."""
        self.say(self.list_commands())

    def review(self, rest: str = "") -> None:
        """Analyse the game as it is saved; it gets a name if it has none."""
        path = self.game.saved or Path(f"montego-{datetime.now():%Y-%m-%d-%H%M%S}.sgf")
        self.game.write(path)
        self.review_file(path)

    def again(self, rest: str = "") -> None:
        """Another game."""
        self.color = parse_color(rest) if rest else self.game.user
        self.choice = "again"

    def undo(self, rest: str = "") -> None:
        """Play on."""
        self.game.reopen()
        self.choice = "undo"

    def quit(self, rest: str = "") -> None:
        """Leave."""
        self.choice = "quit"
        self.say("Goodbye.")
