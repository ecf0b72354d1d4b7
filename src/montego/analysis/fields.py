"""The fields of a query, read one by one; what is wrong with one is told with its name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

LARGEST = 2**31 - 1


class QueryError(ValueError):
    """A query that cannot be answered, and the field that is to blame."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class Fields:
    """A JSON object; a missing or wrong field raises QueryError."""

    def __init__(self, told: Mapping[str, Any], within: str = "") -> None:
        """``within``: the field of the query that errors are told of, if not their own."""
        self._told = told
        self._within = within
        self._asked: set[str] = set()

    def __contains__(self, name: str) -> bool:
        self._asked.add(name)
        return self._told.get(name) is not None

    def error(self, name: str, message: str) -> QueryError:
        """The error that blames a field."""
        return QueryError(self._within or name, message)

    def unasked(self) -> list[str]:
        """The fields that nobody has asked for."""
        return [name for name in self._told if name not in self._asked]

    def get(self, name: str) -> Any:
        """A field of any kind that has to be there."""
        if name not in self:
            raise self.error(name, f"{name} is missing")
        return self._told[name]

    def text(self, name: str) -> str:
        """A string."""
        value = self.get(name)
        if not isinstance(value, str):
            raise self.error(name, f"{name} has to be a string")
        return value

    def boolean(self, name: str) -> bool:
        """True or false; false if it is not there."""
        value = self.get(name) if name in self else False
        if not isinstance(value, bool):
            raise self.error(name, f"{name} has to be true or false")
        return value

    def integer(self, name: str, low: int = -LARGEST, high: int = LARGEST) -> int:
        """A whole number within bounds."""
        return self._whole(name, self.get(name), low, high)

    def number(self, name: str, low: float, high: float) -> float:
        """A number within bounds."""
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(name, f"{name} has to be a number")
        if not (low <= value <= high and math.isfinite(value)):
            raise self.error(name, f"{name} has to be between {low:g} and {high:g}")
        return float(value)

    def items(self, name: str) -> list[Any]:
        """A list; empty if it is not there."""
        value = self.get(name) if name in self else []
        if not isinstance(value, list):
            raise self.error(name, f"{name} has to be a list")
        return value

    def integers(self, name: str, low: int = -LARGEST, high: int = LARGEST) -> list[int]:
        """A list of whole numbers within bounds."""
        return [self._whole(name, value, low, high) for value in self.items(name)]

    def object(self, name: str) -> dict[str, Any]:
        """A JSON object; empty if it is not there."""
        value = self.get(name) if name in self else {}
        if not isinstance(value, dict):
            raise self.error(name, f"{name} has to be an object")
        return value

    def _whole(self, name: str, value: Any, low: int, high: int) -> int:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if isinstance(value, float) and value.is_integer():
            value, is_whole = int(value), True
        if not is_whole:
            raise self.error(name, f"{name} has to be a whole number")
        if not low <= value <= high:
            raise self.error(name, f"{name} has to be between {low} and {high}")
        return int(value)
