"""Levels of play, from a first game to the strongest: the same on every machine.

A level is data: a recipe, a number of simulations, and how much is left to chance.  The upper
levels differ by simulations, and the last one asks a network as well.  Below them some moves,
and at last all, are played without reading, by what people usually play in such a place; and
the choice among those gets freer (see weakness).  So a weak level is no strong player who throws
stones away: it sees what a beginner sees and misses what has to be read.  When to pass is
decided as soundly as ever.

A step is some 300 Elo on 9x9 in the mean: results/levels, docs/levels.md.  The module imports
nothing of the engine: the command line reads it before NumPy is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.engine.engine import Engine


@dataclass(frozen=True)
class Level:
    """An opponent of a known strength."""

    number: int
    name: str
    description: str
    """One line for people."""
    simulations: int
    temperature: float = 0.0
    impulse: float = 0.0
    sight: float = 0.0
    recipe: str = "classic"

    @property
    def title(self) -> str:
        """As people are told: "level 3, beginner"."""
        return f"level {self.number}, {self.name}"

    @property
    def parameters(self) -> dict[str, float]:
        """What it sets of the engine's own parameters; a level without chance sets them, too."""
        names = ("temperature", "impulse", "sight")
        return {f"manners.{name}": getattr(self, name) for name in names}


TABLE = (  # simulations, temperature, impulse, sight
    Level(1, "first game", "plays nearly anywhere, and takes stones when it happens to see them",
          10, 20, 1, 0.25),
    Level(2, "newcomer", "sees stones in atari, and seldom a good place", 10, 3.3, 1, 0.4),
    Level(3, "beginner", "plays where people play, without reading", 10, 1.55, 1, 0.4),
    Level(4, "improver", "plays common shapes, and does not read either", 10, 1, 1, 0.4),
    Level(5, "casual", "reads most of its moves, and draws among the good ones",
          25, 1, 0.3, 0.4),
    Level(6, "regular", "reads all of its moves, but not far", 25, 0.5),
    Level(7, "club", "plays the best of what it reads", 85),
    Level(8, "challenger", "reads well", 400),
    Level(9, "expert", "reads very well", 1_500),
    Level(10, "strongest", "reads as far as it can", 5_000, recipe="montego"),
)  # fmt: skip
"""All levels, the weakest first; their ratings are in docs/levels.md."""
LEVELS = len(TABLE)


def find_level(text: str | int) -> Level:
    """A level by its number or its name; raises a ValueError that says which there are."""
    wanted = " ".join(str(text).lower().split())
    for level in TABLE:
        if wanted in (str(level.number), level.name, level.name.replace(" ", "-")):
            return level
    raise ValueError(f"{text} is not a level: 1 to {LEVELS} are, or {_names()}")


def _names() -> str:
    return ", ".join(level.name for level in TABLE)


def levels_told() -> list[tuple[str, str]]:
    """Name and description of every level, the weakest first: what there is to choose from."""
    return [(level.name, level.description) for level in TABLE]


def play_at(engine: Engine, level: Level) -> None:
    """Let an engine play at a level from now on."""
    engine.set_recipe(level.recipe)
    engine.set_parameters(level.parameters)
    engine.clock.simulations, engine.clock.seconds = level.simulations, None


def level_of(engine: Engine) -> Level | None:
    """The level that an engine plays at, if it is one."""
    from montego.engine.parameters import find_recipe

    limits = (engine.clock.simulations, engine.clock.seconds)
    own = engine.parameters()
    for level in TABLE:
        is_it = limits == (level.simulations, None) and level.parameters.items() <= own.items()
        if is_it and engine.recipe == find_recipe(level.recipe):
            return level
    return None
