"""Commands that generate moves, about time, and about the engine's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.gtp.analysis_options import AnalysisOptions, Restriction, avoided_moves
from montego.gtp.arguments import Arguments
from montego.gtp.table import command

if TYPE_CHECKING:
    from montego.engine.answer import Answer
    from montego.engine.clock import TimeSystem
    from montego.gtp.session import GtpSession


@command("genmove")
def genmove(session: GtpSession, arguments: Arguments) -> str:
    """Generate a move and play it."""
    return _generate(session, arguments.color(), cleanup=False)


@command("kgs-genmove_cleanup")
def genmove_cleanup(session: GtpSession, arguments: Arguments) -> str:
    """The same, without passing while dead enemy stones stand."""
    return _generate(session, arguments.color(), cleanup=True)


def _generate(session: GtpSession, color: str, cleanup: bool) -> str:
    answer = session.engine.genmove(color, cleanup, progress=lambda found: session.goes_on())
    session.thought = not answer.resigned
    log_answer(session, color, answer)
    return answer.vertex


def log_answer(session: GtpSession, color: str, answer: Answer) -> None:
    """Tell people what was played and why."""
    from montego.engine.answer import told_komi

    if answer.from_book:
        won = f"{answer.win_rate:.1%} of {answer.visits:,}"
        session.log(f"{color} {answer.vertex}: from the book, {won} games won")
        return
    session.log(
        f"{color} {answer.vertex}: {answer.win_rate:.1%} after {answer.simulations:,} "
        f"simulations in {answer.seconds:.2f} s{told_komi(answer.extra_komi)}"
    )


@command("reg_genmove")
def reg_genmove(session: GtpSession, arguments: Arguments) -> str:
    """Generate a move without playing it."""
    return session.engine.search(arguments.color()).vertex


@command("restricted_genmove")
def restricted_genmove(session: GtpSession, arguments: Arguments) -> str:
    """Generate the best of some moves without playing it."""
    color = arguments.color()
    first, rest = arguments.word("a vertex"), arguments.rest()
    options = AnalysisOptions(allowed=[Restriction(color, frozenset({first, *rest}), 1)])
    avoided = avoided_moves(options, session.engine.position.size)
    return session.engine.search(color, avoided).vertex


# --- time ------------------------------------------------------------------------------


@command("time_settings")
def time_settings(session: GtpSession, arguments: Arguments) -> str:
    """Main time, byo-yomi time and byo-yomi stones."""
    from montego.engine.clock import gtp_system

    main, byo_yomi = arguments.number("the main time"), arguments.number("the byo-yomi time")
    system = gtp_system(main, byo_yomi, arguments.integer("the byo-yomi stones"))
    return _play_by(session, system)


@command("kgs-time_settings", "kata-time_settings")
def named_time_settings(session: GtpSession, arguments: Arguments) -> str:
    """A time system by its name, then its numbers."""
    from montego.engine.clock import parse_system

    name = arguments.word("the time system").lower()
    return _play_by(session, parse_system(name, arguments.rest()))


def _play_by(session: GtpSession, system: TimeSystem) -> str:
    from montego.engine.clock import is_too_short

    session.engine.set_time(system)
    size = session.engine.position.size
    if is_too_short(system, size**2):
        session.log(f"a long game on {size}x{size} cannot be played in this time")
    return ""


@command("kata-list_time_settings")
def list_time_settings(session: GtpSession, arguments: Arguments) -> str:
    """The time systems that ``kata-time_settings`` knows."""
    from montego.engine.clock import SYSTEM_NAMES

    return " ".join(SYSTEM_NAMES)


@command("time_left")
def time_left(session: GtpSession, arguments: Arguments) -> str:
    """What is left on a player's clock."""
    color, seconds = arguments.color(), arguments.number("the time")
    session.engine.set_time_left(color, seconds, arguments.integer("the stones"))
    return ""


@command("set_random_seed")
def set_random_seed(session: GtpSession, arguments: Arguments) -> str:
    """Draw other random numbers: the same seed, the same replies."""
    session.engine.set_seed(arguments.integer("the seed"))
    return ""


@command("get_random_seed")
def get_random_seed(session: GtpSession, arguments: Arguments) -> str:
    """The seed."""
    return str(session.engine.seed)


# --- parameters ------------------------------------------------------------------------


@command("montego-param")
def parameters(session: GtpSession, arguments: Arguments) -> str:
    """All parameters, one of them, or set one."""
    engine = session.engine
    if not arguments:
        lines = (_with_type(name, value) for name, value in engine.parameters().items())
        return "\n" + "\n".join(lines)
    name = arguments.word("the name")
    if arguments:
        engine.set_parameters({name: arguments.word("the value")})
        return ""
    if name not in engine.parameters():
        raise ValueError(f"there is no parameter {name!r}")
    return _text(engine.parameters()[name])


def _with_type(name: str, value: object) -> str:
    """A line as GoGui's dialogue of parameters reads it."""
    from montego.engine.parameters import CHOICES
    from montego.mcts.rules import RULES

    kind = "[bool]" if isinstance(value, bool) else "[string]"
    if words := RULES.get(name) or CHOICES.get(name):
        kind = f"[list/{'/'.join(words)}]"
    shown = str(int(value)) if isinstance(value, bool) else _text(value)
    return f"{kind} {name} {shown}"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
