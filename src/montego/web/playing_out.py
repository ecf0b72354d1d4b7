"""Playouts to look at: one move by move with its rules, and what many of them come to."""

from __future__ import annotations

from collections import Counter

from montego.go import BLACK, WHITE, Position, vertex
from montego.go.colors import other_color
from montego.go.rules import Rules
from montego.mcts.recipes import named_recipe
from montego.mcts.rules import name_of
from montego.mcts.watching import PlayedOut, Watcher
from montego.web.jobs import Job
from montego.web.messages import PlayoutMove, Playouts


def play_out(job: Job, position: Position) -> Playouts:
    """Play as many playouts as a job asks for; the last one is shown."""
    recipe = named_recipe(job.player.recipe)
    watcher = Watcher(recipe.playout, position.size, job.player.seed, recipe.learned)
    played = [watcher.play(position) for _ in range(job.games)]
    scores = Counter(one.score for one in played)
    return Playouts(
        node=job.node, kind=name_of("playout", recipe.playout) or "", games=len(played),
        black_wins=sum(one.score > 0 for one in played),
        draws=sum(one.score == 0 for one in played),
        lead=sum(one.score for one in played) / len(played),
        length=sum(len(one.moves) for one in played) / len(played),
        scores=[[score, count] for score, count in sorted(scores.items())],
        rules=dict(Counter(rule for one in played for rule in one.rules)),
        last=moves_of(position, played[-1]), last_lead=played[-1].score,
    )  # fmt: skip


def moves_of(position: Position, played: PlayedOut) -> list[PlayoutMove]:
    """A playout for the page, which has to be told which stones are taken.

    Playouts know no superko: neither does the board that they are replayed on.
    """
    black, white = (position.stones(color) for color in (BLACK, WHITE))
    rules = Rules(position.komi, superko="simple")
    board = Position.set_up(position.size, black, white, position.to_play, rules)
    moves = []
    for move, rule in zip(played.moves, played.rules, strict=True):
        color, size = board.to_play, board.size
        after = board.play(move, color)
        taken = _stones_taken(board, after, other_color(color))
        moves.append(
            PlayoutMove(
                color="black" if color == BLACK else "white", move=vertex(move, size), rule=rule,
                taken=[vertex(point, size) for point in taken],
            )
        )  # fmt: skip
        board = after
    return moves


def _stones_taken(before: Position, after: Position, color: int) -> list[int]:
    if before.captured == after.captured:
        return []
    return sorted({*before.stones(color)} - {*after.stones(color)})


def added(sum_: Playouts, new: Playouts) -> Playouts:
    """The figures of both, and the last playout of the new ones."""
    games = sum_.games + new.games
    scores = Counter({score: int(count) for score, count in sum_.scores})
    scores.update({score: int(count) for score, count in new.scores})

    def mean(one: float, other: float) -> float:
        return (one * sum_.games + other * new.games) / games

    return new.model_copy(
        update={
            "games": games,
            "black_wins": sum_.black_wins + new.black_wins,
            "draws": sum_.draws + new.draws,
            "lead": mean(sum_.lead, new.lead),
            "length": mean(sum_.length, new.length),
            "scores": [[score, scores[score]] for score in sorted(scores)],
            "rules": dict(Counter(sum_.rules) + Counter(new.rules)),
        }
    )
