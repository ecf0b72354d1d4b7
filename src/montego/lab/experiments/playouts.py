"""Rows of the thesis' kind: MoGo with a rule in its playouts against MoGo without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from montego.lab.experiments.matches import Amount, duel
from montego.lab.experiments.model import Figure, Panel, Row, Scale

FULL_GAMES = 1_000
"""The thesis tells none."""
QUICK = {9: Amount("simulations=1000", 80), 19: Amount("simulations=500", 12)}


@dataclass(frozen=True)
class Case:
    """A size, a budget, and the figure of the thesis."""

    size: int
    budget: str
    paper: Figure
    threads: int = 1

    @property
    def key(self) -> str:
        return f"{self.size}x{self.size}-{self.budget.partition('=')[2]}" + (
            "s" if self.budget.startswith("seconds") else ""
        )


def with_against_without(
    experiment: str, panel: Panel, players: tuple[str, str], cases: tuple[Case, ...]
) -> Callable[[Scale], list[Row]]:
    """The rows; quick scale has the first case of every size, with fewer simulations."""

    def rows(scale: Scale) -> list[Row]:
        chosen = cases
        if scale is Scale.quick:
            chosen = tuple({case.size: case for case in reversed(cases)}.values())[::-1]
        return [
            duel(
                experiment,
                scale,
                case.key,
                panel,
                f"{case.size}×{case.size}",
                (players[0] + _threads(case), players[1] + _threads(case)),
                case.size,
                QUICK[case.size] if scale is Scale.quick else Amount(case.budget, FULL_GAMES),
                case.paper,
                case.threads,
            )
            for case in chosen
        ]

    return rows


def _threads(case: Case) -> str:
    return f",threads={case.threads}" if case.threads > 1 else ""
