"""A conversation by lines: a table of commands, what they print, and completion of their names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from glob import escape, glob
from pathlib import Path
from types import ModuleType

from rich.console import Console

from montego.go import GoError

readline: ModuleType | None = None
with suppress(ImportError):  # where there is one, lines can be edited and called back
    import readline


@dataclass(frozen=True)
class Command:
    """A word, and perhaps an argument in square brackets if it may be left out."""

    name: str
    argument: str
    help: str
    does: Callable[[str], None]
    shown: bool = True
    """Whether the list of commands has it."""

    def run(self, rest: str) -> None:
        """Do it, if it is given what it needs."""
        if rest and not self.argument:
            raise GoError(f"{self.name} stands alone")
        if not rest and self.argument and not self.argument.startswith("["):
            raise GoError(f"{self.name} needs {self.argument}: {self.help}")
        self.does(rest)


class Talk:
    """Prints, and does what commands say."""

    def __init__(self, console: Console, commands: Iterable[Command] = ()) -> None:
        self.console = console
        self.commands = {command.name: command for command in commands}

    def say(self, text: str) -> None:
        """Print a line; letters that the console does not have become question marks."""
        encoding = self.console.encoding
        shown = text.encode(encoding, "replace").decode(encoding)
        self.console.print(shown, markup=False, soft_wrap=not self.console.is_terminal)

    def ask(self, prompt: str) -> str:
        """The next line; in a transcript it stands behind the prompt, as in a terminal."""
        complete([*self.commands, "pass"])
        try:
            line = input(prompt)
        except UnicodeDecodeError:
            line = ""
            self.say("This line is not text.")
        if not sys.stdin.isatty():
            self.say(line)
        return line

    def obey(self, line: str) -> bool:
        """Do what a line says, if it begins with a command."""
        name, _, rest = line.strip().partition(" ")
        command = self.commands.get(name.lower())
        if command is not None:
            command.run(rest.strip())
        return command is not None

    def list_commands(self) -> str:
        """All of them, with what they do."""
        rows = [
            (f"{command.name} {command.argument}".strip(), command.help)
            for command in self.commands.values()
            if command.shown
        ]
        width = max(len(usage) for usage, _ in rows)
        return "\n".join(f"{usage:{width}}  {told}" for usage, told in rows)


# --- completion ------------------------------------------------------------------------


def complete(words: Sequence[str]) -> None:
    """Let the tabulator complete these words at the beginning of a line, files after it."""
    if readline is None:
        return
    readline.set_completer(Completer(words, readline.get_line_buffer))
    readline.set_completer_delims(" ")
    is_editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_editline else "tab: complete")


class Completer:
    """What readline asks for: the first fitting word, the second, and so on."""

    def __init__(self, words: Sequence[str], line: Callable[[], str]) -> None:
        self.words = words
        self.line = line

    def __call__(self, text: str, number: int) -> str | None:
        is_first = " " not in self.line().lstrip()
        fitting = self.fitting(text) if is_first else files(text)
        return fitting[number] if number < len(fitting) else None

    def fitting(self, text: str) -> list[str]:
        """Commands, with a blank behind them."""
        return sorted(f"{word} " for word in self.words if word.startswith(text.lower()))


def files(text: str) -> list[str]:
    """Files and folders whose names begin so."""
    typed = str(Path(text).expanduser()) if text.startswith("~") else text
    return sorted(f"{path}/" if Path(path).is_dir() else path for path in glob(f"{escape(typed)}*"))
