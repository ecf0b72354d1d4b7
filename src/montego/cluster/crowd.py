"""A search that is one of many which look for the same move."""

from __future__ import annotations

from montego.mcts.found import Found
from montego.mcts.search import LocalSearch


class InCrowd(LocalSearch):
    """A search in whose tree the simulations of others count as well."""

    crowd: int = 1
    """How many search for this one's move, itself included, each as fast as this one."""

    def _cannot_be_caught(self, simulations_left: float) -> bool:
        return super()._cannot_be_caught(self.crowd * simulations_left)

    def found(self, simulations: int, seconds: float) -> Found:
        """The state of the search; the simulations are those of all."""
        return super().found(self.crowd * simulations, seconds)
