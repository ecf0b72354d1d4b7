"""Commands about the game: the board, the moves, handicap, records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.gtp.arguments import Arguments
from montego.gtp.table import command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession


@command("boardsize")
def boardsize(session: GtpSession, arguments: Arguments) -> str:
    """Start a new game on a board of this size."""
    size = arguments.integer("the size")
    try:
        session.engine.new_game(size)
    except ValueError as error:
        raise ValueError(f"unacceptable size: {error}") from None
    return ""


@command("clear_board")
def clear_board(session: GtpSession, arguments: Arguments) -> str:
    """Start a new game."""
    session.engine.clear()
    return ""


@command("komi")
def komi(session: GtpSession, arguments: Arguments) -> str:
    """Set the komi."""
    session.engine.set_komi(arguments.number("the komi"))
    return ""


@command("get_komi")
def get_komi(session: GtpSession, arguments: Arguments) -> str:
    """The komi."""
    return f"{session.engine.position.komi:g}"


@command("query_boardsize")
def query_boardsize(session: GtpSession, arguments: Arguments) -> str:
    """The size of the board."""
    return str(session.engine.position.size)


@command("play")
def play(session: GtpSession, arguments: Arguments) -> str:
    """Play a move of either colour."""
    color, vertex = arguments.color(), arguments.word("the vertex")
    try:
        session.engine.play(vertex, color)
    except ValueError as error:
        raise ValueError(f"illegal move: {error}") from None
    return ""


@command("gogui-play_sequence")
def play_sequence(session: GtpSession, arguments: Arguments) -> str:
    """Play several moves, or none if one of them is illegal."""
    engine, played = session.engine, 0
    try:
        while arguments:
            color, vertex = arguments.color(), arguments.word("the vertex")
            engine.play(vertex, color)
            played += 1
    except ValueError as error:
        for _ in range(played):
            engine.undo()
        raise ValueError(f"illegal move: {error}") from None
    return ""


@command("undo", "gg-undo")
def undo(session: GtpSession, arguments: Arguments) -> str:
    """Take back the last move, or as many as given."""
    engine = session.engine
    count = arguments.integer("the number of moves") if arguments else 1
    if not 1 <= count <= len(engine.position.moves):
        raise ValueError("cannot undo")
    for _ in range(count):
        engine.undo()
    return ""


@command("showboard")
def showboard(session: GtpSession, arguments: Arguments) -> str:
    """The board for people."""
    return f"\n{session.engine.position}"


# --- handicap --------------------------------------------------------------------------


@command("fixed_handicap")
def fixed_handicap(session: GtpSession, arguments: Arguments) -> str:
    """Place handicap stones on the fixed points."""
    return " ".join(session.engine.handicap(arguments.integer("the number of stones")))


@command("place_free_handicap")
def place_free_handicap(session: GtpSession, arguments: Arguments) -> str:
    """Place handicap stones where the engine likes."""
    stones = arguments.integer("the number of stones")
    return " ".join(session.engine.handicap(stones, free=True))


@command("set_free_handicap")
def set_free_handicap(session: GtpSession, arguments: Arguments) -> str:
    """Place handicap stones on the points given."""
    session.engine.handicap_at(arguments.rest())
    return ""


# --- set-up and records ----------------------------------------------------------------


@command("gogui-setup")
def setup(session: GtpSession, arguments: Arguments) -> str:
    """Start from the stones given as colours and points."""
    stones: dict[str, list[str]] = {"b": [], "w": []}
    while arguments:
        color = arguments.color()[0]
        stones[color].append(arguments.word("the vertex"))
    session.engine.set_up(stones["b"], stones["w"])
    return ""


@command("gogui-setup_player")
def setup_player(session: GtpSession, arguments: Arguments) -> str:
    """Start from the stones on the board, with this colour to move."""
    position, color = session.engine.position, arguments.color()
    session.engine.set_up(position.stones("b"), position.stones("w"), color)
    return ""


@command("loadsgf")
def loadsgf(session: GtpSession, arguments: Arguments) -> str:
    """Load a game, or the position before one of its moves."""
    path = arguments.word("the file")
    number = arguments.integer("the move number") if arguments else None
    try:
        session.engine.load_sgf(path, number)
    except ValueError as error:
        raise ValueError(f"cannot load file: {error}") from None
    return ""


@command("printsgf")
def printsgf(session: GtpSession, arguments: Arguments) -> str:
    """The game as SGF, with win rates as comments; to a file if one is named."""
    if not arguments:
        return session.engine.sgf_text()
    session.engine.save_sgf(arguments.word("the file"))
    return ""
