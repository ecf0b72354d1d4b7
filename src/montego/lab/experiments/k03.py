"""K3: how strong our program is: against GNU Go, by size of board and simulations."""

from __future__ import annotations

from montego.lab.experiments.matches import GNUGO, Amount, duel
from montego.lab.experiments.model import Experiment, Panel, Row, Scale

ENGINE = Panel("games won by the engine against GNU Go")
SEARCH = Panel("games won by the bare search against GNU Go")
ROWS = (  # size, GNU Go's level, simulations, games at the quick and the full scale
    (9, 10, 1000, 20, 100),
    (9, 10, 5000, 10, 100),
    (13, 10, 5000, 2, 40),
    (19, 0, 5000, 1, 20),
)


def rows(scale: Scale) -> list[Row]:
    return [
        *player_rows(scale, "classic", "", ENGINE),
        *player_rows(scale, "search:classic", "search-", SEARCH),
    ]


def player_rows(scale: Scale, player: str, prefix: str, panel: Panel) -> list[Row]:
    """A player on all boards."""
    found = []
    for size, level, simulations, quick, full in ROWS:
        amount = Amount(f"simulations={simulations}", quick if scale is Scale.quick else full)
        players = (player, GNUGO.format(level))
        key, label = f"{prefix}{size}x{size}-{simulations}", f"{size}×{size}, level {level}"
        found.append(duel("K3", scale, key, panel, label, players, size, amount))
    return found


EXPERIMENT = Experiment(
    "K3",
    "Montego against GNU Go",
    "our own question",
    rows,
    notes="GNU Go 3.8, Chinese rules, positional superko, komi 7.5; one thread each. The engine "
    "is what people play: it passes when the game is settled and resigns what is lost. The bare "
    "search plays its moves as they come; with 5,000 simulations it had fill board.",
)
