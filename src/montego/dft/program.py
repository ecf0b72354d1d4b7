"""From a plan to a program: its passes with addresses, strides and twiddle tables.

Elements are indexed by q, j, i, k as in Stockham's algorithm.  With s the product of the radices
done (dif) or still to do (dit), r the radix of the pass and m the rest:

    dif:  y[(j·r + k)·s + q] = Σ_i exp(−2πi ik/r) x[(j + m·i)·s + q], times exp(−2πi jk/rm)
    dit:  y[(j + m·k)·s + q] = Σ_i exp(−2πi ik/r) x[(j·r + i)·s + q], each times exp(−2πi ij/rm)

Lanes are neighbours in q.  Only where s = 1 are they neighbours in j: there tiles are transposed.

A program is encoded as int64 values, which execute.py interprets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.dft.kernel import Pass, address_of
from montego.dft.plans import Columns, Flat, FourStep, Passes, Plan
from montego.dft.twiddles import aligned, fine_size, transpose_twiddles, twiddles
from montego.dft.vector import COMPLEX
from montego.kernels.compiler.aligned import CACHE_LINE, empty_aligned

X, Y, WORK, FIRST, SECOND = range(5)
"""Buffers: the user's input and output, one as large as they are, and two of a block."""
STEP_LENGTH, HEADER_LENGTH, BUSY = 18, 8, 7
"""Values of a step and of the header; ``BUSY`` is the index of a flag: a thread executes it."""
PADDING = 128
"""Bytes between rows of the work buffer: strides of a power of two would collide in the caches."""


@dataclass(frozen=True)
class Job:
    """What is computed, apart from how: precision, direction, and whether the result is scaled."""

    precision: str = "double"
    inverse: bool = False
    scaled: bool = False

    @property
    def element(self) -> int:
        """Bytes of a complex number."""
        return COMPLEX[self.precision].itemsize


@dataclass
class Step:
    """One pass over one block: a kernel's arguments, and their strides from block to block."""

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
    """The coarse twiddles of a transpose."""
    source: int = X
    target: int = Y
    at: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Offsets of x, y and the two tables."""
    by_block: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass
class Stage:
    """Steps that are executed for every block; blocks are independent of each other."""

    blocks: int
    steps: list[Step] = field(default_factory=list)


def stages_of(plan: Plan, job: Job) -> list[Stage]:
    """The stages of a plan."""
    if isinstance(plan, FourStep):
        return four_step(plan, job)
    if isinstance(plan, Columns):
        spec = Pass(1, plan.width, job.precision)
        ends = {"interleaved_in": True}, {"interleaved_out": True}
        row = plan.block * job.element
        steps = columns(plan.passes, plan.block, (row, row), spec, job.element, ends)
        return [Stage(1, chained(steps, X, Y, 0))]
    return [Stage(1, route(list(flat(plan, job)), plan.buffers))]


def route(steps: list[Step], buffers: bool) -> list[Step]:
    """Set the buffers that each pass reads and writes: x first, y last."""
    between = (WORK, FIRST) if buffers else (WORK, Y)
    source = X
    for remaining, step in enumerate(reversed(steps)):
        step.target = Y if remaining == 0 else between[(remaining + 1) % 2]
    for step in steps:
        step.source, source = source, step.target
    return steps


# --- pass by pass ----------------------------------------------------------------------


def flat(plan: Flat, job: Job) -> Iterator[Step]:
    """The passes over a whole vector."""
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
            yield _transposing_pass(passes.kind, spec, m, e)
            continue
        twiddle = "none" if m == 1 else "after" if passes.kind == "dif" else "before"
        spec = replace(spec, twiddle=twiddle)
        table = None if m == 1 else twiddles(r, m, 1, job.precision)
        wide, narrow = (m * s * e, s * e) if passes.kind == "dif" else (s * e, m * s * e)
        by_j = (s * e, r * s * e) if passes.kind == "dif" else (r * s * e, s * e)
        yield Step(spec, m, s // lanes, by_j[0], wide, by_j[1], narrow, (r - 1) * e, table)


def _around(passes: Passes, number: int) -> tuple[int, int]:
    """The product of the radices before one, and of those after it."""
    radices = passes.radices
    return int(np.prod(radices[:number])), int(np.prod(radices[number + 1 :]))


def _transposing_pass(kind: str, spec: Pass, m: int, e: int) -> Step:
    """The pass with s = 1: lanes are neighbours in j."""
    r, lanes = spec.radix, spec.width
    spec = replace(
        spec,
        twiddle="lanes-after" if kind == "dif" else "lanes-before",
        transposed="out" if kind == "dif" else "in",
    )
    table = twiddles(r, m, lanes, spec.precision)
    row, column = (lanes * e, m * e), (lanes * r * e, r * e)
    x, y = (row, column) if kind == "dif" else (column, row)
    return Step(spec, m // lanes, 1, *x, *y, (r - 1) * lanes * e, table)


# --- blocks of columns -----------------------------------------------------------------


def columns(
    passes: Passes, block: int, rows: tuple[int, int], spec: Pass, e: int, ends: tuple[Any, Any]
) -> list[Step]:
    """A batch of ``block`` adjacent columns.

    ``rows`` are the strides in bytes of the rows of source and target; in between, rows are packed.
    ``ends`` are settings of the first pass and of the last.
    """
    steps = []
    for number, r in enumerate(passes.radices):
        done, rest = _around(passes, number)
        s, m = (done, rest) if passes.kind == "dif" else (rest, done)
        first, last = number == 0, number == len(passes.radices) - 1
        x, y = rows[0] if first else block * e, rows[1] if last else block * e
        twiddle = "none" if m == 1 else "after" if passes.kind == "dif" else "before"
        changes = (ends[0] if first else {}) | (ends[1] if last else {})
        one = replace(spec, radix=r, twiddle=twiddle, **changes)
        if m == 1:  # without twiddles, q can be traversed row by row
            steps.append(Step(one, s, block // spec.width, x, s * x, y, s * y))
            continue
        narrow = (r * s, s)
        (xa, xi), (ya, yk) = ((s, m * s), narrow) if passes.kind == "dif" else (narrow, (s, m * s))
        table = twiddles(r, m, 1, spec.precision)
        steps.append(
            Step(
                one, m, s * block // spec.width, xa * x, xi * x, ya * y, yk * y, (r - 1) * e, table
            )
        )
    return steps


def four_step(plan: FourStep, job: Job) -> list[Stage]:
    """k·m as a matrix: columns; twiddles and transpose; columns again.

    With a late transpose the matrix lies in the work buffer in between.  With an early one it lies
    in y, whose columns are then transformed in place.
    """
    e, k, m, b, g = job.element, plan.columns.n, plan.rows.n, plan.block, plan.group
    row = m * e + PADDING
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
    """Route passes from a source to a target, or to any buffer, by way of the two block buffers."""
    buffer = source
    for number, step in enumerate(steps):
        step.source = buffer
        buffer = SECOND if buffer == FIRST else FIRST
        if target is not None and number == len(steps) - 1:
            buffer = target
        step.target = buffer
        x, y = (by_block if one in (X, Y, WORK) else 0 for one in (step.source, buffer))
        step.by_block = (x, y, 0, 0)
    return steps


def rows_to_columns(k: int, m: int, group: int, row: int, spec: Pass, e: int) -> list[Step]:
    """A late transpose: rows of the matrix become columns of a block, times twiddles."""
    lanes, fine = spec.width, fine_size(m, spec.width)
    tables = transpose_twiddles(k, m, lanes, spec.precision, early=False)
    sizes = fine * e, (m // fine) * e  # of one row's share
    return [
        Step(
            replace(spec, twiddle="grid", transposed="out"),
            m // fine, fine // lanes, fine * e, row, fine * group * e, group * e, lanes * e,
            *tables, WORK, FIRST,
            (first * row, first * e, first * sizes[0], first * sizes[1]),
            (group * row, 0, group * sizes[0], group * sizes[1]),
        )
        for first in range(0, group, lanes)
    ]  # fmt: skip


def columns_to_rows(k: int, m: int, block: int, spec: Pass, e: int, source: int) -> list[Step]:
    """An early transpose: columns of a block become rows of y, times twiddles."""
    lanes, fine = spec.width, fine_size(k, spec.width)
    tables = transpose_twiddles(k, m, lanes, spec.precision, early=True)
    sizes = fine * e, (k // fine) * e  # of one column's share
    return [
        Step(
            replace(spec, twiddle="lanes-grid", transposed="out"),
            k // fine, fine // lanes, fine * block * e, block * e, fine * e, k * e, lanes * e,
            *tables, source, Y,
            (first * e, first * k * e, first * sizes[0], first * sizes[1]),
            (0, block * k * e, block * sizes[0], block * sizes[1]),
        )
        for first in range(0, block, lanes)
    ]  # fmt: skip


# --- assembling ------------------------------------------------------------------------


class Program:
    """A plan ready to be executed: its encoded steps, and the memory that they point to."""

    def __init__(self, plan: Plan, job: Job, scale: float = 1.0) -> None:
        self.plan, self.job, self.n = plan, job, plan.n
        self.size = plan.n * plan.block if isinstance(plan, Columns) else plan.n
        """Elements of one execution."""
        stages = stages_of(plan, job)
        self.needs_alignment = any(
            s.spec.streaming and s.target == Y for g in stages for s in g.steps
        )
        self.kept: list[Any] = [aligned(np.array([scale]), job.precision)]
        self.blocks = [stage.blocks for stage in stages]
        self.sizes = self._sizes(stages)
        body = [value for stage in stages for value in self._stage(stage)]
        self.encoded = np.array([len(stages), 0, 0, 0, 0, 0, 0, 0, *body], np.int64)
        self._allocate()

    @property
    def address(self) -> int:
        """Of the encoded steps."""
        return int(self.encoded.ctypes.data)

    def _allocate(self) -> None:
        """Allocate the buffers; their addresses follow the number of stages in the header."""
        for buffer, size in self.sizes.items():
            memory = empty_aligned(size, np.uint8)
            self.kept.append(memory)
            self.encoded[1 + buffer] = memory.ctypes.data
        self.work = int(self.encoded[1 + WORK])

    def use_work(self, address: int) -> None:
        """Use another work buffer, shared by several threads."""
        self.encoded[1 + WORK] = address

    def use_scratch(self, address: int) -> None:
        """Use other memory for all buffers: ``scratch_size`` bytes at an address."""
        for buffer, size in self.sizes.items():
            self.encoded[1 + buffer] = address
            address += size + -size % CACHE_LINE

    @property
    def scratch_size(self) -> int:
        """Bytes of all buffers."""
        return sum(size + -size % CACHE_LINE for size in self.sizes.values())

    def _sizes(self, stages: Sequence[Stage]) -> dict[int, int]:
        used = {step.target for stage in stages for step in stage.steps} - {Y}
        e, plan = self.job.element, self.plan
        if not isinstance(plan, FourStep):
            return dict.fromkeys(used, self.size * e)
        k, m = plan.columns.n, plan.rows.n
        block = max(k * plan.block, m * plan.group) * e
        return {one: k * (m * e + PADDING) if one == WORK else block for one in used}

    def _stage(self, stage: Stage) -> list[int]:
        return [stage.blocks, len(stage.steps), *(v for s in stage.steps for v in self._step(s))]

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
