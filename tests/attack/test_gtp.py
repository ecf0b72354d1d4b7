"""The Go Text Protocol under attack: 100,000 lines to a session, and thousands to a process."""

from __future__ import annotations

import io
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from montego.engine.engine import Engine
from montego.go import Position
from montego.gtp.session import GtpSession
from tests.attack.conftest import Attack
from tests.attack.lines import check_reply, line, names
from tests.fake_search import fake_engine

ANSWER_SECONDS = 60.0
SENTINEL = "4711"


def is_same(one: Position, other: Position) -> bool:
    return one is other or described(one) == described(other)


def described(position: Position) -> tuple[object, ...]:
    """All that tells one game from another."""
    stones = position.first.diagram(), position.diagram()
    return stones, position.moves, position.to_play, position.rules


def settings(engine: Engine) -> tuple[object, ...]:
    return engine.recipe, engine.manners, engine.seed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where files are written to and read from."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "game").write_text("(;SZ[5];B[cc];W[bb];B[];W[dd])")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_gtp_in_process(attack: Attack, folder: Path) -> None:
    engine, _ = fake_engine(size=5)
    log = io.StringIO()
    session, known, refused = GtpSession(lambda: engine, log=log), names(), 0
    for _ in attack.steps(100_000):
        sent = line(attack.random, known)
        position, before = engine.position, settings(engine)
        reply = session.handle(sent)
        if not reply:
            continue
        check_reply(reply, sent)
        if reply[0] == "?":
            refused += 1
            assert is_same(engine.position, position), sent
            assert settings(engine) == before, sent
    assert "Traceback" not in log.getvalue()
    attack.tell(f"lines, {refused:,} of them refused")


class Controller:
    """A process that speaks GTP, as another program sees it."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "montego", "gtp", "--simulations", "2", "--memory", "16"]
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip

    def ask(self, lines: list[str]) -> str:
        """All that is said to some lines, until the reply to a last one that is known."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        text = "\n".join([*lines, f"{SENTINEL} protocol_version", ""])
        self.process.stdin.write(text.encode("utf-8", "surrogatepass"))
        end, said = f"={SENTINEL} 2\n\n".encode(), b""
        deadline = time.monotonic() + ANSWER_SECONDS
        while not said.endswith(end):
            left = max(deadline - time.monotonic(), 0)
            assert select.select([self.process.stdout], [], [], left)[0], ("no reply", lines)
            chunk = os.read(self.process.stdout.fileno(), 65_536)
            assert chunk, ("it has left", lines)
            said += chunk
        return said.removesuffix(end).decode("utf-8")

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def test_gtp_process(attack: Attack, folder: Path) -> None:
    controller, known, lines = Controller(folder), names(without=("quit",)), 0
    try:
        for _ in attack.steps(500):
            sent = [line(attack.random, known) for _ in range(20)]
            sent = [one for one in sent if "quit" not in one]
            lines += len(sent)
            for reply in controller.ask(sent).split("\n\n")[:-1]:
                check_reply(f"{reply}\n\n", "\n".join(sent))
    finally:
        controller.close()
    attack.tell(f"bundles of lines, {lines:,} lines")
