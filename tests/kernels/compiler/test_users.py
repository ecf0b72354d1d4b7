"""Several users of one machine: nobody runs what another one may have written.

A program that root starts gives up its rights and goes on as somebody else, so these tests
need root.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from montego.kernels.compiler.cache import VERSION
from montego.kernels.compiler.jit import compile_for, entry

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)
ANNA, BERT = 65_501, 65_502
ROOT_USER = 0
PROGRAM = """
import logging, os, pickle, sys  # all of it before the rights are given up
from pathlib import Path
from montego.kernels.compiler import cache, jit
from montego.kernels.compiler.native import caller

user, root = int(sys.argv[1]), Path(sys.argv[2])
code, compiled = pickle.load(sys.stdin.buffer), []
def compile_it():
    compiled.append(code)
    return code

os.setgroups([])
os.setresgid(user, user, user)
os.setresuid(user, user, user)
cache.ROOT = root
address, result = jit.load("f.code", compile_it)
print(caller("f", address, (int,), result)([41]), len(compiled))
cache.note_compiled()
"""
COMPILED, LOADED = "42 1\n", "42 0\n"


def add_one(x):
    return x + 1


@cache
def packed() -> bytes:
    """Code that adds one, so that the programs need not import the compiler."""
    return pickle.dumps(compile_for(entry(add_one).dispatcher, (int,)))


def run(user: int, root: Path) -> tuple[str, str]:
    """The result of the code and how often it was compiled; and what was said."""
    command = [sys.executable, "-c", PROGRAM, str(user), str(root)]
    done = subprocess.run(command, input=packed(), capture_output=True)
    return done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder like /tmp: everybody can write to it, and nobody can delete what is another's."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o1777)
        yield folder


def own(shared: Path, user: int) -> Path:
    return shared / f"montego-{user}"


def give(folder: Path, user: int) -> None:
    """Let a folder and all that is in it belong to a user."""
    for path in (folder, *folder.glob("**/*")):
        os.chown(path, user, user)


def test_everybody_has_a_folder(shared: Path) -> None:
    for user in (ANNA, BERT):
        assert [run(user, shared), run(user, shared)] == [(COMPILED, ""), (LOADED, "")]
    assert {path.stat().st_uid for path in own(shared, ANNA).glob("**/*")} == {ANNA}
    assert {path.stat().st_uid for path in own(shared, BERT).glob("**/*")} == {BERT}


def test_what_root_has_compiled_serves_everybody(shared: Path) -> None:
    assert run(ROOT_USER, shared) == (COMPILED, "")
    shared.chmod(0o755)
    assert run(ANNA, shared) == (LOADED, "")
    assert not own(shared, ANNA).exists()


def test_root_runs_nobody_elses_code(shared: Path) -> None:
    assert run(ANNA, shared) == (COMPILED, "")
    own(shared, ANNA).rename(own(shared, ROOT_USER))
    result, said = run(ROOT_USER, shared)
    assert result == COMPILED
    assert "montego-0 belongs to another user" in said


def test_a_folder_that_another_has_put_there_is_not_used(shared: Path) -> None:
    run(BERT, shared)
    own(shared, BERT).rename(own(shared, ANNA))
    result, said = run(ANNA, shared)
    assert result == COMPILED
    assert said == (
        f"montego: compiled kernels cannot be kept in {shared} "
        f"(montego-{ANNA} belongs to another user): "
        "set MONTEGO_CACHE to a folder of your own that can be written\n"
    )


def test_a_link_that_another_has_put_there_is_not_followed(shared: Path) -> None:
    run(ANNA, shared)
    own(shared, ANNA).rename(shared / "elsewhere")
    own(shared, ANNA).symlink_to("elsewhere")
    os.chown(own(shared, ANNA), BERT, BERT, follow_symlinks=False)
    result, said = run(ANNA, shared)
    assert result == COMPILED
    assert f"montego-{ANNA} is not a folder" in said


@pytest.mark.parametrize("where", ["", VERSION])
def test_a_folder_that_others_can_write_to_is_not_used(shared: Path, where: str) -> None:
    run(ANNA, shared)
    (own(shared, ANNA) / where).chmod(0o777)
    result, said = run(ANNA, shared)
    assert result == COMPILED
    assert f"other users can write to {where or own(shared, ANNA).name}" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(("owner", "mode"), [(BERT, 0o644), (ROOT_USER, 0o600), (ANNA, 0o666)])
def test_a_file_that_is_not_trusted_is_replaced(shared: Path, owner: int, mode: int) -> None:
    run(ANNA, shared)
    file = own(shared, ANNA) / VERSION / "f.code"
    os.chown(file, owner, owner)
    file.chmod(mode)
    assert [run(ANNA, shared), run(ANNA, shared)] == [(COMPILED, ""), (LOADED, "")]
    assert file.stat().st_uid == ANNA


def test_a_cache_that_can_only_be_read_is_used(shared: Path) -> None:
    run(ANNA, shared)
    for path in own(shared, ANNA).glob("**/*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    shared.chmod(0o555)
    assert run(ANNA, shared) == (LOADED, "")


@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_a_place_of_another_user_is_no_place(shared: Path, mode: int) -> None:
    shared.chmod(mode)
    result, said = run(ANNA, shared)
    assert result == COMPILED
    assert f"compiled kernels cannot be kept in {shared} (Permission denied)" in said
    assert said.count("\n") == 1


def test_a_home_that_does_not_exist(shared: Path) -> None:
    shared.chmod(0o755)
    result, said = run(ANNA, shared / "nobody" / ".cache" / "montego" / "kernels")
    assert result == COMPILED
    assert "(Permission denied): set MONTEGO_CACHE" in said


def test_nobody_can_keep_another_waiting(shared: Path) -> None:
    """A lock that others could take would stop its owner for ever."""
    run(ANNA, shared)
    locks = [*own(shared, ANNA).glob("*/*.lock")]
    assert locks
    assert {path.stat().st_mode & 0o777 for path in locks} == {0o600}


def test_a_copy_of_a_cache_is_trusted_when_it_is_given(shared: Path) -> None:
    run(ANNA, shared)
    shutil.copytree(own(shared, ANNA), own(shared, BERT))
    give(own(shared, BERT), BERT)
    assert run(BERT, shared) == (LOADED, "")
