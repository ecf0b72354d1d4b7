"""A player that mpiexec itself has started, as the first process of its job."""

from __future__ import annotations

import subprocess
import sys

import pytest

from montego.cluster.job import mpiexec
from montego.cluster.joined import join
from montego.cluster.mpi import Ranks
from tests.cluster.test_mpi import LONG, needs_mpi


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Two processes that are both told to be players; the job's end ends them all."""
    return subprocess.run(
        [mpiexec(), "-n", "2", sys.executable, "-m", "montego", "gtp", *arguments],
        input="boardsize 5\ngenmove b\nquit\n", capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip


@needs_mpi
def test_the_first_process_is_the_player() -> None:
    ended = run("--cluster", "slow-tree", "--memory", "16", "--simulations", "100")
    replies = ended.stdout.split("\n\n")
    assert ended.returncode == 0, ended.stderr
    assert replies[0] == "="
    assert replies[1].startswith("= ")
    assert "after 200 simulations" in ended.stderr


@needs_mpi
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--cluster", "nope"], "'nope' is not a method of ranks: leaf, root"),
        (["--cluster", "root", "cluster.nope=1"], "a cluster has no 'nope'"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: list[str], told: str) -> None:
    ended = run(*arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"montego: Invalid value: {told}" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_settings_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMI_RANK", "0")
    monkeypatch.setenv("PMI_SIZE", "3")
    given = {"cluster": "slow-tree", "cluster.period": "0.2"}
    assert join(given) == Ranks("slow-tree", ranks=3, period=0.2, joined=True)
    assert join(given | {"ranks": "2"}) is None  # another job is asked for
