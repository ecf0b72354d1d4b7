"""Sessions as clients see them: order, termination, ends, and under fire."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import montego
from montego.analysis.session import READY
from tests.analysis.sessions import Client, SlowSearch, answer, query
from tests.fake_search import FakeSearch


def test_every_turn_that_is_asked_for_is_answered() -> None:
    moves = [["B", "E5"], ["W", "C3"], ["B", "G3"]]
    replies = answer(query(moves=moves, analyzeTurns=[0, 2, 3]))
    assert [reply["turnNumber"] for reply in replies] == [0, 2, 3]
    assert [reply["rootInfo"]["currentPlayer"] for reply in replies] == ["B", "B", "W"]
    assert not any(reply["isDuringSearch"] for reply in replies)


def test_without_turns_the_last_one_is_meant() -> None:
    (reply,) = answer(query(moves=[["B", "E5"]]))
    assert (reply["id"], reply["turnNumber"]) == ("q", 1)


def test_the_most_urgent_comes_first_then_the_oldest() -> None:
    search = SlowSearch()
    client = Client(search)
    client.send(query(id="first"))
    search.has_begun.wait(10)
    client.send(
        query(id="low", priority=-5),
        query(id="old"),
        query(id="high", priority=7),
        query(id="new"),
        query(id="turns", moves=[["B", "E5"]], analyzeTurns=[0, 1], priorities=[8, -9]),
    )
    search.release.set()
    order = [(reply["id"], reply["turnNumber"]) for reply in client.finish()]
    assert order == [
        ("first", 0), ("turns", 0), ("high", 0), ("old", 0), ("new", 0), ("low", 0), ("turns", 1),
    ]  # fmt: skip


def test_searches_work_at_the_same_time() -> None:
    searches = SlowSearch(), SlowSearch()
    client = Client(*searches)
    client.send(query(id="a"), query(id="b"))
    assert all(search.has_begun.wait(10) for search in searches)
    client.send({"id": "t", "action": "terminate_all"})
    assert {reply["id"] for reply in client.finish()} == {"a", "b", "t"}


def test_a_search_that_goes_on_is_reported() -> None:
    search = SlowSearch()
    client = Client(search)
    client.send(query(reportDuringSearchEvery=0.01))
    _wait(lambda: len(client.lines) >= 3)
    search.release.set()
    *partial, last = client.finish()
    assert all(reply["isDuringSearch"] for reply in partial)
    assert not last["isDuringSearch"]
    assert partial[0]["moveInfos"] == last["moveInfos"]


def test_time_is_a_limit_too() -> None:
    begin = time.perf_counter()
    (reply,) = answer(query(overrideSettings={"maxTime": 0.05}), SlowSearch())
    assert 0.05 <= time.perf_counter() - begin < 5
    assert reply["moveInfos"]


# --- actions ---------------------------------------------------------------------------


def test_a_running_query_is_terminated_with_what_it_has() -> None:
    search = SlowSearch()
    client = Client(search)
    client.send(query(id="a"))
    search.has_begun.wait(10)
    client.send({"id": "t", "action": "terminate", "terminateId": "a"})
    echo, reply = client.finish()
    assert echo == {"id": "t", "action": "terminate", "terminateId": "a"}
    assert reply["id"] == "a"
    assert reply["moveInfos"]


def test_a_waiting_query_is_terminated_without_results() -> None:
    search = SlowSearch()
    client = Client(search)
    client.send(query(id="a"))
    search.has_begun.wait(10)
    moves = [["B", "E5"], ["W", "C3"]]
    client.send(query(id="b", moves=moves, analyzeTurns=[0, 1, 2]))
    client.send({"id": "t", "action": "terminate", "terminateId": "b", "turnNumbers": [0, 2]})
    search.release.set()
    replies = client.finish()
    nothing = {"id": "b", "isDuringSearch": False, "noResults": True}
    assert replies[1:3] == [nothing | {"turnNumber": turn} for turn in (0, 2)]
    assert [(reply["id"], reply["turnNumber"]) for reply in replies[3:]] == [("a", 0), ("b", 1)]


def test_other_queries_are_left_alone() -> None:
    client = Client()
    client.send({"id": "t", "action": "terminate", "terminateId": "nobody"}, query())
    echo, reply = client.finish()
    assert echo["terminateId"] == "nobody"
    assert reply["moveInfos"]


def test_version_models_and_cache() -> None:
    client = Client()
    for action in ("query_version", "query_models", "clear_cache"):
        client.send({"id": "x", "action": action})
    version, models, cache = client.finish()
    assert (version["version"], version["git_hash"]) == (montego.__version__, "<omitted>")
    assert models["models"][0]["name"] == "montego"
    assert cache == {"id": "x", "action": "clear_cache"}


# --- under fire ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"garbage", b"{", b'"text"', b"[]", b"17", b"null", b"\xff\xfe{}", b'{"id": NaN}',
        b"[" * 100_000, b'{"id":' * 50_000, b'{"a":' + b"1" * 5000 + b"}", b"\x00\x01",
    ],
    ids=lambda raw: repr(raw[:12]),
)  # fmt: skip
def test_what_is_no_query_is_an_error(raw: bytes) -> None:
    client = Client()
    client.send(raw, query())
    error, reply = client.finish()
    assert set(error) == {"error"}
    assert reply["moveInfos"]


def test_empty_lines_are_nothing() -> None:
    client = Client()
    client.send(b"\n", b"  \r\n")
    assert client.finish() == []


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({}, "id"),
        ({"id": 7}, "id"),
        ({"id": "x", "action": "sing"}, "action"),
        ({"id": "x", "action": 3}, "action"),
        ({"id": "x", "action": "terminate"}, "terminateId"),
        ({"id": "x", "action": "terminate", "terminateId": "y", "turnNumbers": 3}, "turnNumbers"),
    ],
)
def test_wrong_actions_name_the_field(told: Any, field: str) -> None:
    (error,) = answer(told)
    assert error["field"] == field
    assert error.get("id") == ("x" if told.get("id") == "x" else None)


def test_a_search_that_fails_is_an_error_and_not_the_end() -> None:
    class Failing(FakeSearch):
        def run(self, *arguments: Any, **more: Any) -> Any:
            if not self.budgets:
                self.budgets.append(arguments[1])
                raise RuntimeError("out of luck")
            return super().run(*arguments, **more)

    client = Client(Failing())
    client.send(query(id="a"), query(id="b"))
    error, reply = client.finish()
    assert error == {"error": "internal error: RuntimeError('out of luck')", "id": "a"}
    assert reply["id"] == "b"
    assert "Traceback" in client.log.getvalue()


def test_a_client_that_has_gone_away_stops_everything() -> None:
    client = Client(SlowSearch())

    def write(line: str) -> None:
        raise BrokenPipeError

    client.session._write = write
    client.send(query(id="a"), {"id": "v", "action": "query_version"})
    client.finish()  # would never end if the search went on
    assert client.lines == []


def test_what_means_nothing_is_noted_once() -> None:
    client = Client()
    wide = query(overrideSettings={"wideRootNoise": 0.04}, rootPolicyTemperature=1.1)
    client.send(wide, wide)
    assert len(client.finish()) == 2
    noted = [line for line in client.log.getvalue().splitlines() if "ignored" in line]
    assert noted == ["without meaning here, ignored: wideRootNoise, rootPolicyTemperature"]
    assert READY in client.log.getvalue()


def test_leaving_without_waiting() -> None:
    search = SlowSearch()
    client = Client(search)
    client.send(query(id="a"))
    search.has_begun.wait(10)
    client.send(query(id="b"))
    client.session.run([], waits=False)
    assert {reply["id"] for reply in client.replies} == {"a", "b"}


def test_an_interrupt_ends_the_searches() -> None:
    search = SlowSearch()
    client = Client(search)

    def lines() -> Iterator[bytes]:
        yield json.dumps(query()).encode()
        search.has_begun.wait(10)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.session.run(lines())
    assert client.lines == []


def _wait(condition: Any) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


# --- the command -----------------------------------------------------------------------


def start(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "montego", "analysis", "--threads", "1", "--memory", "16"]
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, *arguments], stdin=pipe, stdout=pipe, stderr=pipe)


def test_the_command_answers_and_leaves() -> None:
    small = query(boardXSize=5, boardYSize=5, maxVisits=50, includeOwnership=True)
    lines = json.dumps(small).encode() + b"\nnonsense\n"
    with start("-model", "x.bin.gz", "-override-config", "homeDataDir=/x, maxTime=9") as process:
        out, err = process.communicate(lines, timeout=100)
    assert process.returncode == 0
    replies = sorted((json.loads(line) for line in out.splitlines()), key=len)
    assert "error" in replies[0]
    assert replies[1]["rootInfo"]["visits"] == 50
    assert len(replies[1]["ownership"]) == 25
    assert "ignored: homeDataDir, -model" in err.decode()


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_ctrl_c_ends_it_at_once_and_quietly() -> None:
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        told = query(maxVisits=10**8, reportDuringSearchEvery=0.01)
        process.stdin.write(json.dumps(told).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()  # it searches
        drain = threading.Thread(target=process.stdout.read)
        drain.start()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        drain.join()
        assert b"Traceback" not in process.stderr.read()
