"""What a review tells: notes for the record, JSON, tables for the terminal, a graph."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

from montego.go import BLACK, WHITE, color_name, vertex
from montego.go.notes import Note
from montego.go.sgf import GameRecord
from montego.lab.tools.review import DOUBTFUL, Review, Reviewed
from montego.planning.figures import save, stacked

MARKS = {"bad": "BM", "doubtful": "DO"}
WORST = 10
"""How many moves are listed."""
SHOWN_LINE = 5
LONGEST_NAME = 40


# --- the record ------------------------------------------------------------------------


def notes(review: Review) -> dict[int, Note]:
    """What goes into the record, 0 for its start."""
    size = review.record.position.size
    told = {move.number: _note(move, size) for move in review.moves}
    for number, (rate, lead) in enumerate(zip(review.win_rates, review.leads, strict=True)):
        told[number] = replace(told.get(number, Note()), properties=_for_sabaki(rate, lead))
    return told


def _for_sabaki(rate: float, lead: float) -> dict[str, str]:
    """Black's chance to win in percent, and Black's lead, as Sabaki draws them."""
    return {"SBKV": f"{round(100 * rate, 2):g}", "SBKS": f"{round(lead, 2):g}"}


def _note(move: Reviewed, size: int) -> Note:
    name = color_name(move.color)
    before = f"{name} wins {move.before:.1%} before this move"
    lead = f"{name}'s lead: {move.score_before:+.1f} points before it"
    if move.after is not None:
        before += f", {move.after:.1%} after it"
        lead += f", {move.score_after:+.1f} after it"
    told = f"{before}\n{lead}"
    if move.verdict:
        points = f" and about {move.points_lost:.1f} points" if move.points_lost else ""
        told += f"\n{move.verdict} move: it loses {move.loss:.1%}{points}"
        told += f"; best {vertex(move.best, size)}"
    instead = move.line if move.move != move.best else ()
    about = f"{name} wins {move.before:.1%}, lead {move.score_before:+.1f} points"
    return Note(told, MARKS.get(move.verdict, ""), instead, about)


# --- JSON ------------------------------------------------------------------------------


def summary(review: Review) -> dict[str, Any]:
    """The review in the shape that is promised to programs."""
    record = review.record
    return {
        "black": record.black,
        "white": record.white,
        "result": record.result,
        "size": record.position.size,
        "komi": record.position.komi,
        "complete": review.complete,
        "players": {
            color_name(color).lower(): of_player(review, color) for color in (BLACK, WHITE)
        },
        "moves": [_move_as_json(move, record.position.size) for move in review.moves],
    }


def _move_as_json(move: Reviewed, size: int) -> dict[str, Any]:
    return {
        "number": move.number,
        "color": color_name(move.color).lower(),
        "move": vertex(move.move, size),
        "before": round(move.before, 4),
        "after": None if move.after is None else round(move.after, 4),
        "loss": round(move.loss, 4),
        "score_before": round(move.score_before, 2),
        "score_after": None if move.score_after is None else round(move.score_after, 2),
        "points_lost": round(move.points_lost, 2),
        "verdict": move.verdict,
        "best": vertex(move.best, size),
        "variation": [vertex(point, size) for point in move.line],
    }


def of_player(review: Review, color: int) -> dict[str, float]:
    """A player's figures."""
    own = [move for move in review.moves if move.color == color]
    count = max(len(own), 1)
    return {
        "moves": len(own),
        "bad": sum(move.verdict == "bad" for move in own),
        "doubtful": sum(move.verdict == "doubtful" for move in own),
        "as_the_search": sum(move.move == move.best for move in own),
        "mean_loss": round(sum(move.loss for move in own) / count, 4),
        "mean_points_lost": round(sum(move.points_lost for move in own) / count, 2),
    }


# --- the terminal ----------------------------------------------------------------------


def show(review: Review, console: Console) -> None:
    """Print both players' figures and the worst moves."""
    console.print(_players_table(review))
    if not review.complete:
        console.print(f"only the first {len(review.moves)} moves were reviewed")
    worst = review.worst(WORST)
    if worst:
        console.print(_worst_table(worst, review.record.position.size))
    else:
        console.print(f"no move lost {DOUBTFUL:.0%} or more")


def _players_table(review: Review) -> Table:
    table = Table()
    headings = ("", "moves", "as search", "doubtful", "bad", "mean loss", "points")
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left")
    for color, name in named_players(review.record):
        own = of_player(review, color)
        table.add_row(
            name,
            *(f"{own[key]:.0f}" for key in ("moves", "as_the_search", "doubtful", "bad")),
            f"{own['mean_loss']:.1%}",
            f"{own['mean_points_lost']:.1f}",
        )
    return table


def _worst_table(worst: list[Reviewed], size: int) -> Table:
    table = Table(title="moves that lost most", title_justify="left")
    right = ("move", "chance to win", "points lost")
    for heading in ("move", "", "played", "chance to win", "points lost", "better"):
        table.add_column(heading, justify="right" if heading in right else "left")
    for move in worst:
        line = " ".join(vertex(point, size) for point in move.line[:SHOWN_LINE])
        table.add_row(
            str(move.number), color_name(move.color), vertex(move.move, size),
            f"{move.before:.0%} → {move.after:.0%}", f"{move.points_lost:.1f}", line,
        )  # fmt: skip
    return table


def named_players(record: GameRecord) -> list[tuple[int, str]]:
    """ "Black Anna", "White Ben", for either colour."""
    names = ((BLACK, record.black), (WHITE, record.white))
    return [(color, f"{color_name(color)} {shorten(name)}".strip()) for color, name in names]


def title(record: GameRecord) -> str:
    """Who played, and the result."""
    names = (shorten(record.black) or "Black", shorten(record.white) or "White")
    return f"{' – '.join(names)} {shorten(record.result)}".strip()


def shorten(name: str, letters: int = LONGEST_NAME) -> str:
    """A name that fits into a line and does nothing else to a terminal."""
    printable = "".join(letter for letter in name if letter.isprintable()).strip()
    return printable if len(printable) <= letters else f"{printable[: letters - 1]}…"


# --- the graph -------------------------------------------------------------------------


def graph(review: Review, kind: str) -> bytes:
    """A picture (``png`` or ``svg``): Black's chance to win and lead, the bad moves marked."""
    picture, (rates, leads) = stacked((2.6, 2.2))
    panels = (
        (rates, [100 * rate for rate in review.win_rates], 50, "Black's chance to win, %"),
        (leads, review.leads, 0, "Black's lead, points"),
    )
    for axis, values, even, heading in panels:
        axis.plot(range(len(values)), values, color="k", linewidth=1.2)
        axis.axhline(even, color="#888888", linewidth=0.8)
        axis.set_ylabel(heading, fontsize=9)
        axis.set_xlim(0, max(len(values) - 1, 1))
        for color, face in ((BLACK, "k"), (WHITE, "w")):
            _mark_bad_moves(axis, review, values, color, face)
    rates.set_ylim(0, 100)
    rates.set_title(title(review.record), loc="left", fontsize=10, parse_math=False)
    rates.legend(fontsize=8, frameon=False)
    leads.set_xlabel("moves played")
    return _saved(picture, kind)


def _mark_bad_moves(axis: Any, review: Review, values: list[float], color: int, face: str) -> None:
    """A dot where a bad move led to."""
    bad = [move.number for move in review.mistakes if (move.verdict, move.color) == ("bad", color)]
    axis.plot(
        bad, [values[number] for number in bad],
        "o", markerfacecolor=face, markeredgecolor="#b02020", markeredgewidth=1.5,
        linestyle="none", label=f"bad moves of {color_name(color)}",
    )  # fmt: skip


def _saved(picture: Any, kind: str) -> bytes:
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that the font does not have
        path = Path(folder) / f"graph.{kind}"
        save(picture, path)
        return path.read_bytes()
