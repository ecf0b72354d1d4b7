"""Orego's heuristics by name, and a heuristic of the user's own at native speed.

The decorator turns a plain function of (board, point, color) into machine code with a plain
C signature.  A playout policy carries only the address of that code, so nothing else has to
be compiled for it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from montego.kernels.board.board import BOARD
from montego.kernels.compiler.first_use import MAKING
from montego.kernels.playouts.policy import BY_CAPTURE, BY_FIGHTING, BY_PATTERN

HEURISTICS = {"capture": BY_CAPTURE, "fighting": BY_FIGHTING, "pattern": BY_PATTERN}
"""Those that are built in (H1-H3)."""


class HeuristicError(ValueError):
    """A heuristic that cannot be one; the message is one line, its cause what Numba said."""


class Heuristic:
    """A compiled heuristic; call it with a board record, a point and a colour to try it."""

    def __init__(self, function: Callable[[Any, int, int], float]) -> None:
        if not isinstance(function, FunctionType):
            raise HeuristicError(f"a heuristic is a function, not {function!r}")
        self.name = function.__name__
        self.__doc__ = function.__doc__
        from montego.kernels.compiler.dependencies import refresh

        with MAKING:
            self._depends = refresh(function, strict=False)  # held: code may have its address
            self._compile(function)

    def _compile(self, function: Callable[[Any, int, int], float]) -> None:
        import numba
        from numba import types

        from montego.kernels.compiler.diagnosis import (
            Mistake,
            Role,
            check_arguments,
            check_body,
            check_result,
        )

        role = Role("heuristic", ("board", "point", "color"), (BOARD, int, int), "number")
        signature = types.float64(types.voidptr, types.int64, types.int64)
        self._compiled = numba.njit(error_model="numpy")(function)
        try:
            check_arguments(function, role)
            check_body(self._compiled, role)
            check_result(self._compiled, role)
        except Mistake as mistake:
            raise HeuristicError(str(mistake)) from mistake.__cause__
        self._entry = numba.cfunc(signature, error_model="numpy")(_entry_point(self._compiled))

    @property
    def address(self) -> int:
        """Where the compiled code is; valid as long as this object lives."""
        return int(self._entry.address)

    def __call__(self, board: Any, point: int, color: int) -> float:
        if getattr(board, "dtype", None) != BOARD or board.ndim:
            raise HeuristicError(
                f"{self.name} takes a board record, such as position.board_copy()[0], "
                f"not {type(board).__name__}"
            )
        point, color = operator.index(point), operator.index(color)
        return float(self._compiled(board, point, color))

    def __repr__(self) -> str:
        return f"heuristic({self.name})"


def _entry_point(compiled: Any) -> Callable[[Any, int, int], float]:
    """A function that finds the board behind a bare pointer."""
    from numba import carray

    def entry(pointer, point, color):  # type: ignore[no-untyped-def]
        return np.float64(compiled(carray(pointer, 1, BOARD)[0], point, color))

    return entry


def heuristic(function: Callable[[Any, int, int], float]) -> Heuristic:
    """Compile ``f(board, point, color) -> value``: the higher the value, the better the move."""
    return Heuristic(function)


def check_heuristic(chosen: object) -> None:
    """Raise a HeuristicError for what is neither one of ours nor decorated."""
    if isinstance(chosen, Heuristic) or (isinstance(chosen, str) and chosen in HEURISTICS):
        return
    if callable(chosen):
        name = getattr(chosen, "__name__", repr(chosen))
        raise HeuristicError(f"{name} is no heuristic yet: put @heuristic over it")
    raise HeuristicError(f"unknown heuristic {chosen!r}: not one of {[*HEURISTICS]}")
