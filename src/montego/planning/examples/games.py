"""MCTS against alpha-beta at Connect Four and Othello."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from montego.planning.depth_first import alpha_beta
from montego.planning.examples.connect_four import ConnectFour
from montego.planning.examples.othello import Othello
from montego.planning.tree_search import mcts

Player = Callable[[Any, Any, int], Any]
"""From a game, a state and a seed to an action."""


def mcts_player(playouts: int) -> Player:
    return lambda game, state, seed: mcts(game, state, evaluations=playouts, seed=seed).action


def alpha_beta_player(depth: int) -> Player:
    return lambda game, state, seed: alpha_beta(game, state, depth=depth, seed=seed).action


def play(game: Any, first: Player, second: Player, seed: int, opening: int = 2) -> float:
    """One game after some random moves; the reward of the first player."""
    rng, state = Random(seed), game.START
    for _ in range(opening):
        state = game.apply(state, rng.choice(game.actions(state)))
    while not game.is_terminal(state):
        player = first if game.player(state) == 0 else second
        state = game.apply(state, player(game, state, rng.randrange(10**9)))
    return float(game.reward(state))


def match(game: Any, one: Player, other: Player, games: int) -> float:
    """The score of the first player, who begins every second game: 1 a win, 1/2 a draw."""
    score = 0.0
    for number in range(games):
        opening = number // 2  # both sides of every opening
        if number % 2 == 0:
            score += (play(game, one, other, opening) + 1) / 2
        else:
            score += (1 - play(game, other, one, opening)) / 2
    return score / games


def figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """The score of MCTS against alpha-beta by its playouts, on both games."""
    from montego.planning.figures import canvas, save

    games = 2 if quick else 6
    plans = {
        "Connect Four, depth 4": (ConnectFour(), 4, (30, 100)[: 1 if quick else 2]),
        "Othello 6 × 6, depth 3": (Othello(6), 3, (30, 100)[: 1 if quick else 2]),
    }
    found: dict[str, object] = {"games": games}
    picture, (axis,) = canvas()
    for name, (game, depth, budgets) in plans.items():
        scores = [match(game, mcts_player(n), alpha_beta_player(depth), games) for n in budgets]
        errors = [100 * math.sqrt(max(s * (1 - s), 0.02) / games) for s in scores]
        axis.errorbar(
            budgets, [100 * s for s in scores], yerr=errors, fmt="o-", capsize=3, label=name
        )
        found[name] = dict(zip(budgets, scores, strict=True))
    axis.axhline(50, color="#888888", lw=0.8)
    axis.set_xscale("log")
    axis.set_ylim(0, 100)
    axis.set_xlabel("playouts a move")
    axis.set_ylabel("score of MCTS, %")
    axis.legend(frameon=False)
    save(picture, folder / "planning-games.svg")
    return found
