"""A whole course of learning a network: games are read, some held out, the others are shown.

PyTorch is needed to learn, and for nothing else: what was learned is examined by the forward pass
of our own, which is what plays.
"""

from __future__ import annotations

import random
import shutil
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.progress import Progress, TaskID

from montego.kernels.features.learning import RANKS, STAGE_MOVES, STAGES
from montego.kernels.net.forward import forward
from montego.kernels.net.layout import KOMI_AT, write_inputs
from montego.knowledge.course import Course
from montego.knowledge.examples import Examples, examples_of, joined
from montego.knowledge.games import Game
from montego.knowledge.learning import GUESSES, Accuracy
from montego.knowledge.network import Network, new_scratch, packed
from montego.knowledge.training import Source, account, games_at_a_time, learning_bar, told

if TYPE_CHECKING:
    from montego.knowledge.network_learning import Learning
    from montego.knowledge.played import Pair, Playing
    from montego.knowledge.self_play import Outcomes

SAVE_SECONDS = 30.0
"""Between two times that what was learned is written down."""
CURVE_POINTS = 200
"""Of the loss, that a manifest keeps."""
MOST_EXAMINED = 50_000
"""Positions of a size, of the games held out."""
KOMI = 7.5
"""Of the test of values."""
GENERATIONS_SHOWN = 4
"""The last ones, whose games are learned from."""
Split = tuple[list[Game], list[Game]]
"""Games to learn from, and games held out."""


def teach_network(
    sources: Sequence[Source],
    out: Path,
    course: Course,
    held_out: float,
    device: str,
    about: dict[str, Any],
    judge: Any,
    games_kept: Path | None = None,
) -> dict[str, Any]:
    """Learn a network, one for all sizes of board, write it to a file, and tell what was done.

    ``judge`` is the record of the playouts that judge the games that its teacher plays (POLICY);
    these are kept in a folder, if one is named, else until the network is learned.
    """
    from montego.knowledge.network_learning import Learning, Shelf, chosen_device
    from montego.knowledge.played import Playing

    place = chosen_device(device)
    kept, kept_games = (out.with_name(f"{out.name}.{ending}") for ending in ("training", "games"))
    with learning_bar() as bar:
        games = {source.size: _split(source, held_out, course.seed, bar) for source in sources}
        shelves = [Shelf.of(_examples(source, games[source.size][0], bar), place)
                   for source in sources]  # fmt: skip
        learning = Learning(course, shelves, place)
        playing = Playing(course, games_kept or kept_games, judge, place, bar)
        played = _learn(learning, playing, kept, bar)
        manifest = _manifest(sources, games, learning, about)
        network = learning.tower.network(manifest, with_value=bool(played))
        for source in sources:
            test = _examples(source, games[source.size][1], bar)
            accuracy = told(examine_network(network, test, bar), len(games[source.size][1]))
            manifest["accuracy"][str(source.size)] = accuracy
        for _, outcomes in played:
            size = str(outcomes.examples.size)
            manifest["value"][size] = examine_value(network, outcomes, bar)
    replace(network, manifest=manifest).save(out)
    kept.unlink(missing_ok=True)
    shutil.rmtree(kept_games, ignore_errors=True)
    return manifest


def _split(source: Source, held_out: float, seed: int, bar: Progress) -> Split:
    """As for strengths: the same seed holds out the same games."""
    games = source.read(bar).games
    random.Random(seed).shuffle(games)
    test = round(len(games) * held_out)
    if test == len(games):
        raise ValueError("no games to learn from: all are held out")
    return games[test:], games[:test]


def _examples(source: Source, games: Sequence[Game], bar: Progress) -> Examples:
    parts, size = games_at_a_time(games), source.size
    task = bar.add_task(f"positions {size}×{size}", total=len(parts))
    made = []
    for part in source.mapped(partial(examples_of, size=size), parts):
        made.append(part)
        bar.advance(task)
    return joined(made, size)


def _learn(learning: Learning, playing: Playing, kept: Path, bar: Progress) -> list[Pair]:
    """Take all steps, from where an earlier run of this course stopped; the last games."""
    if kept.exists():
        learning.resume(kept)
    task = bar.add_task("learning", total=learning.course.steps, completed=learning.step)
    watch = _watcher(kept, bar, task)
    try:
        return _learn_generations(learning, playing, kept, watch)
    except KeyboardInterrupt:
        learning.save(kept)
        raise


def _learn_generations(
    learning: Learning, playing: Playing, kept: Path, watch: Callable[[Learning], None]
) -> list[Pair]:
    from montego.knowledge.network_learning import Ends

    course, played, shown = learning.course, [], deque[list[Ends]](maxlen=GENERATIONS_SHOWN)
    now = max(len(learning.players) - 1, 0)
    for generation in range(max(now + 1 - GENERATIONS_SHOWN, 0), course.generations):
        if course.plays:
            played = _played(learning, playing, generation)
            shown.append([Ends.of(lessons, learning.device) for lessons, _ in played])
            learning.learn_from([ends for one in shown for ends in one])
        if generation >= now:
            learning.learn(watch, course.steps_until(generation))
            learning.save(kept)
    return played


def _played(learning: Learning, playing: Playing, generation: int) -> list[Pair]:
    """The games of a generation: of an earlier run, by the teacher, or by what was learned."""
    from montego.knowledge.played import name_of

    if generation < len(learning.players):
        return playing.read(learning.players[generation], generation)
    player = learning.tower if generation else playing.teacher()
    played = playing.play(player, generation)
    learning.players.append(name_of(player))
    return played


def _watcher(kept: Path, bar: Progress, task: TaskID) -> Callable[[Learning], None]:
    """Shows how far it is, and saves it now and then."""
    saved = time.monotonic()

    def watch(now: Learning) -> None:
        nonlocal saved
        loss = now.curve[-1][1]
        bar.update(task, completed=now.step, description=f"learning, loss {loss:.3f}")
        if time.monotonic() - saved >= SAVE_SECONDS:
            now.save(kept)
            saved = time.monotonic()

    return watch


def _manifest(
    sources: Sequence[Source],
    games: dict[int, Split],
    learning: Learning,
    about: dict[str, Any],
) -> dict[str, Any]:
    course, every = learning.course, max(len(learning.curve) // CURVE_POINTS, 1)
    paths = sources[0].paths if sources else ()
    found = account(paths, sum(len(lessons) for lessons, _ in games.values()))
    return found | about | {
        "sizes": [source.size for source in sources],
        "examples": sum(len(shelf) for shelf in learning.shelves),
        "course": asdict(course),
        "seconds": round(learning.seconds),
        "device": str(learning.device),
        "curve": learning.curve[every - 1 :: every],
        "accuracy": {},
        "value": {},
    }  # fmt: skip


# --- examining -------------------------------------------------------------------------


def examine_network(network: Network, examples: Examples, bar: Progress) -> Accuracy:
    """How well the moves of examples are guessed, by the forward pass that plays."""
    kernel, size = packed(network), examples.size
    scratch = new_scratch(kernel, size)
    ranks, total = np.zeros((STAGES, RANKS), dtype=np.int64), 0.0
    count = min(len(examples), MOST_EXAMINED)
    task = bar.add_task(f"examining {size}×{size}", total=count)
    for i in range(count):
        write_inputs(scratch, examples.planes(i))
        forward(kernel.record, scratch, size)
        logits = scratch[: size * size].astype(np.float64)
        logits[examples.codes[i] != 0] = -np.inf
        logits -= logits.max()
        own = logits[examples.targets[i]]
        stage = min(int(examples.numbers[i]) // STAGE_MOVES, STAGES - 1)
        ranks[stage, (logits > own).sum()] += 1
        total += own - np.log(np.exp(logits).sum())
        bar.advance(task)
    return Accuracy(ranks, total / max(count, 1))


def examine_value(network: Network, outcomes: Outcomes, bar: Progress) -> dict[str, Any]:
    """How well the winners of games are told, by the forward pass that plays."""
    kernel, size = packed(network), outcomes.examples.size
    scratch = new_scratch(kernel, size)
    wins = np.sign(outcomes.scores - KOMI).mean(axis=1)
    count, right, error = min(len(outcomes), MOST_EXAMINED), 0, 0.0
    task = bar.add_task(f"examining values {size}×{size}", total=count)
    for i in range(count):
        side = 1 - 2 * (int(outcomes.examples.numbers[i]) % 2)
        write_inputs(scratch, outcomes.examples.planes(i))
        scratch[KOMI_AT] = side * KOMI
        value = side * forward(kernel.record, scratch, size)
        right += value * wins[outcomes.games[i]] > 0
        error += (value - wins[outcomes.games[i]]) ** 2
        bar.advance(task)
    told = {"right": round(right / count, 4), "mean_square_error": round(error / count, 4)}
    return {"test_games": len(outcomes.scores), "test_positions": count} | told


def examine_with_network(
    source: Source, network: Network, draw: Callable[[Accuracy, str], None] | None = None
) -> dict[str, Any]:
    """How well a network guesses the moves of games."""
    with learning_bar() as bar:
        games = source.read(bar).games
        accuracy = examine_network(network, _examples(source, games, bar), bar)
    if draw is not None:
        draw(accuracy, f"{accuracy.moves:,} moves of {len(games):,} games")
    stages = {str(n): accuracy.by_stage(n) for n in GUESSES}
    return told(accuracy, len(games)) | {"by_stage": stages}
