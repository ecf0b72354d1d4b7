"""A page without a browser: what it says, and what it hears."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import connect
from websockets.typing import Origin

PATIENCE = 120.0
"""Seconds until something has to have happened, also on a busy machine."""


class Client:
    """One WebSocket."""

    def __init__(self, address: str, *, keeps_all: bool = False, **headers: str) -> None:
        """One that keeps all reads on while nobody listens, as browsers do; others wait."""
        place = urlsplit(address)
        origin = headers.pop("origin", f"http://{place.netloc}")
        self.visit = connect(
            f"ws://{place.netloc}/ws",
            origin=Origin(origin),
            additional_headers=headers,
            max_size=None,
            max_queue=None if keeps_all else 16,
            proxy=None,
        )
        self.socket = self.visit.__enter__()
        self.state: dict[str, Any] = {}
        self.problems: list[dict[str, Any]] = []

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.visit.__exit__(None, None, None)

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def hear(self) -> dict[str, Any]:
        """The next message; states and problems are remembered."""
        told: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
        if told["type"] == "state":
            self.state = told
        elif told["type"] == "problem":
            self.problems.append(told)
        return told

    def until(
        self, kind: str, holds: Callable[[dict[str, Any]], bool] = lambda told: True
    ) -> dict[str, Any]:
        """The next message of a kind for which something holds."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            told = self.hear()
            if told["type"] == kind and holds(told):
                return told
        raise TimeoutError(kind)

    def begin(self, mode: str = "play", **settings: Any) -> dict[str, Any]:
        """A small, quick game."""
        usual = {"size": 5, "limit": {"by": "simulations", "amount": 20}}
        self.say("new", settings=usual | settings, mode=mode)
        return self.until("state")

    def play(self, move: str) -> None:
        self.say("play", move=move, at=self.state["at"])

    def play_all(self, moves: list[str]) -> None:
        """Moves of both sides, each after the one before has been heard of."""
        for move in moves:
            before = self.state["at"]
            self.play(move)
            while self.state["at"] == before:
                self.hear()

    def moves(self) -> list[str]:
        """The moves of the line, by name."""
        nodes = {node["id"]: node for node in self.state["nodes"]}
        return [nodes[number]["move"] for number in self.state["line"][1:]]


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    told = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(word) for word in told.split()]
