"""What the server says of a search: candidates, its tree, and single playouts."""

from __future__ import annotations

from typing import Literal

from montego.web.messages.base import Message, Side


class Candidate(Message):
    """A move that was looked at; seen by the player to move."""

    move: str
    visits: int
    win_rate: float
    lower: float
    """The least win rate that the visits leave likely."""
    lead: float
    prior: float
    line: list[str]


class Analysis(Message):
    """What a search has found."""

    type: Literal["analysis"] = "analysis"
    node: int
    beside: bool
    """By the second recipe."""
    recipe: str
    to_play: Side
    running: bool
    simulations: int
    seconds: float
    win_rate: float
    """Black's."""
    lead: float
    """Black's."""
    move: str
    candidates: list[Candidate]
    ownership: list[list[float]]
    """1: always Black's at the end, -1: always White's."""


class TreeNode(Message):
    """A node of the search tree; values are those of the player who moved there, 0 to 1."""

    id: int
    parent: int | None
    move: str
    color: Side
    visits: int
    win_rate: float | None
    rave: float | None
    """The win rate of all playouts in which the move was played some time."""
    rave_visits: int
    h: float
    """What knowledge says of the move."""
    prior: float | None
    """The win rate that knowledge expects, and the games that this is worth."""
    prior_games: float
    is_open: bool
    """Whether the search may choose it now (progressive unpruning)."""
    score: float | None
    """By the formula: the open child with the largest one is next."""
    terms: list[float]
    """The parts of the score, by ``Inside.terms``."""


class Inside(Message):
    """The most visited part of the tree, and all moves of the root."""

    type: Literal["inside"] = "inside"
    node: int
    simulations: int
    size: int
    """Nodes of the whole tree."""
    open: int
    """How many moves of the root the search chooses from."""
    formula: str
    terms: list[str]
    nodes: list[TreeNode]
    ownership: list[list[float]]
    criticality: list[list[float]]
    """How much depends on a point: how far its owner goes along with the winner."""


class Term(Message):
    """A part of what is known of a move."""

    name: str
    value: float


class KnownMove(Message):
    """What is known of a move before the search looks."""

    move: str
    h: float
    pattern: bool
    """Whether one of MoGo's 3x3 patterns matches."""
    shape: float
    """The learned strength of its 3x3 shape; 1 is usual."""
    terms: list[Term]


class Known(Message):
    """What is known of all moves; told again when a network's word has taken its place."""

    type: Literal["known"] = "known"
    node: int
    unit: Literal["", "factor", "games", "h", "value"]
    """What the terms are: factors of a strength, games won in advance, parts of H; but for those
    whose name ends in %."""
    moves: list[KnownMove]


class PlayoutMove(Message):
    """A move of a playout, the rule that chose it, and the stones that it took."""

    color: Side
    move: str
    rule: str
    taken: list[str]


class Playouts(Message):
    """Playouts from the position that is looked at: the last one, and how all of them ended."""

    type: Literal["playouts"] = "playouts"
    node: int
    kind: str
    """Of playout: mango, mogo, expert …"""
    games: int
    black_wins: int
    draws: int
    lead: float
    """Black's on average, in points, komi counted."""
    length: float
    """Moves on average."""
    scores: list[list[float]]
    """Black's leads and how often each was the result, in their order."""
    rules: dict[str, int]
    """How many moves each rule has chosen."""
    last: list[PlayoutMove]
    last_lead: float
