"""``montego tune``: parameters of a recipe against an opponent, by CLOP (see clop.py).

Games are kept as those of a match, with the parameters of each in its line, so a killed
tuning goes on as if it had never stopped: the optimiser is nothing but its games.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from rich.table import Table

from montego.lab.base.console import plain_console
from montego.lab.base.errors import LabError
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.journal import Line, write_whole
from montego.lab.base.progress import Counter
from montego.lab.base.record import Record
from montego.lab.base.statistics import Interval, wilson
from montego.lab.base.workers import Workers, work_through
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.game import Game
from montego.lab.matches.match import Match, MatchPlayer, line_of, sgf_of
from montego.lab.matches.players import mixed_seed
from montego.lab.matches.report import commits_of
from montego.lab.tools.clop import Model
from montego.mcts.recipes import Recipe
from montego.planning.figures import NoMatplotlibError, save, stacked

RESULTS = {"first": 1.0, "second": 0.0, None: 0.5}
BINS = 8
"""Of the games in the picture of a response."""


class TuneError(LabError):
    """A tuning that makes no sense."""


class Tuning(Record):
    """The folder of a tuning; a match's, but of another kind, for it has no one score."""

    KIND = "tuning"

    def __init__(self, folder: Path, plan: TuningPlan) -> None:
        super().__init__(folder, plan.config())
        for line in self.lines:
            if not plan.knows(line.get("parameters")):
                self.close()
                told = "has no values of the parameters that are tuned"
                raise TuneError(f"{self.path}: game {line['game']} {told}")


@dataclass(frozen=True)
class Parameter:
    """A number of a recipe and where to look for its best value."""

    name: str
    low: float
    high: float
    is_log: bool = False
    is_int: bool = False

    def value(self, place: float) -> float:
        """At a place from -1 (low) to 1 (high)."""
        share = (place + 1) / 2
        if self.is_log:
            value = math.exp(math.log(self.low) + share * math.log(self.high / self.low))
        else:
            value = self.low + share * (self.high - self.low)
        return round(value) if self.is_int else float(f"{value:.6g}")

    def place(self, value: float) -> float:
        """The inverse of ``value``."""
        if self.is_log:
            return 2 * math.log(value / self.low) / math.log(self.high / self.low) - 1
        return 2 * (value - self.low) / (self.high - self.low) - 1


def parse_parameter(text: str, recipe: Recipe) -> Parameter:
    """Understand ``name:low:high[:log|int]``."""
    name, *rest = text.split(":")
    known = recipe.parameters()
    if name not in known or isinstance(known[name], (bool, str)):
        numbers = [key for key, now in known.items() if not isinstance(now, (bool, str))]
        raise TuneError(f"{recipe.name} has no number {name!r}: {', '.join(numbers)}")
    try:
        low, high = float(rest[0]), float(rest[1])
        kinds = set(rest[2:])
        if not (math.isfinite(low) and math.isfinite(high)) or kinds - {"log", "int"}:
            raise ValueError
    except (ValueError, IndexError):
        raise TuneError(f"{text!r} is not name:low:high, with :log or :int behind it") from None
    if not low < high or ("log" in kinds and low <= 0):
        raise TuneError(f"{text!r}: low has to be below high, and above 0 for log")
    is_int = "int" in kinds or isinstance(known[name], int)
    parameter = Parameter(name, low, high, "log" in kinds, is_int)
    for place in (-1.0, 1.0):
        try:
            recipe.with_parameters({name: parameter.value(place)})
        except ValueError as error:
            raise TuneError(str(error)) from None
    return parameter


@dataclass(frozen=True)
class TuningPlan:
    """All that decides a tuning."""

    match: Match
    """Its first player is the recipe as it is."""
    parameters: tuple[Parameter, ...]

    def config(self) -> dict[str, object]:
        """What has to be the same when it goes on."""
        return self.match.config() | {
            "parameters": [
                f"{p.name}:{p.low:g}:{p.high:g}{':log' * p.is_log}{':int' * p.is_int}"
                for p in self.parameters
            ]
        }

    def with_values(self, values: Mapping[str, float]) -> Match:
        """The match of a game with these values."""
        return replace(self.match, first=parse_player(self.text(values)))

    def text(self, values: Mapping[str, float]) -> str:
        """The player with these values."""
        return ",".join([self.match.first.text, *(f"{k}={v:g}" for k, v in values.items())])

    def values(self, places: Sequence[float]) -> dict[str, float]:
        pairs = zip(self.parameters, places, strict=True)
        return {parameter.name: parameter.value(place) for parameter, place in pairs}

    def knows(self, values: object) -> bool:
        """Whether these are values of all parameters, where they are looked for."""
        if not isinstance(values, dict):
            return False
        numbers = [(values.get(p.name), p) for p in self.parameters]
        return all(isinstance(v, (int, float)) and p.low <= v <= p.high for v, p in numbers)

    def model(self, games: Sequence[Line]) -> Model:
        """What the games so far say."""
        points = [
            [parameter.place(game["parameters"][parameter.name]) for parameter in self.parameters]
            for game in games
        ]
        results = [RESULTS[game["winner"]] for game in games]
        return Model(len(self.parameters), points, results)


def prepare(
    recipe: str, against: str, parameters: Sequence[str], match: Mapping[str, Any]
) -> TuningPlan:
    """A tuning from what was typed; raises LabError."""
    first = parse_player(recipe)
    if first.recipe is None:
        raise TuneError(f"{recipe} has no parameters; recipes have")
    if not parameters:
        raise TuneError("name a --parameter to tune, as name:low:high")
    chosen = tuple(parse_parameter(text, first.recipe) for text in parameters)
    names = [parameter.name for parameter in chosen]
    if len(set(names)) < len(names):
        raise TuneError("a parameter is named twice")
    return TuningPlan(Match(first, parse_player(against), **match), chosen)


# --- playing ---------------------------------------------------------------------------

Task = tuple[int, dict[str, float]]
"""The number of a game and the values that it is played with."""


class TunePlayer:
    """What a worker process does: play single games, each with other values."""

    def __init__(self, plan: TuningPlan) -> None:
        self.plan = plan
        self.player: MatchPlayer | None = None

    def __call__(self, task: Task) -> Game:
        number, values = task
        self.player = MatchPlayer(self.plan.with_values(values))
        return self.player(number)

    def close(self) -> None:
        if self.player is not None:
            self.player.close()


def tune(
    plan: TuningPlan,
    record: Tuning,
    games: int,
    workers: Workers,
    watch: Callable[[Sequence[Line], Model], None] = lambda games, model: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Model:
    """Play what is missing and record it; returns what all games say."""

    def tasks() -> Iterator[Task]:
        for number in record.missing(games):
            random = Random(mixed_seed(plan.match.seed, "values", number))
            yield number, plan.values(plan.model(record.games).ask(random))

    watch(record.games, plan.model(record.games))
    with closing(work_through(partial(TunePlayer, plan), tasks(), workers, stopped)) as played:
        for (number, values), game in played:
            match = plan.with_values(values)
            line = line_of(match, number, game) | {"parameters": values}
            record.add(line, sgf_of(match, number, game))
            watch(record.games, plan.model(record.games))
    if record.is_complete(games):
        record.pack()
    return plan.model(record.games)


# --- telling ---------------------------------------------------------------------------


def summary(plan: TuningPlan, games: Sequence[Line], model: Model) -> dict[str, Any]:
    """The result in the shape that is promised to programs."""
    best, known = model.best(), plan.match.first.recipe
    assert known is not None
    rate, interval = model.fit.rate(best)
    spread = model.spread() if games else [Interval(-1.0, 1.0)] * len(plan.parameters)
    values = plan.values([float(place) for place in best])
    return {
        **plan.config(),
        "games": len(games),
        "best": plan.text(values),
        "score": round(rate, 4),
        "interval": [round(bound, 4) for bound in interval],
        "weight": round(float(model.weights.sum()), 1),
        "values": {
            parameter.name: {
                "now": known.parameters()[parameter.name],
                "best": values[parameter.name],
                "low": parameter.value(low),
                "high": parameter.value(high),
            }
            for parameter, (low, high) in zip(plan.parameters, spread, strict=True)
        },
        "commits": commits_of(games),
    }


def show(told: Mapping[str, Any]) -> None:
    """Print the best values and what to expect of them."""
    console = plain_console()
    table = Table(title=f"{told['first']} against {told['second']}", title_justify="left")
    for heading in ("parameter", "now", "best", "95 % of the games that count"):
        table.add_column(heading, justify="left" if heading == "parameter" else "right")
    for name, values in told["values"].items():
        cells = [f"{values[key]:g}" for key in ("now", "best")]
        table.add_row(name, *cells, f"{values['low']:g} to {values['high']:g}")
    console.print(table)
    low, high = told["interval"]
    console.print(
        f"{told['games']} games; expected score at the best {100 * told['score']:.1f} % "
        f"({100 * low:.1f} to {100 * high:.1f}); it still has to be confirmed by a match"
    )
    console.print(f"player: {told['best']}", soft_wrap=True)


def draw(plan: TuningPlan, games: Sequence[Line], model: Model, folder: Path) -> None:
    """The response to every parameter: the fitted curve, and games in classes of equal size."""
    picture, axes = stacked([3.0] * len(plan.parameters))
    for place, (axis, parameter) in enumerate(zip(axes, plan.parameters, strict=True)):
        _draw_response(axis, parameter, place, games, model)
    picture.suptitle(f"{plan.match.first.text}, {len(games)} games", x=0.01, ha="left")
    save(picture, folder / "response.svg")


def _draw_response(
    axis: Any, parameter: Parameter, place: int, games: Sequence[Line], model: Model
) -> None:
    line = np.linspace(-1, 1, 81)
    points = np.tile(model.best(), (len(line), 1))
    points[:, place] = line
    curve = [model.fit.rate(point) for point in points]
    x = [parameter.value(u) if not parameter.is_int else _smooth(parameter, u) for u in line]
    axis.plot(x, [100 * rate for rate, _ in curve], label="fit, the others at their best")
    axis.fill_between(
        x, [100 * i.low for _, i in curve], [100 * i.high for _, i in curve], alpha=0.2
    )
    order = sorted(games, key=lambda game: float(game["parameters"][parameter.name]))
    for some in np.array_split(np.arange(len(order)), min(BINS, max(len(order) // 5, 1))):
        own = [order[i] for i in some]
        values = [float(game["parameters"][parameter.name]) for game in own]
        score = sum(RESULTS[game["winner"]] for game in own)
        low, high = wilson(score, len(own))
        rate = score / len(own)
        axis.errorbar(
            np.median(values), 100 * rate, yerr=[[100 * (rate - low)], [100 * (high - rate)]],
            fmt="o", color="#888888", markersize=4, capsize=2, label="games, others anywhere",
        )  # fmt: skip
    axis.axvline(parameter.value(float(model.best()[place])), color="#c8641e", label="best")
    if parameter.is_log:
        axis.set_xscale("log")
    axis.set_ylim(0, 100)
    axis.set_xlabel(parameter.name)
    axis.set_ylabel("score, %")
    handles, names = axis.get_legend_handles_labels()
    unique = dict(zip(names, handles, strict=True))
    axis.legend(unique.values(), unique.keys(), fontsize=8, frameon=False)


def _smooth(parameter: Parameter, place: float) -> float:
    return replace(parameter, is_int=False).value(place)


# --- the command -----------------------------------------------------------------------


def run(plan: TuningPlan, folder: Path, games: int, workers: Workers, as_json: bool) -> bool:
    """Play, show and write; returns False if the user interrupted it."""
    with Tuning(folder, plan) as record:
        with Counter("games", games) as count, interrupts_noted() as interrupted:

            def watch(lines: Sequence[Line], model: Model) -> None:
                rate, _ = model.fit.rate(model.best())
                values = plan.values([float(place) for place in model.best()])
                best = " ".join(f"{name}={value:.3g}" for name, value in values.items())
                count(lines, f"best {best}, {100 * rate:.0f} %" if model.is_ready else "")

            model = tune(plan, record, games, workers, watch, lambda: bool(interrupted))
        told = summary(plan, record.games, model)
        write_whole(folder / "best.json", json.dumps(told, indent=2, ensure_ascii=False) + "\n")
        if as_json:
            print(json.dumps(told, indent=2, ensure_ascii=False))
        else:
            show(told)
        if record.games:
            try:
                draw(plan, record.games, model, folder)
            except NoMatplotlibError as error:
                plain_console(stderr=True).print(f"no picture: {error}")
    return not interrupted
