"""What pages can ask of a table, one function each.

What is asked for is done at once, or refused with a reason and nothing changed; only thinking
takes time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from montego.go import PASS, GoError, IllegalMove, parse_color
from montego.mcts.recipes import named_recipe
from montego.web import messages as m
from montego.web.counting import toggled
from montego.web.jobs import Thinker
from montego.web.outbox import Outbox
from montego.web.pool import Ticket
from montego.web.table import HINT, Table
from montego.web.views import check_parameters


def handle(table: Table, asked: m.Act, page: Outbox) -> None:
    """Do what a page asks for, or tell it why not."""
    try:
        ACTS[type(asked)](table, asked, page)
    except IllegalMove as error:
        page.put(m.Problem(code="illegal", text=_sentence(error), point=asked.move))  # type: ignore[union-attr]
    except GoError as error:
        page.put(m.Problem(code="bad", text=_sentence(error)))


def _sentence(error: Exception) -> str:
    """What an error says, as a sentence."""
    text = str(error)[:300]
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


# --- playing ---------------------------------------------------------------------------


def play(table: Table, asked: m.Play, page: Outbox) -> None:
    """A move of the user's."""
    if asked.at != table.tree.at:
        page.put(m.Problem(code="late", text="The board has changed meanwhile."))
        page.put(table.state())
        return
    if table.phase != "playing":
        raise GoError("the game is over: take a move back, or begin another one")
    if table.is_programs_turn:
        raise GoError("it is the program's turn")
    table.tree.play(asked.move)
    table.moved()


def undo(table: Table, asked: m.Undo, page: Outbox) -> None:
    """Back to the user's last choice; while analysing, and alone, one move."""
    path = table.tree.path()
    alone = table.mode == "analyse" or table.settings.user == "both"
    user = None if alone else parse_color(table.settings.user)
    if table.result.endswith("+R") and table.mode == "play":
        table.result = ""
        if user in (None, table.position.to_play):
            table.changed()
            return
    mine = [node for node in path[1:] if user in (None, table.tree.nodes[node].color)]
    if not mine:
        raise GoError("there is no move of yours to take back")
    parent = table.tree.nodes[mine[-1]].parent
    assert parent is not None
    table.tree.goto(parent)
    table.moved()


def resign(table: Table, asked: m.Resign, page: Outbox) -> None:
    """The user gives up."""
    if table.mode != "play" or table.phase != "playing":
        raise GoError("there is no game to give up")
    user = table.settings.user
    loser = table.position.to_play if user == "both" else parse_color(user)
    table.give_up(loser)


def hint(table: Table, asked: m.Hint, page: Outbox) -> None:
    """Think in the user's place."""
    if table.phase != "playing" or table.position.is_over:
        raise GoError("the game is over")
    table.only_if_idle()
    table.begin("hint", HINT.model_copy(update={"recipe": table.settings.recipe}))


def stop(table: Table, asked: m.Stop, page: Outbox) -> None:
    """The best move so far."""
    if table.task is not None:
        table.task.ticket.stop()


def estimate(table: Table, asked: m.EstimateScore, page: Outbox) -> None:
    """How the game stands."""
    table.only_if_idle()
    table.begin("estimate", HINT)


def mark(table: Table, asked: m.Mark, page: Outbox) -> None:
    """Another opinion about some stones."""
    if table.phase != "scoring" or table.dead is None:
        raise GoError("nothing is being counted now")
    table.dead = toggled(table.position, table.dead, asked.point)
    table.changed()


def agree(table: Table, asked: m.Agree, page: Outbox) -> None:
    """The count is the result."""
    if table.phase != "scoring" or table.count is None:
        raise GoError("nothing is being counted now")
    table.result, table.has_agreed = table.count.result, True
    table.ended_at = table.tree.at
    table.changed()


def resume(table: Table, asked: m.Resume, page: Outbox) -> None:
    """Take the passes back, or the giving up, and play on."""
    if table.phase == "playing":
        raise GoError("the game goes on")
    path = table.tree.path()
    while len(path) > 1 and table.tree.nodes[path[-1]].move == PASS:
        path.pop()
    table.tree.goto(path[-1])
    table.moved()


def change(table: Table, asked: m.Change, page: Outbox) -> None:
    """Another opponent, from now on."""
    told = {name: value for name, value in asked if name != "type" and value is not None}
    named_recipe(told.get("recipe", table.settings.recipe))
    if asked.recipe is not None:  # another recipe has other numbers
        table.analysis.parameters = {}
        table.playouts.forget()
    table.settings = table.settings.model_copy(update=told)
    table.end_task()
    table.analysis.stop()
    table.changed()


def switch(table: Table, asked: m.Switch, page: Outbox) -> None:
    """To playing, or to analysing."""
    table.mode = asked.mode
    if asked.mode == "play":
        if table.tree.at != table.ended_at:  # a game from here on, not the one that ended
            table.result, table.has_agreed = "", False
        table.analysis.is_on = False
        table.analysis.stop()
    table.end_task()
    table.changed()


def goto(table: Table, asked: m.Goto, page: Outbox) -> None:
    """To another position; in a game, only once it is over."""
    if table.mode == "play" and table.phase != "over":
        raise GoError("a game goes on: take moves back, or analyse it")
    table.tree.goto(asked.node)
    if table.mode == "analyse":
        table.moved()
    else:
        table.end_task()
        table.changed()


def remove(table: Table, asked: m.Remove, page: Outbox) -> None:
    """Forget a variation."""
    if table.mode == "play":
        raise GoError("variations are removed while analysing")
    table.tree.remove(asked.node)
    table.moved()


def analyse(table: Table, asked: m.Analyse, page: Outbox) -> None:
    """Start or stop looking."""
    if table.mode != "analyse":
        raise GoError("a game is being played: analyse it first")
    if asked.beside is not None:
        named_recipe(asked.beside)
    check_parameters(table.settings.recipe, asked.parameters)
    table.analysis.stop()
    table.analysis.is_on, table.analysis.beside = asked.on, asked.beside
    table.analysis.inside, table.analysis.parameters = asked.inside, asked.parameters
    table.changed()


def review(table: Table, asked: m.ReviewGame, page: Outbox) -> None:
    """Have every position of the line looked at; or no more."""
    if not asked.on:
        table.review.stop()
        return
    if table.mode != "analyse":
        raise GoError("a game is being played: analyse it first")
    line = table.tree.line()
    if len(line) < 2:
        raise GoError("there is no move to review")
    end = table.tree.position_of(line[-1])
    player = Thinker(recipe=table.settings.recipe, simulations=asked.simulations)
    job = table.job("review", player, position=end, line=tuple(line), sgf=table.sgf()).job
    table.review.begin(Ticket(job), lambda told: table.reviewed(line, told))
    table.changed()


def save(table: Table, asked: m.Save, page: Outbox) -> None:
    """The game, or its review, as a file."""
    text = table.sgf() if asked.what == "game" else table.review.files.get(asked.what, "")
    if not text:
        raise GoError("there is no review yet")
    name = f"montego-{table.name[:6]}{'' if asked.what == 'game' else '-review'}"
    page.put(m.Saved(name=f"{name}.{'html' if asked.what == 'page' else 'sgf'}", text=text))


def play_out(table: Table, asked: m.PlayOut, page: Outbox) -> None:
    """Playouts from here."""
    if table.mode != "analyse":
        raise GoError("a game is being played: analyse it first")
    if table.position.is_over:
        raise GoError("both have passed: there is nothing to play out")
    player = Thinker(recipe=table.settings.recipe, seed=table.playouts.next_seed(table.seed))
    if asked.restart:
        table.playouts.forget()
    table.playouts.begin(table.job("playout", player, games=asked.games))


Act = Callable[[Table, Any, Outbox], None]
ACTS: dict[type[m.Message], Act] = {
    m.Play: play,
    m.Undo: undo,
    m.Resign: resign,
    m.Hint: hint,
    m.Stop: stop,
    m.EstimateScore: estimate,
    m.Mark: mark,
    m.Agree: agree,
    m.Resume: resume,
    m.Change: change,
    m.Switch: switch,
    m.Goto: goto,
    m.Remove: remove,
    m.Analyse: analyse,
    m.ReviewGame: review,
    m.Save: save,
    m.PlayOut: play_out,
}
