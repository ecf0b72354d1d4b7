"""Loading compiled code: what is kept and sound is loaded, all else is compiled and kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from montego.kernels.compiler import cache, jit
from montego.kernels.compiler.native import Code, caller

Loaded = tuple[object, int]


def add_one(x):
    return x + 1


@pytest.fixture(scope="module")
def code() -> Code:
    """Some code that really adds one."""
    return jit.compile_for(jit.entry(add_one).dispatcher, (int,))


@pytest.fixture
def load(code: Code, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Loaded]:
    """What the loaded code makes of 41, and how often it was compiled for that."""
    monkeypatch.setattr(cache, "ROOT", tmp_path)

    def load_it() -> Loaded:
        compiled: list[Code] = []

        def compile_it() -> Code:
            compiled.append(code)
            return code

        address, result = jit.load("f.code", compile_it)
        return caller("f", address, (int,), result)([41]), len(compiled)

    return load_it


def test_it_is_compiled_once(load: Callable[[], Loaded]) -> None:
    assert [load(), load(), load()] == [(42, 1), (42, 0), (42, 0)]


def test_what_cannot_be_linked_is_compiled_again(load: Callable[[], Loaded], code: Code) -> None:
    for unsound in (
        Code("no such symbol", "int64", code.image),
        Code(code.symbol, "int64", b"no code"),
    ):
        cache.keep(unsound, "f.code")
        assert load() == (42, 1)
        assert load() == (42, 0)


def test_the_file_of_another_function_is_not_taken(load: Callable[[], Loaded], code: Code) -> None:
    cache.keep(Code(code.symbol, "float64", code.image), "g.code")
    (path,) = cache.ROOT.glob("montego-*/*/g.code")
    path.rename(path.with_name("f.code"))
    assert load() == (42, 1)


def test_the_file_of_another_version_is_not_taken(
    load: Callable[[], Loaded], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load() == (42, 1)
    (version,) = cache.ROOT.glob("montego-*/*")
    other = version.with_name("0" * 16)
    version.rename(other)
    monkeypatch.setattr(cache, "VERSION", other.name)
    assert load() == (42, 1)


def test_a_lost_version_folder_is_made_again(load: Callable[[], Loaded], tmp_path: Path) -> None:
    assert load() == (42, 1)
    tmp_path.rename(tmp_path.with_name("moved"))
    assert [load(), load()] == [(42, 1), (42, 0)]
    assert [*cache.ROOT.glob("montego-*/*/used")]
