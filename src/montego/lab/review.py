"""``montego review``: a whole game analysed, position by position.

Every position is searched for the same number of simulations.  What a move lost is the
chance to win before it minus the chance after it, both seen by the player who made it; the
best move's chance is that of the position.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from montego.go import BLACK, WHITE, GoError, Position, color_name, sgf, vertex
from montego.go.sgf import GameRecord, Note
from montego.lab.errors import LabError
from montego.lab.figures import NoMatplotlibError, canvas, save
from montego.lab.interrupts import interrupts_noted
from montego.lab.players import parse_player
from montego.lab.progress import Counter
from montego.lab.record import write_whole_bytes
from montego.mcts.search import Budget, LocalSearch

DOUBTFUL, BAD = 0.10, 0.20
"""What a move has to lose to be called so."""
MARKS = {"bad": "BM", "doubtful": "DO"}
LONGEST_LINE = 10
WORST = 10
"""How many moves are listed."""


class ReviewError(LabError):
    """A game that cannot be reviewed."""


@dataclass(frozen=True)
class View:
    """What a search found in a position."""

    win_rate: float
    """Of the player to move, 0 to 1."""
    move: int
    line: tuple[int, ...]


@dataclass(frozen=True)
class Reviewed:
    """A move of the game."""

    number: int
    color: int
    move: int
    before: float
    """The mover's chance to win with the best move."""
    after: float | None
    """The same after the move; None where the game had ended."""
    best: int
    line: tuple[int, ...]

    @property
    def loss(self) -> float:
        """What it lost; nothing if it was the best, whatever the searches say."""
        if self.after is None or self.move == self.best:
            return 0.0
        return max(self.before - self.after, 0.0)

    @property
    def verdict(self) -> str:
        """``bad``, ``doubtful`` or nothing."""
        return "bad" if self.loss >= BAD else "doubtful" if self.loss >= DOUBTFUL else ""

    @property
    def black_rate(self) -> float:
        """Black's chance to win before the move."""
        return self.before if self.color == BLACK else 1 - self.before


# --- analysing -------------------------------------------------------------------------


def read_game(path: Path) -> tuple[bytes, GameRecord]:
    """The file and the game in it."""
    try:
        data = path.read_bytes()
        record = sgf.loads(data)
    except OSError as error:
        raise ReviewError(f"{path}: {error.strerror}") from None
    except GoError as error:
        raise ReviewError(f"{path}: {error}") from None
    if not record.position.moves:
        raise ReviewError(f"{path} holds no move")
    return data, record


def review(
    game: Position,
    look: Callable[[Position], View],
    watch: Callable[[Sequence[View]], None] = lambda views: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[Reviewed]:
    """All moves of a game; those before the interruption, if there was one."""
    position, views = game.first, list[View]()
    for color, move in [*game.moves, (0, 0)]:
        if position.is_over or stopped():
            break
        view = look(position)
        if stopped():  # a search that was cut short is no view
            break
        views.append(view)
        watch(views)
        if color:
            position = position.play(move, color)
    return _judge(game, views)


def _judge(game: Position, views: Sequence[View]) -> list[Reviewed]:
    followers: list[View | None] = [*views[1:], None]
    return [
        Reviewed(number, color, move, view.win_rate, _seen_before(after), view.move, view.line)
        for number, ((color, move), view, after) in enumerate(
            zip(game.moves, views, followers, strict=False), start=1
        )
    ]


def _seen_before(after: View | None) -> float | None:
    """The chance of the player who has just moved."""
    return None if after is None else 1 - after.win_rate


def searcher(
    player: str, simulations: int | None, stopped: Callable[[], bool]
) -> Callable[[Position], View]:
    """Looks at positions with a recipe."""
    entrant = parse_player(player)
    if entrant.recipe is None:
        raise ReviewError(f"{player} does not search; recipes do")
    settings = entrant.settings
    search = LocalSearch(entrant.recipe, settings.threads, settings.memory or 512, settings.seed)
    budget = Budget(settings.simulations or simulations, settings.seconds)

    def look(position: Position) -> View:
        found = search.run(position, budget, lambda found: not stopped())
        return View((found.value + 1) / 2, found.move, found.variation[:LONGEST_LINE])

    return look


# --- telling ---------------------------------------------------------------------------


def notes(moves: Sequence[Reviewed], size: int) -> dict[int, Note]:
    """What goes into the record."""
    return {move.number: _note(move, size) for move in moves}


def _note(move: Reviewed, size: int) -> Note:
    name = color_name(move.color).capitalize()
    parts = [f"{name} wins {move.before:.1%} before this move"]
    if move.after is not None:
        parts.append(f"{move.after:.1%} after it")
    told = ", ".join(parts)
    if move.verdict:
        told += f"\n{move.verdict} move: it loses {move.loss:.1%}; best {vertex(move.best, size)}"
    instead = move.line if move.move != move.best else ()
    return Note(told, MARKS.get(move.verdict, ""), instead, f"{name} wins {move.before:.1%}")


def summary(record: GameRecord, moves: Sequence[Reviewed], complete: bool) -> dict[str, Any]:
    """The review in the shape that is promised to programs."""
    size = record.position.size
    return {
        "black": record.black,
        "white": record.white,
        "result": record.result,
        "size": size,
        "komi": record.position.komi,
        "complete": complete,
        "players": {
            color_name(color).lower(): _of_player(moves, color) for color in (BLACK, WHITE)
        },
        "moves": [
            {
                "number": move.number,
                "color": color_name(move.color).lower(),
                "move": vertex(move.move, size),
                "before": round(move.before, 4),
                "after": None if move.after is None else round(move.after, 4),
                "loss": round(move.loss, 4),
                "verdict": move.verdict,
                "best": vertex(move.best, size),
                "variation": [vertex(point, size) for point in move.line],
            }
            for move in moves
        ],
    }


def _of_player(moves: Sequence[Reviewed], color: int) -> dict[str, float]:
    own = [move for move in moves if move.color == color]
    return {
        "moves": len(own),
        "bad": sum(move.verdict == "bad" for move in own),
        "doubtful": sum(move.verdict == "doubtful" for move in own),
        "as_the_search": sum(move.move == move.best for move in own),
        "mean_loss": round(sum(move.loss for move in own) / max(len(own), 1), 4),
    }


def show(record: GameRecord, moves: Sequence[Reviewed]) -> None:
    """Print both players' figures and the worst moves."""
    console, size = Console(highlight=False, markup=False), record.position.size
    players = Table()
    for heading in ("", "moves", "as the search", "doubtful", "bad", "mean loss"):
        players.add_column(heading, justify="right" if heading else "left")
    for color, name in ((BLACK, record.black), (WHITE, record.white)):
        own = _of_player(moves, color)
        players.add_row(
            f"{color_name(color).capitalize()} {name}".strip(),
            *(f"{own[key]:.0f}" for key in ("moves", "as_the_search", "doubtful", "bad")),
            f"{own['mean_loss']:.1%}",
        )
    console.print(players)
    worst = sorted((move for move in moves if move.verdict), key=lambda move: -move.loss)[:WORST]
    if not worst:
        console.print(f"no move lost {DOUBTFUL:.0%} or more")
        return
    table = Table(title="moves that lost most", title_justify="left")
    for heading in ("move", "", "played", "chance to win", "better"):
        table.add_column(
            heading, justify="right" if heading in ("move", "chance to win") else "left"
        )
    for move in sorted(worst, key=lambda move: move.number):
        line = " ".join(vertex(point, size) for point in move.line[:5])
        table.add_row(
            str(move.number), color_name(move.color), vertex(move.move, size),
            f"{move.before:.0%} → {move.after:.0%}", line,
        )  # fmt: skip
    console.print(table)


def draw(moves: Sequence[Reviewed], title: str, path: Path) -> None:
    """Black's chance to win, move by move, with the bad moves marked."""
    picture, (axis,) = canvas()
    axis.plot(
        [move.number - 1 for move in moves], [100 * move.black_rate for move in moves], color="k"
    )
    for color, face in ((BLACK, "k"), (WHITE, "w")):
        bad = [move for move in moves if move.color == color and move.verdict == "bad"]
        axis.plot(
            [move.number for move in bad],
            [100 * _black_after(move) for move in bad],
            "o", markerfacecolor=face, markeredgecolor="#b02020", markeredgewidth=1.5,
            linestyle="none", label=f"bad moves of {color_name(color).capitalize()}",
        )  # fmt: skip
    axis.axhline(50, color="#888888", linewidth=0.8)
    axis.set_ylim(0, 100)
    axis.set_xlabel("moves played")
    axis.set_ylabel("Black's chance to win, %")
    axis.set_title(title, loc="left", fontsize=10)
    axis.legend(fontsize=8, frameon=False)
    save(picture, path)


def _title(record: GameRecord) -> str:
    names = (shorten(record.black) or "Black", shorten(record.white) or "White")
    return f"{' – '.join(names)} {record.result}".strip()


def shorten(name: str, letters: int = 40) -> str:
    """A name that fits."""
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def _black_after(move: Reviewed) -> float:
    after = move.before if move.after is None else move.after
    return after if move.color == BLACK else 1 - after


# --- the command -----------------------------------------------------------------------


def session(
    path: Path, out: Path, graph: Path, player: str, simulations: int, as_json: bool
) -> bool:
    """Analyse, write and tell; returns False if the user interrupted it."""
    data, record = read_game(path)
    with interrupts_noted() as interrupted:

        def stopped() -> bool:
            return bool(interrupted)

        look = searcher(player, simulations, stopped)
        with Counter("positions", len(record.position.moves) + 1) as watch:
            moves = review(record.position, look, watch, stopped)
    write_whole_bytes(out, sgf.annotate(data, notes(moves, record.position.size)))
    if as_json:
        print(json.dumps(summary(record, moves, not interrupted), indent=2, ensure_ascii=False))
    else:
        show(record, moves)
    told = Console(stderr=True, highlight=False, markup=False)
    try:
        draw(moves, _title(record), graph)
        told.print(f"{out}, {graph}", soft_wrap=True)
    except NoMatplotlibError as error:
        told.print(f"{out}; no graph: {error}", soft_wrap=True)
    return not interrupted
