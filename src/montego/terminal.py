"""A game against the program in the terminal: ``montego play``.

The game asks for a line, looks it up in a table of commands and takes it for a move
otherwise.  What cannot be played is answered with the reason, and nothing has changed.
Everything works without a terminal too: the board is then drawn without colours.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from montego.engine.engine import Answer, Engine
from montego.go import (
    BLACK,
    EMPTY,
    PASS,
    WHITE,
    GoError,
    Position,
    color_letter,
    color_name,
    parse_color,
)
from montego.go.handicap import fixed_points, max_fixed
from montego.go.points import COLUMNS, point_at
from montego.mcts.playouts import KINDS, simulate

with suppress(ImportError):  # where there is one, lines can be edited and called back
    import readline  # noqa: F401  # its import alone changes input()

DEFAULT_SECONDS = 2.0
SCORE_PLAYOUTS = 1000
PLAYOUT = KINDS["mogo"]

HELP = """\
D4, pass   play there, or pass; two passes end the game
undo       take your last move back
hint       what the program would play
score      how the game stands
save FILE  write the game as SGF
resign     give up
quit       leave (also Ctrl-D)
When both have passed, dead stones are taken off and the areas are counted."""


@dataclass(frozen=True)
class Signs:
    """What stands on the board's points."""

    black: str
    white: str
    empty: str = "·"
    star: str = "+"


COLORFUL = Signs("●", "●")
MONOCHROME = Signs("●", "○")
ASCII = Signs("X", "O", ".")
WOOD = "on #dcb35c"
STYLES = {BLACK: f"black {WOOD}", WHITE: f"bold #ffffff {WOOD}", EMPTY: f"#8a6a2a {WOOD}"}


def new_engine(
    recipe: str,
    size: int,
    komi: float,
    simulations: int | None,
    seconds: float | None,
    seed: int | None,
) -> Engine:
    """The program's player; without a limit it takes two seconds, without a seed any."""
    if simulations is None and seconds is None:
        seconds = DEFAULT_SECONDS
    seed = random.randrange(2**32) if seed is None else seed
    return Engine(recipe, size, komi, seed, simulations=simulations, seconds=seconds)


def play_game(engine: Engine, color: str) -> None:
    """Play one game; the user has this colour."""
    Game(engine, parse_color(color), Console(highlight=False)).run()


# --- the board -------------------------------------------------------------------------


def signs_for(console: Console) -> Signs:
    """Signs that this console can show and that tell the colours apart there."""
    if console.options.ascii_only:
        return ASCII
    return MONOCHROME if console.no_color or console.color_system is None else COLORFUL


def star_points(size: int) -> list[int]:
    """The points that are marked on a wooden board: nine on a large one, else five."""
    count = min(max_fixed(size), 9 if size >= 19 else 5)
    return fixed_points(size, count) if count else []


def draw_board(position: Position, signs: Signs) -> Text:
    """The board with coordinates, and with brackets round the last move."""
    size = position.size
    header = "   " + " ".join(COLUMNS[:size]) + "\n"
    text = Text(header)
    for row in range(1, size + 1):
        text.append(f"{size + 1 - row:2}")
        _draw_row(text, position, row, signs)
        text.append(f"{size + 1 - row:<2}\n")
    return text.append(header.rstrip())


def _draw_row(text: Text, position: Position, row: int, signs: Signs) -> None:
    stars = star_points(position.size)
    letters = {BLACK: signs.black, WHITE: signs.white, EMPTY: signs.empty}
    after = " "
    for column in range(1, position.size + 1):
        point = point_at(row, column)
        color = position.color_at(point)
        is_last = point == position.last
        letter = signs.star if color == EMPTY and point in stars else letters[color]
        text.append("(" if is_last else after, f"#b00000 {WOOD}")
        text.append(letter, STYLES[color])
        after = ")" if is_last else " "
    text.append(after, f"#b00000 {WOOD}")


# --- the game --------------------------------------------------------------------------


class Game:
    """One game between the user and the program."""

    def __init__(self, engine: Engine, user: int, console: Console) -> None:
        self.engine = engine
        self.user = user
        self.console = console
        self.farewell: str | None = None  # set when one of the two leaves before the end
        self.commands: dict[str, Callable[[str], None]] = {
            "undo": self.undo,
            "hint": self.hint,
            "score": self.score,
            "save": self.save,
            "resign": self.resign,
            "help": self.help,
            "quit": self.quit,
        }

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.engine.position

    def run(self) -> None:
        """Play until the game is over or the user leaves."""
        self.say(f"You are {color_name(self.user)}. Type a move such as D4, or help.")
        try:
            if self.position.to_play == self.user:
                self.show()
            while self.farewell is None and not self.position.is_over:
                self.take_turn()
            self.say(self.farewell or self.ending())
        except (EOFError, KeyboardInterrupt):
            self.say("\nGoodbye.")

    def take_turn(self) -> None:
        """Let the player to move do something."""
        if self.position.to_play == self.user:
            self.handle(input(f"{color_name(self.user)}> "))
        else:
            self.answer()

    def handle(self, line: str) -> None:
        """Obey a command or play a move; what is wrong is said and changes nothing."""
        name, _, rest = line.strip().partition(" ")
        command = self.commands.get(name.lower())
        try:
            if command is not None:
                command(rest.strip())
            elif name:
                self.engine.play(line)
        except GoError as error:
            self.say(f"{error}.")

    def say(self, text: str) -> None:
        """Print a line."""
        self.console.print(text, markup=False)

    def show(self) -> None:
        """Print the board."""
        self.console.print(draw_board(self.position, signs_for(self.console)))
        captured = self.position.captured
        self.say(f"Captured: {captured.black} black, {captured.white} white.")

    def answer(self) -> None:
        """Let the program move, and show what it did."""
        mover = color_name(self.position.to_play)
        with self.thinking():
            answer = self.engine.genmove()
        if answer.resigned:
            self.farewell = f"{mover} resigns: {self.engine.result}."
            return
        self.show()
        did = "passes" if answer.move == PASS else f"plays {answer.vertex}"
        self.say(f"{mover} {did}: {_figures(answer)}.")

    def thinking(self) -> AbstractContextManager[object]:
        """A spinner where there is a terminal to show it."""
        return Console(stderr=True).status("thinking …")

    def undo(self, rest: str) -> None:
        """Go back to the user's last choice."""
        if all(color != self.user for color, _ in self.position.moves):
            self.say("There is no move of yours to take back.")
            return
        self.engine.undo()
        while self.position.to_play != self.user:
            self.engine.undo()
        self.show()

    def hint(self, rest: str) -> None:
        """Say what the program would play."""
        with self.thinking():
            answer = self.engine.search()
        self.say(f"{answer.vertex} looks best: {_figures(answer)}.")

    def score(self, rest: str) -> None:
        """Say how the game stands: now, and when it is played to its end."""
        sample = simulate(self.position, PLAYOUT, SCORE_PLAYOUTS, seed=self.engine.seed)
        leader = "B" if sample.mean_score > 0 else "W"
        self.say(f"As the stones stand: {self.position.result()}.")
        self.say(
            f"Played to the end {sample.playouts:,} times: {leader}+{abs(sample.mean_score):.1f} "
            f"on average, Black wins {sample.black_wins / sample.playouts:.0%}."
        )

    def save(self, rest: str) -> None:
        """Write the game to a file."""
        if not rest:
            self.say("Save it where? Type save and the name of a file.")
            return
        path = Path(rest).expanduser()
        names = {"black" if self.user == BLACK else "white": "You"}
        self.engine.save_sgf(path, **names)
        self.say(f"Saved to {path}.")

    def resign(self, rest: str) -> None:
        """Give up."""
        winner = "B" if self.user == WHITE else "W"
        self.farewell = f"You resign: {winner}+R."

    def help(self, rest: str) -> None:
        """List the commands."""
        self.say(HELP)

    def quit(self, rest: str) -> None:
        """Leave."""
        self.farewell = "Goodbye."

    def ending(self) -> str:
        """The result of a finished game."""
        result = self.engine.result
        won = result.startswith(color_letter(self.user))
        outcome = "a draw" if result == "0" else "you win" if won else "you lose"
        return f"Both passed. Result: {result}, {outcome}."


def _figures(answer: Answer) -> str:
    """The chance to win of the player who was to move, and what it rests on."""
    return f"{answer.win_rate:.0%} to win after {answer.simulations:,} simulations"
