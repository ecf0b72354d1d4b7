"""How a weak player chooses: soundly when to pass, and by chance what to play.

With chance ``impulse`` it plays a first thought, without reading: stones in atari catch its eye,
each with chance ``sight``; otherwise it draws among all moves by what was learned from games, each
with a weight of prior^(1 / temperature).  When it does read, it draws among the moves that were
searched, by visits^(1 / temperature).  A high temperature makes a beginner, whose stones are where
people put stones, and not thrown on the board.  Chance follows from the engine's seed and the
number of the move: the same seed, the same game.

The search of a weak player judges badly who is ahead, and a beginner who passes too early, or
never, teaches nothing.  So once half of the board is full, a better search looks whether to pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from montego.engine.manners import Manners, Turn, choose_move
from montego.engine.settled import Verifier
from montego.engine.status import chain_at, chains, liberties
from montego.go import PASS, Position
from montego.mcts.found import Candidate


def choose_weakly(turn: Turn, verifier: Verifier, manners: Manners, cleanup: bool = False) -> int:
    """The move of a player who leaves something to chance."""
    looked = turn if turn.is_open else replace(turn, found=verifier.look(turn.position))
    move = choose_move(looked, verifier, cleanup)
    if move != looked.found.move or move == PASS:  # manners have decided
        return move
    return played_by_chance(turn, manners, move)


def played_by_chance(turn: Turn, manners: Manners, otherwise: int) -> int:
    """A first thought, or a move that was searched; where there is neither, another move."""
    dice = Random(f"{turn.seed} {len(turn.game.moves)} {turn.mover}")
    moves = [c for c in turn.found.candidates if c.move != PASS and turn.position.is_legal(c.move)]
    if dice.random() < manners.impulse:
        seen = obvious_move(turn.position, manners.sight, dice)
        weights = [max(c.prior, 0.0) for c in moves]
        return seen or drawn(moves, weights, manners.temperature, dice) or otherwise
    tried = [c for c in moves if c.is_open]
    return drawn(tried, [c.visits for c in tried], manners.temperature, dice) or otherwise


def drawn(
    moves: Sequence[Candidate], weights: Sequence[float], temperature: float, dice: Random
) -> int:
    """One of some moves; PASS if none has a weight."""
    most = max(weights, default=0.0)
    if most <= 0:
        return PASS
    if temperature == 0:
        return moves[weights.index(most)].move
    powers = [(weight / most) ** (1 / temperature) for weight in weights]
    return dice.choices(moves, powers)[0].move


# --- what is obvious -------------------------------------------------------------------


def obvious_move(position: Position, sight: float, dice: Random) -> int:
    """Takes or saves the largest chain in atari that catches the eye; PASS if none does."""
    in_atari = [chain for chain in chains(position) if len(liberties(position, chain)) == 1]
    for chain in sorted(in_atari, key=len, reverse=True):
        if dice.random() < (1 - sight) ** len(chain):
            continue
        (last,) = liberties(position, chain)
        if position.is_legal(last) and _is_worth_it(position, chain, last):
            return last
    return PASS


def _is_worth_it(position: Position, chain: frozenset[int], last: int) -> bool:
    """Whether an enemy chain is taken, or an own one has more liberties than before."""
    if position.color_at(next(iter(chain))) != position.to_play:
        return True
    after = position.play(last)
    return len(liberties(after, chain_at(after, last))) > 1
