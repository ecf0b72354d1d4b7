"""The engine: the sole owner of a game.

Data goes down and one value comes back: the book answers at once if it can; else the clock gives
a budget, the search finds a move, manners decide whether to pass or resign instead, and the
answer is played.  A method that raises an error has changed nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from montego.engine.adjustable import Setting
from montego.engine.answer import Answer, MakeSearch, Search, answer_with, note_of
from montego.engine.clock import Clock, Left, TimeSystem
from montego.engine.komi import DynamicKomi
from montego.engine.lead import preferred
from montego.engine.leaving import tell_tree
from montego.engine.manners import Manners, Turn, choose_move, is_hopeless, turn_of
from montego.engine.parameters import changed, find_recipe, own_parameters
from montego.engine.settled import Verifier
from montego.engine.status import Status, judge
from montego.engine.validation import whole
from montego.engine.weakness import choose_weakly
from montego.go import BLACK, PASS, GoError, Position, Rules, color_letter, parse_color, sgf, vertex
from montego.go.colors import Color, other_color
from montego.go.handicap import fixed_handicap, free_handicap, moves_made, place_free
from montego.go.points import Move
from montego.go.sgf import GameRecord
from montego.mcts.avoid import Avoid
from montego.mcts.balance import EVEN, Balance, balance_search
from montego.mcts.found import Budget, Found, Progress
from montego.mcts.recipes import Recipe
from montego.mcts.search import LocalSearch

if TYPE_CHECKING:  # books bring SQLite with them: only who plays by one waits for it
    from montego.book.choice import Opening
    from montego.book.store import Book
    from montego.engine.learning import Pupil

NAME = "Montego"
A_LONG_TIME = 86_400.0
CHECKING = 0.1
"""Part of a clocked search's time that a look at whether to pass may take on top of it."""


class Engine:
    """A game, a clock and a search."""

    def __init__(
        self,
        recipe: str | Recipe = "montego",
        size: int = 9,
        komi: float = 7.5,
        seed: int = 1,
        threads: int = 1,
        memory_mb: int = 512,
        simulations: int | None = None,
        seconds: float | None = None,
        rules: Rules | None = None,
        parameters: Mapping[str, Setting] | None = None,
        make_search: MakeSearch = LocalSearch,
        book: Opening | None = None,
        learns: Book | None = None,
    ) -> None:
        """``rules``, if given, also bring the komi; ``learns`` is a book that gets its games."""
        self.recipe, self.manners, self.dynamic_komi = changed(
            find_recipe(recipe), Manners(), DynamicKomi(), parameters or {}
        )
        self.clock = Clock(simulations, seconds)
        self._resources = whole("threads", threads, 1, 1024), whole("memory_mb", memory_mb, 1)
        self._make_search = make_search
        self.seed = whole("seed", seed, 0)
        self._verifier = Verifier(self.seed)
        self._latest: tuple[Position, int, Found] | None = None
        self.book = book
        self._pupil = None if learns is None else _pupil(learns)
        self._search = self._make(self.recipe)
        self._start(Position.start(size, rules or Rules(komi=komi)))

    def _make(self, recipe: Recipe) -> Search:
        """A search; no function that holds the engine, which could not be freed at once then."""
        return self._make_search(recipe, *self._resources, self.seed)

    # --- the game -----------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._position

    @property
    def result(self) -> str:
        """How the game ended, such as "B+R"; "" while it goes on."""
        if not self._result and self.position.is_over:
            return self.final_score()
        return self._result

    def play(self, move: Move, color: Color | None = None) -> None:
        """Play a move of either colour."""
        self._go_on(self.position.play(move, color))
        if self.position.is_over:
            self.learn()

    def undo(self) -> None:
        """Take the last move back."""
        self._go_on(self.position.undo())

    def clear(self) -> None:
        """Start again on a board of the same size, with the same komi and time."""
        self.new_game(self.position.size)

    def new_game(self, size: int) -> None:
        """Start again on a board of this size."""
        self._start(Position.start(size, self.position.rules))

    def set_komi(self, komi: float) -> None:
        """Change the komi of the game."""
        self._position, self._latest = self.position.with_komi(komi), None
        self._search.clear()

    def set_rules(self, rules: Rules) -> None:
        """Play by other rules, from the start of this game on."""
        first = self.position.first
        position = Position.set_up(
            first.size, first.stones(BLACK), first.stones(other_color(BLACK)), first.to_play, rules
        )
        for color, move in self.position.moves:
            position = position.play(move, color)
        self._position, self._latest = position, None
        self._search.clear()

    def set_up(self, black: Iterable[Move], white: Iterable[Move], to_play: Color = BLACK) -> None:
        """Start from these stones."""
        size, rules = self.position.size, self.position.rules
        self._start(Position.set_up(size, black, white, to_play, rules))

    def handicap(self, stones: int, free: bool = False) -> list[str]:
        """Place handicap stones for Black; on the fixed points, or where the engine likes."""
        place = place_free if free else fixed_handicap
        return self._start_with_handicap(place(self.position.size, stones, self.position.rules))

    def handicap_at(self, points: Iterable[Move]) -> list[str]:
        """Place handicap stones for Black on these points."""
        return self._start_with_handicap(
            free_handicap(self.position.size, points, self.position.rules)
        )

    def _start_with_handicap(self, position: Position) -> list[str]:
        if self.position.moves or self.position.diagram().strip(". \n"):
            raise GoError("handicap stones are placed on an empty board")
        self._start(position)
        return [vertex(point, position.size) for point in position.stones(BLACK)]

    def _start(self, position: Position) -> None:
        self._position = position
        self._notes: dict[int, str] = {}
        self._colors: set[int] = set()  # those that the engine has moved for
        self._hopeless = {BLACK: 0, other_color(BLACK): 0}
        self._extra_komi: dict[int, float] = {}  # what a player's last search ended with
        self._latest = None
        self._result = ""
        self.clock.reset()
        self._search.clear()
        if self._pupil is not None:
            self._pupil.new_game()

    def _go_on(self, position: Position) -> None:
        """To the next position of the game, or to an earlier one."""
        self._position, self._result = position, ""
        now = len(position.moves)
        self._notes = {number: note for number, note in self._notes.items() if number < now}

    # --- thinking -----------------------------------------------------------------------

    def genmove(
        self,
        color: Color | None = None,
        cleanup: bool = False,
        progress: Progress | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Answer:
        """Think and play; ``cleanup``: do not pass while dead enemy stones stand.

        With moves to be avoided, it plays what the search finds among the others.
        """
        mover = self._mover(color)
        known = None if avoided else self._from_book(mover)
        if known is not None:
            self._play_own(known, mover)
            return known
        found = self._think(mover, progress, interval, avoided)
        if self._gives_up(mover, found):
            self._result = f"{color_letter(other_color(mover))}+R"
            answer = answer_with(found, found.move, self.position.size, resigned=True)
            self.learn()
        else:
            move = self._choose(mover, found, avoided, cleanup)
            answer = answer_with(found, move, self.position.size)
            self._play_own(answer, mover)
        self.clock.stop(mover, found.seconds)
        return answer

    def _play_own(self, answer: Answer, mover: int) -> None:
        """Play a move of its own, and note why."""
        self._colors.add(mover)
        self.play(answer.move, mover)
        self._notes[len(self.position.moves)] = note_of(answer, mover)

    def _from_book(self, mover: int) -> Answer | None:
        """T30: the book's answer, if it has one; who plays weakly knows no openings."""
        if self.book is None or self.manners.leaves_to_chance:
            return None
        position = turn_of(self.position, mover)
        chosen = self.book.choose(position, (self.seed, len(position.moves)))
        if chosen is None:
            return None
        from montego.engine.learning import answer_of

        return Answer(**answer_of(chosen, position), size=position.size, from_book=True)

    def search(self, color: Color | None = None, avoided: Sequence[Avoid] = ()) -> Answer:
        """The move that it would play, and what the search found; thinks once for each position."""
        mover = self._mover(color)
        in_book = None if avoided else self._from_book(mover)
        if in_book is not None:
            return in_book
        known = None if avoided else self._latest_for(mover)
        found = known or self._think(mover, avoided=avoided)
        return answer_with(found, self._choose(mover, found, avoided), self.position.size)

    def _choose(
        self, mover: int, found: Found, avoided: Sequence[Avoid], cleanup: bool = False
    ) -> int:
        """The search's move, or what manners have instead; where moves were to be avoided they
        have nothing to say."""
        if avoided:
            return found.move
        seconds = CHECKING * found.seconds if self.clock.is_timed else None
        turn = Turn(self.position, mover, found, seconds, self.seed)
        cleanup |= self.manners.cleanup
        if self.manners.leaves_to_chance:
            return choose_weakly(turn, self._verifier, self.manners, cleanup)
        move = choose_move(turn, self._verifier, cleanup)
        if move != found.move or move == PASS:  # manners have decided
            return move
        return preferred(found, mover, self.manners.points)

    def analyse(
        self,
        callback: Progress,
        color: Color | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Answer:
        """Think until the callback, called about every ``interval`` seconds, returns False."""
        mover = self._mover(color)
        found = self._search_on(mover, EVEN, callback, interval, avoided)
        self._latest = None if avoided else (self.position, mover, found)
        return answer_with(found, found.move, self.position.size)

    def ponder(self, callback: Progress) -> None:
        """Think while the opponent does, until the callback returns False; with the extra komi of
        its own search, for a tree that this can go on with."""
        mover = self.position.to_play
        extra_komi = self._extra_komi.get(other_color(mover), 0.0)
        self._search_on(mover, Balance(extra_komi), callback)

    def _search_on(
        self,
        mover: int,
        balance: Balance,
        callback: Progress,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Found:
        """Search until the callback returns False."""
        balance_search(self._search, balance)
        budget = Budget(seconds=A_LONG_TIME)
        return self._search.run(turn_of(self.position, mover), budget, callback, interval, avoided)

    def _mover(self, color: Color | None) -> int:
        return self.position.to_play if color is None else parse_color(color)

    def _think(
        self,
        mover: int,
        progress: Progress | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Found:
        """Search within the clock's budget."""
        game = self.position
        budget = self.clock.start(mover, game.size**2, moves_made(game))
        position = turn_of(game, mover)
        before = self._extra_komi.get(mover)
        balance_search(self._search, self.dynamic_komi.balance(game, mover, before))
        if not avoided:
            tell_tree(self.book, self._search, position)
        found = self._search.run(position, budget, progress, interval, avoided)
        self._extra_komi[mover] = found.extra_komi
        self._latest = None if avoided else (game, mover, found)
        return found

    def _latest_for(self, mover: int) -> Found | None:
        """What the last search found, if it was for this player in this position."""
        if self._latest is None or self._latest[:2] != (self.position, mover):
            return None
        return self._latest[2]

    def _gives_up(self, mover: int, found: Found) -> bool:
        """Whether the game has looked hopeless often enough in a row."""
        hopeless = is_hopeless(self.position, mover, found, self.manners)
        self._hopeless[mover] = self._hopeless[mover] + 1 if hopeless else 0
        return self._hopeless[mover] >= self.manners.resign_times

    # --- the end of the game ------------------------------------------------------------

    def status(self) -> Status:
        """Whose every point is and which stones are dead, by playouts."""
        return judge(self.position, seed=self.seed)

    def final_score(self) -> str:
        """The result with the dead stones taken off, such as "B+3.5"."""
        return self.status().cleared().result()

    def learn(self, result: str = "") -> None:
        """Add the game to the book that learns, once it is over; by its result, or by this one."""
        if self._pupil is not None and self._colors:
            thinking = self.clock.told
            names = dict.fromkeys(self._colors, (NAME, thinking))
            self._pupil.learn(self.position, result or self.result, names)

    # --- records ------------------------------------------------------------------------

    def record(self, black: str = "", white: str = "") -> GameRecord:
        """The game with its result and, as comments, what the engine thought of its moves."""
        names = [
            name or (NAME if color in self._colors else "")
            for name, color in ((black, BLACK), (white, other_color(BLACK)))
        ]
        return GameRecord(self.position, names[0], names[1], self.result, self._notes)

    def sgf_text(self, black: str = "", white: str = "") -> str:
        """The game as SGF."""
        return sgf.dumps(self.record(black, white))

    def save_sgf(self, path: Path | str, black: str = "", white: str = "") -> None:
        """Write the game to a file."""
        sgf.save(path, self.record(black, white))

    def load_sgf(self, path: Path | str, move_number: int | None = None) -> None:
        """Go on from a game in a file, or from the position before one of its moves."""
        loaded = sgf.load(path, move_number, self.position.rules)
        self._start(loaded.position)
        self._notes = dict(loaded.comments)

    # --- settings -----------------------------------------------------------------------

    def set_time(self, system: TimeSystem) -> None:
        """Play by another time system, from full clocks on."""
        self.clock.reset(system)

    def set_time_left(self, color: Color, seconds: float, stones: int = 0) -> None:
        """What this player's clock shows; stones or periods only in byo-yomi."""
        if not (math.isfinite(seconds) and stones >= 0):
            raise ValueError("a clock shows a time, and no negative number of stones")
        self.clock.set_left(parse_color(color), Left(seconds, stones))

    def parameters(self) -> dict[str, Setting]:
        """All parameters: the recipe's, and the engine's own as ``manners.…``, ``komi.…``."""
        return dict(self.recipe.parameters()) | own_parameters(self.manners, self.dynamic_komi)

    def set_parameters(self, changes: Mapping[str, Setting]) -> None:
        """Change parameters, all of them or, after an error, none."""
        recipe, self.manners, self.dynamic_komi = changed(
            self.recipe, self.manners, self.dynamic_komi, changes
        )
        if recipe != self.recipe:
            self.set_recipe(recipe)

    def set_recipe(self, recipe: str | Recipe) -> None:
        """Search by another recipe from now on."""
        recipe = find_recipe(recipe)
        self._search, self.recipe, self._latest = self._make(recipe), recipe, None

    def set_seed(self, seed: int) -> None:
        """Draw other random numbers from now on: the same seed, the same replies."""
        self.seed = whole("seed", seed, 0)
        self._verifier = Verifier(self.seed)
        self.set_recipe(self.recipe)


def _pupil(book: Book) -> Pupil:
    from montego.engine.learning import Pupil

    return Pupil(book)
