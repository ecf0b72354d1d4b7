"""Studies whose process is killed again and again, and studies whose file is damaged."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from montego.planning import PlanningError, Study, optimise
from tests.attack.conftest import Attack

pytestmark = pytest.mark.attack
KILLS, DAMAGES = 40, 400
DIGITS, LENGTH = 3, 7

PROGRAM = """
import sys, time
import montego.planning.study as study
from montego.planning import optimise
from tests.attack.test_studies import successors, worth
study.FLUSH_SECONDS = 0.01

def slow(word):
    time.sleep(0.001)
    return worth(word)

print("begin", flush=True)
optimise(((), successors), slow, path=sys.argv[1], seed=3, workers=int(sys.argv[2]))
"""


def successors(word: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [] if len(word) == LENGTH else [(*word, digit) for digit in range(DIGITS)]


def worth(word: tuple[int, ...]) -> float:
    return float(sum(digit * (place % 3) for place, digit in enumerate(word)))


def test_kills_of_a_study(attack: Attack, tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    before = 0
    for _ in attack.steps(KILLS):
        workers = attack.random.choice("12")
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(path), workers],
                                   stdout=subprocess.PIPE, text=True)  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        time.sleep(attack.random.uniform(0.0, 0.4))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        study = Study(((), successors), seed=3, path=path)
        done = [trial for trial in study.trials if trial.outcome == "done"]
        assert len(done) >= before  # nothing that was kept is lost
        assert all(trial.value == worth(trial.sink) for trial in done)
        assert len({trial.sink for trial in study.trials}) == len(study.trials)
        before = len(done)
    study = optimise(((), successors), worth, path=path, seed=3)
    assert study.counts() == {"done": DIGITS**LENGTH, "failed": 0, "timeout": 0, "pending": 0}
    attack.tell("kills")


def test_damages_of_a_study(attack: Attack, tmp_path: Path) -> None:
    whole, path = tmp_path / "whole.sqlite", tmp_path / "damaged.sqlite"
    optimise(((), successors), worth, path=whole, seed=3, evaluations=60)
    refused = 0
    for _ in attack.steps(DAMAGES):
        shutil.copy(whole, path)
        path.write_bytes(damaged(path.read_bytes(), attack.random))
        content = path.read_bytes()
        try:
            Study(((), successors), seed=3, path=path)
        except PlanningError as error:
            check_line(error)
            refused += 1
            assert path.read_bytes() == content, "a file that is refused is left alone"
    attack.tell(f"damages, {refused} refused")


def check_line(error: Exception) -> None:
    assert "\n" not in str(error)


def damaged(content: bytes, rng: Random) -> bytes:
    """Cut, overwritten, with pieces exchanged, or with other words in it."""
    kind = rng.randrange(4)
    begin = rng.randrange(len(content))
    if kind == 0:
        return content[:begin]
    if kind == 1:
        return content[:begin] + rng.randbytes(20) + content[begin + 20 :]
    if kind == 2:
        middle = rng.randrange(len(content))
        return content[:begin] + content[middle : middle + 500] + content[begin + 500 :]
    old = rng.choice((b"trial", b"told", b"done", b"(0, 1", b"edge", b"dice", b"closed"))
    return content.replace(old, rng.choice((b"x", b"((((", b"None", b"-1")).ljust(len(old)))
