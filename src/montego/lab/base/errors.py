"""What can be wrong with what the laboratory was asked to do."""

from __future__ import annotations


class LabError(ValueError):
    """A request that cannot be met; the message is one line for the user."""

    exit_code = 2
    """Of a command: 2 is a mistake in the request."""


class RecordError(LabError):
    """A folder that cannot be used; the message says why."""
