"""Extra komi: what a search counts besides the real komi, so that its playouts tell moves apart.

Far ahead or far behind, nearly all playouts end alike, and the tree learns little from them.
With extra komi the game looks even to the tree (P. Baudiš, "Balancing MCTS by dynamically
adjusting the komi value", ICGA Journal 34(3), 2011).  Only results that enter the tree count
it: values and scores that a search tells are by the real komi.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

CLOSE = 3.0
"""Points by which the extra komi of two searches may differ for one tree to serve both.

What a tree has learned by nearly the same komi still orders its moves, and new results soon
outnumber it; after a jump, moves would be compared that were tried by different komi."""

Adjust = Callable[[float, float], float]
"""From the extra komi and Black's mean result with it (-1 to 1): the extra komi to go on with."""


@dataclass(frozen=True)
class Balance:
    """The extra komi of a search."""

    extra_komi: float = 0.0
    """Points more for White."""
    adjust: Adjust | None = None
    """How it moves while the search goes on; None: not at all."""
    every: int = 100
    """Simulations from one such move to the next."""


EVEN = Balance()
"""The real komi alone."""


@runtime_checkable
class Balanceable(Protocol):
    """A search that knows extra komi; those over many machines do not."""

    def balance(self, balance: Balance) -> None: ...


def balance_search(search: object, balance: Balance) -> None:
    """Let a search count with extra komi from now on, if it can."""
    if isinstance(search, Balanceable):
        search.balance(balance)
