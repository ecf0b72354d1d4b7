"""What the compiled code of a user's function depends on, as one digest.

Compiled code is kept and used again, so it must be known by all that is in it: not only by the
function's own bytecode, but by its defaults, by the values that it closes over, by the globals that
it reads, and by all that for every function it calls.  Numba takes globals for constants: what has
been compiled with one value goes on with it when there is another.  ``refresh`` therefore also lets
helpers that were compiled with other values be compiled again.

What cannot be followed is refused where code is to be kept: an object without a value that could
be compared, and arrays that compiled code would not hold as a copy, but by their address.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import sys
from collections.abc import Callable, Iterator
from enum import Enum, EnumMeta
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from montego.kernels.compiler.diagnosis import Mistake, line_of, told
from montego.kernels.compiler.first_use import MAKING
from montego.kernels.compiler.jit import Intrinsic, Kernel

LIBRARIES = sys.stdlib_module_names | {"llvmlite", "montego", "numba", "numpy"}
"""Known by their versions, which the folder of compiled code is named after."""
LARGEST_ARRAY = 1_000_000
"""Bytes; Numba holds larger ones by their address."""
PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), np.dtype)

Chain = tuple[str, ...]
"""A name and the attributes that are asked of it: ("np", "uint64")."""
_compiled_with: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""The digest of what a helper was compiled with."""


def refresh(function: Callable[..., Any], strict: bool = True) -> Follower:
    """All that a function depends on; helpers that were compiled with other values are forgotten.

    If ``strict`` raises a Mistake for what cannot be followed.  If not, it is held: as long as what
    this returns lives, no address in compiled code becomes that of something else.
    """
    with MAKING:
        follower = Follower(strict)
        follower.function(function)
        for helper in follower.helpers:
            own = Follower(strict)
            own.add(helper, function, "")
            forget_unless(helper, own.digest())
        return follower


def forget_unless(helper: Any, digest: str) -> None:
    """Let a helper be compiled again unless it has been compiled with the same."""
    before, _compiled_with[helper] = _compiled_with.get(helper), digest
    if before == digest:
        return
    if isinstance(helper, Kernel):
        helper.__dict__.pop("dispatcher", None)
    elif helper.overloads:
        helper.recompile()


class Follower:
    """Collects what a function depends on."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.hash = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []
        self.helpers: list[Any] = []
        """Compiled functions that were met."""

    def digest(self) -> str:
        return self.hash.hexdigest()[:16]

    def note(self, *tokens: Any) -> None:
        self.hash.update(repr(tokens).encode())

    def function(self, function: Any) -> None:
        """Its code, and all that it mentions."""
        if self.has_seen(function):
            return
        self.note(*tokens_of(function.__code__))
        code, cells = function.__code__, function.__closure__ or ()
        closed = dict(zip(code.co_freevars, cells, strict=True))
        self.value(function.__defaults__, function, "its defaults")
        self.value(tuple(sorted((function.__kwdefaults__ or {}).items())), function, "its defaults")
        for is_closed, chain in references(code):
            name = ".".join(chain)
            self.note(is_closed, name)
            if is_closed and chain[0] in closed:
                self.chain(cell_of(closed[chain[0]]), chain, function)
            elif not is_closed and chain[0] in function.__globals__:
                self.chain(function.__globals__[chain[0]], chain, function)
            elif not is_closed:
                self.note("builtin", hasattr(builtins, chain[0]))

    def has_seen(self, thing: Any) -> bool:
        """Whether we have been here: functions may call each other."""
        if id(thing) in self.seen:
            self.note("seen", self.seen[id(thing)])
            return True
        self.seen[id(thing)] = len(self.seen)
        self.kept.append(thing)
        return False

    def chain(self, value: Any, chain: Chain, user: Any) -> None:
        """A value, or for a module what is taken from it."""
        for attribute in chain[1:]:
            if not isinstance(value, ModuleType) or is_library(value.__name__):
                break
            if not hasattr(value, attribute):
                self.note("no", attribute)
                return
            value = getattr(value, attribute)
        self.add(value, user, chain[0])

    def add(self, value: Any, user: Any, name: str) -> None:
        """A value that compiled code holds, or calls."""
        inner = inner_function(value)
        if inner is not None:
            self.note(type(value).__name__, options_of(value))
            if not isinstance(value, (FunctionType, Intrinsic)) and value not in self.helpers:
                self.helpers.append(value)
            self.function(inner)
        else:
            self.value(value, user, name)

    def value(self, value: Any, user: Any, name: str) -> None:
        """Something that is known by its value, or by its name."""
        kind = type(value)
        if isinstance(value, (tuple, list)):
            self.note(kind.__qualname__, len(value), getattr(value, "_fields", ()))
            for one in value:
                self.add(one, user, name)
        elif isinstance(value, np.ndarray):
            if value.nbytes > LARGEST_ARRAY or not (value.flags.c_contiguous or value.flags.fnc):
                self.refuse(value, user, name, "an array of more than a million bytes, or not in "
                            "one piece: it belongs into the state")  # fmt: skip
            self.note(repr(value.dtype), value.shape, value.strides, value.tobytes())
        elif isinstance(value, Enum):
            self.note(kind.__qualname__, value.name, repr(value.value))
        elif isinstance(value, EnumMeta):
            self.note(value.__qualname__, [(one.name, repr(one.value)) for one in value])  # type: ignore[var-annotated]
        elif isinstance(value, np.generic):
            self.note(repr(value.dtype), value.tobytes())
        elif isinstance(value, PLAIN):
            self.note(kind.__name__, repr(value))
        elif is_library_object(value) or is_plain_class(value):
            self.note(getattr(value, "__module__", ""), getattr(value, "__qualname__", repr(value)))
        else:
            self.refuse(value, user, name, f"a {kind.__name__}")

    def refuse(self, value: Any, user: Any, name: str, what: str) -> None:
        """It cannot be told whether this changes."""
        if self.strict:
            reason = f"compiled code cannot use {name}, {what}"
            raise Mistake(told(user, reason, line_of(user, name)))
        self.has_seen(value)
        self.note(id(value))


def inner_function(value: Any) -> Any:
    """The Python function inside of what compiled code can call, if it is that."""
    if isinstance(value, FunctionType):
        return None if is_library(value.__module__) else value
    if isinstance(value, (Kernel, Intrinsic)):
        return value._function
    inner = getattr(value, "py_func", None) if hasattr(value, "recompile") else None
    return inner if isinstance(inner, FunctionType) else None


def options_of(value: Any) -> str:
    """How it is compiled."""
    options = getattr(value, "_options", None) or getattr(value, "targetoptions", None) or {}
    return repr(sorted((name, repr(option)) for name, option in options.items()))


def is_library(module: str | None) -> bool:
    """Whether a module belongs to what versions are known of."""
    return (module or "builtins").partition(".")[0] in LIBRARIES


def is_library_object(value: Any) -> bool:
    """A function, class or type of a library; of a module, the library itself."""
    if isinstance(value, ModuleType):
        return is_library(value.__name__)
    if isinstance(value, np.ufunc):
        return True
    if "numba" in sys.modules and isinstance(value, sys.modules["numba"].types.Type):
        return True
    named = callable(value) and hasattr(value, "__qualname__")
    return named and is_library(getattr(value, "__module__", ""))


def is_plain_class(value: Any) -> bool:
    """A class that compiled code knows by its name: exceptions, and tuples with names."""
    return isinstance(value, type) and issubclass(value, (Exception, tuple))


def cell_of(cell: Any) -> Any:
    """What a function closes over."""
    try:
        return cell.cell_contents
    except ValueError:  # nothing yet
        return None


# --- bytecode --------------------------------------------------------------------------


@lru_cache(4096)
def tokens_of(code: CodeType) -> tuple[Any, ...]:
    """What tells one bytecode from another, wherever it stands in its file."""
    consts = [
        tokens_of(const) if isinstance(const, CodeType)
        else sorted(map(repr, const)) if isinstance(const, frozenset) else repr(const)
        for const in code.co_consts
    ]  # fmt: skip
    return (
        code.co_name, code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars,
        code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_flags,
    )  # fmt: skip


@lru_cache(4096)
def references(code: CodeType) -> tuple[tuple[bool, Chain], ...]:
    """What code mentions: whether it is closed over, and the name with its attributes."""
    found = dict.fromkeys(_mentioned(code))
    for const in code.co_consts:
        if isinstance(const, CodeType):
            found |= dict.fromkeys(references(const))
    return tuple(found)


def _mentioned(code: CodeType) -> Iterator[tuple[bool, Chain]]:
    chain: list[str] = []
    is_closed = False
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name == "EXTENDED_ARG":
            continue
        if chain and name in ("LOAD_ATTR", "LOAD_METHOD"):
            chain.append(instruction.argval)
            continue
        if chain:
            yield is_closed, tuple(chain)
            chain = []
        if name in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"):
            chain, is_closed = [instruction.argval], name.endswith("DEREF")
