"""The standard streams, where a program is started without one, or nobody reads what it says."""

from __future__ import annotations

import os
import sys


def open_missing() -> None:
    """Lead streams that are closed to nowhere: files that are opened must not get their numbers."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115 - until the end


def flush() -> int:
    """Write what waits in the buffers; an exit code if that cannot be."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _lead_to_nowhere()
        return 1
    except OSError as error:
        _lead_to_nowhere()
        print(f"montego: standard output: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def _lead_to_nowhere() -> None:
    """So that Python does not try it again at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def write_at_once(text: str) -> None:
    """Write to the standard output, past any buffer; a controller waits for it."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
