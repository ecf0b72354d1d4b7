"""What can be wrong with a book."""

from __future__ import annotations


class BookError(ValueError):
    """A book that cannot be used as was asked; the message names the file and the reason."""
