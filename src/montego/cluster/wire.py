"""Positions, recipes, budgets and findings as JSON and bytes, for processes of one search."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

import numpy as np

from montego.cluster.link import Frame
from montego.go import Position, Rules
from montego.go.history import History
from montego.kernels.board.board import BOARD
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Candidate, Found
from montego.mcts.own_file import PREFIX
from montego.mcts.recipes import RECIPES, Recipe

LONGEST_STEP = 8
"""Moves by which a position may follow another."""

# --- positions -------------------------------------------------------------------------


def steps_between(before: Position | None, position: Position) -> list[tuple[int, int]] | None:
    """The moves, with their colours, from one position to another that follows it by the same
    rules; None if it does not."""
    if before is None or before.rules != position.rules:
        return None
    steps = 0
    current: Position | None = position
    while current is not None and steps <= LONGEST_STEP:
        if current is before:
            return position.moves[len(position.moves) - steps :]
        steps += 1
        current = current.parent
    return None


def pack_position(position: Position, before: Position | None) -> Frame:
    """A position, by the moves since another one where that is possible."""
    steps = steps_between(before, position)
    if steps is not None:
        return Frame({"steps": steps})
    keys = position.history()
    told = {"rules": asdict(position.rules), "moves": position.moves, "keys": keys.size}
    return Frame(told, position.board_copy().tobytes() + keys.tobytes())


def unpack_position(frame: Frame, before: Position | None) -> Position:
    """The position again, where the other one is known."""
    told, data = frame
    if "steps" in told:
        assert before is not None
        for color, move in told["steps"]:
            before = before.play(move, color)
        return before
    board, keys = data[: BOARD.itemsize], data[BOARD.itemsize :]
    history = History(
        np.frombuffer(keys, dtype=np.uint64), [(color, move) for color, move in told["moves"]]
    )
    return Position(bytearray(board), history, told["keys"], Rules(**told["rules"]))


# --- what is asked for -----------------------------------------------------------------


def check_known(recipe: str) -> None:
    """Refuse the name of a recipe of the user's own; raises ValueError."""
    if recipe.startswith(PREFIX):
        raise ValueError(f"other machines do not know {recipe}; virtual ones do")


def pack_recipe(recipe: Recipe) -> dict[str, Any]:
    """A recipe by its name and numbers; raises ValueError for one that has no name."""
    told = {"name": recipe.name, "parameters": recipe.parameters()}
    if recipe.name not in RECIPES or unpack_recipe(told) != recipe:
        raise ValueError(f"{recipe.name!r} is not a recipe that other machines know")
    return told


def unpack_recipe(told: dict[str, Any]) -> Recipe:
    """The recipe again."""
    return RECIPES[told["name"]].with_parameters(told["parameters"])


def pack_avoided(avoided: tuple[Avoid, ...]) -> list[Any]:
    """Moves that are left out."""
    return [[avoid.color, sorted(avoid.moves), avoid.depth] for avoid in avoided]


def unpack_avoided(told: list[Any]) -> tuple[Avoid, ...]:
    """The same again."""
    return tuple(Avoid(color, frozenset(moves), depth) for color, moves, depth in told)


def pack_budget(budget: Budget) -> dict[str, Any]:
    """A budget."""
    return asdict(budget)


def unpack_budget(told: dict[str, Any]) -> Budget:
    """The budget again."""
    return Budget(**told)


# --- what was found --------------------------------------------------------------------

GRIDS = ("ownership",)
NUMBERS = [field.name for field in fields(Candidate) if field.name not in GRIDS]


def pack_found(found: Found) -> Frame:
    """Findings; the grids of ownership are bytes, that of all and those of the candidates."""
    told = {
        field.name: getattr(found, field.name)
        for field in fields(Found)
        if field.name not in ("candidates", *GRIDS)
    }
    told["candidates"] = [
        [*(getattr(candidate, name) for name in NUMBERS), candidate.ownership is not None]
        for candidate in found.candidates
    ]
    told["size"] = len(found.ownership)
    grids = [found.ownership, *(c.ownership for c in found.candidates if c.ownership is not None)]
    return Frame(told, np.array(grids, dtype=np.float32).tobytes())


def unpack_found(frame: Frame) -> Found:
    """The findings again."""
    told, size = dict(frame.told), frame.told["size"]
    grids = np.frombuffer(frame.data, dtype=np.float32).astype(np.float64)
    rest = iter(grids.reshape(-1, size, size))
    told["ownership"] = next(rest)
    told["candidates"] = tuple(_candidate(row, rest) for row in told["candidates"])
    told["variation"] = tuple(told["variation"])
    return Found(**{field.name: told[field.name] for field in fields(Found)})


def _candidate(row: list[Any], grids: Any) -> Candidate:
    *numbers, has_grid = row
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in zip(NUMBERS, numbers, strict=True)
    }
    return Candidate(**values, ownership=next(grids) if has_grid else None)
