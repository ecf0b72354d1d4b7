"""Clusters as values: the method, the machines, and what is between them.

Written as a player's settings: ``montego,cluster=slow-tree,machines=16,cluster.delay=20``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

import numpy as np

from montego.cluster.broadcaster import Broadcaster
from montego.cluster.machine import Machine, Sharing, seeds_of
from montego.cluster.mpi import Ranks
from montego.cluster.one_tree import DelayedSearch, LeafSearch
from montego.cluster.servers import SERVERS, Servers
from montego.cluster.virtual import Member, Network, VirtualCluster
from montego.engine.answer import Search
from montego.mcts.ranges import BOOLEANS
from montego.mcts.recipes import Recipe

PREFIX = "cluster."
"""What the names of a cluster's settings begin with, but its method and its machines."""
METHODS = ("leaf", "root", "multiple-runs", "threads", "share-everything", "slow-tree")
RANGES: dict[str, tuple[float, float]] = {
    "machines": (1, 4096),
    "between": (1, 10**9),
    "share": (0, 1),
    "depth": (1, 100),
    "delay": (0, 10**9),
    "loss": (0, 1),
    "spread": (0, 0.9),
}
"""The least and the most of every number."""


@dataclass(frozen=True)
class Virtual:
    """A cluster of virtual machines; times are in simulations of a common machine."""

    method: str = "slow-tree"
    machines: int = 4
    between: int = 100
    """Time between two shares."""
    share: float = 0.05
    """Part of the root's visits from which the children of a node are shared (T24)."""
    depth: int = 10
    rave: bool = True
    """Whether RAVE counts are shared."""
    delay: float = 0.0
    """Time that a message takes."""
    loss: float = 0.0
    """Part of the messages that never arrive."""
    spread: float = 0.0
    """Speeds are from 1 - spread to 1 + spread."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            known = ", ".join((*METHODS, SERVERS))
            raise ValueError(f"{self.method!r} is not a method: {known} are")
        for name, (least, most) in RANGES.items():
            number = getattr(self, name)
            if not least <= number <= most:
                raise ValueError(
                    f"{name} of a cluster has to be between {least:g} and {most:g}, not {number:g}"
                )

    def check(self, recipe: str = "") -> None:
        """Everything that it takes is here."""

    def make(self, recipe: Recipe, threads: int, memory_mb: int, seed: int) -> Search:
        """The search; the memory is that of all machines, the threads are those of this process."""
        if self.method in ONE_TREE:
            return ONE_TREE[self.method](recipe, self.machines, memory_mb, seed)
        each = max(memory_mb // self.machines, 1)
        members = [self._member(recipe, each, own) for own in seeds_of(seed, self.machines)]
        network = Network(self.machines, self.delay, self.loss, seed)
        between = math.inf if self.method == "root" else self.between
        return VirtualCluster(members, network, between, self.speeds(seed), threads)

    def _member(self, recipe: Recipe, memory_mb: int, seed: int) -> Member:
        if self.method == "share-everything":
            return Broadcaster(recipe, 1, memory_mb, seed)
        return Machine(recipe, 1, memory_mb, seed, self.sharing())

    def sharing(self) -> Sharing:
        """What of the trees is shared; root and multiple runs share the root alone (T20)."""
        if self.method == "slow-tree":
            return Sharing(self.share, self.depth, self.rave)
        return Sharing(share=1.0, depth=1, rave=False)

    def speeds(self, seed: int) -> list[float]:
        """Of every machine; their mean is 1."""
        even = np.linspace(1 - self.spread, 1 + self.spread, self.machines)
        return [float(s) for s in np.random.default_rng(seed).permutation(even)]


Cluster = Virtual | Ranks | Servers
"""Machines that search together: virtual ones in this process, or real processes."""
PLAIN = ("cluster", "machines", "ranks", "servers")
"""Settings whose names have no prefix."""
ONE_TREE: dict[str, Callable[[Recipe, int, int, int], Search]] = {
    "leaf": LeafSearch,
    "threads": DelayedSearch,
}
"""Methods with a single tree."""


def parse_settings(given: Mapping[str, str], kind: type[Any] = Virtual) -> Any:
    """A cluster from what is written, by name; raises ValueError."""
    written = [field for field in fields(kind) if field.metadata.get("is_written", True)]
    known = {field.name: cast(Any, field.default) for field in written}
    values: dict[str, Any] = {}
    for name, text in given.items():
        if name not in known:
            raise ValueError(f"a cluster has no {name!r}: {', '.join(known)} are known")
        default = known[name]
        try:
            if isinstance(default, bool):
                values[name] = BOOLEANS[text.lower()]
            else:
                values[name] = type(default)(text)
        except (KeyError, ValueError):
            raise ValueError(f"{text!r} is not a value for {name} (usually {default})") from None
    return kind(**values)


def take_cluster(given: dict[str, str]) -> Cluster | None:
    """The cluster among what is written for a player; its settings are taken out.  None if there
    is none; raises ValueError."""
    names = [name for name in given if name in PLAIN or name.startswith(PREFIX)]
    taken: dict[str, str] = {}
    for name in names:
        if (short := name.removeprefix(PREFIX)) in taken:
            raise ValueError(f"{short} is set twice")
        taken[short] = given.pop(name)
    if not taken:
        return None
    if "cluster" not in taken:
        raise ValueError(f"{names[0]}= goes with cluster=METHOD: {', '.join(METHODS)}")
    written = {"method": taken.pop("cluster"), **taken}
    kind = Ranks if "ranks" in written else Servers if written["method"] == SERVERS else Virtual
    cluster: Cluster = parse_settings(written, kind)
    return cluster
