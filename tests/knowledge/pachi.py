"""Pachi's unit positions: drawn boards, each with questions and the answers that are right.

They lie outside the product, in ``../shared/data/tests/pachi``; where they do not, nothing is
found.  A question begins with ``!`` where Pachi itself is known to fail.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from montego.go import Position

UNITS = (
    Path(os.environ.get("MONTEGO_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    / "data/tests/pachi/t-unit"
)


@dataclass(frozen=True)
class Question:
    """What is asked about a board, and the answer."""

    title: str
    rows: tuple[str, ...]
    ko_stone: str
    command: str
    arguments: tuple[str, ...]
    answer: str
    fails_there: bool

    def position(self, to_play: str) -> Position:
        """The board, with this player to move."""
        return Position.from_diagram("\n".join(self.rows), to_play=to_play)

    def __str__(self) -> str:
        return f"{self.title}: {self.command} {' '.join(self.arguments)}"


def questions(name: str) -> Iterator[Question]:
    """The questions of a file, in order."""
    title, ko = "", ""
    rows: list[str] = []
    path = UNITS / name
    for line in path.read_text().splitlines() if path.exists() else []:
        words = line.partition("#")[0].split()
        if line.startswith("%"):
            title = line[1:].strip()
        elif line.startswith("boardsize"):
            rows, ko = [], ""
        elif re.fullmatch(r"([.XO]\)? ?)+\s*", line):
            rows.append(" ".join(re.findall("[.XO]", line)))
        elif words and words[0] == "ko":
            ko = words[1]
        elif len(words) >= 3:
            command, *arguments, answer = words
            yield Question(
                title, tuple(rows), ko, command.lstrip("!"), tuple(arguments), answer,
                command.startswith("!"),
            )  # fmt: skip
