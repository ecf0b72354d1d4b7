"""The picture of the rooms: who imports from whom, as the sources have it.

    python -m docs.rooms      # writes docs/rooms.svg

An arrow points to a room that is imported.  One that follows from others is left out: the engine
imports go, too, but by way of mcts it needs it anyway.  Where boxes stand is decided here, what
the arrows are is read from the imports (tests/test_layers.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.test_layers import IMPORTS, OPEN_TO_ALL, room_of

FILE = Path(__file__).with_name("rooms.svg")
WIDTH, HEIGHT = 360, 617

STYLE = """
  text { font-family: sans-serif; fill: #222; text-anchor: middle }
  .name { font-size: 13px; font-weight: 600 }
  .what { font-size: 10.5px; fill: #555 }
  rect { fill: #f6efe4; stroke: #8d6e4b; stroke-width: 1 }
  .group { fill: #fffdf9 }
  .free { fill: #e6eef6; stroke: #4b6f8d }
  .arrow { stroke: #6b5128; stroke-width: 1.4; fill: none; marker-end: url(#tip) }
  #tip path { fill: #6b5128 }
  @media (prefers-color-scheme: dark) {
    text { fill: #eee }
    .what { fill: #bbb }
    rect { fill: #3a3128; stroke: #b08d62 }
    .group { fill: #241f1a }
    .free { fill: #233140; stroke: #6f9ac0 }
    .arrow { stroke: #d8b98a }
    #tip path { fill: #d8b98a }
  }
"""


class Box(NamedTuple):
    """A room: its left upper corner, its size, and what it is for."""

    x: int
    y: int
    width: int
    height: int
    what: str = ""
    kind: str = ""

    @property
    def middle(self) -> int:
        return self.x + self.width // 2


BOXES = {
    "kernels": Box(8, 8, 344, 124, kind="group"),
    "kernels.compiler": Box(16, 32, 98, 36, "machine code"),
    "kernels.board": Box(131, 32, 98, 36, "stones, liberties"),
    "kernels.reading": Box(246, 32, 98, 36, "ladders, life"),
    "kernels.features": Box(270, 88, 74, 36, "patterns"),
    "kernels.playouts": Box(185, 88, 74, 36, "simulations"),
    "kernels.net": Box(16, 88, 74, 36, "convolutions"),
    "kernels.tree": Box(101, 88, 74, 36, "the search"),
    "go": Box(8, 156, 232, 36, "positions, rules, SGF"),
    "knowledge": Box(8, 216, 232, 36, "what is learned from games"),
    "mcts": Box(8, 276, 124, 36, "rules, recipes, search"),
    "book": Box(142, 276, 98, 36, "openings"),
    "engine": Box(48, 336, 192, 36, "a game, its clock"),
    "cluster": Box(198, 402, 50, 36, "machines"),
    "planning": Box(258, 156, 94, 36, "any problem", "free"),
    "dft": Box(258, 216, 94, 36, "a transform", "free"),
    "lab": Box(258, 276, 94, 271, kind="group"),
    "lab.base": Box(263, 300, 84, 36, "records"),
    "lab.matches": Box(263, 351, 84, 36, "players"),
    "lab.books": Box(263, 402, 84, 36, "grown openings"),
    "lab.experiments": Box(263, 453, 84, 36, "figures"),
    "lab.tools": Box(263, 504, 84, 36, "tune, review"),
    "bench": Box(8, 402, 44, 36, "speed"),
    "gtp": Box(36, 511, 30, 36, "GUIs"),
    "web": Box(221, 511, 32, 36, "page"),
    "analysis": Box(104, 511, 54, 36, "scripts"),
    "terminal": Box(162, 511, 54, 36, "people"),
    "cli": Box(8, 573, 344, 36, "the command line: a file for each group of commands"),
}


def arrows() -> set[tuple[str, str]]:
    """From a room to those that it imports, less what follows from other arrows."""
    pairs = {
        (room_of(module), room_of(name))
        for module, names in IMPORTS.items()
        for name in names - OPEN_TO_ALL
    }
    between = _shortest({(_outer(one), _outer(other)) for one, other in pairs})
    return between | {
        (one, other) for one, other in _shortest(pairs) if _outer(one) == _outer(other)
    }


def _outer(room: str) -> str:
    """The room, or the one that a sub-room is in."""
    return room.partition(".")[0]


def _shortest(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs without those that a longer way makes."""
    after: dict[str, set[str]] = {}
    for one, other in pairs:
        if one != other:
            after.setdefault(one, set()).add(other)

    def reached(room: str) -> set[str]:
        return {far for near in after.get(room, ()) for far in {near} | reached(near)}

    return {
        (one, other)
        for one, others in after.items()
        for other in others
        if not any(other in reached(near) for near in others - {other})
    }


def picture() -> str:
    """The whole drawing, as SVG."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
            "<title>The rooms of the package; an arrow leads to what is imported</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" '
            'markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
            *(_box(name, box) for name, box in BOXES.items()),
            *(_arrow(BOXES[one], BOXES[other]) for one, other in sorted(arrows())),
            "</svg>",
            "",
        ]
    )


def _box(name: str, box: Box) -> str:
    shown = name.partition(".")[2] or name
    corner = f'x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}"'
    return (
        f'<rect class="{box.kind}" {corner} rx="5"/>'
        f'<text class="name" x="{box.middle}" y="{box.y + 15}">{shown}</text>'
        f'<text class="what" x="{box.middle}" y="{box.y + 29}">{box.what}</text>'
    )


def _arrow(one: Box, other: Box) -> str:
    """A straight line between two boxes: sideways if they stand side by side, else upwards."""
    low, high = max(one.y, other.y), min(one.y + one.height, other.y + other.height)
    if low < high:
        begin = one.x if one.x > other.x else one.x + one.width
        end = other.x + other.width if one.x > other.x else other.x
        return f'<path class="arrow" d="M{begin} {(low + high) // 2}H{end}"/>'
    left, right = max(one.x, other.x), min(one.x + one.width, other.x + other.width)
    begin = one.y if one.y > other.y else one.y + one.height
    end = other.y + other.height if one.y > other.y else other.y
    return f'<path class="arrow" d="M{(left + right) // 2} {begin}V{end}"/>'


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8")
