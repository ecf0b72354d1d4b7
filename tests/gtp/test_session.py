"""Sessions as controllers see them: streams, interruption, readiness, and under fire."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import montego
from montego.engine.engine import Engine
from montego.gtp.administration import IDENTITIES
from montego.gtp.lines import Lines
from montego.gtp.session import GtpSession
from montego.gtp.table import COMMANDS
from tests.fake_search import fake_engine
from tests.gtp.sessions import fake_session


def run(session: GtpSession, text: str) -> str:
    """Let a session answer a whole input."""
    pipe = Pipe(session)
    pipe.input.write(text.encode())
    pipe.close()
    return "".join(pipe.written)


def test_a_whole_session() -> None:
    session, _ = fake_session()
    said = run(session, "1 name\n\n# comment\n2 genmove b\n3 quit\n4 name\n")
    assert said == "=1 Montego\n\n=2 A9\n\n=3\n\n"


@pytest.mark.parametrize(
    ("identity", "name", "version"),
    [
        ("montego", "Montego", montego.__version__),
        ("leelaz", "Montego", f"0.17 (Montego {montego.__version__})"),
        ("katago", "KataGo-compatible Montego", montego.__version__),
    ],
)
def test_what_it_says_of_itself(identity: str, name: str, version: str) -> None:
    engine, _ = fake_engine()
    session = GtpSession(lambda: engine, identity=IDENTITIES[identity])
    assert session.handle("name") == f"= {name}\n\n"
    assert session.handle("version") == f"= {version}\n\n"


def test_the_end_of_the_input_ends_the_session() -> None:
    session, _ = fake_session()
    assert run(session, "name") == "= Montego\n\n"
    assert not session.is_over


def test_commands_without_engine_do_not_wait_for_it() -> None:
    is_ready = threading.Event()

    def make() -> Engine:
        is_ready.wait(60)
        return fake_engine()[0]

    session = GtpSession(make, log=io.StringIO())
    for line in ("name", "version", "protocol_version", "list_commands", "known_command play"):
        assert session.handle(line).startswith("= ")
    is_ready.set()
    assert session.handle("genmove b") == "= A9\n\n"


def test_an_engine_that_cannot_be_made_is_an_error() -> None:
    def make() -> Engine:
        raise ValueError("no memory for it")

    session = GtpSession(make, log=io.StringIO())
    assert session.handle("genmove b") == "? no memory for it\n\n"
    assert session.handle("name") == "= Montego\n\n"


class Pipe:
    """A session that is fed line by line, as a GUI does."""

    def __init__(self, session: GtpSession) -> None:
        read, write = os.pipe()
        self.input = os.fdopen(write, "wb", buffering=0)
        self.written: list[str] = []
        self.read = read
        arguments = (Lines(read), self.written.append)
        self.thread = threading.Thread(target=session.run, args=arguments)
        self.thread.start()

    def send(self, line: str) -> None:
        self.input.write(line.encode() + b"\n")

    def wait_for(self, text: str) -> str:
        deadline = time.monotonic() + 20
        while text not in (said := "".join(self.written)):
            assert time.monotonic() < deadline, said
            time.sleep(0.005)
        return said

    def close(self) -> None:
        self.input.close()
        self.thread.join(20)
        assert not self.thread.is_alive()
        os.close(self.read)


def test_an_analysis_ends_with_the_next_line() -> None:
    session, _ = fake_session(reports=2)  # the search itself ends at once
    pipe = Pipe(session)
    pipe.send("1 lz-analyze b 1")
    pipe.wait_for("=1\n")
    time.sleep(0.1)
    assert not "".join(pipe.written).endswith("\n\n")
    pipe.send("2 name")
    said = pipe.wait_for("=2 Montego\n\n")
    assert re.fullmatch(r"=1\n(info .*\n)*\n=2 Montego\n\n", said)
    pipe.send("3 kata-analyze")
    pipe.close()  # so does the end of the input


def test_a_running_analysis_is_stopped() -> None:
    session, _ = fake_session(reports=10**9)
    pipe = Pipe(session)
    pipe.send("1 kata-analyze b 1 ownership true")
    pipe.wait_for("info move")
    pipe.send("2 genmove_analyze b")
    pipe.send("# interrupt")
    pipe.wait_for("play A9\n\n")
    pipe.close()


def test_pondering_stops_for_the_next_line() -> None:
    session, search = fake_session(reports=10**9)
    session.engine.set_parameters({"manners.ponder": True})
    search.reports = 10**6
    pipe = Pipe(session)
    pipe.send("name")
    pipe.wait_for("Montego")
    search.reports = 3
    pipe.send("genmove b")
    pipe.wait_for("= A9")
    deadline = time.monotonic() + 20
    while len(search.positions) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    pipe.send("quit")
    pipe.close()


# --- under fire ------------------------------------------------------------------------

LINES = int(os.environ.get("MONTEGO_FUZZ_LINES", "6000"))
WORDS = [
    "b", "w", "black", "WHITE", "red", "D4", "e5", "A1", "T19", "Z99", "pass", "resign", "0", "1",
    "2", "9", "13", "19", "25", "-1", "3.5", "nan", "inf", "1e400", "99999999999999999999", "true",
    "false", "interval", "ownership", "avoid", "D4,E5", "dead", "alive", "chinese", "{", "[]",
    "byoyomi", "fischer", "canadian", "manners.resign", "selection.c", "é", "\x00", "\x7f", "#",
    "²",
]  # fmt: skip
BROKEN = [b"", b"(;", b"(;SZ[9];B[zz])", b"(;SZ[99])", bytes(range(256)), b"(;SZ[9];B[aa];W[aa])"]
REPLY = re.compile(r"[=?](\d*)( [^\n]+|)\n([^\n]+\n)*\n")
HARMLESS = {"quit", "printsgf"}
"""Not for the fuzzer: one ends the session, the other would write files of any name."""


def random_line(rng: random.Random, files: list[Path]) -> str:
    """A command that may be right, nearly right or not at all."""
    kind = rng.random()
    if kind < 0.03:
        return "".join(chr(rng.randrange(1, 0x2FF)) for _ in range(rng.randrange(60)))
    if kind < 0.04:
        return rng.choice(["play b ", "9", "#", "x"]) * 20_000
    number = f"{rng.randrange(10**6)} " if rng.random() < 0.5 else ""
    if kind < 0.30:
        vertex = rng.choice("ABCDEFGHJ") + str(rng.randrange(1, 10))
        return f"{number}play {rng.choice('bw')} {vertex}"
    if kind < 0.36:
        return f"{number}undo"
    if kind < 0.40:
        return f"{number}loadsgf {rng.choice(files)} {rng.choice(['', '1', '-5', 'x'])}"
    name = rng.choice([c for c in sorted(COMMANDS) if c not in HARMLESS])
    return f"{number}{name} " + " ".join(rng.choices(WORDS, k=rng.randrange(5)))


def test_under_fire(tmp_path: Path) -> None:
    rng = random.Random(1)
    files = [tmp_path / f"{i}.sgf" for i in range(len(BROKEN))]
    for path, data in zip(files, BROKEN, strict=True):
        path.write_bytes(data)
    session, _ = fake_session(reports=1)
    for _ in range(LINES):
        line = random_line(rng, files)
        before = session.engine.position
        reply = session.handle(line)
        if reply:
            form = REPLY.fullmatch(reply)
            assert form, (line[:200], reply)
            asked = re.match(r"\s*([0-9]*)\s", line.translate({0: None, 127: None}) + " ")
            assert asked is None or form[1] == asked[1], (line[:200], reply[:200])
            assert "internal error" not in reply, (line[:200], reply)
        if not reply or reply[0] == "?":
            assert session.engine.position is before or "gogui-play_sequence" in line
            assert session.engine.position.moves == before.moves
    assert session.handle("name") == "= Montego\n\n"


def test_binary_in_a_process_of_its_own() -> None:
    noise = random.Random(2).randbytes(20_000).replace(b"quit", b"")
    command = [sys.executable, "-m", "montego", "gtp"]
    done = subprocess.run(
        command, input=noise + b"\n77 name\nquit\n", capture_output=True, check=False
    )
    assert done.returncode == 0
    assert done.stdout.endswith(b"=77 Montego\n\n=\n\n")
    assert b"Traceback" not in done.stderr


def test_names_are_answered_at_once() -> None:
    program = (
        "import io, sys; from montego.gtp.session import GtpSession; "
        "session = GtpSession(lambda: None); session.handle('list_commands'); "
        "print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize("arguments", [["--simulations", "50"], ["manners.resign=false"]])
def test_the_real_engine_plays(arguments: list[str]) -> None:
    text = "boardsize 5\nkomi 7.5\ngenmove b\nkata-analyze w 5\ngenmove_analyze w 5\nfinal_score\n"
    done = subprocess.run(
        [sys.executable, "-m", "montego", "gtp", *arguments],
        input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    replies = done.stdout.split("\n\n")
    assert [reply[0] for reply in replies[:-1]] == ["="] * 6
    assert re.fullmatch(r"= [A-E][1-5]", replies[2])
    assert "play " in replies[4]
    assert "Traceback" not in done.stderr


def test_quitting_is_quiet_while_the_controller_still_listens() -> None:
    command = [sys.executable, "-m", "montego", "gtp", "--memory", "16"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write(b"boardsize 5\nquit\n")
        process.stdin.flush()  # and stays open
        assert process.wait(60) == 0
        assert process.stdout.read() == b"=\n\n=\n\n"
        assert b"Fatal" not in process.stderr.read()
