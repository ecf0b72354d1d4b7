"""Codelets: what they compute, how many operations they take; and their machine code."""

from __future__ import annotations

import cmath
from dataclasses import replace

import numpy as np
import pytest

from montego.dft.codelet import arithmetic, codelet, cos_sin, interpret
from montego.dft.execute import execute
from montego.dft.kernel import Pass
from montego.dft.plans import Columns, DftError, Flat, Passes, is_codelet, parse, spell
from montego.dft.program import Job, Program
from montego.dft.twiddles import roots_of_unity
from montego.dft.vector import COMPLEX
from montego.kernels.compiler.aligned import empty_aligned
from montego.kernels.compiler.vector import widest

SIZES = [r for r in range(2, 65) if is_codelet(r)]


@pytest.mark.parametrize("r", SIZES)
def test_every_codelet_computes_the_transform(r: int) -> None:
    rng = np.random.default_rng(r)
    x = rng.standard_normal(2 * r).view(np.complex128)
    expected = [
        sum(x[j] * cmath.exp(-2j * cmath.pi * (j * k % r) / r) for j in range(r)) for k in range(r)
    ]
    np.testing.assert_allclose(interpret(r, list(x)), expected, rtol=0, atol=1e-14 * r)


def test_operations_are_as_few_as_those_of_the_best_generators() -> None:
    # a fused multiply-add counts once; split radix with factored twiddles
    assert {r: arithmetic(r) for r in (2, 4, 8, 16, 32, 64)} == {
        2: 4, 4: 16, 8: 52, 16: 144, 32: 372, 64: 912,
    }  # fmt: skip


def test_nothing_is_computed_twice_and_nothing_by_one() -> None:
    for r in (8, 15, 32):
        ops = [op for op in codelet(r) if op.name != "store"]
        assert len(ops) == len(set(ops))
        assert not any(op.name in ("mul", "fma", "fnma", "fms") and op.c in (0, 1) for op in ops)


def test_inputs_are_loaded_late_and_results_stored_early() -> None:
    ops = codelet(32)
    used = {value: place for place, op in reversed([*enumerate(ops)]) for value in (op.a, op.b)
            if op.name != "load"}  # fmt: skip
    loads = [place for place, op in enumerate(ops) if op.name == "load"]
    assert loads[-1] > len(ops) // 3
    assert all(used[load] - load <= 8 for load in loads)
    assert all(place - max(op.a, op.b) <= 4 for place, op in enumerate(ops) if op.name == "store")


def test_roots_of_unity_are_exact_where_they_can_be() -> None:
    assert [cos_sin(k, 8) for k in (0, 2, 4, 6)] == [(1, 0), (0, 1), (-1, 0), (0, -1)]
    for n in (12, 40, 1024):
        k = np.arange(n)
        c, s = zip(*(cos_sin(int(j), n) for j in k), strict=True)
        np.testing.assert_array_equal(roots_of_unity(k, n).real, c)
        np.testing.assert_array_equal(roots_of_unity(k, n).imag, -np.array(s))
        assert np.abs(np.hypot(c, s) - 1).max() < 3e-16


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("radices", [(8,), (4, 8), (3, 5)])
@pytest.mark.parametrize("kind", ["dif", "dit"])
def test_columns_of_every_width(kind: str, radices: tuple[int, ...], precision: str) -> None:
    for width in (1, 2, widest(precision)):
        plan = Columns(Passes(kind, radices), width, 2 * width)
        program = Program(plan, Job(precision))
        dtype = COMPLEX[precision]
        x, y = (empty_aligned(program.size, dtype) for _ in range(2))
        x[:] = np.random.default_rng(1).standard_normal(2 * program.size).view(np.complex128)
        execute(program.address, x.ctypes.data, y.ctypes.data, 1, 0, 0)
        expected = np.fft.fft(x.astype(np.complex128).reshape(plan.n, -1), axis=0).ravel()
        assert np.abs(y - expected).max() < (1e-14 if precision == "double" else 1e-5) * plan.n
        scratch = empty_aligned(program.scratch_size, np.uint8)
        program.use_scratch(scratch.ctypes.data)
        y[:] = 0.0
        execute(program.address, x.ctypes.data, y.ctypes.data, 1, 0, 0)
        assert np.abs(y - expected).max() < (1e-14 if precision == "double" else 1e-5) * plan.n


def test_the_name_of_a_kernel_tells_all_that_decides_it() -> None:
    one = Pass(8, 4)
    others = [
        replace(one, **change)
        for change in (
            {"radix": 16}, {"width": 2}, {"precision": "single"}, {"twiddle": "after"},
            {"interleaved_in": True}, {"interleaved_out": True}, {"transposed": "in"},
            {"inverse": True}, {"scaled": True}, {"streaming": True}, {"prefetch": 1},
        )
    ]  # fmt: skip
    assert len({one.name, *(other.name for other in others)}) == 1 + len(others)
    assert Pass(8, 4).name == one.name


# --- plans are data --------------------------------------------------------------------

WORDS = [
    ("codelet", 32),
    ("dif", "w8", 32, 32),
    ("dit", "w4", "buffers", 16, 16, 8),
    (
        "four-step",
        "w8",
        "early",
        "stream-work",
        "prefetch",
        "b16",
        "g8",
        "columns",
        "dif",
        32,
        "rows",
        "dit",
        8,
        8,
    ),
]


@pytest.mark.parametrize("word", WORDS)
def test_words_and_plans_are_the_same(word: tuple[object, ...]) -> None:
    assert spell(parse(word)) == word
    assert parse(list(word)) == parse(word)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ((), "not a plan"),
        (("fast", 8), "not a plan"),
        (("dif", 8, 8), "not a plan"),
        (("dif", "w8", 7, 8), "no codelet of size 7"),
        (("codelet", 128), "no codelet of size 128"),
        (("dif", "w8", 4, 16), "do not fit 4 · 16"),
        (("dif", "w3", 9, 9), "1, 2, 4, 8 or 16 lanes"),
        (
            ("four-step", "w8", "quickly", "b16", "g16", "columns", "dif", 8, "rows", "dif", 8),
            "not a plan",
        ),
        (
            ("four-step", "w8", "b16", "g8", "columns", "dif", 8, "rows", "dif", 8),
            "do not fit 8 × 8",
        ),
        (("four-step", "w8", "b8", "g8", "columns", "dix", 8, "rows", "dif", 8), "dif or dit"),
    ],
)
def test_words_that_are_no_plans(word: tuple[object, ...], said: str) -> None:
    with pytest.raises(DftError, match=said):
        parse(word)


def test_a_flat_plan_knows_its_size() -> None:
    assert Flat(Passes("dif", (4, 4)), 4).n == 16
