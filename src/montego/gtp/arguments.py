"""The words after a command, taken one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from montego.mcts.ranges import BOOLEANS

_COLORS = ("b", "black", "w", "white")
LARGEST = 2**31 - 1


class Arguments:
    """What is left of a command's words; a missing or wrong one raises ValueError."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = deque(words)

    def __bool__(self) -> bool:
        return bool(self._words)

    def word(self, what: str) -> str:
        """The next word; ``what`` says in an error what was missing."""
        if not self._words:
            raise ValueError(f"syntax error: {what} is missing")
        return self._words.popleft()

    def rest(self) -> list[str]:
        """All words that are left."""
        words = list(self._words)
        self._words.clear()
        return words

    def integer(self, what: str) -> int:
        """The next word as a whole number."""
        text = self.word(what)
        try:
            number = int(text)
        except ValueError:
            raise ValueError(f"syntax error: {what} is not a whole number") from None
        if abs(number) > LARGEST:
            raise ValueError(f"syntax error: {what} is too large")
        return number

    def number(self, what: str) -> float:
        """The next word as a number."""
        try:
            return float(self.word(what))
        except ValueError:
            raise ValueError(f"syntax error: {what} is not a number") from None

    def boolean(self, what: str) -> bool:
        """The next word as true or false."""
        text = self.word(what).lower()
        if text not in BOOLEANS:
            raise ValueError(f"syntax error: {what} is true or false")
        return BOOLEANS[text]

    def color(self) -> str:
        """The next word as a colour's name."""
        text = self.word("the colour").lower()
        if text not in _COLORS:
            raise ValueError("syntax error: a colour is black or white")
        return text

    def optional_color(self) -> str | None:
        """The next word, if it is a colour."""
        return self.color() if self._words and self._words[0].lower() in _COLORS else None

    def optional_number(self) -> float | None:
        """The next word, if it begins like a number."""
        starts = self._words and (self._words[0][0].isdigit() or self._words[0][0] in "+-.")
        return self.number("the number") if starts else None
