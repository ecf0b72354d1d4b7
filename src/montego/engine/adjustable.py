"""Values of the engine whose fields are parameters: read, changed and checked by name."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

from montego.mcts.ranges import BOOLEANS, Range

Setting = float | int | bool | str


@dataclass(frozen=True)
class Adjustable:
    """What the engine's own parameters are fields of."""

    RANGES: ClassVar[dict[str, Range]] = {}
    """The least and the most of its numbers."""
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {}
    """What its words may be."""

    def settings(self) -> dict[str, Setting]:
        """All values by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def with_settings(self, changes: dict[str, Setting]) -> Self:
        """With some values changed; raises ValueError for a bad name or value."""
        known = self.settings()
        parsed: dict[str, Setting] = {}
        for name, value in changes.items():
            if name not in known:
                raise ValueError(f"there is no parameter {name!r}: {', '.join(known)} are")
            parsed[name] = _as_kind_of(known[name], value, name)
        return replace(self, **parsed)

    def __post_init__(self) -> None:
        for name, (low, high) in self.RANGES.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(
                    f"{name} has to be between {low:,} and {high:,}, not {getattr(self, name)}"
                )
        for name, words in self.CHOICES.items():
            if getattr(self, name) not in words:
                there_are = ", ".join(words)
                raise ValueError(f"{name} is one of {there_are}, not {getattr(self, name)!r}")


def _as_kind_of(model: Setting, value: Setting, name: str) -> Setting:
    try:
        if isinstance(model, bool):
            return BOOLEANS[str(value).lower()]
        return type(model)(value)
    except (KeyError, ValueError):
        raise ValueError(f"{value!r} is not a value of {name}") from None
