"""From a plan to a program: a list of passes with addresses, strides and tables.

The numbers of a transform are numbered q, j, i, k as in Stockham's algorithm.  With s = the product
of the factors done (dif) or still to do (dit), r the factor of the pass and m the rest:

    dif:  y[(j·r + k)·s + q] = Σ_i exp(−2πi ik/r) x[(j + m·i)·s + q], times exp(−2πi jk/rm)
    dit:  y[(j + m·k)·s + q] = Σ_i exp(−2πi ik/r) x[(j·r + i)·s + q], each times exp(−2πi ij/rm)

Lanes are neighbours in q.  Only where s = 1 are they neighbours in j: there squares are turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.dft.kernel import Pass, address_of
from montego.dft.plans import Columns, Flat, FourStep, Passes, Plan
from montego.dft.tables import COMPLEX, aligned, memory, rotations, tile, turning_tables

X, Y, WORK, FIRST, SECOND = range(5)
"""Memories: the user's two, one as large as they are, and two of a block."""
STEP_WORDS, HEAD_WORDS, BUSY = 18, 8, 7
"""Words of a step and before the first stage; one of these says that a thread is at work."""
LINE = 64
"""Bytes of a line in the caches."""
PAD = 128
"""Bytes between rows of the work memory: rows a power of two apart would share cache lines."""


@dataclass(frozen=True)
class Job:
    """What is computed, apart from how: direction, precision, and a factor on the result."""

    precision: str = "double"
    inverse: bool = False
    scaled: bool = False

    @property
    def element(self) -> int:
        """Bytes of a complex number."""
        return COMPLEX[self.precision].itemsize


@dataclass
class Step:
    """One call of a kernel: its arguments, and how much each address grows from block to block."""

    spec: Pass
    count_a: int
    count_s: int
    xa: int
    xi: int
    ya: int
    yk: int
    wa: int = 0
    table: NDArray[Any] | None = None
    grid: NDArray[Any] | None = None
    """The second table of a turn."""
    source: int = X
    target: int = Y
    at: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Offsets of x, y and the two tables."""
    by_block: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass
class Stage:
    """Steps that are done for one block after the other; blocks do not depend on each other."""

    blocks: int
    steps: list[Step] = field(default_factory=list)


def stages_of(plan: Plan, job: Job) -> list[Stage]:
    """The steps of a plan."""
    if isinstance(plan, FourStep):
        return four_step(plan, job)
    if isinstance(plan, Columns):
        spec = Pass(1, plan.width, job.precision)
        ends = {"interleaved_in": True}, {"interleaved_out": True}
        row = plan.block * job.element
        return [
            Stage(
                1,
                chained(
                    columns(plan.passes, plan.block, (row, row), spec, job.element, ends), X, Y, 0
                ),
            )
        ]
    ordered = list(flat(plan, job))
    return [Stage(1, route(ordered, plan.buffers))]


def route(steps: list[Step], buffers: bool) -> list[Step]:
    """Which memory is read and written by each of some passes: x first, y last."""
    between = (WORK, FIRST) if buffers else (WORK, Y)
    source = X
    for left, step in enumerate(reversed(steps)):
        step.target = Y if left == 0 else between[(left + 1) % 2]
    for step in steps:
        step.source, source = source, step.target
    return steps


# --- pass by pass ----------------------------------------------------------------------


def flat(plan: Flat, job: Job) -> Iterator[Step]:
    """All passes of a transform whose lanes begin as its own elements."""
    e, lanes, passes = job.element, plan.width, plan.passes
    for number, r in enumerate(passes.radices):
        done, rest = _around(passes, number)
        s, m = (done, rest) if passes.kind == "dif" else (rest, done)
        first, last = number == 0, number == len(passes.radices) - 1
        spec = Pass(
            r, lanes, job.precision, interleaved_in=first, interleaved_out=last,
            inverse=job.inverse and (first or last), scaled=job.scaled and last,
        )  # fmt: skip
        if s == 1 and lanes > 1:
            yield _turning_pass(passes.kind, spec, m, e)
            continue
        rotation = "none" if m == 1 else "after" if passes.kind == "dif" else "before"
        spec = replace(spec, rotation=rotation)
        table = None if m == 1 else rotations(r, m, 1, job.precision)
        wide, narrow = (m * s * e, s * e) if passes.kind == "dif" else (s * e, m * s * e)
        by_j = (s * e, r * s * e) if passes.kind == "dif" else (r * s * e, s * e)
        yield Step(spec, m, s // lanes, by_j[0], wide, by_j[1], narrow, (r - 1) * e, table)


def _around(passes: Passes, number: int) -> tuple[int, int]:
    """The product of the factors before one, and of those after it."""
    radices = passes.radices
    return int(np.prod(radices[:number])), int(np.prod(radices[number + 1 :]))


def _turning_pass(kind: str, spec: Pass, m: int, e: int) -> Step:
    """The pass with s = 1: lanes are neighbours in j."""
    r, lanes = spec.radix, spec.width
    spec = replace(
        spec,
        rotation="lanes-after" if kind == "dif" else "lanes-before",
        turned="out" if kind == "dif" else "in",
    )
    table = rotations(r, m, lanes, spec.precision)
    row, column = (lanes * e, m * e), (lanes * r * e, r * e)
    x, y = (row, column) if kind == "dif" else (column, row)
    return Step(spec, m // lanes, 1, *x, *y, (r - 1) * lanes * e, table)


# --- blocks of columns -----------------------------------------------------------------


def columns(
    passes: Passes, block: int, rows: tuple[int, int], spec: Pass, e: int, ends: tuple[Any, Any]
) -> list[Step]:
    """Transforms of ``block`` columns beside each other.

    ``rows`` are the bytes between rows of the source and of the target; in between they lie
    closely.  ``ends`` are settings of the first pass and of the last.
    """
    steps = []
    for number, r in enumerate(passes.radices):
        done, rest = _around(passes, number)
        s, m = (done, rest) if passes.kind == "dif" else (rest, done)
        first, last = number == 0, number == len(passes.radices) - 1
        x, y = rows[0] if first else block * e, rows[1] if last else block * e
        rotation = "none" if m == 1 else "after" if passes.kind == "dif" else "before"
        changes = (ends[0] if first else {}) | (ends[1] if last else {})
        one = replace(spec, radix=r, rotation=rotation, **changes)
        if m == 1:  # without rotations q can be walked row by row
            steps.append(Step(one, s, block // spec.width, x, s * x, y, s * y))
            continue
        close = (r * s, s)
        (xa, xi), (ya, yk) = ((s, m * s), close) if passes.kind == "dif" else (close, (s, m * s))
        table = rotations(r, m, 1, spec.precision)
        steps.append(
            Step(
                one, m, s * block // spec.width, xa * x, xi * x, ya * y, yk * y, (r - 1) * e, table
            )
        )
    return steps


def four_step(plan: FourStep, job: Job) -> list[Stage]:
    """k·m as a matrix: columns; rotate and turn; columns again.

    Turned late, the matrix lies in a memory of its own in between.  Turned early, it lies in y,
    whose columns are then transformed where they are.
    """
    e, k, m, b, g = job.element, plan.columns.n, plan.rows.n, plan.block, plan.group
    row = m * e + PAD
    spec = Pass(1, plan.width, job.precision)
    ahead = [{"prefetch": size // plan.width if plan.prefetch else 0} for size in (b, g)]
    begin = {"interleaved_in": True, "inverse": job.inverse, **ahead[0]}
    middle: dict[str, Any] = {"streaming": plan.stream_work}
    end = {"interleaved_out": True, "inverse": job.inverse, "scaled": job.scaled,
           "streaming": plan.stream_y}  # fmt: skip
    if plan.early:
        first = columns(plan.columns, b, (m * e, b * e), spec, e, (begin, {}))
        first = chained(first, X, None, b * e)
        first += columns_to_rows(k, m, b, replace(spec, **middle), e, first[-1].target)
        second = columns(plan.rows, g, (k * e, k * e), spec, e, (ahead[1], end))
        second = chained(second, Y, Y, g * e)
    else:
        first = columns(plan.columns, b, (m * e, row), spec, e, (begin, middle))
        first = chained(first, X, WORK, b * e)
        second = columns(plan.rows, g, (g * e, k * e), spec, e, ({}, end))
        second = rows_to_columns(k, m, g, row, spec, e) + chained(second, FIRST, Y, g * e)
    return [Stage(m // b, first), Stage(k // g, second)]


def chained(steps: list[Step], source: int, target: int | None, by_block: int) -> list[Step]:
    """Let passes go from one memory to another, or to any, by way of the blocks' two."""
    place = source
    for number, step in enumerate(steps):
        step.source = place
        place = SECOND if place == FIRST else FIRST
        if target is not None and number == len(steps) - 1:
            place = target
        step.target = place
        x, y = (by_block if memory in (X, Y, WORK) else 0 for memory in (step.source, place))
        step.by_block = (x, y, 0, 0)
    return steps


def rows_to_columns(k: int, m: int, group: int, row: int, spec: Pass, e: int) -> list[Step]:
    """A late turn: rows of the matrix become columns of a block, rotated."""
    lanes, fine = spec.width, tile(m, spec.width)
    tables = turning_tables(k, m, lanes, spec.precision, early=False)
    sizes = fine * e, (m // fine) * e  # of one row's share
    return [
        Step(
            replace(spec, rotation="grid", turned="out"),
            m // fine, fine // lanes, fine * e, row, fine * group * e, group * e, lanes * e,
            *tables, WORK, FIRST,
            (first * row, first * e, first * sizes[0], first * sizes[1]),
            (group * row, 0, group * sizes[0], group * sizes[1]),
        )
        for first in range(0, group, lanes)
    ]  # fmt: skip


def columns_to_rows(k: int, m: int, block: int, spec: Pass, e: int, source: int) -> list[Step]:
    """An early turn: columns of a block become rows of y, rotated."""
    lanes, fine = spec.width, tile(k, spec.width)
    tables = turning_tables(k, m, lanes, spec.precision, early=True)
    sizes = fine * e, (k // fine) * e  # of one column's share
    return [
        Step(
            replace(spec, rotation="lanes-grid", turned="out"),
            k // fine, fine // lanes, fine * block * e, block * e, fine * e, k * e, lanes * e,
            *tables, source, Y,
            (first * e, first * k * e, first * sizes[0], first * sizes[1]),
            (0, block * k * e, block * sizes[0], block * sizes[1]),
        )
        for first in range(0, block, lanes)
    ]  # fmt: skip


# --- assembling ------------------------------------------------------------------------


class Program:
    """A plan made ready: words for the executor, and the memory that they point to."""

    def __init__(self, plan: Plan, job: Job, scale: float = 1.0) -> None:
        self.plan, self.job, self.n = plan, job, plan.n
        self.size = plan.n * plan.block if isinstance(plan, Columns) else plan.n
        """Numbers of one execution."""
        stages = stages_of(plan, job)
        self.needs_alignment = any(
            s.spec.streaming and s.target == Y for g in stages for s in g.steps
        )
        self.kept: list[Any] = [aligned(np.array([scale]), job.precision)]
        self.blocks = [stage.blocks for stage in stages]
        self.sizes = self._sizes(stages)
        body = [w for stage in stages for w in self._stage(stage)]
        self.words = np.array([len(stages), 0, 0, 0, 0, 0, 0, 0, *body], np.int64)
        self._provide()

    def _provide(self) -> None:
        """Memories of its own: their addresses follow the number of stages."""
        for place, size in self.sizes.items():
            room = memory(size)
            self.kept.append(room)
            self.words[1 + place] = room.ctypes.data
        self.work = int(self.words[1 + WORK])

    def use_work(self, address: int) -> None:
        """Another memory for the matrix of four steps, shared by several threads."""
        self.words[1 + WORK] = address

    def use(self, address: int) -> None:
        """Another memory for all that is needed, with room for ``needs`` bytes."""
        for place, size in self.sizes.items():
            self.words[1 + place] = address
            address += size + -size % LINE

    @property
    def needs(self) -> int:
        return sum(size + -size % LINE for size in self.sizes.values())

    def _sizes(self, stages: Sequence[Stage]) -> dict[int, int]:
        used = {step.target for stage in stages for step in stage.steps} - {Y}
        e, plan = self.job.element, self.plan
        if not isinstance(plan, FourStep):
            return dict.fromkeys(used, self.size * e)
        k, m = plan.columns.n, plan.rows.n
        block = max(k * plan.block, m * plan.group) * e
        return {place: k * (m * e + PAD) if place == WORK else block for place in used}

    def _stage(self, stage: Stage) -> list[int]:
        return [stage.blocks, len(stage.steps), *(w for s in stage.steps for w in self._step(s))]

    def _step(self, step: Step) -> list[int]:
        tables = [self._address(step.table), self._address(step.grid)]
        if step.spec.scaled:
            tables[1] = self._address(self.kept[0])
        x, y, w, grid = step.at
        return [
            address_of(step.spec), step.source, step.target, x, y, w + tables[0], grid + tables[1],
            *step.by_block, step.count_a, step.count_s, step.xa, step.xi, step.ya, step.yk, step.wa,
        ]  # fmt: skip

    def _address(self, table: NDArray[Any] | None) -> int:
        if table is None:
            return 0
        self.kept.append(table)
        return int(table.ctypes.data)
