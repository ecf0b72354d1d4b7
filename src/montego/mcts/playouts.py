"""Playouts as values: each kind is a frozen dataclass whose numbers are the paper's.

``simulate`` plays many of them from a position and tells how they ended.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from montego.go import Position
from montego.kernels.board.board import POINTS, STRIDE
from montego.kernels.playouts import policy
from montego.kernels.playouts.playout import draw_moves, playout_address, sample
from montego.mcts.heuristics import HEURISTICS, Heuristic, check_heuristic
from montego.mcts.learned import SHIPPED, Learned
from montego.mcts.ranges import CHANCE, Range, check_rule


@dataclass(frozen=True)
class Playout:
    """A way of choosing the moves of a playout; the subclasses are the kinds."""

    KIND: ClassVar[int]
    RANGES: ClassVar[dict[str, Range]] = {}

    def __post_init__(self) -> None:
        check_rule(self)

    def numbers(self) -> dict[str, Any]:
        """The fields of the kernel's record that this kind sets."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def record(self) -> Any:
        """The policy as kernels take it."""
        record = np.zeros(1, dtype=policy.POLICY)[0]
        record["kind"] = self.KIND
        record["playout"] = playout_address()
        for name, number in self.numbers().items():
            record[name] = number
        return record


class Uniform(Playout):
    """Every legal move that does not fill an own eye, with the same chance (O1)."""

    KIND: ClassVar[int] = policy.UNIFORM


@dataclass(frozen=True)
class Mango(Playout):
    """Moves drawn in proportion to their urgency (P4)."""

    KIND: ClassVar[int] = policy.MANGO
    RANGES: ClassVar[dict[str, Range]] = {
        "capture_value": (0, 100_000),
        "save_value": (0, 100_000),
        "near_factor": (1, 50),
    }
    capture_value: int = 50_000
    """Urgency for each stone captured."""
    save_value: int = 5_000
    """Urgency for each stone brought out of atari."""
    near_factor: int = 20
    """Factor for the four points next to the last move."""


@dataclass(frozen=True)
class Mogo(Playout):
    """MoGo's cascade of rules (T13); each can be switched off."""

    KIND: ClassVar[int] = policy.MOGO
    RANGES: ClassVar[dict[str, Range]] = {"fill_tries": (0, 1_000), "approach": CHANCE}
    save: bool = True
    """Save stones that the last move put in atari."""
    nakade: bool = True
    """Play the middle of three enclosed points next to the last move (T15)."""
    fill_tries: int = 4
    """Fill board: how often to look for a point in the open (T14); 0 switches it off."""
    patterns: bool = True
    """Play a 3x3 pattern round the last move."""
    approach: float = 0.5
    """How often a self-atari among those becomes an approach move (T16)."""
    capture: bool = True
    """Take a chain in atari anywhere on the board."""


@dataclass(frozen=True)
class Expert(Playout):
    """Our own cascade; the numbers are how often each rule is asked."""

    KIND: ClassVar[int] = policy.EXPERT
    RANGES: ClassVar[dict[str, Range]] = {"fill_tries": (0, 1_000)} | dict.fromkeys(
        ("atari", "race", "victim", "eye", "hole", "reply", "local", "local_before", "approach",
         "anywhere", "veto", "veto_random"), CHANCE,
    )  # fmt: skip
    atari: float = 1.0
    """Take the chain of the last move, or save what it put in atari."""
    race: float = 0.8
    """Attack and defend chains with two liberties at the last move."""
    victim: float = 0.0
    """Attack a neighbour of an own chain that the last move closed in (semeai)."""
    eye: float = 0.0
    """Play the corner that keeps an own eye real."""
    hole: float = 1.0
    """Play the vital point of a hole of three to six points next to the last move."""
    reply: float = 0.0
    """Play what answered the last move in the latest game that was won (last good reply)."""
    fill_tries: int = 0
    """Fill board: how often to look for a point in the open (T14); harmful here (K1, K2)."""
    local: float = 1.0
    """Play a 3x3 pattern round the last move."""
    local_before: float = 0.0
    """Look for patterns round the move before the last one too."""
    weighted: bool = False
    """Draw among those patterns by their learned strengths."""
    approach: float = 0.0
    """How often a refused self-atari among those becomes an approach move (T16)."""
    anywhere: float = 0.0
    """Take a chain in atari anywhere on the board."""
    veto: float = 1.0
    """How often a pattern that is a self-atari is refused."""
    veto_random: float = 1.0
    """How often a random move that is a self-atari is refused."""
    judged: bool = True
    """Refuse only those self-ataris that have no purpose (see selfatari), but rather pass."""
    poor: float = 0.2
    """Random moves of a 3x3 shape weaker than this are refused, the weaker the more often."""


@dataclass(frozen=True)
class Orego(Playout):
    """The best by one heuristic among a few random moves (H1-H4b)."""

    KIND: ClassVar[int] = policy.OREGO
    RANGES: ClassVar[dict[str, Range]] = {"best_of": (1, 361), "first": (0, 10_000)}
    heuristic: str | Heuristic = "capture"
    """``capture``, ``fighting``, ``pattern``, or a heuristic of your own."""
    best_of: int = 4
    """How many different random moves are compared."""
    first: int = 0
    """For that many moves at the start, compare all moves."""

    def __post_init__(self) -> None:
        check_heuristic(self.heuristic)
        super().__post_init__()

    def numbers(self) -> dict[str, Any]:
        own = isinstance(self.heuristic, Heuristic)
        return {
            "heuristic": policy.BY_OWN if own else HEURISTICS[str(self.heuristic)],
            "address": self.heuristic.address if isinstance(self.heuristic, Heuristic) else 0,
            "best_of": self.best_of,
            "first": self.first,
        }


KINDS: dict[str, Playout] = {
    "uniform": Uniform(),
    "mango": Mango(),
    "mogo": Mogo(),
    "expert": Expert(),
    "orego-capture": Orego("capture"),
    "orego-fighting": Orego("fighting"),
    "orego-pattern": Orego("pattern"),
}
"""The kinds of playout by name, with the papers' numbers."""


# --- playing them ----------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """How a number of playouts ended; scores and owners are seen by Black."""

    playouts: int
    black_wins: int
    white_wins: int
    draws: int
    mean_score: float
    """Black's area minus White's minus komi."""
    score_deviation: float
    mean_length: float
    """Moves of a playout, passes included."""
    ownership: NDArray[np.float64] = field(repr=False)
    """By row from the top and column: +1 always Black's at the end, -1 always White's."""

    @property
    def value(self) -> float:
        """Black's mean result, +1 for a win and -1 for a loss."""
        return (self.black_wins - self.white_wins) / self.playouts


@dataclass
class Workspace:
    """What a thread needs to play playouts: tables, scratch space, random numbers."""

    seed: int
    size: int = 9
    learned: Learned = SHIPPED
    tables: Any = field(init=False, repr=False)
    work: Any = field(default_factory=lambda: np.zeros(1, dtype=policy.WORK)[0])
    network: Any = field(default=None, repr=False)
    """Scratch space for a network, if one is asked."""

    def __post_init__(self) -> None:
        self.work["rng"] = self.seed % 2**64
        if self.network is not None:
            self.work["network"] = self.network.ctypes.data
            self.work["network_size"] = self.network.size
        self.set_size(self.size)

    def set_size(self, size: int) -> None:
        """Take the tables of a size of board."""
        self.size, self.tables = size, self.learned.tables(size)


def simulate(position: Position, playout: Playout, count: int, seed: int = 0) -> Sample:
    """Play ``count`` playouts from a position.  One seed, one result."""
    if count < 1:
        raise ValueError(f"the number of playouts has to be at least 1, not {count}")
    space = Workspace(seed, position.size)
    totals, owners = np.zeros(6), np.zeros(POINTS)
    sample(
        position.board_copy()[0], playout.record(), space.tables, space.work,
        float(position.komi), count, totals, owners,
    )  # fmt: skip
    mean = totals[3] / count
    return Sample(
        playouts=count,
        black_wins=int(totals[0]),
        white_wins=int(totals[1]),
        draws=int(totals[2]),
        mean_score=mean,
        score_deviation=max(totals[4] / count - mean * mean, 0.0) ** 0.5,
        mean_length=totals[5] / count,
        ownership=as_grid(owners, position.size) / count,
    )


def as_grid(points: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Figures for all points (in the last axis) as rows and columns of the board."""
    grid = points.reshape(*points.shape[:-1], STRIDE, STRIDE)
    return grid[..., 1 : size + 1, 1 : size + 1].copy()


def choose_moves(position: Position, playout: Playout, count: int, seed: int = 0) -> list[int]:
    """Independent draws of the move that a playout would play here (PASS is 0)."""
    space, moves = Workspace(seed, position.size), np.zeros(count, dtype=np.int64)
    draw_moves(position.board_copy()[0], playout.record(), space.tables, space.work, moves)
    return [int(move) for move in moves]
