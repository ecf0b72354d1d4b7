"""The server under load: many games, pages that do not read, engines that die."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web.client import PATIENCE, children
from tests.web.conftest import Server, running

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


def memory(process: int) -> int:
    """What a process has in memory, in kB."""
    told = Path(f"/proc/{process}/status").read_text()
    return int(told.partition("VmRSS:")[2].split()[0])


@linux
def test_many_that_come_at_once_start_no_more_processes_than_there_may_be() -> None:
    """They ask again and again while the first processes still start."""
    with running() as server, ExitStack() as open_pages:
        clients = [open_pages.enter_context(server.browser()) for _ in range(12)]
        for client in clients:
            client.begin("analyse", size=9)
            client.say("analyse", on=True)
        for client in clients[:4]:
            client.until("analysis")
        assert len(children(server.process.pid)) == 2


@linux
@pytest.mark.slow
def test_fifty_games_at_once() -> None:
    """All analyse: each has its turn, and moves go before.  No update is lost, memory bounded."""
    with running() as server:
        clients = [server.browser() for _ in range(50)]
        before = memory(server.process.pid)
        for client in clients:
            client.begin("analyse", size=9)
            client.say("analyse", on=True)
        first = [client.until("analysis")["simulations"] for client in clients]
        for client, known in zip(clients, first, strict=True):  # and another turn, for each
            while client.until("analysis")["simulations"] <= 2 * known:
                pass
        for client in clients:
            client.say("switch", mode="play")
            client.until("state", lambda state: state["mode"] == "play")
            client.play("C3")
        for client in clients:
            client.until("state", lambda state: len(state["line"]) == 3)
            assert client.moves()[0] == "C3"
            assert client.problems == []
        assert memory(server.process.pid) - before < 60_000
        assert len(children(server.process.pid)) == 2
        for client in clients:
            client.close()


@linux
def test_a_page_that_does_not_read_costs_nothing(server: Server) -> None:
    with server.client() as reader, server.client() as sleeper:
        reader.say("open", sgf="(;SZ[9]" + ";B[];W[]" * 300 + ")")
        sleeper.say("join", game=reader.until("state")["game"])
        sent = len(json.dumps(sleeper.until("state")))
        before = memory(server.process.pid)
        for node in range(300):
            reader.say("goto", node=node)
            while reader.state["at"] != node:
                reader.hear()
        assert 300 * sent > 12_000_000  # of which the sleeper has read nothing
        assert memory(server.process.pid) - before < 10_000


# --- engines that die ------------------------------------------------------------------


@linux
def test_an_engine_is_killed_and_the_game_goes_on() -> None:
    with running() as server, server.client() as client:
        client.begin(user="white", size=9, limit={"by": "seconds", "amount": 3})
        client.until("thinking")
        for process in children(server.process.pid):
            os.kill(process, signal.SIGKILL)
        client.until("state", lambda state: len(state["line"]) == 2)
        assert client.problems == []
        client.say("switch", mode="analyse")
        client.say("analyse", on=True)
        before = client.until("analysis", lambda told: told["seconds"] > 3)
        for process in children(server.process.pid):
            os.kill(process, signal.SIGKILL)
        client.until("analysis", lambda later: later["seconds"] < before["seconds"])
        assert client.problems == []


def test_ctrl_c_in_the_middle_of_a_search_ends_it_quietly() -> None:
    with running() as server, server.client() as client:
        client.begin("analyse")
        client.say("analyse", on=True)
        client.until("analysis")
        server.process.send_signal(signal.SIGINT)
        server.process.wait(PATIENCE)


@linux
def test_no_engine_is_left_behind() -> None:
    with running() as server, server.client() as client:
        client.begin(user="white", limit={"by": "seconds", "amount": 60})
        client.until("thinking")
        engines = children(server.process.pid)
        server.process.kill()
        deadline = time.monotonic() + PATIENCE
        while any(os.path.exists(f"/proc/{engine}/exe") for engine in engines):
            assert time.monotonic() < deadline
            time.sleep(0.1)
