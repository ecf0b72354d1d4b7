"""A function of the user's own that cannot be compiled: what is wrong with it, in one line.

Numba's account of a mistake is pages long, and most of it is about us.  Here a function is
examined in its role, that is what it is given and what it has to return: first the number of its
arguments, then, compiled on its own, its body, then the type of its result.  What is found is told
as ``file:line: name: reason``; Numba's own words remain as the cause of the exception.
"""

from __future__ import annotations

import dis
import inspect
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from montego.kernels.compiler.jit import signature_of, without_garbage_collection
from montego.kernels.compiler.native import Kind

COMPILER = str(Path("site-packages", "numba"))

SHORT = (
    (r"\x1b\[[0-9;]*m", ""),  # Numba's messages are coloured where colorama is installed
    (r"Record\(\[.*?\], \d+, (?:True|False)\)", "record"),
    (r"Literal\[(\w+)\]\([^)]*\)", r"\1"),
    (r"nestedarray\((\w+), \([\d, ]*\)\)", r"array of \1"),
    (r"\barray\((\w+), \d+d, \w+\)", r"array of \1"),
    (r"type\(CPUDispatcher\(<function (\w+) at \w+>\)\)", r"\1"),
    (r"unicode_type", "str"),
    (r"Failed in nopython mode pipeline \(step: [^)]*\)\s*", ""),
)
"""Types and phrases of Numba's messages, and how they read better."""

REASONS = (
    (
        r"NRT required but not enabled|Only accept returning of array passed",
        "it may not allocate: no lists, no new arrays, no text",
    ),
    (r"(?s)No implementation of function .*?>>> (.*?)\n", r"there is no \1 in compiled code"),
    (
        r'(?s)Cannot bind .*? due to "\w+: (.*?)"\.\s+During: resolving callee type: (\w+)',
        r"a call of \2: \1",
    ),
    (
        r"Untyped global name '(\w+)'.*<class 'function'>",
        r"\1 is a plain Python function: put numba.njit over it",
    ),
    (r"Untyped global name '(\w+)'.*<class '(.*?)'>", r"compiled code cannot use \1, a \2"),
    (r"NameError: (.*)", r"\1"),
    (r"Variable '(\w+)' is not defined", r"the variable \1 is read before it is set"),
    (r"unsupported opcode \(IMPORT_NAME\)", "it imports something; do that above it"),
    (r"unsupported opcode \((\w+)\)", r"Python's \1 cannot be compiled"),
    (r"\s*(.+?)\.*(?: Raised from .*|: %.*|, defined at .*)?(?:\n|$)", r"\1"),
)
"""Messages of Numba's, and what they mean; the first that fits."""


@dataclass(frozen=True)
class Role:
    """What a function of the user's is given, and what it has to return."""

    name: str
    arguments: tuple[str, ...]
    kinds: tuple[Kind, ...]
    """Of the arguments, as compile_for takes them."""
    result: str = ""
    """``number`` or ``whole number``; otherwise anything."""


class Mistake(Exception):  # noqa: N818 - of the user's; those who examine raise errors of their own
    """One line; its cause is what the compiler said, if it was the compiler that found it."""


def check_arguments(function: Callable[..., Any], role: Role) -> None:
    """Raise a Mistake if a function takes other arguments than its role has."""
    wanted = ", ".join(role.arguments)
    try:
        inspect.signature(function).bind(*role.arguments)
    except TypeError:
        own = inspect.signature(function)
        raise Mistake(told(function, f"it takes {own}, and not ({wanted})")) from None


def check_body(dispatcher: Any, role: Role) -> None:
    """Compile a function on its own; raise a Mistake if that fails."""
    try:
        with without_garbage_collection():
            dispatcher.get_call_template(signature_of(role.kinds), {})  # knows of defaults
    except Exception as error:  # Numba raises errors of all kinds
        line, reason = _explained(dispatcher.py_func, error, role)
        error.args = tuple(_short(str(one)) for one in error.args)  # not pages of fields
        error.__suppress_context__ = True
        raise Mistake(told(dispatcher.py_func, reason, line)) from error.with_traceback(None)


def check_result(dispatcher: Any, role: Role) -> None:
    """Raise a Mistake if a function, which is compiled, returns what it should not."""
    from numba import types

    right: dict[str, Any] = {
        "number": (types.Integer, types.Float, types.Boolean),
        "whole number": types.Integer,
    }
    for compiled in dispatcher.overloads.values():
        result = types.unliteral(compiled.signature.return_type)
        if role.result and not isinstance(result, right[role.result]):
            reason = f"it returns {_called(result)}, and not a {role.result}"
            raise Mistake(told(dispatcher.py_func, reason))


def told(function: Callable[..., Any], reason: str, line: int | str | None = None) -> str:
    """The one line: where, who, why."""
    code = function.__code__
    place = line if isinstance(line, str) else f"{code.co_filename}:{line or code.co_firstlineno}"
    return f"{_from_here(place)}: {function.__name__}: {reason}"


def _from_here(place: str) -> str:
    """A path as short as it can be."""
    return place.removeprefix(f"{Path.cwd()}{os.sep}")


def _explained(
    function: Callable[..., Any], error: Exception, role: Role
) -> tuple[int | str | None, str]:
    """Where a function is wrong, as far as that is known, and why."""
    if isinstance(error, KeyError) and error.args:
        name = str(error.args[0])
        return line_of(function, name), _no_field(name, role)
    if isinstance(error, AttributeError):
        return line_of(function, error.name), str(error)
    text = _short(str(error))
    reason = text
    for pattern, meaning in REASONS:
        found = re.search(pattern, text)
        if found:
            reason = found.expand(meaning)
            break
    return _place_in(text, error), " ".join(reason.split())


def _no_field(name: str, role: Role) -> str:
    """Numba's word for it is a KeyError."""
    records = [kind for kind in role.kinds if isinstance(kind, np.dtype) and kind.names]
    fields = [field for record in records for field in record.names or ()]
    near = get_close_matches(name, fields, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(fields)}"
    return f"{role.arguments[0]} has no field {name!r}{hint}"


def line_of(function: Callable[..., Any], name: str | None) -> int | None:
    """The first line of a function that mentions a name."""
    for instruction in dis.get_instructions(function):
        if name is not None and instruction.argval == name and instruction.positions:
            return instruction.positions.lineno
    return None


def _place_in(text: str, error: Exception) -> str | None:
    """The innermost place that a message names, outside of the compiler."""
    for path, line in re.findall(r"\b(?:at|from) (\S[^\n]*?) \((\d+)\)", text):
        if COMPILER not in path:
            return f"{path}:{line}"
    place = getattr(error, "loc", None)
    return place and f"{place.filename}:{place.line}"


def _short(text: str) -> str:
    for pattern, words in SHORT:
        text = re.sub(pattern, words, text, flags=re.DOTALL | re.IGNORECASE)
    return text


def _called(result: Any) -> str:
    """A type as people call it."""
    from numba import types

    words = {
        types.NoneType: "nothing",
        types.Optional: "nothing in some cases",
        types.Generator: "a generator",
        types.BaseTuple: "a tuple",
    }
    for kind, word in words.items():
        if isinstance(result, kind):
            return word
    return _short(str(result))
