"""Words that may be plans: each is refused in one line, or computes what NumPy computes."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from montego import dft
from montego.dft.plans import FLAGS, parse
from tests.attack.conftest import Attack

pytestmark = pytest.mark.attack
WORDS, LARGEST, KERNELS = 5_500, 4096, 300
"""So many words; plans up to this size are executed, until so many codelets were compiled."""
RADICES = (2, 3, 4, 5, 8, 16)
JUNK: tuple[Any, ...] = (
    0, 1, -8, 7, 65, 10**30, 2.0, True, None, "", "w", "w3", "w-4", "b0", "g-1", "columns", "rows",
    "dif", "late", "8", "é", b"8", (8,), [8], float("nan"), 8 + 0j,
)  # fmt: skip


def passes(rng: Random) -> list[Any]:
    return [rng.choice(("dif", "dit")), *rng.choices(RADICES, k=rng.randint(1, 3))]


def sound(rng: Random) -> list[Any]:
    """A word that looks like a plan."""
    width = f"w{rng.choice((1, 2, 4, 8))}"
    head = rng.choice(("codelet", "flat", "flat", "four-step", "four-step"))
    if head == "codelet":
        return ["codelet", rng.choice(RADICES)]
    if head == "flat":
        kind, *radices = passes(rng)
        return [kind, width, *rng.choice(([], ["buffers"])), *radices]
    flags = [flag for flag in FLAGS if rng.random() < 0.3]
    sizes = [f"{letter}{rng.choice((1, 2, 4, 8, 16))}" for letter in "bg"]
    return ["four-step", width, *flags, *sizes, "columns", *passes(rng), "rows", *passes(rng)]


def spoilt(word: list[Any], rng: Random) -> Any:
    """The same with something wrong in it, perhaps."""
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        place = rng.randrange(len(word) + 1)
        change = rng.randrange(4)
        if change == 0:
            word.insert(place, rng.choice(JUNK))
        elif change == 1:
            del word[place : place + 1]
        elif change == 2:
            word[place : place + 1] = [rng.choice(JUNK)]
        else:
            rng.shuffle(word)
    return word


def test_plan_words(attack: Attack) -> None:
    refused, executed = 0, 0
    kernels: set[tuple[int, int]] = set()
    for _ in attack.steps(WORDS):
        word = spoilt(sound(attack.random), attack.random)
        try:
            plan = parse(word)
        except dft.DftError as error:
            check_line(error)
            refused += 1
            continue
        wanted = {(plan.width, part) for part in word if isinstance(part, int)}
        if plan.n > LARGEST or len(kernels | wanted) > KERNELS:
            continue
        kernels |= wanted
        executed += 1
        check(word, plan.n, attack.random)
    attack.tell(f"words, {refused:,} refused and {executed:,} executed")


def check_line(error: Exception) -> None:
    assert len(str(error)) < 300
    assert "\n" not in str(error)


def check(word: Any, n: int, rng: Random) -> None:
    """Rows at any address, by one thread or more, forward or back."""
    inverse, threads, rows = rng.random() < 0.3, rng.choice((1, 1, 3)), rng.randint(1, 3)
    x = np.random.default_rng(rng.getrandbits(32)).standard_normal(2 * n * rows).view(complex)
    x = x.reshape(rows, n)
    room = np.empty(16 * n * rows + 80, np.uint8)
    begin = -room.ctypes.data % 64 + rng.choice((0, 16))
    out = room[begin : begin + 16 * n * rows].view(complex).reshape(rows, n)
    dft.Transform(word, inverse=inverse, threads=threads)(x, out=out)
    right = np.fft.ifft(x) if inverse else np.fft.fft(x)
    assert np.abs(out - right).max() <= 1e-13 * np.abs(right).max() * max(1, np.log2(n)), word
