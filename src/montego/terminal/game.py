"""One game between the user and the program.

The game asks for a line, looks it up in a table of commands and takes it for a move otherwise.
What cannot be done is answered with the reason, and nothing has changed.
"""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console

from montego.engine.answer import Answer
from montego.engine.engine import NAME, Engine
from montego.engine.levels import LEVELS, TABLE, find_level, play_at
from montego.engine.status import Status
from montego.go import BLACK, PASS, WHITE, GoError, MalformedMove, Position, color_name, sgf
from montego.go.colors import color_letter, other_color
from montego.go.sgf import GameRecord
from montego.mcts.playouts import KINDS, simulate
from montego.terminal import findings
from montego.terminal.adviser import Adviser
from montego.terminal.board import Marks, columns_of, draw_board, legend, numbers, signs_for
from montego.terminal.interrupts import Stop, thinking
from montego.terminal.prompt import Command, Talk
from montego.terminal.saved_games import Keeper, pack
from montego.terminal.score import estimate, told_result
from montego.terminal.settings import Settings

SCORE_PLAYOUTS = 1000
PLAYOUT = KINDS["mogo"]
LONGEST_LINE = 20
"""Moves of a variation that are drawn."""
NAME_LETTERS = max(len(level.name) for level in TABLE)
THINKS = "thinking; Ctrl-C plays the best move so far"
ADVISES = "thinking; Ctrl-C shows the best so far"


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    result: str
    """"B+3.5", "W+R", or "0" for a draw."""
    told: str
    """"Both passed", "You resign"."""

    @property
    def by_resignation(self) -> bool:
        """Whether there is nothing to count."""
        return self.result.endswith("+R")


@dataclass(frozen=True)
class Opening:
    """Who plays whom, and where the game begins."""

    engine: Engine
    user: int
    """The user's colour."""
    settings: Settings = field(default_factory=Settings)
    """The engine's."""
    stop: Stop = field(default_factory=Stop)
    keeper: Keeper = field(default_factory=Keeper.new)
    start: Sequence[tuple[int, int]] = ()
    """Moves that were played elsewhere, before this game."""
    told: str = ""
    """Which game it is, if it is not a new one."""


class Game(Talk):
    """A game, its board and its commands."""

    def __init__(self, opening: Opening, console: Console) -> None:
        super().__init__(console, self.table())
        self.opening = opening
        self.engine, self.user, self.settings = opening.engine, opening.user, opening.settings
        self.stop, self.keeper = opening.stop, opening.keeper
        self.adviser = Adviser(self.stop)
        self.outcome: Outcome | None = None
        self.saved: Path | None = None
        self.has_left = False
        self.can_keep = True

    def table(self) -> list[Command]:
        """What can be typed besides moves."""
        return [
            Command("undo", "", "take your last move back", self.undo),
            Command("hint", "", "what the program would play", self.hint),
            Command("moves", "", "the best moves and what is expected of them", self.candidates),
            Command("candidates", "", "the same", self.candidates, shown=False),
            Command("variation", "", "how the game is expected to go on, drawn", self.variation),
            Command("score", "", "how the game stands", self.score),
            Command("board", "", "draw the board again", self.board),
            Command("level", "[N]", f"how strong the program is; 1 to {LEVELS} set it", self.level),
            Command("levels", "", "all levels there are", self.levels),
            Command("save", "FILE", "write the game as SGF", self.save),
            Command("save!", "FILE", "the same, in place of a file", self.save_anyway, shown=False),
            Command("resign", "", "give up", self.resign),
            Command("help", "", "this list", self.help),
            Command("quit", "", "leave; the game is kept (Ctrl-C and Ctrl-D do the same)",
                    self.quit),
        ]  # fmt: skip

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.engine.position

    # --- playing ------------------------------------------------------------------------

    def run(self) -> Outcome | None:
        """Play until the game is over, or None if the user leaves before."""
        try:
            while self.outcome is None and not self.has_left:
                self.take_turn()
        except (EOFError, KeyboardInterrupt):
            self.say("")
            self.quit()
        return self.outcome

    def greet(self) -> None:
        """Say who is who, and draw the board if there is something to see or to do."""
        if self.opening.told:
            self.say(self.opening.told)
        size, komi = self.position.size, self.position.komi
        self.say(f"You are {color_name(self.user)} on {size}x{size}, komi {komi:g}.")
        self.say(f"{NAME}: {self.settings.told}.")
        self.say("Type a move such as D4, or help.")
        self.check_width()
        if self.position.moves or self.position.to_play == self.user:
            self.show()

    def check_width(self) -> None:
        """Warn of a window that breaks the board's lines."""
        needed, there = columns_of(self.position.size), self.console.width
        if self.console.is_terminal and there < needed:
            self.say(f"The board needs {needed} columns, this window has {there}.")

    def take_turn(self) -> None:
        """Let the player to move do something."""
        if self.position.is_over:
            self.outcome = Outcome(self.engine.result, "Both passed")
        elif self.position.to_play == self.user:
            self.handle(self.ask(f"{color_name(self.user)}> "))
        else:
            self.answer()

    def handle(self, line: str) -> None:
        """Obey a command or play a move; what is wrong is said and changes nothing."""
        try:
            if line.strip() and not self.obey(line):
                self.engine.play(line)
                self.keep()
        except MalformedMove as error:
            self.say(f"{error}; help lists the commands.")
        except GoError as error:
            self.say(f"{error}.")

    def answer(self) -> None:
        """Let the program move, and show what it did."""
        mover = color_name(self.position.to_play)
        with thinking(self.stop, THINKS):
            answer = self.engine.genmove()
        if answer.resigned:
            self.outcome = Outcome(self.engine.result, f"{mover} resigns")
            return
        self.keep()
        if not self.position.is_over:
            self.show()
        did = "passes" if answer.move == PASS else f"plays {answer.vertex}"
        by_chance = self.engine.manners.leaves_to_chance  # its figures would mislead
        self.say(f"{mover} {did}." if by_chance else f"{mover} {did}: {findings.figures(answer)}.")
        if self.stop.leaves:
            raise KeyboardInterrupt

    def advice(self) -> Answer:
        """What the program would do in the user's place; it thinks once for each position."""
        with thinking(self.stop, ADVISES):
            answer = self.adviser.search(self.engine, self.settings)
        if self.stop.leaves:
            raise KeyboardInterrupt
        return answer

    # --- showing ------------------------------------------------------------------------

    def show(self, marks: Marks | None = None) -> None:
        """Print the board."""
        drawn = draw_board(self.position, signs_for(self.console), marks)
        if self.console.is_terminal:  # a window that is too narrow cuts lines off
            self.console.print(drawn, no_wrap=True, overflow="crop")
        else:
            self.console.print(drawn, soft_wrap=True)
        captured = self.position.captured
        if marks is None:
            self.say(f"Captured: {captured.black} black, {captured.white} white.")

    def board(self, rest: str = "") -> None:
        """Draw the board again, as it is."""
        self.show()

    def hint(self, rest: str = "") -> None:
        """Say what the program would play."""
        answer = self.advice()
        self.say(f"{answer.vertex} looks best: {findings.figures(answer)}.")

    def candidates(self, rest: str = "") -> None:
        """A table of the best moves."""
        answer = self.advice()
        self.console.print(findings.candidates(answer, self.position.size))
        if answer.move == PASS:
            self.say("The program would pass.")

    def variation(self, rest: str = "") -> None:
        """Draw how the game is expected to go on."""
        line = self.advice().variation[:LONGEST_LINE]
        self.show(numbers(line, self.position.to_play))
        self.say(findings.line_of_play(line, self.position))

    def score(self, rest: str = "") -> None:
        """Say how the game stands: now, and when it is played to its end."""
        sample = simulate(self.position, PLAYOUT, SCORE_PLAYOUTS, seed=self.engine.seed)
        counted, signs = estimate(Status(self.position, sample.ownership)), signs_for(self.console)
        marks = counted.marks(signs)
        self.show(marks)
        if marks:
            self.say(f"Likely: {legend(marks, signs)}.")
        self.say(f"As the stones stand: {self.position.result()}.")
        self.say(
            f"Played to the end {sample.playouts:,} times: {told_result(sample.mean_score)} "
            f"on average, Black wins {sample.black_wins / sample.playouts:.0%}."
        )

    def help(self, rest: str = "") -> None:
        """List the commands."""
        self.say("D4, pass: play there, or pass; two passes end the game, dead stones are\n"
                 "taken off and the areas are counted.\n" + self.list_commands())  # fmt: skip

    # --- changing -----------------------------------------------------------------------

    def undo(self, rest: str = "") -> None:
        """Go back to the user's last choice."""
        if all(color != self.user for color, _ in self.position.moves):
            raise GoError("There is no move of yours to take back")
        self.engine.undo()
        while self.position.to_play != self.user:
            self.engine.undo()
        self.keep()
        self.show()

    def reopen(self) -> None:
        """Play on after the end: from the user's last choice, or from where he resigned."""
        if self.position.is_over or self.position.to_play != self.user:
            self.undo()
        self.outcome = None

    def level(self, rest: str = "") -> None:
        """Say how strong the program is, or make it stronger or weaker from now on."""
        if rest:
            try:
                level = find_level(rest)
            except ValueError as error:
                raise GoError(str(error)) from None
            self.settings = self.settings.at_level(level)
            play_at(self.engine, level)
            self.keep()
        self.say(f"{NAME}: {self.settings.told}.")

    def levels(self, rest: str = "") -> None:
        """List the levels, and mark the one that it plays at."""
        for level in TABLE:
            mark = ">" if level.number == self.settings.level else " "
            self.say(f"{mark}{level.number:3} {level.name:{NAME_LETTERS}} {level.description}")

    def resign(self, rest: str = "") -> None:
        """Give up."""
        self.outcome = Outcome(f"{color_letter(other_color(self.user))}+R", "You resign")
        self.engine.learn(self.outcome.result)

    def quit(self, rest: str = "") -> None:
        """Leave, and say how to go on."""
        self.keep()
        self.keeper.release()
        self.has_left = True
        kept = " The game is kept: montego play --resume goes on." if self.keeper.holds else ""
        self.say(f"Goodbye.{kept}")

    # --- files --------------------------------------------------------------------------

    def record(self) -> GameRecord:
        """The game, with its result if there is one."""
        names = {self.user: "You", other_color(self.user): NAME}
        record = self.engine.record(names[BLACK], names[WHITE])
        return replace(record, result=self.outcome.result) if self.outcome else record

    def save(self, rest: str) -> None:
        """Write the game to a file that is not there yet, or to where it has been saved before."""
        path = as_sgf(rest)
        if os.path.isfile(path) and path != self.saved:
            raise GoError(f"{path} exists; save! {rest} replaces it")
        self.write(path)

    def save_anyway(self, rest: str) -> None:
        """Write the game to a file, whatever is in it."""
        self.write(as_sgf(rest))

    def write(self, path: Path) -> None:
        """Write the game."""
        sgf.save(path, self.record())
        self.saved = path
        self.say(f"Saved to {path}.")

    def keep(self) -> None:
        """Keep the unfinished game, once the user has done something in it."""
        if all(color != self.user for color, _ in self.position.moves[len(self.opening.start) :]):
            self.keeper.remove()
            return
        try:
            self.keeper.write(pack(self.record(), self.user, self.settings))
        except OSError as error:
            if self.can_keep:
                self.say(f"The unfinished game cannot be kept: {error.strerror}.")
            self.can_keep = False


def as_sgf(name: str) -> Path:
    """The file that is meant: without an ending it gets the usual one."""
    path = Path(os.path.expanduser(name))
    return path if path.suffix or os.path.isdir(path) else path.with_name(f"{path.name}.sgf")
