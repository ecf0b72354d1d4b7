"""What a network says of a position at once, without a search: its moves, and who wins.

It is what the recipe ``montego`` hears about a node that has earned it (kernels/tree/network).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from montego.go import BLACK, PASS, Position
from montego.go.points import row_and_column
from montego.kernels.features.planes import NO_MOVE, RECENT
from montego.kernels.net.forward import forward
from montego.kernels.net.games import write_turns
from montego.kernels.net.layout import KOMI_AT, write_inputs
from montego.kernels.playouts.policy import WORK
from montego.knowledge.examples import Examples
from montego.knowledge.network import BY_SIZE, new_scratch, packed_network, weights_for
from montego.knowledge.strengths import shipped_tables


@dataclass(frozen=True)
class Guess:
    """A network's word on a position."""

    network: str
    """The name of one that comes with the program, or a file."""
    probabilities: dict[int, float]
    """Of all legal moves but a pass, the likeliest first."""
    win_rate: float | None
    """The chance of who is to move, by the komi of the game; None if it does not say who wins."""


def guess(position: Position, network: str = BY_SIZE) -> Guess:
    """Ask a network; ``by-size`` is the one that ``montego`` asks on this board."""
    name, size = weights_for(network, position.size), position.size
    kernel = packed_network(name)
    scratch = new_scratch(kernel, size)
    write_inputs(scratch, _example(position).planes(0))
    scratch[KOMI_AT] = position.komi if position.to_play == BLACK else -position.komi
    value = forward(kernel.record, scratch, size)
    logits = {move: float(scratch[_number(move, size)]) for move in _moves(position)}
    return Guess(name, _softmax(logits), (1 + value) / 2 if kernel.has_value else None)


def _moves(position: Position) -> list[int]:
    return [move for move in position.legal() if move != PASS]


def _number(move: int, size: int) -> int:
    """A point's number on its own board, row by row."""
    row, column = row_and_column(move)
    return (row - 1) * size + column - 1


def _softmax(logits: dict[int, float]) -> dict[int, float]:
    highest = max(logits.values(), default=0.0)
    powers = {move: float(np.exp(logit - highest)) for move, logit in logits.items()}
    total = sum(powers.values())
    ordered = sorted(powers.items(), key=lambda one: -one[1])
    return {move: power / total for move, power in ordered}


def _example(position: Position) -> Examples:
    """The position as networks learn from them."""
    size = position.size
    codes, hints = (np.zeros(size * size, dtype=np.uint8) for _ in range(2))
    work = np.zeros(1, dtype=WORK)[0]
    write_turns(shipped_tables(size), work, position.board_copy(), codes, hints, 0, 1)
    latest = [move for _, move in position.moves[-RECENT:]][::-1]
    recent = np.full((1, RECENT), NO_MOVE, dtype=np.int16)
    for k, move in enumerate(latest):
        recent[0, k] = NO_MOVE if move == PASS else _number(move, size)
    nothing = np.zeros(1, dtype=np.int16)
    return Examples(size, codes[None], hints[None], recent, nothing, nothing)
