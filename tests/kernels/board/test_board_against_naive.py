"""Random games, move by move, against the naive game, and all fields against a recount.

Players fill their eyes, pass now and then, sometimes play out of turn, and like to play
where stones were captured last, so that whole boards are captured and the rarer rules
(snapbacks, kos, superko) come up.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from montego.go import Position, Rules
from montego.kernels.board import playable
from tests.kernels.board.recount import COLORS, check_record, point
from tests.kernels.exposed import exposed
from tests.naive import EMPTY, OTHER, NaiveGame

is_legal = exposed(playable.is_legal)

RULES = [
    Rules(superko=superko, suicide=suicide)
    for superko in ("positional", "situational", "simple")
    for suicide in (False, True)
]
SIZES = range(2, 20)
PASS_CHANCE = 0.03
OUT_OF_TURN_CHANCE = 0.03
RETAKE_CHANCE = 0.4
WHOLE_BOARD_AREA = 25  # up to here every point is judged after every move


@dataclass
class Comparison:
    """One random game played by both implementations."""

    game: NaiveGame
    position: Position
    random: Random
    met: Counter[str]
    lately_emptied: list[int] = field(default_factory=list)

    def judge(self, places: list[int]) -> None:
        """Compare the legality of these places, for both colours, at both levels."""
        board, size, rules = self.position.board_copy()[0], self.game.size, self.position.rules
        for color in OTHER:
            legal = set(self.position.legal(COLORS[color]))
            for place in places:
                p = point(place, size)
                expected = self.game.is_legal(place, color, rules.suicide, rules.superko)
                assert (p in legal) == expected, (place, color)
                if color == self.game.to_play:
                    simple = self.game.is_legal(place, color, False, "simple")
                    assert is_legal(board, p, COLORS[color]) == simple, (place, color)
                    self.met["banned by superko"] += simple > expected

    def some_places(self) -> list[int]:
        """All places of a small board, a few of a larger one."""
        area = len(self.game.board)
        if area <= WHOLE_BOARD_AREA or self.random.random() < 0.01:
            return list(range(area))
        return self.random.sample(range(area), 3) + self.lately_emptied[:3]

    def choose(self, color: str) -> int | None:
        """A random legal place, or None for a pass."""
        rules = self.position.rules
        places = [place for place, there in enumerate(self.game.board) if there == EMPTY]
        self.random.shuffle(places)
        if self.random.random() < RETAKE_CHANCE:
            places.sort(key=lambda place: place not in self.lately_emptied)
        if self.random.random() < PASS_CHANCE:
            return None
        legal = (p for p in places if self.game.is_legal(p, color, rules.suicide, rules.superko))
        return next(legal, None)

    def move(self) -> None:
        """Play one move in both and compare all there is."""
        out_of_turn = self.random.random() < OUT_OF_TURN_CHANCE
        color = OTHER[self.game.to_play] if out_of_turn else self.game.to_play
        place = self.choose(color)
        p = 0 if place is None else point(place, self.game.size)
        before = self.game.board
        self.position = self.position.play(p, COLORS[color])
        result = self.game.play(place, color)
        emptied = [i for i, color in enumerate(self.game.board) if color == EMPTY != before[i]]
        self.lately_emptied = emptied or self.lately_emptied
        check_record(self.position.board_copy()[0], self.game)
        assert self.position.score() + self.position.komi == self.game.score()
        assert self.position.owner().ravel().tolist() == [COLORS[c] for c in self.game.owners()]
        assert self.position.last == p
        if result:
            self.met.update(captures=result.taken > 0, suicides=result.lost > 0)
        self.met["kos"] += self.position.ko is not None

    def whole_game(self, moves: int) -> None:
        for _ in range(moves):
            self.judge(self.some_places())
            self.move()


def play_games(size: int, games: int, moves: int, seed: int) -> Counter[str]:
    """Compare so many games; returns how often the rarer rules came up."""
    met: Counter[str] = Counter()
    for number in range(games):
        rules = RULES[number % len(RULES)]
        random = Random(f"{seed} {size} {number}")
        Comparison(NaiveGame(size), Position.start(size, rules), random, met).whole_game(moves)
    return met


def assert_all_met(met: Counter[str]) -> None:
    """A comparison in which a rule never came up would prove nothing about it."""
    for rule in ("captures", "suicides", "kos", "banned by superko"):
        assert met[rule] > 0, rule


def moves_of(size: int) -> int:
    """Enough to fill a board and to capture much of it again."""
    return 2 * size * size + 10


@pytest.mark.parametrize("size", SIZES)
def test_random_games(size: int) -> None:
    games = {2: 120, 3: 120, 4: 60, 5: 36, 6: 24, 7: 18, 8: 12, 9: 12}.get(size, 6)
    games = 2 if size > 13 else games
    met = play_games(size, games, moves_of(size), seed=1)
    if 3 <= size <= 5:  # 2x2 is too small for a ko, larger boards for superko by chance
        assert_all_met(met)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("size", SIZES)
def test_ten_thousand_random_games(size: int, part: int) -> None:
    games = 108 if size <= 9 else 14  # times 10 parts: 8 * 1080 + 10 * 140 = 10,040 games
    play_games(size, games, moves_of(size), seed=2 + part)
