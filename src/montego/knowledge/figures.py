"""How well moves are guessed, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from montego.kernels.features.learning import STAGE_MOVES
from montego.knowledge.learning import GUESSES

if TYPE_CHECKING:
    from montego.knowledge.learning import Accuracy

MOST_GUESSES = 50


def draw_accuracy(accuracy: Accuracy, title: str, path: Path) -> None:
    """Accuracy by the number of guesses, and by the stage of the game."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    figure.suptitle(title)
    cumulative, stages = figure.subplots(1, 2, sharey=True)
    numbers = range(1, MOST_GUESSES + 1)
    cumulative.plot(numbers, [100 * accuracy.within(n) for n in numbers])
    cumulative.set(xlabel="guesses", ylabel="moves guessed, %", ylim=(0, 100))
    for guesses in GUESSES:
        parts = accuracy.by_stage(guesses)
        known = [(STAGE_MOVES * (k + 0.5), 100 * p) for k, p in enumerate(parts) if p is not None]
        label = "first guess" if guesses == 1 else f"{guesses} guesses"
        stages.plot(*zip(*known, strict=True), marker="o", markersize=3, label=label)
    stages.set(xlabel="move of the game")
    stages.legend()
    for axes in (cumulative, stages):
        axes.grid(alpha=0.3)
    figure.savefig(path)
