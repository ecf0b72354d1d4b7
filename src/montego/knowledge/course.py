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
    ahead: int = 0
    """Candidates that it looks at for a move; the network learns what it finds there."""
    start: str = ""
    """The network that learns on; none, and one begins anew."""
    generations: int = 1
    """Parts of the games and of the steps: the games of each but the first are played by what has
    been learned in those before."""

    def plays_of(self, generation: int) -> tuple[tuple[int, int], ...]:
        """The games of a generation."""
        one = self.generations
        return tuple(
            (size, games * (generation + 1) // one - games * generation // one)
            for size, games in self.plays
        )

    def steps_until(self, generation: int) -> int:
        """Steps that have been taken at the end of a generation."""
        return self.steps * (generation + 1) // self.generations
