"""What can be wrong with a problem, a graph or a request; the message names the state."""

from __future__ import annotations

from typing import Any

LONGEST_NAME = 200
"""Characters of a state in a message; boards of puzzles can be pages long."""


class PlanningError(ValueError):
    """A request that cannot be met; the message is one line for the user."""

    exit_code = 2
    """Of a command: 2 is a mistake in the request."""


class ProblemError(PlanningError):
    """A problem that contradicts itself; ``state`` is where."""

    def __init__(self, message: str, state: Any) -> None:
        super().__init__(f"{message}: {named(state)}")
        self.state = state


class KernelError(PlanningError):
    """A kernel of the user's that cannot be compiled; the message is one line, its cause what
    Numba said."""


class ObjectiveError(PlanningError):
    """An objective that returns no number, or an exception of it that cannot leave its process."""

    exit_code = 1


class WorkerDiedError(PlanningError):
    """A process of an executor that ended in the middle of its work."""

    exit_code = 1


class CycleError(ProblemError):
    """A state that leads back to itself where no cycle may be."""


class SubstructureError(PlanningError):
    """Dynamic programming was asked for what best parts do not make best wholes of."""


def named(state: Any) -> str:
    """A state as one line of a message."""
    text = " ".join(repr(state).split())
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 2] + " …"
