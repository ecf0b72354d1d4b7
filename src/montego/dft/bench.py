"""Benchmark of this library, NumPy, SciPy (pocketfft) and pyfftw (FFTW), in one run.

All are called as users call them, from Python with one vector and one thread.  Their samples
alternate, so that a busy minute affects all of them; the least time of many samples counts.  The
vector begins on a cache line, as FFTW prefers.  Our results, NumPy's and SciPy's are new arrays,
FFTW's is not.

Speed is in pseudo-Mflop/s, as usual: 5 n log2 n operations by the time in microseconds, whatever an
algorithm really does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

import numpy as np

from montego.dft.timing import Sample, least_time, sample
from montego.dft.transform import pseudo_mflops
from montego.kernels.compiler.aligned import empty_aligned

SAMPLE_SECONDS = 3e-4
"""A sample is short, so that some are not interrupted; a call before it warms up the caches."""
OURS = "montego"
FFTW_MODES = ("estimate", "measure", "patient")
PATIENT_UP_TO = 1 << 16
"""Above, FFTW's patient planner takes minutes."""
Call = Callable[[], Any]


@dataclass(frozen=True)
class Figure:
    """One library at one size."""

    n: int
    library: str
    seconds: float

    @property
    def mflops(self) -> float:
        return pseudo_mflops(self.n, self.seconds)

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"mflops": round(self.mflops, 1)}


def libraries(n: int, dtype: Any, wanted: Sequence[str]) -> dict[str, Call]:
    """A call of each library for a vector of a size; libraries not installed are left out."""
    rng = np.random.default_rng(n)
    x = empty_aligned(n, dtype)
    x[:] = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    from montego.dft.interface import fft

    calls: dict[str, Call] = {OURS: lambda: fft(x), "numpy": lambda: np.fft.fft(x)}
    try:
        scipy_fft = import_module("scipy.fft").fft
        calls["scipy"] = lambda: scipy_fft(x)
    except ImportError:
        pass
    for mode in FFTW_MODES:
        name = f"fftw-{mode}"
        if name in wanted and (mode != "patient" or n <= PATIENT_UP_TO):
            call = _fftw(x, mode)
            if call is not None:
                calls[name] = call
    return {name: call for name, call in calls.items() if name in wanted}


def is_installed(name: str) -> bool:
    """Whether a library can be measured here."""
    return name in libraries(8, np.complex128, (name,))


def _fftw(x: Any, mode: str) -> Call | None:
    """A planned transform of pyfftw; its result is always the same array."""
    try:
        pyfftw = import_module("pyfftw")
    except ImportError:
        return None
    a, b = (pyfftw.empty_aligned(len(x), x.dtype) for _ in range(2))
    planned = pyfftw.FFTW(a, b, flags=(f"FFTW_{mode.upper()}",), threads=1)
    return lambda: planned(x)


ALL = (OURS, "numpy", "scipy", *(f"fftw-{mode}" for mode in FFTW_MODES))


def measure(
    n: int, seconds: float, wanted: Sequence[str] = ALL, dtype: Any = np.complex128
) -> Iterator[Figure]:
    """Time every library at a size, alternating, for some seconds each."""
    calls = libraries(n, dtype, wanted)
    repeats = {name: _enough(call) for name, call in calls.items()}
    samples: dict[str, list[Sample]] = {name: [] for name in calls}
    end = time.thread_time() + seconds * len(calls)
    while time.thread_time() < end or not all(samples.values()):
        for name, call in calls.items():
            call()
            samples[name].append(sample(_repeat, call, repeats[name]))
    return (Figure(n, name, least_time(taken) / repeats[name]) for name, taken in samples.items())


def _enough(call: Call) -> int:
    """How many calls make up a sample."""
    call()
    return max(1, int(SAMPLE_SECONDS / min(sample(call)[0] for _ in range(3))))


def _repeat(call: Call, times: int) -> None:
    for _ in range(times):
        call()
