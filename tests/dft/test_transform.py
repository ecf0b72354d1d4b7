"""The transform itself: right to the last digits, for any array, clear about what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import weakref
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp

from montego import dft
from montego.dft import fastpath, interface
from montego.dft.defaults import default_word
from montego.kernels.compiler.vector import widest

PAST_CACHES = 1 << 15
NO_ARRAY: Any = [1]


def error(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.linalg.norm(found - expected) / np.linalg.norm(expected))


def exact(x: np.ndarray) -> np.ndarray:
    """The transform in extended precision: radix 2 on long doubles, with roots from there."""
    n = len(x)
    if n == 1:
        return x
    even, odd = exact(x[0::2]), exact(x[1::2])
    angle = -2 * np.arccos(np.longdouble(-1)) * np.arange(n // 2) / n
    odd = odd * (np.cos(angle) + 1j * np.sin(angle))
    return np.concatenate([even + odd, even - odd])


def vector(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(2 * n).view(np.complex128)


# --- accuracy --------------------------------------------------------------------------


@pytest.mark.skipif(bool(np.finfo(np.longdouble).eps > 1e-18), reason="no extended precision here")
@pytest.mark.parametrize("t", [1, 2, 3, 4, 5, 6, 10, 13, 16])
def test_accuracy_against_extended_precision(t: int) -> None:
    x = vector(2**t)
    reference = exact(x.astype(np.clongdouble))
    assert error(dft.fft(x), reference) <= 3e-15 * t
    assert error(dft.ifft(x), np.conj(exact(np.conj(x).astype(np.clongdouble))) / 2**t) <= 3e-15 * t


@pytest.mark.slow
@pytest.mark.parametrize("t", [*range(1, 23)])
def test_accuracy_of_every_power_of_two(t: int) -> None:
    scipy_fft = pytest.importorskip("scipy.fft")
    x = vector(2**t)
    reference = exact(x.astype(np.clongdouble)) if t <= 16 else scipy_fft.fft(x)
    assert error(dft.fft(x), reference) <= 3e-15 * t
    assert error(dft.ifft(dft.fft(x)), x) <= 3e-15 * t


@pytest.mark.slow
def test_every_smooth_size_up_to_a_thousand() -> None:
    sizes = [n for n in range(1, 1001) if max(_prime_factors(n), default=1) <= 5]
    for n in sizes:
        x = vector(n)
        np.testing.assert_allclose(dft.fft(x), np.fft.fft(x), rtol=0, atol=1e-12)
        np.testing.assert_allclose(dft.ifft(x), np.fft.ifft(x), rtol=0, atol=1e-12)


def _prime_factors(n: int) -> set[int]:
    return {p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, p))}


@pytest.mark.parametrize("n", [3, 5, 6, 15, 60, 100])
def test_factors_three_and_five(n: int) -> None:
    assert error(dft.fft(vector(n)), np.fft.fft(vector(n))) < 1e-15
    assert error(dft.ifft(vector(n)), np.fft.ifft(vector(n))) < 1e-15


@pytest.mark.parametrize("n", [40_000, 46_656])
def test_matrices_whose_sides_are_no_powers_of_two(n: int) -> None:
    x = vector(n)
    assert error(dft.fft(x), np.fft.fft(x)) < 1e-14


FLAGS = [(), ("stream-work",), ("stream-y",), ("prefetch",), ("stream-work", "stream-y")]


@pytest.mark.parametrize("flags", [*FLAGS, *(("early", *flags) for flags in FLAGS)])
@pytest.mark.parametrize(
    ("columns", "rows"), [((8, 6), (8, 5)), ((8, 5), (48,)), ((16,), (8, 8)), ((8, 4), (16,))]
)
def test_four_steps(columns: tuple[int, ...], rows: tuple[int, ...], flags: Any) -> None:
    word = ("four-step", "w4", *flags, "b8", "g4", "columns", "dif", *columns, "rows", "dit", *rows)
    n = int(np.prod(columns) * np.prod(rows))
    x = vector(n)
    for threads in (1, 2):
        assert error(dft.Transform(word, threads=threads)(x), np.fft.fft(x)) < 1e-14
    back = dft.Transform(word, inverse=True, scale=1 / n)
    shifted = np.empty(16 * n + 80, np.uint8)
    begin = -shifted.ctypes.data % 64 + 16  # not on a cache line
    out = shifted[begin : begin + 16 * n].view(complex)
    assert error(back(x, out=out), np.fft.ifft(x)) < 1e-14


def test_single_precision() -> None:
    for x in (vector(64).astype(np.complex64), vector(64).real.astype(np.float32)):
        found = dft.fft(x)
        assert found.dtype == np.complex64
        assert error(found, np.fft.fft(x.astype(np.complex128))) < 1e-6


# --- properties ------------------------------------------------------------------------

SIZES = st.sampled_from([4, 32, 64])
NUMBERS = st.complex_numbers(max_magnitude=1e6, allow_nan=False)


@st.composite
def vectors(draw: st.DrawFn, count: int = 1) -> list[np.ndarray]:
    n = draw(SIZES)
    return [draw(hnp.arrays(np.complex128, n, elements=NUMBERS)) for _ in range(count)]


@settings(max_examples=60, deadline=None)
@given(vectors(2), NUMBERS)
def test_linearity(pair: list[np.ndarray], factor: complex) -> None:
    x, y = pair
    scale = 1 + np.abs(x).max() + abs(factor) * np.abs(y).max()
    together = dft.fft(x + factor * y)
    assert np.abs(together - (dft.fft(x) + factor * dft.fft(y))).max() <= 1e-13 * len(x) * scale


@settings(max_examples=60, deadline=None)
@given(vectors(), st.integers(0, 63))
def test_a_shift_multiplies_the_spectrum_by_phases(one: list[np.ndarray], shift: int) -> None:
    x, n = one[0], len(one[0])
    phases = np.exp(-2j * np.pi * (shift * np.arange(n) % n) / n)
    found = dft.fft(np.roll(x, shift))
    assert np.abs(found - phases * dft.fft(x)).max() <= 1e-13 * n * (1 + np.abs(x).max())


@settings(max_examples=60, deadline=None)
@given(vectors())
def test_parseval_and_back(one: list[np.ndarray]) -> None:
    x, n = one[0], len(one[0])
    scale = 1 + np.abs(x).max()
    spectrum = dft.fft(x)
    assert abs(np.linalg.norm(spectrum) - np.sqrt(n) * np.linalg.norm(x)) <= 1e-13 * n * scale
    assert np.abs(dft.ifft(spectrum) - x).max() <= 1e-14 * n * scale


# --- arrays ----------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_every_axis(axis: int) -> None:
    x = vector(4 * 6 * 8).reshape(4, 6, 8)
    assert error(dft.fft(x, axis=axis), np.fft.fft(x, axis=axis)) < 1e-15
    assert error(dft.ifft(x.real, axis=axis), np.fft.ifft(x.real, axis=axis)) < 1e-15


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_norms(norm: str) -> None:
    x = vector(32)
    assert error(dft.fft(x, norm=norm), np.fft.fft(x, norm=norm)) < 1e-15  # type: ignore[arg-type]
    assert error(dft.ifft(x, norm=norm), np.fft.ifft(x, norm=norm)) < 1e-15  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [4, 32, 64])
def test_cropped_and_zero_padded(n: int) -> None:
    x = vector(96).reshape(3, 32)
    assert error(dft.fft(x, n), np.fft.fft(x, n)) < 1e-15
    assert error(dft.fft(vector(10), n), np.fft.fft(vector(10), n)) < 1e-15


def test_whatever_is_an_array() -> None:
    x = vector(32)
    expected = np.fft.fft(x)
    for same in (x, list(x), x.reshape(1, 32)[0], x.astype(">c16"), np.repeat(x, 2)[::2]):
        assert error(dft.fft(same), expected) < 1e-15
    shifted = np.zeros(32 * 16 + 1, np.uint8)[1:].view(np.complex128)  # not aligned
    shifted[:] = x
    assert error(dft.fft(shifted), expected) < 1e-15
    np.testing.assert_allclose(dft.fft([1, 2, 3, 4]), [10, -2 + 2j, -2, -2 - 2j], atol=1e-15)
    np.testing.assert_array_equal(dft.fft([True, False]), [1, 1])
    np.testing.assert_array_equal(dft.fft([3.0]), [3.0])
    assert dft.fft(np.zeros((0, 4))).shape == (0, 4)
    locked = x.copy()
    locked.flags.writeable = False
    assert error(dft.fft(locked), expected) < 1e-15


def test_the_input_is_left_alone_and_results_are_the_users_own() -> None:
    for n in (32, 64, 1024):
        x = vector(n)
        before = x.copy()
        results = [dft.fft(x + number) for number in range(6)]
        views = [dft.fft(x + number)[1:] for number in range(6)]
        for number, (result, view) in enumerate(zip(results, views, strict=True)):
            expected = np.fft.fft(x + number)
            assert error(result, expected) < 1e-14
            assert error(view, expected[1:]) < 1e-14
            assert result.flags.writeable
        np.testing.assert_array_equal(x, before)


def test_an_output_array() -> None:
    x = vector(64).reshape(2, 32)
    out = np.empty_like(x)
    assert dft.fft(x, out=out) is out
    assert error(out, np.fft.fft(x)) < 1e-15
    assert dft.fft(x, axis=0, out=out) is out
    assert error(out, np.fft.fft(x, axis=0)) < 1e-15
    same = x.copy()
    assert error(dft.fft(same, out=same), np.fft.fft(x)) < 1e-15


def test_nan_and_infinity_pass_through_as_in_numpy() -> None:
    for bad in (np.nan, np.inf, complex(0, -np.inf)):
        for n in (32, 64):
            x = np.ones(n, np.complex128)
            x[3] = bad
            with np.errstate(invalid="ignore"):
                found, expected = dft.fft(x), np.fft.fft(x)
            assert not np.isfinite(found).any() or np.isfinite(expected).any()
            assert (np.isnan(found) | np.isinf(found)).all()
            assert (np.isnan(expected) | np.isinf(expected)).all()


# --- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda: dft.fft([]), ValueError, "at least 1 number, not 0"),
        (lambda: dft.fft(3.0), ValueError, "at least one axis"),
        (
            lambda: dft.fft(np.ones(7)),
            ValueError,
            r"products of 2, 3 and 5, not 7; the next one is 8",
        ),
        (lambda: dft.fft(np.ones(4), n=0), ValueError, "at least 1 number, not 0"),
        (lambda: dft.fft(np.ones(4), n=-4), ValueError, "at least 1 number, not -4"),
        (lambda: dft.fft(["a", "b"]), TypeError, "takes numbers"),
        (lambda: dft.fft([None, None]), TypeError, "takes numbers"),
        (lambda: dft.fft(np.ones(4, np.longdouble)), TypeError, "double or single precision"),
        (lambda: dft.fft(np.ones(4), axis=1), ValueError, "axis 1 is out of bounds"),
        (lambda: dft.fft(np.ones(4), norm="best"), ValueError, "norm is"),
        (lambda: dft.fft(np.ones(4), threads=0), ValueError, "threads are at least 1"),
        (lambda: dft.fft(np.ones(4), out=np.ones(4)), ValueError, "array of complex128"),
        (lambda: dft.fft(np.ones(4), None, -1, None, NO_ARRAY), ValueError, "complex128"),
        (lambda: dft.plan(0), ValueError, "at least 1 number"),
        (lambda: dft.plan(2**25), ValueError, "sizes go up to"),
        (lambda: dft.plan(10**15 + 1), ValueError, "sizes go up to .* not 1,000,000,000,000,001"),
        (lambda: dft.plan(10**5000), ValueError, "not a number of 16,610 bits"),
        (lambda: dft.plan(-(10**5000)), ValueError, "at least 1 number"),
        (lambda: dft.plan(8.0), ValueError, "a size is a whole number, not 8.0"),  # type: ignore[arg-type]
        (lambda: dft.fft(np.ones(4), n=10**15), ValueError, "sizes go up to"),
        (lambda: dft.fft(np.ones(4), n=2.5), ValueError, "whole number, not 2.5"),  # type: ignore[arg-type]
        (lambda: dft.fft(np.ones(4), threads=None), ValueError, "whole number, not None"),  # type: ignore[arg-type]
        (lambda: dft.plan(8, seconds=float("nan")), ValueError, "some seconds, not nan"),
        (lambda: dft.plan(8, seconds=None), ValueError, "some seconds, not None"),  # type: ignore[arg-type]
        (lambda: dft.plan(8, search=[]), ValueError, "searches are tag, dp"),  # type: ignore[arg-type]
        (lambda: dft.Transform(("codelet", 8), scale=float("inf")), ValueError, "not inf"),
        (lambda: dft.plan(8, search="luck"), ValueError, "searches are tag, dp"),
        (lambda: dft.plan(8, seconds=0), ValueError, "some seconds"),
        (lambda: dft.plan(8, "none")(np.ones(9)), ValueError, "transforms 8 numbers, not"),
        (lambda: dft.plan(8, "none", dtype=str), TypeError, "takes numbers"),
    ],
)
def test_clear_errors(call: object, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        call()  # type: ignore[operator]


@pytest.mark.parametrize(
    "word",
    [
        (), ("codelet",), ("codelet", 7), ("codelet", 8.0), ("codelet", True), ("codelet", None),
        ("codelet", 1), ("codelet", 0), ("codelet", -8), ("dif", 8, 8), ("dif", "w3", 8, 8),
        ("dif", "w1", *[64] * 5), ("dif", "w1", *[2] * 100), ("dif", "w0", 8), ("dif", "w", 8),
        ("four-step", "w1", "b1", "g1", "columns", "rows"),
        ("four-step", "w1", "b1", "g1", "rows", "dif", 4, "columns", "dif", 4),
        ("four-step", "w1", "b0", "g1", "columns", "dif", 4, "rows", "dif", 4),
        ("four-step", "w1", "b-1", "g1", "columns", "dif", 4, "rows", "dif", 4),
        ("four-step", "w1", "late", "b1", "g1", "columns", "dif", 4, "rows", "dif", 4),
        "codelet 8", None, 8, [[[[8]]]], count(), (10**5000,),
    ],
)  # fmt: skip
def test_what_is_no_plan_is_told_in_one_line(word: Any) -> None:
    with pytest.raises(dft.DftError) as caught:
        dft.Transform(word)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


# --- calls -----------------------------------------------------------------------------


def test_the_fast_path_and_the_fallback_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fastpath.is_possible()
    x = vector(64)
    fast = dft.fft(x)
    monkeypatch.setattr(fastpath, "is_possible", lambda: False)
    interface.forget()
    try:
        np.testing.assert_array_equal(dft.fft(x), fast)
        np.testing.assert_array_equal(dft.fft(x), fast)
    finally:
        interface.forget()


def test_bound_to_two_arrays() -> None:
    plan = dft.plan(32, "none")
    x, y = vector(32), np.zeros(32, np.complex128)
    run = plan.bind(x, y)
    assert run() is y
    assert error(y, np.fft.fft(x)) < 1e-15
    x[:] = vector(32, 1)
    run()
    assert error(y, np.fft.fft(x)) < 1e-15
    for wrong in ((x, x), (x, y[:-1]), (x[::2], y), (x.real, y)):
        with pytest.raises(dft.DftError):
            plan.bind(*wrong)


def test_several_threads() -> None:
    batch = vector(4 * 64).reshape(4, 64)
    assert error(dft.fft(batch, threads=2), np.fft.fft(batch)) < 1e-15
    x = vector(PAST_CACHES)
    assert default_word(PAST_CACHES)[0] == ("four-step" if widest("double") > 1 else "dif")
    assert error(dft.fft(x, threads=3), np.fft.fft(x)) < 1e-14


def test_one_plan_in_many_threads_at_a_time() -> None:
    inputs = [vector(PAST_CACHES, seed) for seed in range(4)]
    expected = [np.fft.fft(x) for x in inputs]
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(30):
            if error(dft.fft(inputs[number]), expected[number]) > 1e-14:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


FIRST_USE = """
import sys, threading
import numpy as np
from montego import dft
sys.setswitchinterval(1e-6)
x, start = np.arange(64) + 0j, threading.Barrier(8)
expected, right = np.fft.fft(x), []

def work():
    start.wait()
    right.append(all(np.allclose(dft.fft(x), expected) for _ in range(20)))

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert right == [True] * 8, right
"""


def test_a_first_use_by_many_threads() -> None:
    dft.fft(vector(64))  # compiled, but a fresh process has it still to load
    for _ in range(2):  # see tests/attack for a hundred
        done = subprocess.run([sys.executable, "-c", FIRST_USE], capture_output=True, text=True,
                              check=False)  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_a_fast_path_keeps_its_method() -> None:
    method = fastpath._Method(b"unused", 0, fastpath.METH_O, b"")
    alive = weakref.ref(method)
    function = fastpath._function(method, {}, ())
    del method
    assert alive() is not None
    del function
    assert alive() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    batch = vector(4 * 64).reshape(4, 64)
    dft.fft(batch, threads=2)  # this process has its threads now

    child = os.fork()
    if child == 0:
        signal.alarm(20)  # which ends it, should it hang
        right = error(dft.fft(batch, threads=2), np.fft.fft(batch)) < 1e-15
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0


OTHER_MACHINE = """
import numpy as np
from montego import dft
from montego.dft.defaults import default_word
from montego.kernels.compiler.vector import has_fma, widest
print(widest("double"), has_fma())
for n in {sizes}:
    x = np.random.default_rng(n).standard_normal(2 * n).view(np.complex128)
    for ours, numpys in ((dft.fft, np.fft.fft), (dft.ifft, np.fft.ifft)):
        error = np.linalg.norm(ours(x) - numpys(x)) / np.linalg.norm(numpys(x))
        assert error < 1e-14, (n, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "features", "said"),
    [("haswell", "+avx,+avx2,+fma", "4 True"), ("nocona", "+sse2", "2 False"),
     ("generic", "", "1 False")],
)  # fmt: skip
def test_other_machines(name: str, features: str, said: str) -> None:
    _on_another_machine(name, features, said, "(2, 15, 16, 64, 96, 1024, 4096, 16384)")


@pytest.mark.skipif(widest("double") < 8, reason="has none")
def test_without_avx512() -> None:
    _on_another_machine("haswell", "+avx,+avx2,+fma", "4 True", "(16,)")


def _on_another_machine(name: str, features: str, said: str, sizes: str) -> None:
    environment = os.environ | {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
    code = OTHER_MACHINE.format(sizes=sizes)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == said
