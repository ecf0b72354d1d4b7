"""How a network is learned, in numbers: what a command is told, without PyTorch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Course:
    """How a network is learned."""

    width: int = 64
    blocks: int = 3
    steps: int = 20_000
    batch: int = 1024
    rate: float = 2e-3
    """The largest step."""
    decay: float = 1e-4
    warm_up: float = 0.05
    """Part of the steps in which the rate rises."""
    seed: int = 0
    plays: tuple[tuple[int, int], ...] = ()
    """Size of a board, and games on it that a network plays against itself: who wins is learned
    from these."""
    teacher: str = "96x5"
    """The network that plays them."""
