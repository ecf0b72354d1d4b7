"""Ladders and small fights: drawn boards, and all that can be played on small ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import given, settings, strategies as st

from montego.go import Position
from montego.go.points import all_points
from montego.kernels.reading.reading import CAUGHT, READING, SAFE, read_position
from tests.naive import BLACK, EMPTY, OTHER, WHITE, NaiveGame, Outcome, group, groups
from tests.positions import naive_twin, place_of, random_position

ENOUGH = 1 << 20  # moves to try


# --- all that can be played ------------------------------------------------------------


class NaiveReader:
    """Reads a chain by trying every legal move of both players.

    Each of the attacker's moves has to be an atari, and he never takes a ko.
    """

    def __init__(self, size: int, place: int) -> None:
        self.size, self.place = size, place
        self.known: dict[tuple[str, str, int | None], bool] = {}

    def is_caught(self, board: list[str], to_play: str, ko: int | None) -> bool:
        """Whether the chain is lost; a position that comes back is not."""
        key = ("".join(board), to_play, ko)
        if key not in self.known:
            self.known[key] = False
            attacks = to_play != board[self.place]
            self.known[key] = (self._attack if attacks else self._defence)(board, to_play, ko)
        return self.known[key]

    def _liberties(self, board: list[str]) -> set[int]:
        return group(board, self.place, self.size)[1]

    def _attack(self, board: list[str], attacker: str, ko: int | None) -> bool:
        liberties = self._liberties(board)
        if len(liberties) == 1:
            return liberties != {ko}
        if len(liberties) > 2:
            return False
        for after, new_ko in self._moves(board, attacker, ko):
            is_atari = len(self._liberties(after)) == 1
            if new_ko is None and is_atari and self.is_caught(after, OTHER[attacker], None):
                return True
        return False

    def _defence(self, board: list[str], owner: str, ko: int | None) -> bool:
        moves = [(board, None), *self._moves(board, owner, ko)]
        return all(self.is_caught(after, OTHER[owner], new_ko) for after, new_ko in moves)

    def _moves(
        self, board: list[str], color: str, ko: int | None
    ) -> Iterator[tuple[list[str], int | None]]:
        game = NaiveGame(self.size)
        game.board = board
        for place in range(self.size**2):
            if board[place] == EMPTY and place != ko:
                outcome = game.outcome(place, color)
                if not outcome.lost:
                    yield outcome.board, self._ko(board, outcome, place)

    def _ko(self, board: list[str], outcome: Outcome, place: int) -> int | None:
        """Where the stone just played could be retaken as a ko."""
        members, liberties = group(outcome.board, place, self.size)
        if outcome.taken != 1 or len(members) != 1 or len(liberties) != 1:
            return None
        taken = next(p for p in range(self.size**2) if board[p] not in (EMPTY, outcome.board[p]))
        return taken if liberties == {taken} else None


def read(position: Position, point: int, limit: int) -> int:
    scratch = np.zeros(1, dtype=READING)[0]
    return int(read_position(position.board_copy()[0], scratch, point, limit, ENOUGH))


def chains(position: Position, most: int) -> Iterator[tuple[NaiveGame, int, int, int]]:
    """Chains of few liberties: a point and a place of each, and how many liberties they have."""
    point_of = {place_of(p, position.size): p for p in all_points(position.size)}
    game = naive_twin(position)
    for members, liberties in groups(game.board, position.size, BLACK + WHITE):
        if len(liberties) <= most:
            place = min(members)
            yield game, point_of[place], place, len(liberties)


@settings(max_examples=150, deadline=None)
@given(st.integers(3, 6), st.integers(5, 30), st.integers(0, 10**6))
def test_ladders_are_read_as_by_trying_everything(size: int, moves: int, seed: int) -> None:
    position = random_position(size, min(moves, size * size), seed)
    ko = None if position.ko is None else place_of(position.ko, size)
    for game, point, place, liberties in chains(position, 2):
        if game.board[place] == game.to_play and liberties > 1:
            continue  # it is not in atari, and its owner is to move
        expected = NaiveReader(size, place).is_caught(game.board, game.to_play, ko)
        assert read(position, point, 2) == (CAUGHT if expected else SAFE), (position, point)


def test_verdicts_on_small_fights_mostly_stand_whatever_is_played() -> None:
    """A chain that is caught has no good move, and none catches a chain that is safe: for this
    reader that is not certain, because it tries only some moves."""
    stood = {CAUGHT: 0, SAFE: 0}
    asked = {CAUGHT: 0, SAFE: 0}
    for seed in range(40):
        position = random_position(5, 10 + seed % 8, seed)
        for game, point, place, _ in chains(position, 3):
            verdict = read(position, point, 3)
            doubter = CAUGHT if game.board[place] == game.to_play else SAFE
            if verdict == doubter and position.ko is None:
                after = [position.play(p) for p in position.legal() if p != point]
                asked[verdict] += 1
                stood[verdict] += all(read(later, point, 3) == verdict for later in after)
    for verdict in (CAUGHT, SAFE):
        assert asked[verdict] > 20
        assert stood[verdict] / asked[verdict] > 0.85
