"""Errors in a problem, a graph or a request; the message names the state."""

from __future__ import annotations

from typing import Any

LONGEST_NAME = 200
"""Characters of a state in a message; boards can be pages long."""


class PlanningError(ValueError):
    """A request that cannot be met; the message is one line for the user."""

    exit_code = 2
    """Of a command: 2 is a mistake in the request."""


class ProblemError(PlanningError):
    """A problem that is inconsistent in a ``state``."""

    def __init__(self, message: str, state: Any) -> None:
        super().__init__(f"{message}: {named(state)}")
        self.state = state


class KernelError(PlanningError):
    """A user's kernel that cannot be compiled; the message is one line, the cause is Numba's."""


class ObjectiveError(PlanningError):
    """An objective that returns no number, or raises what cannot be pickled."""

    exit_code = 1


class WorkerDiedError(PlanningError):
    """A worker process that ended in the middle of its work."""

    exit_code = 1


class CycleError(ProblemError):
    """A cycle where there must be none."""


class SubstructureError(PlanningError):
    """Dynamic programming on a problem without optimal substructure."""


def named(state: Any) -> str:
    """A state as text on one line."""
    text = " ".join(repr(state).split())
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 2] + " …"
