"""T33, Buro (2001): a book that never loses twice in the same way.

All games that were played are one tree.  Its leaves are their ends: plus infinity for a won game,
minus infinity for a lost one.  Every position before the end has one more child, the best
deviation: the move that the engine finds where it may play none of the known ones, with the value
of its search.  Negamax over the tree tells which move to play.  Values of deviations are finite, so
a line that was lost is left somewhere, by the best deviation that there is.

The tree follows from the games: a game says what the deviations from its positions are (``about``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.keys import PositionKey, key_of
from montego.book.store import Book
from montego.go import BLACK, PASS, WHITE, Position, parse_move, vertex
from montego.go.points import all_points
from montego.lab.base.errors import LabError
from montego.lab.books.plans import REPLY_SECONDS, BookPlan, Follower
from montego.lab.matches.entrants import Entrant
from montego.lab.matches.players import Player
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget
from montego.mcts.search import LocalSearch

LOST = -math.inf
DEVIATIONS = "deviations"
"""What a game tells of them: ``3:C4:0.125 …``, number of the move, the move, and its value."""
DROP = 10.0
"""How many moves deeper a line may be that is worth 1 more; values are from -1 to 1."""
DEEPEST = 30
"""Moves of a game from which deviations are looked for."""


@dataclass
class Node:
    """A position of the tree; moves are numbers of keys.py, values are of the player to move."""

    moves: dict[int, int] = field(default_factory=dict)
    """The key of the position that each known move leads to."""
    ends: dict[int, float] = field(default_factory=dict)
    """The values of moves that ended a game, or after which the other side gave up."""
    deviation: tuple[int, float] | None = None

    @property
    def needs_deviation(self) -> bool:
        """Whether there is none, or it has been played since."""
        known = {*self.moves, *self.ends}
        return self.deviation is None or self.deviation[0] in known


class BuroTree:
    """The tree of a book's games."""

    WON: ClassVar[float] = math.inf
    """The value of a game that was won."""

    def __init__(self, book: Book | None = None) -> None:
        self.book = book
        self.nodes: dict[int, Node] = {}
        self._seen = 0
        self._values: dict[int, float] = {}

    def follow(self) -> None:
        """Take in what has been added to the book."""
        for number, game in self.book.numbered_games(self._seen) if self.book else ():
            self.add(game)
            self._seen = number

    def add(self, game: BookGame) -> None:
        """Take in a game and its deviations."""
        self._values.clear()
        told = parse_deviations(game)
        steps = [(key_of(position), position, move) for position, move in game.positions()]
        for number, (place, position, move) in enumerate(steps):
            node = self.nodes.setdefault(place.key, Node())
            if number + 1 < len(steps):
                node.moves[place.number(move)] = steps[number + 1][0].key
            else:
                node.ends[place.number(move)] = self._end(game.winner, position.to_play)
            if number in told:
                point, value = told[number]
                node.deviation = place.number(point), value

    def _end(self, winner: int | None, mover: int) -> float:
        return 0.0 if winner is None else (self.WON if winner == mover else -self.WON)

    def value(self, key: int) -> float:
        """Of a position for its player to move: a game's end, or the value of a deviation."""
        return self._settled(
            key, self._values, lambda node: max(self._options(node).values(), default=0.0)
        )

    def _settled(
        self, key: int, known: dict[int, float], of_node: Callable[[Node], float]
    ) -> float:
        """What follows from all positions below one; each is settled after those it leads to."""
        todo, begun = [key], set[int]()
        while todo:
            node = self.nodes[todo[-1]]
            new = [k for k in node.moves.values() if k not in known and k not in begun]
            begun.add(todo[-1])
            if new and todo[-1] not in known:
                todo += new
            else:
                known[todo.pop()] = of_node(node)
        return known[key]

    def _options(self, node: Node) -> dict[int, float]:
        """Of all moves and the deviation; what was played on is worth what followed."""
        found = dict(node.ends)
        if node.deviation is not None and node.deviation[0] not in {*node.moves, *node.ends}:
            found[node.deviation[0]] = node.deviation[1]
        # a line that comes back to a position before it is worth nothing
        values = {n: -self._values.get(key, 0.0) for n, key in node.moves.items()}
        return found | values

    def choose(self, position: Position) -> int | None:
        """The point to play; None where the tree has nothing, or nothing but losses."""
        options = self._legal(position, self._options)
        best = max(options, key=lambda point: (options[point], -point), default=None)
        return None if best is None or options[best] == LOST else best

    def _legal(
        self, position: Position, of_node: Callable[[Node], dict[int, float]]
    ) -> dict[int, float]:
        """What a node says of its moves, by the points of those that are legal."""
        place = key_of(position)
        if place.key not in self.nodes:
            return {}
        self.value(place.key)  # and of all that follows
        told = of_node(self.nodes[place.key]).items()
        return {p: value for n, value in told if position.is_legal(p := place.point(n))}


class DropOutTree(BuroTree):
    """Lincke (2001): go where a deviation is cheapest, neither too deep nor too bad.

    The cost of a line is its length, and DROP for every unit that its moves are worth less than
    the best ones: so good lines are known to a great depth, and worse ones to a smaller.
    """

    WON: ClassVar[float] = 1.0

    def __init__(self, book: Book | None = None) -> None:
        super().__init__(book)
        self._costs: dict[int, float] = {}

    def add(self, game: BookGame) -> None:
        super().add(game)
        self._costs.clear()

    def cost(self, key: int) -> float:
        """Of the cheapest deviation from a position on; infinite if there is none."""
        self.value(key)
        return self._settled(
            key, self._costs, lambda node: min(self._expenses(node).values(), default=math.inf)
        )

    def _expenses(self, node: Node) -> dict[int, float]:
        options = self._options(node)
        best = max(options.values(), default=0.0)
        found = {}
        for number, value in options.items():
            on = 1 + self._costs.get(node.moves[number], math.inf) if number in node.moves else 0.0
            is_end = number in node.ends and number not in node.moves
            found[number] = math.inf if is_end else on + DROP * (best - value)
        return found

    def choose(self, position: Position) -> int | None:
        """The point to play on the way to the cheapest deviation; None where there is none."""
        if (key := key_of(position).key) in self.nodes:
            self.cost(key)
        expenses = self._legal(position, self._expenses)
        best = min(expenses, key=lambda point: (expenses[point], point), default=None)
        return None if best is None or math.isinf(expenses[best]) else best


TREES: dict[str, type[BuroTree]] = {"buro": BuroTree, "dropout": DropOutTree}


def parse_deviations(game: BookGame) -> dict[int, tuple[int, float]]:
    """By the number of the move that they deviate from, 0 the first that counts."""
    found = {}
    try:
        for word in game.about.get(DEVIATIONS, "").split():
            number, name, value = word.split(":")
            found[int(number)] = parse_move(name, game.size), float(value)
    except ValueError as error:
        raise BookError(f"deviations that cannot be read: {error}") from None
    return found


# --- growing ---------------------------------------------------------------------------


@dataclass(frozen=True)
class BuroGrowth(BookPlan):
    """Self-play by the tree; after every game, deviations are looked for along it."""

    KIND: ClassVar[str] = "deviations"
    method: str = "buro"
    """One of TREES."""

    def __post_init__(self) -> None:
        if self.player.recipe is None:
            raise LabError("deviations are looked for by a recipe's search")

    def entrants(self, number: int) -> dict[int, Entrant]:
        return dict.fromkeys((BLACK, WHITE), self.player)

    @property
    def source(self) -> str:
        return f"grown, {self.method}"

    def knowledge(self, book: Any) -> BuroTree:
        return TREES[self.method](book)

    def players(self, number: int, known: BuroTree) -> dict[int, Player]:
        known.follow()
        return {
            color: Follower(self.player.player(REPLY_SECONDS), known.choose)
            for color in (BLACK, WHITE)
        }

    def play(self, number: int, name: str, known: BuroTree) -> BookGame:
        game = super().play(number, name, known)
        found = " ".join(self._deviations(game, known))
        return replace(game, about={**game.about, DEVIATIONS: found})

    def _deviations(self, game: BookGame, tree: BuroTree) -> list[str]:
        settings, recipe = self.player.settings, self.player.recipe
        assert recipe is not None
        search = LocalSearch(recipe, settings.threads, settings.memory, settings.seed_of(self.seed))
        budget = Budget(settings.simulations or 1000, settings.seconds)
        found = []
        for number, (position, move) in enumerate(game.positions()):
            if number == DEEPEST:
                break
            place = key_of(position)
            node = tree.nodes.get(place.key, Node())
            known = {*node.moves, *node.ends, place.number(move)}
            if node.needs_deviation or place.number(move) == _number(node):
                deviation = best_deviation(search, position, place, known, budget)
                found += [f"{number}:{deviation}"] if deviation else []
        return found


def _number(node: Node) -> int | None:
    return None if node.deviation is None else node.deviation[0]


def best_deviation(
    search: LocalSearch, position: Position, place: PositionKey, known: set[int], budget: Budget
) -> str:
    """The best move besides the known ones and a pass, and its value; empty if there is none."""
    forbidden = {p for p in all_points(position.size) if place.number(p) in known} | {PASS}
    if not {*position.legal()} - forbidden:
        return ""
    search.clear()
    found = search.run(
        position, budget, avoided=[Avoid(position.to_play, frozenset(forbidden), depth=1)]
    )
    return (
        "" if found.move in forbidden else f"{vertex(found.move, position.size)}:{found.value:.4f}"
    )
