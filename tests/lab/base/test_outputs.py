"""Files that a command writes: refused in time, written through links, never lost."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from montego.lab.base.outputs import OutputError, check, keep, write


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    target, link = tmp_path / "else" / "target", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"new", b"again"):  # to a file that is not there yet, and to one that is
        write(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content


def test_a_check_leaves_everything_as_it_was(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    check([link, tmp_path / "file"])
    assert os.listdir(tmp_path) == ["link"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check([pipe])
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"content")
    reader.join(timeout=10)
    assert read == [b"content"]
    assert pipe.is_fifo()


def test_devices_stay_devices() -> None:
    null = Path(os.devnull)
    check([null, null])
    write(null, b"content")
    assert null.is_char_device()


@pytest.mark.parametrize("redirected", [True, False])
def test_the_standard_output_by_name(tmp_path: Path, redirected: bool) -> None:
    program = (
        "from pathlib import Path; from montego.lab.base import outputs\n"
        "out = Path('/dev/stdout')\n"
        "print('before'); outputs.check([out]); outputs.write(out, b'content\\n'); print('after')"
    )
    file = tmp_path / "file"
    with file.open("wb") as stdout:
        done = subprocess.run(
            [sys.executable, "-c", program],
            stdout=stdout if redirected else subprocess.PIPE,
            check=True,
        )
    out = file.read_bytes() if redirected else done.stdout
    assert out == b"before\ncontent\nafter\n"


def test_what_is_there_is_refused(tmp_path: Path) -> None:
    there, link, new = tmp_path / "there", tmp_path / "link", tmp_path / "new"
    there.write_text("old")
    link.symlink_to(there)
    for path in (there, link):
        with pytest.raises(OutputError, match=f"{path.name} is there already: .*--force"):
            check([path, new])
    check([there, new], force=True)
    assert there.read_text() == "old"
    new.touch()
    with pytest.raises(OutputError, match="and 1 more"):
        check([there, new])


def test_one_file_for_two_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    for other in (tmp_path / "file", link, tmp_path / "." / "file"):
        with pytest.raises(OutputError, match="named twice"):
            check([tmp_path / "file", other])


def test_sources_are_never_written_to(tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    game.touch()
    with pytest.raises(OutputError, match="is the game itself"):
        check([game], [game], force=True)


def test_places_that_cannot_be_written_to(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (tmp_path, tmp_path / "no" / "where", loop, tmp_path / ("x" * 300)):
        with pytest.raises(OutputError):
            check([path], force=True)
    assert os.listdir(tmp_path) == ["loop"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_what_cannot_be_written_is_kept_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    told = keep(Path("/dev/full"), b"content")
    assert told.startswith("/dev/full: No space left on device; it is kept in ")
    assert Path(told.split()[-1]).read_bytes() == b"content"
    assert keep(tmp_path / "file", b"content") == ""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    assert keep(Path("/dev/full"), b"content") == "/dev/full: No space left on device"
