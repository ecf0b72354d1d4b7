"""R8: where a heuristic belongs: in the playouts, at their start, or in the order of moves."""

from __future__ import annotations

from montego.lab.experiments.matches import GNUGO, Amount, duel
from montego.lab.experiments.model import Claim, Experiment, Panel, Row, Scale

PANEL = Panel("games won against GNU Go level 10, 9×9")
HEURISTICS = ("capture", "fighting", "pattern")
NUMBERS = (2, 4, 16)
AMOUNTS = {Scale.quick: Amount("simulations=2000", 8), Scale.full: Amount("seconds=1", 320)}


def rows(scale: Scale) -> list[Row]:
    def row(key: str, label: str, parameters: str, recipe: str = "orego") -> Row:
        player = f"search:{recipe},{parameters}"
        opponent = GNUGO.format(10)
        return duel("R8", scale, key, PANEL, label, (player, opponent), 9, AMOUNTS[scale])

    found = [row("none", "no heuristic", "playout.best_of=1")]
    for name in HEURISTICS:
        chosen = f"playout.heuristic={name}"
        found += [
            row(f"{name}-best-{n}", f"{name}, best of {n}", f"{chosen},playout.best_of={n}")
            for n in NUMBERS
        ]
        found += [
            row(
                f"{name}-first-{n}", f"{name}, first {n}",
                f"{chosen},playout.best_of=1,playout.first={n}",
            )
            for n in NUMBERS
        ]  # fmt: skip
        found.append(
            row(
                f"{name}-ordering", f"{name}, move ordering", f"knowledge.heuristic={name}",
                recipe="orego-ordering",
            )
        )  # fmt: skip
    return found


EXPERIMENT = Experiment(
    "R8",
    "Where heuristics are applied",
    "Move ordering vs heavy playouts, experiment 3, figures 1 to 3",
    rows,
    claims=(
        Claim("capture helps, best of 2", "capture-best-2", "none"),
        Claim("capture helps, best of 4", "capture-best-4", "none"),
        Claim("fighting helps, best of 4", "fighting-best-4", "none"),
        Claim("fighting helps, best of 16", "fighting-best-16", "none"),
        Claim("capture: best of 2 before first 2", "capture-best-2", "capture-first-2"),
        Claim("fighting: best of 4 before first 4", "fighting-best-4", "fighting-first-4"),
        Claim("fighting: best of 4 before move ordering", "fighting-best-4", "fighting-ordering"),
    ),
    finding="Best-of-n in the playouts beats first-n and move ordering; patterns do not help.",
    notes="One second a move in place of 15, GNU Go 3.8 in place of 3.6. The paper's figures "
    "have no numbers in its text.",
)
