"""A game of a match as SGF, with the win rates of both sides as comments."""

from __future__ import annotations

from collections.abc import Mapping

from montego import __version__
from montego.go import BLACK, PASS, WHITE, color_letter
from montego.go.points import row_and_column
from montego.lab.game import Game, Ply, Setup


def as_sgf(setup: Setup, game: Game, names: Mapping[int, str]) -> str:
    """The whole file; ``names`` are by colour."""
    root = {
        "GM": "1",
        "FF": "4",
        "CA": "UTF-8",
        "AP": f"montego:{__version__}",
        "SZ": str(setup.size),
        "KM": f"{setup.komi:g}",
        "RU": "Chinese",
        "PB": names[BLACK],
        "PW": names[WHITE],
        "RE": game.ending.result,
        "C": "\n".join(filter(None, [game.ending.reason, game.ending.detail])),
    }
    header = "".join(f"{key}[{_escaped(value)}]" for key, value in root.items())
    moves = "\n".join(_node(ply) for ply in game.plies)
    return f"(;{header}\n{moves})\n"


def _node(ply: Ply) -> str:
    node = f";{color_letter(ply.color)}[{_point(ply.move)}]"
    if ply.win_rate is None:
        return node
    return f"{node}C[{ply.win_rate:.1%}, {ply.simulations} simulations, {ply.seconds:.2f} s]"


def _point(move: int) -> str:
    if move == PASS:
        return ""
    row, column = row_and_column(move)
    return "".join(chr(ord("a") + line - 1) for line in (column, row))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
