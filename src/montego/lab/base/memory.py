"""How much memory this machine has."""

from __future__ import annotations

import os

UNKNOWN = 10**9
"""Megabytes, where the system does not tell: more than any machine has."""


def memory_mb() -> int:
    """All memory in megabytes, whoever uses it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 1_000_000
    except (OSError, ValueError, AttributeError):
        return UNKNOWN
