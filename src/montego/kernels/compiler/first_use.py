"""What is made when it is first asked for, whoever asks: one thread makes it, the others wait.

Code is compiled or loaded at its first use, and several threads may come to it at the same time.
There is one lock for all of it, so that no two of them can wait for each other.

A process that is forked inherits locks as they are, but not the threads that would open them.  So
a fork waits until nothing is being made; then neither ours nor the compiler's own are closed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from threading import RLock
from typing import Any, TypeVar

MAKING = RLock()
"""Held by the thread that is making something."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=MAKING.acquire, after_in_parent=MAKING.release, after_in_child=MAKING.release
    )

T = TypeVar("T")


def once(function: Callable[..., T]) -> Callable[..., T]:
    """``functools.cache`` that never calls a function twice with the same arguments."""
    made: dict[tuple[Any, ...], T] = {}

    @wraps(function)
    def get(*arguments: Any) -> T:
        if arguments not in made:
            with MAKING:
                if arguments not in made:
                    made[arguments] = function(*arguments)
        return made[arguments]

    return get


def lazy_names(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's ``__getattr__`` that imports a name when it is first used, from its module."""

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with MAKING:  # a fork waits for it: the locks of modules are inherited like all others
            found = getattr(import_module(f"{package}.{modules[name]}"), name)
            setattr(sys.modules[package], name, found)
        return found

    return find
