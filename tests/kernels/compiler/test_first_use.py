"""What is made at its first use, by one thread of many."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import pytest

from montego.kernels.compiler.first_use import MAKING, once


def test_one_thread_makes_it_and_the_others_wait() -> None:
    calls: list[int] = []
    found: list[Any] = []

    @once
    def make(number: int) -> object:
        calls.append(number)
        time.sleep(0.02)  # the others come meanwhile
        return object()

    threads = [threading.Thread(target=lambda: found.append(make(3))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == [3]
    assert len(set(map(id, found))) == 1
    assert make(4) is not make(3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_fork_waits_for_what_is_being_made() -> None:
    is_making = threading.Event()

    def make() -> None:
        with MAKING:
            is_making.set()
            time.sleep(0.1)

    thread = threading.Thread(target=make)
    thread.start()
    is_making.wait()
    child = os.fork()
    if child == 0:
        os._exit(0 if MAKING.acquire(timeout=5) else 1)
    assert os.waitpid(child, 0)[1] == 0
    thread.join()
