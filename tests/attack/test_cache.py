"""Damaged caches by the thousand: always the right result, never a crash, and sound again after.

Two small kernels are kept; then their files are flipped, cut, swapped, headed anew, emptied, or
folders, links and pipes stand in their place.
"""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from montego.kernels.compiler import cache, jit
from montego.kernels.compiler.native import CHECKSUM_BYTES, Code, caller
from montego.kernels.compiler.sources import digest_of_kernels
from tests.attack.conftest import Attack

pytestmark = pytest.mark.attack

CACHES = 5_000


def add_one(x):
    return x + 1


def half(x):
    return x / 2


EXPECTED = {"add_one.code": (add_one, 42), "half.code": (half, 20.5)}
Damage = Callable[[random.Random, Path, bytes, bytes], None]


def flip(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    """Some bits are wrong, often in the header."""
    damaged = bytearray(whole)
    end = rng.choice((CHECKSUM_BYTES, 160, len(whole)))
    for _ in range(rng.choice((1, 1, 2, 30))):
        damaged[rng.randrange(end)] ^= 1 << rng.randrange(8)
    path.write_bytes(damaged)


def cut(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    """A part is missing."""
    begin, end = sorted(rng.choices(range(len(whole) + 1), k=2))
    path.write_bytes(rng.choice((whole[:begin], whole[begin:], whole[:begin] + whole[end:])))


def swap(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    """The file of the other kernel, which is sound."""
    path.write_bytes(other)


def mix(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    """The header of the one, the code of the other."""
    end = whole.index(b"\n", CHECKSUM_BYTES)
    middle = rng.choice((CHECKSUM_BYTES, end))
    path.write_bytes(rng.choice((whole[:middle] + other[middle:], other[:middle] + whole[middle:])))


def head(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    """Something else comes first, or something more last."""
    text = rng.choice((b"\x7fELF", b"#!/bin/sh\n", b"[]\n", b"\n", b"\0" * 4096, whole))
    path.write_bytes(rng.choice((text + whole, whole + text, text)))


def empty(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    path.write_bytes(b"")


def zero(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    """As after a power failure: the right size, and nothing in it."""
    begin = rng.randrange(len(whole))
    path.write_bytes(whole[:begin] + bytes(len(whole) - begin))


def grow(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    os.truncate(path, rng.choice((len(whole) + 1, 1 << 20, 1 << 36)))


def folder(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    path.unlink()
    path.mkdir()
    if rng.random() < 0.5:
        (path / "file").write_bytes(whole)


def link(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    target = path.with_name("target")
    target.write_bytes(rng.choice((whole, other)))
    path.unlink()
    path.symlink_to(rng.choice(("target", path.name, "nowhere", "/", "/dev/zero", "/dev/full")))


def pipe(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def unreadable(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    path.chmod(rng.choice((0o000, 0o222, 0o666, 0o777)))


def lose(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    """The folder, or its parent, is gone or is a file."""
    gone = rng.choice((path, path.parent, path.parent.parent))
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()


def clutter(rng: random.Random, path: Path, whole: bytes, other: bytes) -> None:
    """Folders in the place of everything else that lies beside the code."""
    flip(rng, path, whole, other)
    for name in (cache.USED, cache.COMPLETE + digest_of_kernels(), f"{path.name}.lock"):
        beside = path.with_name(name)
        beside.unlink(missing_ok=True)
        beside.mkdir()


DAMAGES: tuple[Damage, ...] = (
    flip, flip, cut, swap, mix, head, empty, zero, grow,
    folder, link, pipe, unreadable, lose, clutter,
)  # fmt: skip


class Cache:
    """A cache with two kernels; each is loaded anew as often as one likes."""

    def __init__(self) -> None:
        self.codes: dict[str, Code] = {}
        for name, (function, _) in EXPECTED.items():
            self.codes[name] = jit.compile_for(jit.entry(function).dispatcher, (int,))

    @property
    def folder(self) -> Path:
        return cache.ROOT / cache.folder_of(os.geteuid()) / cache.VERSION

    def write(self) -> dict[str, bytes]:
        """A sound cache; returns its files."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for name, code in self.codes.items():
            cache.keep(code, name)
        return {name: (self.folder / name).read_bytes() for name in self.codes}

    def results(self) -> list[object]:
        """What the kernels make of 41."""
        made = []
        for name in self.codes:
            address, result = jit.load(name, partial(self.codes.__getitem__, name))
            made.append(caller(name, address, (int,), result)([41]))
        return made


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the damages are those of Unix")
def test_caches(
    attack: Attack,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    rng, kept, done = attack.random, Cache(), Counter[str]()
    right = [result for _, result in EXPECTED.values()]
    for number in attack.steps(CACHES):
        files = kept.write()
        name, other = rng.sample(sorted(files), 2)
        damage = rng.choice(DAMAGES)
        damage(rng, kept.folder / name, files[name], files[other])
        said = f"cache {number}: {damage.__name__}"
        assert kept.results() == right, said
        assert (kept.folder / name).read_bytes() == files[name], said
        assert kept.results() == right, said
        done[damage.__name__] += 1
    assert caplog.messages == []
    attack.tell(f"damaged caches, in {len(done)} ways")
