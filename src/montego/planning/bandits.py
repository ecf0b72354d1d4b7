"""Bandits (T5, T40): which arm to pull next.

An Arm holds the statistics of its pulls; a bandit chooses one of several arms.  The formulas are
those of kernels/tree/formulas.py.  They need rewards between 0 and 1 (some -1 to 1), so every
bandit gets the range of the rewards: the problem's bounds, or the range seen so far.

UCB1 (1.1), UCB with alpha (1.2), UCB-tuned, Thompson sampling and epsilon-greedy look for the
highest mean; threshold ascent (T40) looks for the highest single reward.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from montego.kernels.tree import formulas
from montego.planning.errors import PlanningError

ucb1 = formulas.ucb1.__wrapped__
ucb_alpha = formulas.ucb_alpha.__wrapped__
ucb_tuned = formulas.ucb_tuned.__wrapped__
rave_beta = formulas.rave_beta.__wrapped__
threshold_ascent = formulas.threshold_ascent.__wrapped__


class RewardRange:
    """The range of rewards: the known bounds, or else what has been seen so far."""

    def __init__(self, bounds: tuple[float, float] | None = None) -> None:
        self.is_known = bounds is not None
        self.low, self.high = bounds if bounds is not None else (math.inf, -math.inf)

    def see(self, reward: float) -> None:
        if not self.is_known:
            self.low, self.high = min(self.low, reward), max(self.high, reward)

    def place(self, reward: float, sign: int = 1) -> float:
        """A reward scaled to [0, 1]; for player 1 (sign -1) low rewards are good."""
        if self.high <= self.low:
            return 0.5
        share = (sign * reward - self.low) / (self.high - self.low)
        return share if sign > 0 else 1.0 - share

    @property
    def width(self) -> float:
        return self.high - self.low if self.high > self.low else 1.0


class Arm:
    """The rewards of one arm from its player's point of view: high is good."""

    __slots__ = ("best", "n", "rave_n", "rave_total", "squares", "total")

    def __init__(self) -> None:
        self.n = 0
        self.total = self.squares = 0.0
        self.rave_n, self.rave_total = 0, 0.0
        self.best: list[float] | None = None
        """The best rewards in rising order, if the bandit needs them."""

    def add(self, reward: float, kept: int = 0) -> None:
        """Add the reward of a pull; the best ``kept`` rewards are stored."""
        self.n += 1
        self.total += reward
        self.squares += reward * reward
        if kept:
            keep(reward, self, kept)

    @property
    def mean(self) -> float:
        return self.total / self.n

    @property
    def variance(self) -> float:
        return max(0.0, self.squares / self.n - self.mean * self.mean)


def keep(reward: float, arm: Arm, kept: int) -> None:
    """Store a reward if it is among the best of its arm."""
    if arm.best is None:
        arm.best = []
    if len(arm.best) < kept:
        insort(arm.best, reward)
    elif reward > arm.best[0]:
        del arm.best[0]
        insort(arm.best, reward)


class Bandit(Protocol):
    """Chooses an arm; ``sign`` is -1 for the player who wants low rewards."""

    @property
    def kept(self) -> int:
        """How many of the best rewards an arm has to store."""

    def choose(self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int = 1) -> int:
        """The index of the arm to pull."""


class IndexBandit:
    """Arms that were never pulled come first, at random; then the arm with the highest index."""

    kept = 0

    def choose(self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int = 1) -> int:
        new = [i for i, arm in enumerate(arms) if arm.n == 0]
        if new:
            return new[int(rng.random() * len(new))]
        if len(arms) == 1:
            return 0
        index = self.index(arms, scale, rng, sign)
        best, chosen = -math.inf, 0
        for i, arm in enumerate(arms):
            value = index(arm)
            if value > best:
                best, chosen = value, i
        return chosen

    def index(
        self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int
    ) -> Callable[[Arm], float]:
        """The index of an arm, for this pull."""
        raise NotImplementedError


@dataclass(frozen=True)
class UcbAlpha(IndexBandit):
    """UCB with alpha (1.2): x̄ + alpha sqrt(ln n / n_j), rewards in [0, 1]."""

    alpha: float = 1.0

    def index(
        self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int
    ) -> Callable[[Arm], float]:
        log_n = math.log(sum(arm.n for arm in arms))
        return lambda arm: ucb_alpha(scale.place(arm.mean, sign), arm.n, log_n, self.alpha)


@dataclass(frozen=True)
class Ucb1(UcbAlpha):
    """UCB1 (1.1): x̄ + sqrt(2 ln n / n_j), rewards in [0, 1]."""

    alpha: float = math.sqrt(2)


@dataclass(frozen=True)
class UcbTuned(IndexBandit):
    """UCB1-tuned: exploration by the observed variance."""

    c: float = 1.0

    def index(
        self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int
    ) -> Callable[[Arm], float]:
        log_n = math.log(sum(arm.n for arm in arms))
        unit = (2 / scale.width) * (2 / scale.width)  # the formula's rewards lie in [-1, 1]
        return lambda arm: ucb_tuned(
            2 * scale.place(arm.mean, sign) - 1, unit * arm.variance, arm.n, log_n, self.c
        )


@dataclass(frozen=True)
class Thompson(IndexBandit):
    """Thompson sampling: a draw from the Beta posterior of an arm's mean."""

    prior: float = 1.0

    def index(
        self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int
    ) -> Callable[[Arm], float]:
        def draw(arm: Arm) -> float:
            won = arm.n * min(1.0, max(0.0, scale.place(arm.mean, sign)))
            return rng.betavariate(self.prior + won, self.prior + arm.n - won)

        return draw


@dataclass(frozen=True)
class EpsilonGreedy(IndexBandit):
    """The best mean, or with probability epsilon any arm; for comparison."""

    epsilon: float = 0.1

    def index(
        self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int
    ) -> Callable[[Arm], float]:
        if rng.random() < self.epsilon:
            return lambda arm: rng.random()
        return lambda arm: arm.mean


@dataclass(frozen=True)
class Uniform(IndexBandit):
    """All arms equally often."""

    def index(
        self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int
    ) -> Callable[[Arm], float]:
        return lambda arm: -float(arm.n)


@dataclass(frozen=True)
class ThresholdAscent(IndexBandit):
    """Threshold ascent (T40): the arm that most often gives one of the s best rewards."""

    s: int = 30
    delta: float = 0.1

    @property
    def kept(self) -> int:  # type: ignore[override]
        return self.s

    def index(
        self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int
    ) -> Callable[[Arm], float]:
        n = sum(arm.n for arm in arms)
        rewards = sorted((r for arm in arms for r in arm.best or ()), reverse=True)
        threshold = rewards[self.s - 1] if len(rewards) >= self.s else -math.inf
        alpha = math.log(2 * n * len(arms) / self.delta)
        return lambda arm: threshold_ascent(above(arm.best or [], threshold), arm.n, alpha)


def above(best: list[float], threshold: float) -> int:
    """How many rewards of a rising list reach the threshold."""
    return len(best) - bisect_left(best, threshold)


@dataclass(frozen=True)
class Rave(IndexBandit):
    """UCB on a mean that starts from all playouts that contain the action (RAVE, T7: (1.3), (4.2)).

    For problems whose actions mean the same whenever they are played.
    """

    c: float = 0.0
    bias: float = 0.001

    def choose(self, arms: Sequence[Arm], scale: RewardRange, rng: Random, sign: int = 1) -> int:
        log_n = math.log(1 + sum(arm.n for arm in arms))
        best, chosen = -math.inf, 0
        for i, arm in enumerate(arms):
            value = self.mean(arm, scale, sign) + 1e-6 * rng.random()
            value = ucb1(value, arm.n + 1, log_n, self.c)
            if value > best:
                best, chosen = value, i
        return chosen

    def mean(self, arm: Arm, scale: RewardRange, sign: int) -> float:
        own = scale.place(arm.mean, sign) if arm.n else 1.0
        if not arm.rave_n:
            return own
        beta: float = rave_beta(arm.n, arm.rave_n, self.bias)
        return beta * scale.place(arm.rave_total / arm.rave_n, sign) + (1 - beta) * own


BANDITS: dict[str, Bandit] = {
    "ucb1": Ucb1(),
    "ucb-alpha": UcbAlpha(),
    "ucb-tuned": UcbTuned(),
    "thompson": Thompson(),
    "threshold-ascent": ThresholdAscent(),
    "epsilon-greedy": EpsilonGreedy(),
    "uniform": Uniform(),
    "rave": Rave(),
}


def bandit_of(bandit: Bandit | str) -> Bandit:
    """A bandit by its name; bandits are returned as they are."""
    if not isinstance(bandit, str):
        if not callable(getattr(bandit, "choose", None)):
            raise PlanningError(f"{bandit!r} is not a bandit: it needs a method choose")
        return bandit
    if bandit not in BANDITS:
        raise PlanningError(f"{bandit!r} is not a bandit: {', '.join(BANDITS)}")
    return BANDITS[bandit]


# --- regret ----------------------------------------------------------------------------


def play(
    bandit: Bandit | str,
    pull: Sequence[Callable[[Random], float]],
    pulls: int,
    seed: int = 0,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> list[int]:
    """Pull arms by a bandit; returns the indices of the arms that were pulled."""
    bandit, rng, scale = bandit_of(bandit), Random(seed), RewardRange(bounds)
    arms = [Arm() for _ in pull]
    chosen = []
    for _ in range(pulls):
        i = bandit.choose(arms, scale, rng)
        reward = pull[i](rng)
        scale.see(reward)
        arms[i].add(reward, bandit.kept)
        chosen.append(i)
    return chosen


def regret(chosen: Sequence[int], means: Sequence[float]) -> list[float]:
    """The cumulative regret after every pull: what was lost against always pulling the best arm."""
    best, lost, total = max(means), [], 0.0
    for i in chosen:
        total += best - means[i]
        lost.append(total)
    return lost


def lai_robbins(means: Sequence[float], pulls: int) -> float:
    """Lai and Robbins' asymptotic lower bound of the regret for Bernoulli arms."""
    best = max(means)
    factor = sum((best - p) / divergence(p, best) for p in means if p < best)
    return factor * math.log(pulls)


def divergence(p: float, q: float) -> float:
    """The Kullback–Leibler divergence of two Bernoulli distributions."""

    def term(a: float, b: float) -> float:
        return 0.0 if a == 0 else math.inf if b == 0 else a * math.log(a / b)

    return term(p, q) + term(1 - p, 1 - q)
