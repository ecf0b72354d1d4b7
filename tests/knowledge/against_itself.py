"""Games of a network against itself, for tests; needs PyTorch."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from montego.knowledge.network import find_network

torch: Any = import_module("torch") if find_spec("torch") else None
needs_torch = pytest.mark.skipif(torch is None, reason="PyTorch is not installed")


def shipped_tower(name: str = "32x2") -> Any:
    from montego.knowledge.tower import Tower

    return Tower.of(find_network(name))


def outcomes_of(size: int, count: int, seed: int = 1, ahead: int = 0) -> Any:
    from montego.knowledge.self_play import play_games
    from montego.mcts.playouts import KINDS

    judge = KINDS["expert"].record()
    return play_games(shipped_tower(), size, count, judge, seed, threads=2, ahead=ahead)
