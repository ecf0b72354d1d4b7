"""What can be wrong with what the laboratory was asked to do."""

from __future__ import annotations

from pathlib import Path


class LabError(ValueError):
    """A request that cannot be met; the message is one line for the user."""

    exit_code = 2
    """Of a command: 2 is a mistake in the request."""


class RecordError(LabError):
    """A folder that cannot be used; the message says why."""


def cannot_go_on(path: Path, error: OSError) -> RecordError:
    """What is told where nothing more can be kept."""
    told = error.strerror or "cannot be written"
    return RecordError(f"{path}: {told}; what is recorded stays, the same command resumes")
