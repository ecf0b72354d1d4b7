"""A table: one game, its players, and the pages that look at it.

``acts`` has what pages can ask for; thinking is done by the pool.  After every change the table
sees to it that what should be thought about is being thought about, and nothing else.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import Any

from montego.engine.engine import NAME
from montego.go import BLACK, WHITE, GoError, Position, color_name, parse_color
from montego.go.colors import color_letter, other_color
from montego.go.rulesets import find_ruleset
from montego.web import messages as m
from montego.web.analysing import Analysing
from montego.web.counting import count
from montego.web.jobs import Done, Job, Judged, Moved, Progress, Start, Thinker
from montego.web.outbox import Outbox
from montego.web.playouts import PlayingOut
from montego.web.pool import EngineFailed, Pool, Ticket
from montego.web.records import write_link, write_sgf
from montego.web.reviewing import Reviewing
from montego.web.tree import MoveTree
from montego.web.views import (
    board_of,
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
        self.task: Task | None = None
        self.analysis = Analysing(pool, self._found, self._analysed)
        self.review = Reviewing(pool, self.tell)
        self.playouts = PlayingOut(pool, self.tell)

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
        task = self.task.work if self.task else None
        names = [self.names[color] or self._usual_name(color) for color in (BLACK, WHITE)]
        return m.State(
            game=self.name, mode=self.mode, phase=self.phase, settings=self.settings,
            board=board_of(self.position), nodes=[node_of(n, size) for n in tree.nodes.values()],
            at=tree.at, line=tree.line(), black=names[0], white=names[1], result=self.result,
            count=self.count if self._counted == tree.at else None, working=task,
            analysing=self.analysis.is_on, beside=self.analysis.beside,
            parameters=self.analysis.parameters, reviewing=self.review.is_running,
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
        for latest in self.analysis.latest.values():
            page.put(latest)
        for told in (
            self.review.latest, self.analysis.known, self.analysis.tree, self.playouts.sum
        ):  # fmt: skip
            if told is not None:
                page.put(told)
        self._see_to_it()

    def leave(self, page: Outbox) -> None:
        """Nobody analyses for nobody; a move is thought out, so that it is there on return."""
        self.pages.discard(page)
        if not self.pages:
            self.analysis.stop()

    def tell(self, message: m.ToPage) -> None:
        """Tell all pages."""
        for page in self.pages:
            page.put(message)

    # --- records and reviews ----------------------------------------------------------

    def sgf(self) -> str:
        """The game as SGF."""
        black, white = (self.names[c] or self._usual_name(c) for c in (BLACK, WHITE))
        return write_sgf(self.tree, black, white, self.result, self.settings.rules)

    def reviewed(self, line: list[int], told: m.Reviewed | None) -> None:
        """Keep the figures of a review for the curve."""
        if told is not None:
            for number, rate, lead in zip(line, told.win_rates, told.leads, strict=False):
                if number in self.tree.nodes:
                    node = self.tree.nodes[number]
                    node.win_rate, node.lead = rate, lead
        self.tell(self.state())

    # --- what follows from it ---------------------------------------------------------

    def only_if_idle(self) -> None:
        """Refuse what cannot be done while something else is being thought about."""
        if self.task is not None:
            raise GoError("it is thinking: stop it first")

    def moved(self) -> None:
        """Another position is looked at: what was said about the last one is over."""
        if self.mode == "play":
            self.result, self.has_agreed = "", False
        self.dead = None
        self.end_task()
        self.analysis.forget()
        self.playouts.forget()
        self.changed()

    def changed(self) -> None:
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
        if self.task is None and self.is_programs_turn:
            self.begin("move", limit_of(self.settings, self.seed))
        elif self.task is None and self.phase == "scoring" and self.dead is None:
            self.begin("count", HINT)
        if self.pages and not self.position.is_over:
            self.analysis.see_to_it(self.analysis_job)

    def job(
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

    def begin(self, work: m.Work, player: Thinker) -> None:
        ticket = self.job(work, player)
        task = asyncio.ensure_future(self._think(ticket))
        self.task = Task(work, ticket, task)
        self.tell(self.state())

    async def _think(self, ticket: Ticket) -> None:
        """Have a job done and do what it says; whoever wants it no more cancels this."""
        node = self.tree.at
        try:
            done = await self.pool.run(ticket, self._progress)
        except EngineFailed as error:
            self.task = None
            self.tell(m.Problem(code="engine", text=f"The engine failed: {error}."))
            if ticket.job.work == "count":  # then nothing is dead
                self.dead = frozenset()
                self.changed()
            else:
                self.tell(self.state())
            return
        self.task = None
        assert node == self.tree.at
        self._done(ticket.job, done)

    def _progress(self, told: Progress) -> None:
        self.tell(told)

    def _done(self, job: Job, done: Done) -> None:
        if isinstance(done, Moved):
            self._answered(done)
        elif isinstance(done, Judged) and job.work == "count":
            self.dead = frozenset(done.dead)
            self.changed()
        elif isinstance(done, Judged):
            self.tell(m.Estimated(node=job.node, ownership=done.ownership, lead=done.lead))
            self.tell(self.state())
        elif isinstance(done, m.Hinted):
            self.tell(done)
            self.tell(self.state())

    def give_up(self, loser: int) -> None:
        """The game is over."""
        self.result = f"{color_letter(other_color(loser))}+R"
        self.ended_at = self.tree.at
        self.changed()

    def _answered(self, done: Moved) -> None:
        """The program's move."""
        node = self.tree.node
        node.win_rate, node.lead = done.win_rate, done.lead
        if done.resigned:
            self.give_up(self.position.to_play)
            return
        played = self.tree.play(done.move)
        played.note, played.seconds = done.note, done.seconds
        self.moved()

    def end_task(self) -> None:
        """Nobody wants to know any more."""
        if self.task is not None:
            self.task.task.cancel()
            self.task = None

    # --- analysing --------------------------------------------------------------------

    def analysis_job(self, beside: bool) -> Ticket:
        recipe = self.analysis.beside if beside else None
        recipe = recipe or self.settings.recipe
        changes = {} if beside else self.analysis.parameters
        parameters = whole_where_it_has_to_be(recipe, changes)
        player = Thinker(recipe=recipe, seed=self.seed, parameters=parameters)
        return self.job("analyse", player, beside, inside=self.analysis.inside and not beside)

    def _found(self, told: m.Analysis | m.Inside | m.Known) -> None:
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
        self.review.end()
        self.playouts.forget()
        self.end_task()
        self.analysis.stop()
