"""How well moves are guessed by what was learned, as a picture."""

from __future__ import annotations

from pathlib import Path

from montego.kernels.features.learning import STAGE_MOVES
from montego.knowledge.learning import GUESSES, Accuracy
from montego.planning.figures import canvas, save

MOST_GUESSES = 50
INCHES = (9.0, 3.6)


def draw_accuracy(accuracy: Accuracy, title: str, path: Path) -> None:
    """Accuracy by the number of guesses, and by the stage of the game."""
    picture, (cumulative, stages) = canvas(columns=2, inches=INCHES)
    picture.suptitle(title)
    numbers = range(1, MOST_GUESSES + 1)
    cumulative.plot(numbers, [100 * accuracy.within(n) for n in numbers])
    cumulative.set(xlabel="guesses", ylabel="moves guessed, %", ylim=(0, 100))
    for guesses in GUESSES:
        parts = accuracy.by_stage(guesses)
        known = [(STAGE_MOVES * (k + 0.5), 100 * p) for k, p in enumerate(parts) if p is not None]
        label = "first guess" if guesses == 1 else f"{guesses} guesses"
        stages.plot(*zip(*known, strict=True), marker="o", markersize=3, label=label)
    stages.set(xlabel="move of the game", ylim=(0, 100))
    stages.legend()
    for axes in (cumulative, stages):
        axes.grid(alpha=0.3)
    save(picture, path)
