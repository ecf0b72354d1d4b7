"""A game against the program in the terminal: ``montego play``.

The game asks for a line, looks it up in a table of commands and takes it for a move
otherwise.  What cannot be played is answered with the reason, and nothing has changed.
Everything works without a terminal too: the board is then drawn without colours.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from montego.go import BLACK, EMPTY, PASS, WHITE, GoError, Position, Rules, color_name, parse_color
from montego.go import vertex as vertex_name
from montego.go.handicap import fixed_points, max_fixed
from montego.go.points import COLUMNS, point_at
from montego.mcts.flat import Found, flat_search
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
resign     give up
quit       leave (also Ctrl-D)
Stones are counted as they stand: capture what is dead before you pass."""


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


class Opponent:
    """The program's player: a playout, a budget for each move and a seed for the game."""

    def __init__(self, simulations: int | None, seconds: float | None, seed: int | None) -> None:
        self.simulations = simulations
        self.seconds = DEFAULT_SECONDS if simulations is None and seconds is None else seconds
        self.seed = random.randrange(2**32) if seed is None else seed

    def search(self, position: Position) -> Found:
        """Look for the best move of the player to move."""
        return flat_search(
            position,
            PLAYOUT,
            simulations=self.simulations,
            seconds=self.seconds,
            seed=self.seed + len(position.moves),
        )


def play_game(size: int, komi: float, color: str, opponent: Opponent) -> None:
    """Play one game; the user has this colour."""
    console = Console(highlight=False)
    position = Position.start(size=size, rules=Rules(komi=komi))
    Game(position, parse_color(color), opponent, console).run()


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

    def __init__(self, position: Position, user: int, opponent: Opponent, console: Console) -> None:
        self.position = position
        self.user = user
        self.opponent = opponent
        self.console = console
        self.farewell: str | None = None  # set when the user leaves before the end
        self.commands: dict[str, Callable[[], None]] = {
            "undo": self.undo,
            "hint": self.hint,
            "score": self.score,
            "resign": self.resign,
            "help": self.help,
            "quit": self.quit,
        }

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
        line = line.strip()
        if not line:
            return
        try:
            self.commands.get(line.lower(), lambda: self.play(line))()
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

    def play(self, move: str) -> None:
        """Play the user's move."""
        self.position = self.position.play(move)

    def answer(self) -> None:
        """Let the program move, and show what it did."""
        found = self.think()
        mover = color_name(self.position.to_play)
        self.position = self.position.play(found.move)
        name = vertex_name(found.move, self.position.size)
        self.show()
        did = "passes" if found.move == PASS else f"plays {name}"
        self.say(f"{mover} {did}: {_chance(found)} to win after {found.simulations:,} playouts.")

    def think(self) -> Found:
        """Search, with a spinner where there is a terminal to show it."""
        with Console(stderr=True).status("thinking …"):
            return self.opponent.search(self.position)

    def undo(self) -> None:
        """Go back to the user's last choice."""
        if all(color != self.user for color, _ in self.position.moves):
            self.say("There is no move of yours to take back.")
            return
        self.position = self.position.undo()
        while self.position.to_play != self.user:
            self.position = self.position.undo()
        self.show()

    def hint(self) -> None:
        """Say what the program would play."""
        found = self.think()
        name = vertex_name(found.move, self.position.size)
        self.say(f"{name} looks best: {_chance(found)} to win.")

    def score(self) -> None:
        """Say how the game stands: now, and when it is played to its end."""
        sample = simulate(self.position, PLAYOUT, SCORE_PLAYOUTS, seed=self.opponent.seed)
        leader = "B" if sample.mean_score > 0 else "W"
        self.say(f"As the stones stand: {self.position.result()}.")
        self.say(
            f"Played to the end {sample.playouts:,} times: {leader}+{abs(sample.mean_score):.1f} "
            f"on average, Black wins {sample.black_wins / sample.playouts:.0%}."
        )

    def resign(self) -> None:
        """Give up."""
        winner = "B" if self.user == WHITE else "W"
        self.farewell = f"You resign: {winner}+R."

    def help(self) -> None:
        """List the commands."""
        self.say(HELP)

    def quit(self) -> None:
        """Leave."""
        self.farewell = "Goodbye."

    def ending(self) -> str:
        """The result of a finished game."""
        score = self.position.score() * (1 if self.user == BLACK else -1)
        outcome = "a draw" if score == 0 else "you win" if score > 0 else "you lose"
        return f"Both passed. Result: {self.position.result()}, {outcome}."


def _chance(found: Found) -> str:
    """A value in [-1, 1] as the chance to win of the player who was to move."""
    return f"{(found.value + 1) / 2:.0%}"
