"""Leaving while the controller keeps the input open, as every GUI does: at once, and in peace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from montego.gtp.lines import Lines, is_quit

LONG = ["--simulations", "100000000"]
STATES = {  # what is sent first, and what tells that it is being done
    "idle": ("boardsize 9\nname\n", b"Montego"),
    "searching": ("boardsize 9\nname\ngenmove b\n", b"Montego"),
    "analysing": ("kata-analyze b 5\n", b"info move"),
    "pondering": (
        "montego-param manners.ponder true\ntime_settings 0 1 1\ngenmove b\n",
        b"\n\n= ",
    ),
}


def start(lines: str, told: bytes, **options: object) -> subprocess.Popen[bytes]:
    """An engine that does what was asked for."""
    command = [sys.executable, "-m", "montego", "gtp", *LONG]
    pipe = subprocess.PIPE
    options = {"stdin": pipe, "stdout": pipe, "stderr": pipe} | options
    engine = subprocess.Popen(command, **options)  # type: ignore[call-overload]
    engine.stdin.write(lines.encode())
    engine.stdin.flush()
    said = b""
    while told not in said:
        said += os.read(engine.stdout.fileno(), 4096)
    time.sleep(0.2)
    return engine  # type: ignore[no-any-return]


AT_ONCE = 6
"""Seconds; a tenth of one on an idle machine, but other tests run beside this one."""


def quits(engine: subprocess.Popen[bytes]) -> None:
    assert engine.stdin is not None
    engine.stdin.write(b"quit\n")
    engine.stdin.flush()


def interrupts(engine: subprocess.Popen[bytes]) -> None:
    engine.send_signal(signal.SIGINT)


def stops_listening(engine: subprocess.Popen[bytes]) -> None:
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdout.close()
    engine.stdin.write(b"name\n")
    engine.stdin.flush()


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("leave", [quits, interrupts, stops_listening])
def test_it_ends_at_once(state: str, leave: Callable[[subprocess.Popen[bytes]], None]) -> None:
    with start(*STATES[state]) as engine:
        begin = time.monotonic()
        leave(engine)
        try:
            code = engine.wait(10)
        finally:
            engine.kill()
        assert code == 0
        assert time.monotonic() - begin < AT_ONCE
        assert engine.stderr is not None
        said = engine.stderr.read()
        assert b"Fatal" not in said
        assert b"Traceback" not in said


# --- while kernels are compiled -------------------------------------------------------


def dies(engine: subprocess.Popen[bytes]) -> None:
    engine.kill()


def processes_of(cache: Path) -> list[int]:
    """The processes that use a cache."""
    wanted = f"MONTEGO_CACHE={cache}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def wait_until(is_so: Callable[[], bool], seconds: float) -> bool:
    """Whether something comes true in time."""
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return is_so()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor compiles without a helper")
@pytest.mark.parametrize("command", ["", "genmove b\n"])
@pytest.mark.parametrize("leave", [quits, interrupts, stops_listening, dies])
def test_a_compilation_ends_at_once(
    command: str, leave: Callable[[subprocess.Popen[bytes]], None], tmp_path: Path
) -> None:
    environment = os.environ | {"MONTEGO_CACHE": str(tmp_path)}
    with start("name\n" + command, b"Montego", env=environment) as engine:
        assert wait_until(lambda: len(processes_of(tmp_path)) == 2, 20)
        begin = time.monotonic()
        leave(engine)
        try:
            code = engine.wait(10)
        finally:
            engine.kill()
        assert code == (-signal.SIGKILL if leave is dies else 0)
        assert time.monotonic() - begin < AT_ONCE
        assert engine.stderr is not None
        said = engine.stderr.read().decode()
    assert said.splitlines() == [line for line in said.splitlines() if "compiling" in line]
    assert wait_until(lambda: processes_of(tmp_path) == [], 3)


def test_a_script_gets_its_move() -> None:
    """The input ends behind quit: then the move before it is thought about to its end."""
    command = [sys.executable, "-m", "montego", "gtp", "--simulations", "20000"]
    done = subprocess.run(
        command, input=b"genmove b\nquit\n", capture_output=True, check=True, timeout=60
    )
    assert b"after 20,000 simulations" in done.stderr


def test_without_a_standard_error_nothing_is_written_elsewhere() -> None:
    command = f"exec {sys.executable} -m montego gtp --simulations 50 2>&-"
    done = subprocess.run(
        ["bash", "-c", command], input=b"1 genmove b\n2 quit\n", stdout=subprocess.PIPE, check=True
    )
    first, second, rest = done.stdout.split(b"\n\n")
    assert (first[:3], second, rest) == (b"=1 ", b"=2", b"")


@pytest.mark.parametrize(
    ("line", "expected"),
    [(b"quit", True), (b" 7 quit # bye", True), (b"quit now", False), (b"play b quit x", False)],
)
def test_the_word_to_leave(line: bytes, expected: bool) -> None:
    assert is_quit(line) == expected


def test_lines_come_whole_and_are_cut_off_where_they_never_end() -> None:
    source, target = os.pipe()
    os.write(target, b"one\ntw")
    lines = iter(Lines(source))
    assert next(lines) == b"one"
    os.write(target, b"o\n" + bytes([0xFF]))
    os.close(target)
    assert list(lines) == [b"two", bytes([0xFF])]
    os.close(source)
    assert list(Lines(source)) == []
