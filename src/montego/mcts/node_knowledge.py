"""What a search knows about the moves of a node, as values: the knowledge of a recipe.

The kernels are in kernels/tree/knowledge.py; field names are those of the record that they take
(see kernels/tree/strategy.py).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from montego.kernels.tree import strategy
from montego.knowledge.mogo import MogoTerms
from montego.mcts.heuristics import HEURISTICS
from montego.mcts.ranges import Range
from montego.mcts.strategies import Strategy


class NoKnowledge(Strategy):
    """Nothing is known about moves."""

    SLOT: ClassVar[str] = "knowledge"
    KIND: ClassVar[int] = strategy.NOTHING


@dataclass(frozen=True)
class MangoKnowledge(Strategy):
    """P9: captures and patterns, near the last moves.

    The paper does not print the scale of C beside P.  P is a chance in per cent, C the capture
    value of the playouts (P4) by 1,000.
    """

    SLOT: ClassVar[str] = "knowledge"
    KIND: ClassVar[int] = strategy.MANGO_KNOWLEDGE
    GIVES: ClassVar[tuple[str, ...]] = ("H",)
    capture_value: float = 50.0
    """For each stone captured."""
    save_value: float = 5.0
    """For each stone brought out of atari."""
    pattern_value: float = 100.0
    """For a pattern whose move is always played."""


@dataclass(frozen=True)
class VirtualGames(Strategy):
    """Games won or lost before the first one is played.

    The rules and their numbers are those of Baudiš's michi.
    """

    SLOT: ClassVar[str] = "knowledge"
    KIND: ClassVar[int] = strategy.VIRTUAL_GAMES
    GIVES: ClassVar[tuple[str, ...]] = ("H", "Q")
    even: float = 10.0
    near_1: float = 24.0
    near_2: float = 22.0
    near_3: float = 8.0
    capture_games: float = 15.0
    save_games: float = 15.0
    pattern_games: float = 10.0
    self_atari_games: float = 10.0
    edge_games: float = 10.0


@dataclass(frozen=True)
class LearnedGames(Strategy):
    """Games won before the first one is played, by learned strengths.

    As many as michi gives for a large pattern.
    """

    SLOT: ClassVar[str] = "knowledge"
    KIND: ClassVar[int] = strategy.LEARNED
    GIVES: ClassVar[tuple[str, ...]] = ("H", "Q")
    RANGES: ClassVar[dict[str, Range]] = {"even": (1e-3, 1e6)}
    even: float = 10.0
    learned_games: float = 100.0
    critical_games: float = 0.0
    """For a point that decides the game (see owners)."""
    ladder_games: float = 0.0
    """Lost ones, for running into a long ladder with more than one stone."""


@dataclass(frozen=True)
class MogoKnowledge(Strategy, MogoTerms):
    """T12: patterns, rules and shapes; those are also what RAVE counts begin with.

    The numbers of the terms are games (see knowledge/mogo.py); 0 switches one off.
    """

    SLOT: ClassVar[str] = "knowledge"
    KIND: ClassVar[int] = strategy.MOGO_KNOWLEDGE
    GIVES: ClassVar[tuple[str, ...]] = ("H", "Q")
    RANGES: ClassVar[dict[str, Range]] = {term.name: (-1000, 1000) for term in fields(MogoTerms)}
    pattern_value: float = 6.0
    """H of a move that patterns are certain of,"""
    rule_value: float = 0.1
    """and what a game of the terms adds to it."""
    even: float = 10.0
    """RAVE games that a pass begins with: nearly all lost, unless the opponent has passed."""

    def numbers(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in ("pattern_value", "rule_value", "even")}
        return {self.SLOT: self.KIND, "terms": self.terms()} | values


@dataclass(frozen=True)
class OregoKnowledge(Strategy):
    """H1 to H3: one heuristic of Orego's, for the order in which moves are tried (H4)."""

    SLOT: ClassVar[str] = "knowledge"
    KIND: ClassVar[int] = strategy.OREGO_KNOWLEDGE
    GIVES: ClassVar[tuple[str, ...]] = ("H",)
    heuristic: str = "capture"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.heuristic not in HEURISTICS:
            raise ValueError(f"unknown heuristic {self.heuristic!r}: not one of {[*HEURISTICS]}")

    def numbers(self) -> dict[str, Any]:
        return super().numbers() | {"heuristic": HEURISTICS[self.heuristic]}
