"""A network as a part of a recipe: which one, when it is asked, and what its word is worth.

The kernels are in kernels/tree/network.py and kernels/net; the file of a network is described in
knowledge/network.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from montego.go.points import MIN_SIZE
from montego.kernels.board.board import MAX_SIZE
from montego.kernels.compiler.aligned import empty_aligned
from montego.kernels.tree.network import asker_address, network_code_address, scratch_of
from montego.knowledge.network import BY_SIZE, SHIPPED, packed_network, weights_for
from montego.mcts.ranges import CHANCE, Range
from montego.mcts.strategies import Strategy

BELIEVED, UNBELIEVED = 0.4, 0.2
"""Part of the board that is empty: from here on values count less and less, and no more.  They were
learned from positions in which about a sixth or more is."""


class NetworkUse(Strategy):
    """Whether a network is asked, and how."""

    SLOT: ClassVar[str] = "network"

    def scratch(self) -> Any:
        """What a thread needs to ask; None for nothing."""
        return None

    def name_on(self, size: int) -> str:
        """The network that is asked on a board of this size."""
        return ""

    def on_board(self, size: int) -> dict[str, Any]:
        """The numbers of the kernels that depend on the size of the board."""
        return {}

    def belief(self, empty: float) -> float:
        """How far its values are believed, from 0 to 1, where this part of the board is empty."""
        return 0.0


class NoNetwork(NetworkUse):
    """Cheap knowledge alone."""

    KIND: ClassVar[int] = 0


@dataclass(frozen=True)
class PolicyNetwork(NetworkUse):
    """A network that guesses moves: its probabilities take the place of H from T visits on.  If it
    says who wins, that counts as well."""

    RANGES: ClassVar[dict[str, Range]] = {"at": (1, 2**31 - 1), "share": CHANCE, "value": CHANCE}
    weights: str = BY_SIZE
    """One that comes with the program, by width and blocks, or a file of ``learn --network``; by
    size: 96x5, and 64x3 on boards of fewer than 9 lines."""
    at: int = 8
    """T: the visits of a node when it is asked."""
    games: float = 100.0
    """Games won before the first one is played, for a move that is certain."""
    share: float = 1.0
    """Of its probabilities; the rest is what was known before."""
    value: float = 0.7
    """Lambda: of its value in the results of simulations; the rest is the playout's."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights not in (BY_SIZE, *SHIPPED):
            packed_network(self.weights)  # a file that is no good is told at once

    def numbers(self) -> dict[str, Any]:
        return {
            "network_code": network_code_address(),
            "asker": asker_address(),
            "network_at": self.at,
            "network_games": self.games,
            "network_share": self.share,
        }

    def name_on(self, size: int) -> str:
        return weights_for(self.weights, size)

    def on_board(self, size: int) -> dict[str, Any]:
        chosen = packed_network(self.name_on(size))
        value = self.value if chosen.has_value else 0.0
        return {"network": chosen.address, "network_value": value}

    def belief(self, empty: float) -> float:
        return min(max((empty - UNBELIEVED) / (BELIEVED - UNBELIEVED), 0.0), 1.0)

    def scratch(self) -> Any:
        """Scratch space for one thread, on any board; a network that is damaged is told here."""
        names = {self.name_on(size) for size in (MIN_SIZE, MAX_SIZE)}
        widths = [int(packed_network(name).record["width"]) for name in names]
        return empty_aligned(scratch_of(max(widths)), np.float32)
