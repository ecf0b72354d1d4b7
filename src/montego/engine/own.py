"""Engines of the user's own, by a text: ``python:FILE.py:NAME``.

A function in the file makes an engine, a new one for every game:

    def careful(size, komi, seed, simulations=1000):
        return Engine(MINE, size, komi, seed, simulations=simulations)

What is set behind the text are keyword arguments of that function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from types import FunctionType
from typing import Any

from montego.engine.engine import Engine
from montego.engine.validation import BadSetting
from montego.mcts.own_file import described, find_own
from montego.mcts.recipes import like

MakeEngine = Callable[[int, float, int], Engine]
"""From a size, a komi and a seed."""


def own_engine(text: str, function: Any, given: Mapping[str, Any]) -> MakeEngine:
    """What makes the engines that a function of the user's makes."""
    make = bound(text, function, given, "size", "komi", "seed")

    def make_engine(size: int, komi: float, seed: int) -> Engine:
        engine = make(size=size, komi=komi, seed=seed)
        if not isinstance(engine, Engine):
            raise BadSetting(f"{text} returns {described(engine)}, and not an Engine")
        return engine

    return make_engine


def find_engine(text: str, given: Mapping[str, Any]) -> MakeEngine | None:
    """What makes the engines that a text names, if it is a function of the user's that it names."""
    name, comma, _ = text.partition(",")
    found = find_own(name).value
    if not is_engine(found):
        return None
    if comma:
        raise BadSetting(f"{name} makes engines: only a recipe is changed behind a comma")
    return own_engine(text, found, given)


def is_engine(found: object) -> bool:
    """Whether something of the user's may make engines."""
    return isinstance(found, FunctionType)


def bound(
    text: str, function: Callable[..., Any], given: Mapping[str, Any], *required: str
) -> Callable[..., Any]:
    """A function with some keyword arguments set, from text, and others still to come."""
    signature = inspect.signature(function)
    known = {
        name: argument.default
        for name, argument in signature.parameters.items()
        if argument.default is not argument.empty and name not in required
    }
    for name in given:
        if name not in known:
            there_are = f"it has {', '.join(known)}" if known else "it has nothing to set"
            raise BadSetting(f"{text} has no {name!r}: {there_are}")
    try:
        settings = {name: like(known[name], name, value) for name, value in given.items()}
        signature.bind(**settings, **dict.fromkeys(required))
    except TypeError:
        raise BadSetting(f"{text} takes {signature}, and not ({', '.join(required)})") from None
    return partial(function, **settings)
