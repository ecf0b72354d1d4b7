"""Files of text that the laboratory is given."""

from __future__ import annotations

from pathlib import Path

from montego.files import read_limited
from montego.lab.base.errors import LabError

MOST_BYTES = 10_000_000


def read_text_lines(path: Path, kind: type[LabError]) -> list[str]:
    """The lines of a file; raises an error of this kind for one that cannot be read."""
    try:
        return read_limited(path, MOST_BYTES).decode().splitlines()
    except OSError as error:
        raise kind(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise kind(f"{path} is no text in UTF-8: {error.reason} at byte {error.start}") from None
