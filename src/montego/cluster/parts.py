"""The methods of real machines: what each machine of a job does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from montego.cluster import wire
from montego.cluster.broadcaster import Broadcaster
from montego.cluster.broadcasts import BroadcastsPart
from montego.cluster.exchange import Mail, Part
from montego.cluster.layout import Layout
from montego.cluster.leaves import HEAD, LeafClient, LeafPart, ServerPart
from montego.cluster.machine import Machine, Sharing, seeds_of
from montego.cluster.remote import Server
from montego.cluster.sums import Sums
from montego.go import Position
from montego.go.points import all_points
from montego.kernels.board.board import PASS
from montego.mcts.avoid import Avoid
from montego.mcts.recipes import Recipe

Settings = Mapping[str, Any]
"""What the player says of a job: recipe, threads, memory, method, period and so on."""


class SumsPart:
    """A machine whose nodes near the root are summed up with those of all others; a Part."""

    def __init__(self, machine: Machine, comm: Any, period: float | None) -> None:
        self.machine, self._comm, self._period = machine, comm, period

    def begin(self, search: int, position: Position, avoided: tuple[Avoid, ...]) -> Sums:
        self.machine.set_position(position, avoided)
        moves = np.array([PASS, *all_points(position.size)], dtype=np.int64)
        layout = Layout(self.machine.key, moves, self.machine.sharing)
        sums = Sums(self.machine, layout, self._period or math.inf, self._comm)
        sums.in_a_hurry = self._period is not None
        return sums


def _sums(comm: Any, recipe: Recipe, seed: int, told: Settings) -> Part:
    sharing = Sharing(**told["sharing"])
    machine = Machine(recipe, told["threads"], told["memory"], seed, sharing)
    return SumsPart(machine, comm, told["period"])


def _broadcasts(comm: Any, recipe: Recipe, seed: int, told: Settings) -> Part:
    machine = Broadcaster(recipe, told["threads"], told["memory"], seed)
    return BroadcastsPart(machine, Mail(comm), told["period"])


def _leaves(comm: Any, recipe: Recipe, seed: int, told: Settings) -> Part:
    if comm.Get_rank() == HEAD:
        return LeafPart(LeafClient(recipe, told["memory"], seed), Mail(comm))
    return ServerPart(Server(recipe, seed), Mail(comm))


PARTS: dict[str, Callable[[Any, Recipe, int, Settings], Part]] = {
    "leaf": _leaves,
    "root": _sums,
    "multiple-runs": _sums,
    "share-everything": _broadcasts,
    "slow-tree": _sums,
}


def make_part(comm: Any, told: Settings) -> Part:
    """The part of this machine in a job."""
    ranks = comm.Get_size()
    seed = seeds_of(told["seed"], ranks)[comm.Get_rank()]
    part = PARTS[told["method"]](comm, wire.unpack_recipe(told["recipe"]), seed, told)
    if part.machine is not None:
        part.machine.crowd = ranks
    return part
