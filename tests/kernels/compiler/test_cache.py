"""The cache of compiled kernels: an edit anywhere is seen, and nothing is compiled twice.

Each test works on a copy of the package with two small files more: a kernel, and in
another file the helper that it calls.  That is the case that Numba's own cache misses.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread, Timer

import pytest

from montego.kernels.compiler import cache, notices
from montego.kernels.compiler.cache import DAY, MARK
from montego.kernels.compiler.folder import user
from montego.kernels.compiler.sources import PACKAGE, digest_of_kernels

HELPER = """
from montego.kernels.compiler.jit import kernel, leaf

@{decorator}
def step(x):
    return x + {constant}
"""
CALLER = """
import os
from montego.kernels.compiler import jit
from montego.kernels.helper import step
from montego.kernels.compiler.jit import entry

@entry
def two_steps(x):
    return step(step(x))

def compile_and_log(dispatcher, kinds, compile_for=jit.compile_for):
    with open(os.environ["LOG"], "a") as file:
        print("compiled", file=file)
    return compile_for(dispatcher, kinds)

jit.compile_for = compile_and_log
"""
PROGRAM = """
from montego.kernels.caller import two_steps
from montego.kernels.compiler.cache import is_compiled, note_compiled

print(is_compiled(), two_steps(0))
note_compiled()
"""


class Copy:
    """A copy of the package with a cache of its own, run in fresh processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "montego"
        self.cache = folder / "cache"
        self.said = ""
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        (self.package / "kernels" / "caller.py").write_text(CALLER)

    def write_helper(self, decorator: str, constant: int) -> None:
        source = HELPER.format(decorator=decorator, constant=constant)
        (self.package / "kernels" / "helper.py").write_text(source)

    def run(self) -> tuple[str, str]:
        """Whether there were compiled kernels before, and what the kernel returned."""
        # No .pyc files: they are compared by seconds, and the edits here come faster.
        settings = {
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "MONTEGO_CACHE": str(self.cache),
            "LOG": str(self.folder / "log"),
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | settings,
            capture_output=True,
            text=True,
            check=True,
        )
        was_compiled, result = done.stdout.split()
        self.said = done.stderr
        return was_compiled, result

    def compiled_files(self) -> dict[Path, int]:
        """The files with machine code, and when they were written."""
        return {path: path.stat().st_mtime_ns for path in self.cache.glob("montego-*/*/*.code")}


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


@pytest.mark.parametrize("decorator", ["kernel", "leaf"])
def test_an_edited_helper_in_another_file_is_seen(copy: Copy, decorator: str) -> None:
    copy.write_helper(decorator, 1)
    assert copy.run() == ("False", "2")
    copy.write_helper(decorator, 5)
    assert copy.run() == ("False", "10")


def test_unchanged_sources_are_not_compiled_again(copy: Copy) -> None:
    copy.write_helper("kernel", 1)
    assert copy.run() == ("False", "2")
    compiled = copy.compiled_files()
    assert compiled
    assert copy.run() == ("True", "2")
    assert copy.compiled_files() == compiled


def test_an_edit_elsewhere_compiles_nothing(copy: Copy) -> None:
    """Neither in a room without kernels, nor in a file of kernels that this one does not import."""
    copy.write_helper("kernel", 1)
    assert copy.run() == ("False", "2")
    compiled = copy.compiled_files()
    others = [path for path in copy.package.glob("**/*.py") if "kernels" not in path.parts]
    assert len(others) > 100
    for path in others:
        path.write_text(f"# another remark\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    assert copy.run() == ("True", "2")
    with (copy.package / "kernels" / "tree" / "select.py").open("a") as file:
        file.write("# another remark\n")
    assert copy.run() == ("False", "2")  # not everything is compiled now, but this is
    assert copy.compiled_files() == compiled
    assert (copy.folder / "log").read_text() == "compiled\n"


def test_the_first_version_is_still_there_after_an_edit_is_taken_back(copy: Copy) -> None:
    for constant, expected in ((1, ("False", "2")), (5, ("False", "10")), (1, ("True", "2"))):
        copy.write_helper("leaf", constant)
        assert copy.run() == expected


def test_a_damaged_file_is_compiled_again(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    assert copy.run() == ("False", "2")
    (path,) = copy.compiled_files()
    whole = path.read_bytes()
    other_result = whole.replace(b'"int64"', b'"float64"', 1)
    assert other_result != whole
    for damaged in (whole[:-100], other_result):
        path.write_bytes(damaged)
        assert copy.run() == ("True", "2")
        assert path.read_bytes() == whole
        assert copy.said == ""


def test_without_a_place_for_the_cache_everything_still_works(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    copy.cache.write_text("a file, where a folder should be")
    for _ in range(2):
        assert copy.run() == ("False", "2")
        assert copy.said == (
            f"montego: compiled kernels cannot be kept in {copy.cache} (Not a directory): "
            "set MONTEGO_CACHE to a folder of your own that can be written\n"
        )


def test_a_folder_that_must_not_be_looked_into_is_no_cache(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    copy.cache = copy.folder / ("x" * 300)
    assert copy.run() == ("False", "2")
    assert copy.said.count("\n") == 1
    assert "File name too long" in copy.said


def test_a_cache_that_can_be_written_is_no_matter(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    copy.run()
    assert copy.said == ""


# --- one at a time ---------------------------------------------------------------------

HOLDER = """
import time
from montego.kernels.compiler.cache import alone
with alone("everything"):
    print("locked", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(cache.fcntl is None, reason="there are no locks on this system")
def test_who_waits_says_so_and_a_lock_ends_with_its_holder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    monkeypatch.setattr(notices, "_said", set())
    environment = os.environ | {"MONTEGO_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        with cache.alone("something else"):
            assert holder.poll() is None
        Timer(0.3, holder.kill).start()
        begin = time.monotonic()
        with cache.alone("everything"):
            assert 0.2 < time.monotonic() - begin < 10
    assert caplog.messages == [f"montego: {notices.WAITING}"]


@pytest.mark.skipif(cache.fcntl is None, reason="there are no locks on this system")
def test_any_file_can_be_locked(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    done = []

    def wait() -> None:
        with cache.alone(tmp_path / "file", waiting=None):
            done.append(True)

    thread = Thread(target=wait)
    with cache.alone(tmp_path / "file"):
        thread.start()
        thread.join(0.2)
        assert not done
    thread.join()
    assert done
    assert caplog.messages == []
    assert [path.name for path in tmp_path.iterdir()] == ["file.lock"]


def test_who_starts_together_compiles_once(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    with ThreadPoolExecutor(8) as pool:
        runs = [pool.submit(copy.run) for _ in range(8)]
    assert [run.result()[1] for run in runs] == ["2"] * 8
    assert len(copy.compiled_files()) == 1
    assert (copy.folder / "log").read_text() == "compiled\n"


# --- what is deleted -------------------------------------------------------------------


class Versions:
    """The folder of this user in a cache, with other versions in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / cache.folder_of(user())

    def add(self, name: str, days: float, mark: bytes | None = MARK) -> Path:
        """A version that was used some days ago."""
        version = self.folder / name
        version.mkdir(parents=True)
        (version / "f.code").write_bytes(b"code")
        (version / "f.code.lock").write_bytes(b"")
        (version / f"complete-{digest_of_kernels()}").write_bytes(b"")
        if mark is not None:
            (version / "used").write_bytes(mark)
            os.utime(version / "used", (time.time() - days * DAY,) * 2)
        os.utime(version, (time.time() - 1000 * DAY,) * 2)
        return version


@pytest.fixture
def versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Versions:
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    return Versions(tmp_path)


def test_a_version_that_nobody_has_used_for_a_month_is_deleted(versions: Versions) -> None:
    unused, used = versions.add("0" * 16, 31), versions.add("1" * 16, 29)
    cache.note_compiled()
    assert not unused.exists()
    assert len([*used.iterdir()]) == 4


def test_a_file_that_nobody_has_used_for_a_month_is_deleted(versions: Versions) -> None:
    version = versions.add(cache.VERSION, 0)
    (version / f"complete-{digest_of_kernels()}").unlink()
    for name, days in (("a.code", 31), ("b.code", 29), ("c.code", 31), ("a.jpg", 31)):
        (version / name).write_bytes(b"")
        os.utime(version / name, (time.time() - days * DAY,) * 2)
    assert list(cache.kept("c.code")) == []  # it is damaged, but that is a use
    cache.note_compiled()
    assert {path.name for path in version.iterdir()} == {
        "a.jpg", "b.code", "c.code", "f.code", "f.code.lock", "used",
        f"complete-{digest_of_kernels()}",
    }  # fmt: skip


def test_nothing_of_the_users_is_deleted(versions: Versions) -> None:
    photos = versions.root / "photos"
    ours = versions.add("3" * 16, 99)
    kept = [
        photos / "a.jpg",
        versions.root / ("0" * 16) / "a.jpg",
        versions.folder / "album" / "a.jpg",
        versions.folder / ("1" * 16) / "a.jpg",  # without a mark
        ours / "a.jpg",  # with a mark, but not a file of ours
        ours / "album.code" / "a.jpg",
    ]
    for path in kept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a photo")
    foreign = versions.add("2" * 16, 99, mark=b"a diary")
    (photos / "used").write_bytes(MARK)
    (photos / "b.code").write_text("secret")
    (versions.folder / ("4" * 16)).symlink_to(photos)
    old = (time.time() - 1000 * DAY,) * 2
    for path in sorted(versions.root.glob("**/*")):
        os.utime(path, old)
    cache.note_compiled()
    assert [path for path in kept if not path.exists()] == []
    assert len([*foreign.iterdir()]) == 4
    assert (photos / "b.code").exists()
    assert not (ours / "f.code").exists()


@pytest.mark.skipif(cache.fcntl is None, reason="there are no locks on this system")
def test_a_version_in_use_is_not_deleted(versions: Versions) -> None:
    version = versions.add("0" * 16, 31)
    program = (
        "import sys, time; from montego.kernels.compiler import cache; cache.VERSION = '0' * 16;"
        "cache.DAY *= 100; [*cache.kept('f.code')]; print(flush=True); time.sleep(60)"
    )
    environment = os.environ | {"MONTEGO_CACHE": str(versions.root)}
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        cache.note_compiled()
        assert (version / "f.code").exists()
        other.kill()
    cache.drop_unused()
    assert not version.exists()


def test_use_is_noted_once_a_day(versions: Versions, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = versions.add(cache.VERSION, 2) / "used"
    for days, is_noted in ((2.0, True), (0.5, False)):
        monkeypatch.setattr(cache, "_held", {})
        before = time.time() - days * DAY
        os.utime(mark, (before, before))
        assert list(cache.kept("f.code")) == []
        assert (mark.stat().st_mtime > before + 1) == is_noted


# --- where it is -----------------------------------------------------------------------


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/somebody")
    for chosen, root in (
        ("/a/b", Path("/a/b")),
        ("here", tmp_path / "here"),
        ("~/there", Path("/home/somebody/there")),
    ):
        monkeypatch.setenv("MONTEGO_CACHE", chosen)
        assert cache.cache_root() == root
    monkeypatch.setenv("MONTEGO_CACHE", "")
    assert cache.cache_root().parts[-2:] == ("montego", "kernels")


@pytest.mark.parametrize("answer", [Path("~/.cache/montego"), RuntimeError("no home")])
def test_without_a_home_nothing_is_made_in_the_current_folder(
    answer: Path | RuntimeError, monkeypatch: pytest.MonkeyPatch
) -> None:
    def where(*_: object, **__: object) -> Path:
        if isinstance(answer, RuntimeError):
            raise answer
        return answer

    monkeypatch.delenv("MONTEGO_CACHE", raising=False)
    monkeypatch.setattr(cache, "user_cache_path", where)
    assert cache.cache_root() == Path(os.devnull)
