"""Montego: the family of Monte-Carlo tree search for Go, and the laboratory round it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.engine.engine import Engine as Engine

__version__ = "0.1.0"

_LAZY = {"Engine": "montego.engine.engine"}
"""Names that are imported when they are used: importing the package itself is instant."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
