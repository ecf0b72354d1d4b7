"""A table: one game, its players, and the pages that look at it.

What a page asks for is done at once, or refused with a reason and nothing changed; only thinking
takes time, and is done by the pool.  After every change the table sees to it that what should be
thought about is being thought about, and nothing else.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from montego.engine.engine import NAME
from montego.go import BLACK, PASS, WHITE, GoError, IllegalMove, Position, color_name, parse_color
from montego.go.colors import color_letter, other_color
from montego.go.rulesets import find_ruleset
from montego.mcts.recipes import named_recipe
from montego.web import messages as m
from montego.web.analysing import Analysing
from montego.web.counting import count, toggled
from montego.web.jobs import Done, Job, Judged, Moved, Progress, Start, Thinker
from montego.web.outbox import Outbox
from montego.web.pool import EngineFailed, Pool, Ticket
from montego.web.records import write_link, write_sgf
from montego.web.reviewing import Reviewing
from montego.web.tree import MoveTree
from montego.web.views import (
    board_of,
    check_parameters,
    limit_of,
    node_of,
    whole_where_it_has_to_be,
)

HINT = Thinker(simulations=4_000, seconds=3.0)
"""A hint is better than the weakest levels play."""


@dataclass
class Task:
    """Something that is being thought about."""

    work: m.Work
    ticket: Ticket
    task: asyncio.Task[None]


class Table:
    """A game, and what is going on in it."""

    def __init__(
        self, name: str, pool: Pool, tree: MoveTree, settings: m.Settings, mode: m.Mode
    ) -> None:
        self.name = name
        self.pool = pool
        self.tree = tree
        self.settings = settings
        self.mode = mode
        self.names = {BLACK: "", WHITE: ""}
        self.result = ""
        self.ended_at = 0
        """The node that the result is of."""
        self.count: m.Count | None = None
        self.dead: frozenset[int] | None = None
        """What is taken for dead in the count; None while there is none."""
        self._counted = 0
        """The node that was."""
        self.has_agreed = False
        self.seed = random.randrange(2**31)
        self.pages: set[Outbox] = set()
        self._task: Task | None = None
        self._analysis = Analysing(pool, self._found, self._analysed)
        self._review = Reviewing(pool, self.tell)

    # --- what there is ----------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position that is looked at."""
        return self.tree.position

    @property
    def phase(self) -> m.Phase:
        """Whether the game goes on, is being counted, or is over."""
        if self.mode == "analyse":
            return "playing"
        if self.result or self.has_agreed:
            return "over"
        return "scoring" if self.position.is_over else "playing"

    @property
    def is_programs_turn(self) -> bool:
        """Whether the program has to move."""
        user = self.settings.user
        is_users = user == "both" or parse_color(user) == self.position.to_play
        return self.mode == "play" and self.phase == "playing" and not is_users

    def state(self) -> m.State:
        """All of it, for a page."""
        tree, size = self.tree, self.position.size
        task = self._task.work if self._task else None
        names = [self.names[color] or self._usual_name(color) for color in (BLACK, WHITE)]
        return m.State(
            game=self.name, mode=self.mode, phase=self.phase, settings=self.settings,
            board=board_of(self.position), nodes=[node_of(n, size) for n in tree.nodes.values()],
            at=tree.at, line=tree.line(), black=names[0], white=names[1], result=self.result,
            count=self.count if self._counted == tree.at else None, working=task,
            analysing=self._analysis.is_on, reviewing=self._review.is_running,
            link=write_link(tree, self.settings),
        )  # fmt: skip

    def _usual_name(self, color: int) -> str:
        user = self.settings.user
        if user == "both":
            return color_name(color)
        return "You" if parse_color(user) == color else NAME

    # --- pages ------------------------------------------------------------------------

    def join(self, page: Outbox) -> None:
        """Somebody looks on from now on."""
        self.pages.add(page)
        page.put(self.state())
        for latest in self._analysis.latest.values():
            page.put(latest)
        for told in (self._review.latest, self._analysis.tree):
            if told is not None:
                page.put(told)
        self._see_to_it()

    def leave(self, page: Outbox) -> None:
        """Nobody analyses for nobody; a move is thought out, so that it is there on return."""
        self.pages.discard(page)
        if not self.pages:
            self._analysis.stop()

    def tell(self, message: m.ToPage) -> None:
        """Tell all pages."""
        for page in self.pages:
            page.put(message)

    def handle(self, asked: m.Act, page: Outbox) -> None:
        """Do what a page asks for; raises GoError if that cannot be."""
        try:
            ACTS[type(asked)](self, asked, page)
        except IllegalMove as error:
            page.put(m.Problem(code="illegal", text=_sentence(error), point=asked.move))  # type: ignore[union-attr]
        except GoError as error:
            page.put(m.Problem(code="bad", text=_sentence(error)))

    # --- what pages ask for -----------------------------------------------------------

    def play(self, asked: m.Play, page: Outbox) -> None:
        """A move of the user's."""
        if asked.at != self.tree.at:
            page.put(m.Problem(code="late", text="The board has changed meanwhile."))
            page.put(self.state())
            return
        if self.phase != "playing":
            raise GoError("the game is over: take a move back, or begin another one")
        if self.is_programs_turn:
            raise GoError("it is the program's turn")
        self.tree.play(asked.move)
        self._moved()

    def undo(self, asked: m.Undo, page: Outbox) -> None:
        """Back to the user's last choice; while analysing, and alone, one move."""
        path = self.tree.path()
        alone = self.mode == "analyse" or self.settings.user == "both"
        user = None if alone else parse_color(self.settings.user)
        if self.result.endswith("+R") and self.mode == "play":
            self.result = ""
            if user in (None, self.position.to_play):
                self._changed()
                return
        mine = [node for node in path[1:] if user in (None, self.tree.nodes[node].color)]
        if not mine:
            raise GoError("there is no move of yours to take back")
        parent = self.tree.nodes[mine[-1]].parent
        assert parent is not None
        self.tree.goto(parent)
        self._moved()

    def resign(self, asked: m.Resign, page: Outbox) -> None:
        """The user gives up."""
        if self.mode != "play" or self.phase != "playing":
            raise GoError("there is no game to give up")
        user = self.settings.user
        loser = self.position.to_play if user == "both" else parse_color(user)
        self._give_up(loser)

    def _give_up(self, loser: int) -> None:
        self.result = f"{color_letter(other_color(loser))}+R"
        self.ended_at = self.tree.at
        self._changed()

    def hint(self, asked: m.Hint, page: Outbox) -> None:
        """Think in the user's place."""
        if self.phase != "playing" or self.position.is_over:
            raise GoError("the game is over")
        self._only_if_idle()
        self._begin("hint", HINT.model_copy(update={"recipe": self.settings.recipe}))

    def stop(self, asked: m.Stop, page: Outbox) -> None:
        """The best move so far."""
        if self._task is not None:
            self._task.ticket.stop()

    def estimate(self, asked: m.EstimateScore, page: Outbox) -> None:
        """How the game stands."""
        self._only_if_idle()
        self._begin("estimate", HINT)

    def mark(self, asked: m.Mark, page: Outbox) -> None:
        """Another opinion about some stones."""
        if self.phase != "scoring" or self.dead is None:
            raise GoError("nothing is being counted now")
        self.dead = toggled(self.position, self.dead, asked.point)
        self._changed()

    def agree(self, asked: m.Agree, page: Outbox) -> None:
        """The count is the result."""
        if self.phase != "scoring" or self.count is None:
            raise GoError("nothing is being counted now")
        self.result, self.has_agreed = self.count.result, True
        self.ended_at = self.tree.at
        self._changed()

    def resume(self, asked: m.Resume, page: Outbox) -> None:
        """Take the passes back, or the giving up, and play on."""
        if self.phase == "playing":
            raise GoError("the game goes on")
        path = self.tree.path()
        while len(path) > 1 and self.tree.nodes[path[-1]].move == PASS:
            path.pop()
        self.tree.goto(path[-1])
        self._moved()

    def change(self, asked: m.Change, page: Outbox) -> None:
        """Another opponent, from now on."""
        told = {name: value for name, value in asked if name != "type" and value is not None}
        named_recipe(told.get("recipe", self.settings.recipe))
        if asked.recipe is not None:  # another recipe has other numbers
            self._analysis.parameters = {}
        self.settings = self.settings.model_copy(update=told)
        self._end_task()
        self._analysis.stop()
        self._changed()

    def switch(self, asked: m.Switch, page: Outbox) -> None:
        """To playing, or to analysing."""
        self.mode = asked.mode
        if asked.mode == "play":
            if self.tree.at != self.ended_at:  # a game from here on, not the one that ended
                self.result, self.has_agreed = "", False
            self._analysis.is_on = False
            self._analysis.stop()
        self._end_task()
        self._changed()

    def goto(self, asked: m.Goto, page: Outbox) -> None:
        """To another position; in a game, only once it is over."""
        if self.mode == "play" and self.phase != "over":
            raise GoError("a game goes on: take moves back, or analyse it")
        self.tree.goto(asked.node)
        if self.mode == "analyse":
            self._moved()
        else:
            self._end_task()
            self._changed()

    def remove(self, asked: m.Remove, page: Outbox) -> None:
        """Forget a variation."""
        if self.mode == "play":
            raise GoError("variations are removed while analysing")
        self.tree.remove(asked.node)
        self._moved()

    def analyse(self, asked: m.Analyse, page: Outbox) -> None:
        """Start or stop looking."""
        if self.mode != "analyse":
            raise GoError("a game is being played: analyse it first")
        if asked.beside is not None:
            named_recipe(asked.beside)
        check_parameters(self.settings.recipe, asked.parameters)
        self._analysis.stop()
        self._analysis.is_on, self._analysis.beside = asked.on, asked.beside
        self._analysis.inside, self._analysis.parameters = asked.inside, asked.parameters
        self._changed()

    def review(self, asked: m.ReviewGame, page: Outbox) -> None:
        """Have every position of the line looked at; or no more."""
        if not asked.on:
            self._review.stop()
            return
        if self.mode != "analyse":
            raise GoError("a game is being played: analyse it first")
        line = self.tree.line()
        if len(line) < 2:
            raise GoError("there is no move to review")
        end = self.tree.position_of(line[-1])
        player = Thinker(recipe=self.settings.recipe, simulations=asked.simulations)
        job = self._job("review", player, position=end, line=tuple(line), sgf=self._sgf()).job
        self._review.begin(Ticket(job), lambda told: self._reviewed(line, told))
        self._changed()

    def _reviewed(self, line: list[int], told: m.Reviewed | None) -> None:
        """Keep the figures of a review for the curve."""
        if told is not None:
            for number, rate, lead in zip(line, told.win_rates, told.leads, strict=False):
                if number in self.tree.nodes:
                    node = self.tree.nodes[number]
                    node.win_rate, node.lead = rate, lead
        self.tell(self.state())

    def save(self, asked: m.Save, page: Outbox) -> None:
        """The game, or its review, as a file."""
        text = self._sgf() if asked.what == "game" else self._review.files.get(asked.what, "")
        if not text:
            raise GoError("there is no review yet")
        name = f"montego-{self.name[:6]}{'' if asked.what == 'game' else '-review'}"
        page.put(m.Saved(name=f"{name}.{'html' if asked.what == 'page' else 'sgf'}", text=text))

    def _sgf(self) -> str:
        black, white = (self.names[c] or self._usual_name(c) for c in (BLACK, WHITE))
        return write_sgf(self.tree, black, white, self.result, self.settings.rules)

    # --- what follows from it ---------------------------------------------------------

    def _only_if_idle(self) -> None:
        if self._task is not None:
            raise GoError("it is thinking: stop it first")

    def _moved(self) -> None:
        """Another position is looked at: what was said about the last one is over."""
        if self.mode == "play":
            self.result, self.has_agreed = "", False
        self.dead = None
        self._end_task()
        self._analysis.forget()
        self._changed()

    def _changed(self) -> None:
        """Count, if there is something to count; have thought about what is to be; tell all."""
        if self.phase == "scoring" and self.dead is not None:
            territory = find_ruleset(self.settings.rules).territory
            self.count = count(self.position, self.dead, territory)
            self._counted = self.tree.at
        elif self.phase != "over":
            self.count = None
        self._see_to_it()
        self.tell(self.state())

    def _see_to_it(self) -> None:
        """Begin what has to be thought about."""
        if self._task is None and self.is_programs_turn:
            self._begin("move", limit_of(self.settings, self.seed))
        elif self._task is None and self.phase == "scoring" and self.dead is None:
            self._begin("count", HINT)
        if self.pages and not self.position.is_over:
            self._analysis.see_to_it(self._analysis_job)

    def _job(
        self, work: Any, player: Thinker, beside: bool = False, position: Position | None = None,
        **more: Any,
    ) -> Ticket:  # fmt: skip
        position = position or self.position
        moves = tuple((color, move) for color, move in position.moves)
        job = Job(
            id=self.pool.number(), game=f"{self.name} {beside}", work=work, player=player,
            start=Start.of(position), moves=moves, node=self.tree.at, beside=beside, **more,
        )  # fmt: skip
        return Ticket(job)

    # --- thinking ---------------------------------------------------------------------

    def _begin(self, work: m.Work, player: Thinker) -> None:
        ticket = self._job(work, player)
        task = asyncio.ensure_future(self._think(ticket))
        self._task = Task(work, ticket, task)
        self.tell(self.state())

    async def _think(self, ticket: Ticket) -> None:
        """Have a job done and do what it says; whoever wants it no more cancels this."""
        node = self.tree.at
        try:
            done = await self.pool.run(ticket, self._progress)
        except EngineFailed as error:
            self._task = None
            self.tell(m.Problem(code="engine", text=f"The engine failed: {error}."))
            if ticket.job.work == "count":  # then nothing is dead
                self.dead = frozenset()
                self._changed()
            else:
                self.tell(self.state())
            return
        self._task = None
        assert node == self.tree.at
        self._done(ticket.job, done)

    def _progress(self, told: Progress) -> None:
        self.tell(told)

    def _done(self, job: Job, done: Done) -> None:
        if isinstance(done, Moved):
            self._answered(done)
        elif isinstance(done, Judged) and job.work == "count":
            self.dead = frozenset(done.dead)
            self._changed()
        elif isinstance(done, Judged):
            self.tell(m.Estimated(node=job.node, ownership=done.ownership, lead=done.lead))
            self.tell(self.state())
        elif isinstance(done, m.Hinted):
            self.tell(done)
            self.tell(self.state())

    def _answered(self, done: Moved) -> None:
        """The program's move."""
        node = self.tree.node
        node.win_rate, node.lead = done.win_rate, done.lead
        if done.resigned:
            self._give_up(self.position.to_play)
            return
        self.tree.play(done.move).note = done.note
        self._moved()

    def _end_task(self) -> None:
        """Nobody wants to know any more."""
        if self._task is not None:
            self._task.task.cancel()
            self._task = None

    # --- analysing --------------------------------------------------------------------

    def _analysis_job(self, beside: bool) -> Ticket:
        recipe = self._analysis.beside if beside else None
        recipe = recipe or self.settings.recipe
        changes = {} if beside else self._analysis.parameters
        parameters = whole_where_it_has_to_be(recipe, changes)
        player = Thinker(recipe=recipe, seed=self.seed, parameters=parameters)
        return self._job("analyse", player, beside, inside=self._analysis.inside and not beside)

    def _found(self, told: m.Analysis | m.Inside) -> None:
        """Keep the first recipe's figures for the curve, and tell."""
        if isinstance(told, m.Analysis) and not told.beside:
            self.tree.node.win_rate, self.tree.node.lead = told.win_rate, told.lead
        self.tell(told)

    def _analysed(self, problem: str) -> None:
        if problem:
            self.tell(m.Problem(code="engine", text=problem))
        self.tell(self.state())

    def close(self) -> None:
        """The table is needed no longer."""
        self._review.end()
        self._end_task()
        self._analysis.stop()


Act = Callable[[Table, Any, Outbox], None]
ACTS: dict[type[m.Message], Act] = {
    m.Play: Table.play,
    m.Undo: Table.undo,
    m.Resign: Table.resign,
    m.Hint: Table.hint,
    m.Stop: Table.stop,
    m.EstimateScore: Table.estimate,
    m.Mark: Table.mark,
    m.Agree: Table.agree,
    m.Resume: Table.resume,
    m.Change: Table.change,
    m.Switch: Table.switch,
    m.Goto: Table.goto,
    m.Remove: Table.remove,
    m.Analyse: Table.analyse,
    m.ReviewGame: Table.review,
    m.Save: Table.save,
}


def _sentence(error: Exception) -> str:
    """What an error says, as a sentence."""
    text = str(error)[:300]
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
