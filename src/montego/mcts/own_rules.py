"""Rules of the user's own at native speed: selection formulas and backups.

A decorated function becomes a rule like those of strategies.py.  The names of its arguments say
which numbers of the search it is given (see kernels/tree/own.py); arguments with a default are
parameters of the rule, as those of any other:

    @selection
    def ucb1(value, visits, log_parent_visits, c=0.7):
        return value + c * sqrt(log_parent_visits / visits)

    Recipe("mine", selection=ucb1(c=0.3))
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, make_dataclass
from difflib import get_close_matches
from functools import partial
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

from montego.kernels.compiler.diagnosis import Mistake, told
from montego.kernels.compiler.first_use import MAKING
from montego.kernels.tree import own
from montego.kernels.tree.strategy import OWN, OWN_NUMBERS
from montego.mcts.strategies import Selection, Strategy

Function = Callable[..., float]
LIMIT = 1e12
"""Of a parameter of the user's."""


class RuleError(ValueError):
    """A function that cannot be a rule; the message is one line, its cause what Numba said."""


@dataclass(frozen=True)
class OwnRule(Strategy):
    """What rules of the user's share: code at an address, and parameters in an array."""

    KIND: ClassVar[int] = OWN
    CODE: ClassVar[str]
    """The field of the record that takes the address."""

    function: ClassVar[Function]
    """The user's, in plain Python."""
    address: ClassVar[int]
    own: ClassVar[tuple[str, ...]]
    """The names of its parameters."""
    uses_rave: ClassVar[bool] = False

    def numbers(self) -> dict[str, Any]:
        written = super().numbers() | {self.CODE: self.address}
        written |= {"rave": True} if self.uses_rave else {}
        values = [float(written.pop(name)) for name in self.own]
        return written | {f"{self.CODE}_numbers": values + [0.0] * (OWN_NUMBERS - len(values))}


@dataclass(frozen=True)
class OwnSelection(OwnRule, Selection):
    """The child of the largest number."""

    CODE: ClassVar[str] = "selector"


@dataclass(frozen=True)
class OwnBackup(OwnRule):
    """A value from the numbers of a node, or from weights of its children."""

    SLOT: ClassVar[str] = "backup"
    CODE: ClassVar[str] = "valuer"


# --- the decorators --------------------------------------------------------------------


def selection(function: Function | None = None, *, first_play: float | None = 1000.0) -> Any:
    """A function of a child's numbers; the child for which it is largest is simulated next.

    A child without visits has the number ``first_play``, by default more than any other; with
    None the function is asked for those as well.
    """
    if function is None:
        return partial(selection, first_play=first_play)
    asked = _read(function, own.CHILD)
    extra: dict[str, Any] = {} if first_play is None else {"first_play": float(first_play)}
    extra |= {"rave_decay": 0} if asked.uses_rave else {}
    compile_it = partial(own.selector, function, asked.names, first_play is not None)
    return _rule(OwnSelection, function, asked, extra, compile_it)


def backup(function: Function | None = None, *, by_score: bool = False) -> Any:
    """A function of a node's numbers that is its value to the player to move.

    ``by_score`` makes results of scores instead of wins (O1).
    """
    if function is None:
        return partial(backup, by_score=by_score)
    asked = _read(function, own.NODE_NUMBERS)
    compile_it = partial(own.valuer, function, asked.names)
    return _rule(OwnBackup, function, asked, {"by_score": by_score}, compile_it)


def child_weight(function: Function | None = None, *, by_score: bool = False) -> Any:
    """A function of a child's numbers that is its weight in the value of its parent.

    That value is the weighted mean of the values of all children with visits.
    """
    if function is None:
        return partial(child_weight, by_score=by_score)
    asked = _read(function, own.CHILD)
    compile_it = partial(own.weigher, function, asked.names)
    return _rule(OwnBackup, function, asked, {"by_score": by_score}, compile_it)


class Asked(NamedTuple):
    """The names of a function's arguments, and its parameters among them with their defaults."""

    names: tuple[str, ...]
    parameters: dict[str, float]

    @property
    def uses_rave(self) -> bool:
        return any(name.startswith("rave_") for name in self.names if name not in self.parameters)


def _read(function: Any, known: Mapping[str, Any]) -> Asked:
    """What a function asks for; raises a RuleError."""
    if not isinstance(function, FunctionType):
        raise RuleError(f"a rule is a function, not {function!r}")
    parameters = {}
    for name, argument in inspect.signature(function).parameters.items():
        reason = _reason_against(argument, known)
        if reason:
            raise RuleError(told(function, reason))
        if argument.default is not argument.empty:
            parameters[name] = float(argument.default)
    if len(parameters) > OWN_NUMBERS:
        raise RuleError(told(function, f"it has more than {OWN_NUMBERS} parameters"))
    return Asked(tuple(inspect.signature(function).parameters), parameters)


def _reason_against(argument: inspect.Parameter, known: Mapping[str, Any]) -> str:
    """Why a function may not have this argument; "" if it may."""
    name, default = argument.name, argument.default
    if argument.kind is not argument.POSITIONAL_OR_KEYWORD:
        return f"its arguments are plain names, and not {argument}"
    if name in known:
        return "" if default is argument.empty else f"{name} is told by the search: no default"
    if default is argument.empty:
        near = get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
        return f"the search has no number {name!r}; {hint}"
    if isinstance(default, bool) or not isinstance(default, int | float):
        return f"{name} is no number: {default!r}"
    return f"a parameter cannot be called {name}" if hasattr(OwnSelection, name) else ""


def _rule(
    base: type[OwnRule],
    function: Function,
    asked: Asked,
    extra: Mapping[str, Any],
    compile_it: Callable[[], int],
) -> type[OwnRule]:
    """The class of a rule; its code is compiled, or found in the cache."""
    taken = [name for name in asked.parameters if name in extra]
    if taken:
        raise RuleError(told(function, f"{taken[0]} is set in the decorator: no parameter"))
    try:
        with MAKING:
            address = compile_it()
    except Mistake as mistake:
        raise RuleError(str(mistake)) from mistake.__cause__
    return make_dataclass(
        function.__name__,
        _fields(asked.parameters | dict(extra)),
        bases=(base,),
        frozen=True,
        namespace={
            "__doc__": function.__doc__,
            "__module__": function.__module__,
            "__qualname__": function.__qualname__,
            "function": staticmethod(function),
            "address": address,
            "own": tuple(asked.parameters),
            "RANGES": dict.fromkeys(asked.parameters, (-LIMIT, LIMIT)),
            "uses_rave": asked.uses_rave,
        },
    )


def _fields(defaults: Mapping[str, Any]) -> Sequence[tuple[str, type, Any]]:
    return [(name, type(default), default) for name, default in defaults.items()]
