"""TAG (T40): its invariants on random graphs, its choices by hand, studies, and the command."""

from __future__ import annotations

import csv
import json
import math
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from traceback import format_exception
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from montego.planning import (
    THESIS as OF_THE_THESIS,
    CycleError,
    Grammar,
    ObjectiveError,
    PlanningError,
    Progress,
    Study,
    Tag,
    TagSettings,
    WorkerDiedError,
    Workers,
    optimise,
)
from montego.planning.examples.contest import recipe
from montego.planning.subgraph import KnownVertex
from montego.planning.tag import DEFAULT_SETTINGS

THESIS = Grammar({"S": [["A", "B"]], "A": [["a"], ["b"]], "B": [["c"], ["A", "A"]]}, "S")
WORDS = 2 + 8


def value_of(word: Iterable[str]) -> float:
    return sum((place + 1) * ord(letter) for place, letter in enumerate(word))


def random_dag(seed: int, size: int = 14) -> dict[int, list[int]]:
    """Every vertex but the root has an edge from an earlier one, and some more."""
    rng = Random(seed)
    graph: dict[int, list[int]] = {i: [] for i in range(size)}
    for head in range(1, size):
        tails = {rng.randrange(head)} | {t for t in range(head) if rng.random() < 0.15}
        for tail in tails:
            graph[tail].append(head)
    return graph


def sinks(graph: dict[int, list[int]]) -> set[int]:
    return {vertex for vertex, heads in graph.items() if not heads}


def below(known: KnownVertex) -> set[int]:
    found, waiting = {id(known): known}, [known]
    while waiting:
        for head in waiting.pop().heads:
            if id(head) not in found:
                found[id(head)] = head
                waiting.append(head)
    return {trial.number for one in found.values() for trial in one.trials}


def check_rewards(tag: Tag) -> None:
    """The rewards of a vertex are those of the trials at it and below it, each once."""
    for known in tag.subgraph.vertices.values():
        numbers = below(known)
        rewards = [tag.trials[n].reward for n in numbers]
        best = sorted(r for r in rewards if r is not None)[-tag.settings.s :]
        assert known.n == len(numbers)
        assert known.best == best


@given(
    st.integers(0, 10**6), st.integers(2, 30), st.booleans(), st.integers(1, 5), st.integers(1, 4)
)
@settings(max_examples=60, deadline=None)
def test_rewards_are_those_below(seed: int, size: int, exact: bool, s: int, out: int) -> None:
    graph, rng = random_dag(seed, size), Random(seed)
    tag = Tag((0, graph.__getitem__), seed=seed, settings=TagSettings(s=s), deterministic=exact)
    waiting = []
    for _ in range(40):
        trial = tag.ask()
        if trial is not None:
            waiting.append(trial)
        while len(waiting) >= out or (trial is None and waiting):
            done = waiting.pop(rng.randrange(len(waiting)))
            if rng.random() < 0.1:
                tag.fail(done, "bad luck")
            else:
                tag.tell(done, rng.random())
        check_rewards(tag)
        if trial is None:
            break
    handed = [trial.sink for trial in tag.trials]
    assert set(handed) <= sinks(graph)
    if exact:
        assert len(handed) == len(set(handed))
        assert tag.ask() is None or len(handed) >= 39
        if tag.is_exhausted:
            assert set(handed) == sinks(graph)


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_all_sinks_are_found_in_the_end(seed: int) -> None:
    graph = random_dag(seed)
    study = optimise(graph, lambda sink: (sink * 7919) % 101, seed=seed)
    assert {trial.sink for trial in study.trials} == sinks(graph)
    assert study.is_exhausted
    assert study.best_value == max((sink * 7919) % 101 for sink in sinks(graph))


def test_the_grammar_of_the_thesis() -> None:
    assert THESIS.root == ("S",)
    assert THESIS.successors(("A", "B")) == [("a", "B"), ("b", "B"), ("A", "c"), ("A", "A", "A")]
    assert THESIS.count() == len(list(THESIS.words())) == WORDS
    study = optimise(THESIS, value_of, evaluations=1000)
    assert len(study.trials) == WORDS
    assert study.best == ("b", "b", "b")
    assert study.best_value == value_of("bbb")
    lowest = optimise(THESIS, value_of, evaluations=1000, minimise=True)
    assert lowest.best == ("a", "c")
    assert lowest.history() == sorted(lowest.history(), reverse=True)


def test_a_new_edge_to_a_known_vertex_passes_rewards_to_new_ancestors_only() -> None:
    graph = {"r": ["u", "v"], "u": ["x"], "v": ["x"], "x": ["1", "2", "3"]}
    tag = Tag(graph, seed=1, deterministic=False)
    for value in range(12):
        trial = tag.ask()
        assert trial is not None
        tag.tell(trial, value)
    check_rewards(tag)
    r, u, v, x = (tag.subgraph.vertices[name] for name in "ruvx")
    assert {parent.name for parent in x.parents} == {"u", "v"}
    assert r.n == 12
    assert u.n + v.n - x.n == 12 - len(r.trials)


def test_threshold_ascent_follows_the_best_rewards() -> None:
    graph = {"r": ["good", "bad"], "good": ["g"], "bad": ["b"]}
    tag = Tag(graph, deterministic=False, settings=OF_THE_THESIS)
    pulls = []
    for _ in range(150):
        trial = tag.ask()
        assert trial is not None
        pulls.append(trial.sink)
        tag.tell(trial, 1.0 if trial.sink == "g" else 0.0)
    assert pulls[100:].count("g") > 2 * pulls[100:].count("b") > 0


def test_a_cycle_is_named() -> None:
    with pytest.raises(CycleError, match="'A'"):
        Grammar({"S": [["A"]], "A": [["a"], ["B"]], "B": [["A", "a"]]}, "S")
    with pytest.raises(CycleError, match="cycle"):
        optimise((0, lambda v: [1 - v]), float, evaluations=10)
    graph: dict[Any, list[Any]] = {"a": ["b1"], "b1": ["c", "sink"], "c": ["b1", "other"]}
    with pytest.raises(CycleError, match="itself: 'b1'"):
        optimise(("a", lambda v: graph.get(v, [])), hash, evaluations=10)


@pytest.mark.parametrize(
    ("rules", "start", "told"),
    [
        ({"S": []}, "S", "has no rules"),
        ({"S": [["a"]]}, "T", "start symbol 'T'"),
        ({"S": ["ab"]}, "S", "list of symbols"),
    ],
)
def test_bad_grammars(rules: Any, start: str, told: str) -> None:
    with pytest.raises(PlanningError, match=told):
        Grammar(rules, start)


def test_bad_graphs_and_trials() -> None:
    with pytest.raises(PlanningError, match="not a graph"):
        optimise(3, float, evaluations=1)
    with pytest.raises(PlanningError, match="one root, not 2"):
        optimise({"a": ["c"], "b": ["c"]}, float, evaluations=1)
    tag, other = Tag(THESIS), Tag(THESIS)
    trial = tag.ask()
    assert trial is not None
    with pytest.raises(PlanningError, match="does not belong"):
        other.tell(trial, 1.0)
    with pytest.raises(PlanningError, match="not a number"):
        tag.tell(trial, math.nan)
    tag.tell(trial, 1.0)
    with pytest.raises(PlanningError, match="already"):
        tag.tell(trial, 1.0)


# --- optimise --------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_trials() -> None:
    runs = [optimise(THESIS, value_of, evaluations=6, seed=seed).trials for seed in (3, 3, 4)]
    assert [t.sink for t in runs[0]] == [t.sink for t in runs[1]] != [t.sink for t in runs[2]]


def test_failures_and_time_outs_are_outcomes() -> None:
    def moody(word: tuple[str, ...]) -> float:
        if word[0] == "a" and len(word) == 2:
            raise ZeroDivisionError("no")
        if word == ("b", "c"):
            time.sleep(5)
        if word == ("b", "b", "b"):
            return math.nan
        return value_of(word)

    study = optimise(THESIS, moody, timeout=0.1, catch=(ZeroDivisionError,))
    assert study.counts() == {"done": 7, "failed": 2, "timeout": 1, "pending": 0}
    told = {t.sink: t.message for t in study.trials if t.outcome != "done"}
    assert told[("a", "c")] == "ZeroDivisionError: no"
    assert told[("b", "b", "b")] == "the objective returned nan"
    assert study.best == ("a", "b", "b")


def dawdle(word: tuple[str, ...]) -> float:
    time.sleep(0.4)
    return 0.0


def test_workers_of_an_executor() -> None:
    busy, most, lock = 0, 0, threading.Lock()

    def slow(word: tuple[str, ...]) -> float:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        time.sleep(0.02)
        with lock:
            busy -= 1
        if word == ("a", "c"):
            raise ValueError("broken")
        return value_of(word)

    with ThreadPoolExecutor(3) as executor:
        study = optimise(THESIS, slow, workers=Workers(3, executor), catch=ValueError)
        assert study.best == ("b", "b", "b")
        assert study.counts() == {"done": 9, "failed": 1, "timeout": 0, "pending": 0}
        assert 1 < most <= 3
        few = optimise(THESIS, slow, workers=Workers(3, executor), evaluations=5, catch=ValueError)
        assert len(few.trials) == 5
        assert few.counts()["pending"] == 0
        late = optimise(THESIS, dawdle, workers=Workers(1, executor), timeout=0.05, evaluations=1)
        assert late.counts()["timeout"] == 1


class SpillError(Exception):
    """One that survives the way to another process,"""


class OddError(Exception):
    """and one that does not: it cannot be made of its arguments."""

    def __init__(self, what: str, where: str) -> None:
        super().__init__(f"{what} at {where}")


def spill(word: tuple[str, ...]) -> float:
    if word[0] == "b":
        raise SpillError("b")
    return value_of(word)


def odd(word: tuple[str, ...]) -> float:
    if word[0] == "b":
        raise OddError("b", "0")
    return value_of(word)


def die(word: tuple[str, ...]) -> float:
    os._exit(3)


def nothing(word: tuple[str, ...]) -> None:
    len(word)


def test_an_exception_of_the_objective_reaches_its_author(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    with pytest.raises(SpillError, match="b") as caught:
        optimise(THESIS, spill, seed=1, path=path)
    assert caught.traceback[-1].name == "spill"
    study = Study(THESIS, seed=1, path=path)
    counts = study.counts()
    assert counts["failed"] == 0
    assert counts["pending"] == 1
    # the study goes on, with a better objective, and has lost no sink
    done = counts["done"]
    optimise(study, value_of)
    assert study.counts() == {"done": WORDS, "failed": 0, "timeout": 0, "pending": 0}
    assert len(study.trials) == WORDS > done


def test_the_study_at_hand_goes_on_after_an_exception() -> None:
    study = Study(THESIS, seed=1)
    with pytest.raises(SpillError):
        optimise(study, spill)
    assert study.stopped == "error"
    optimise(study, spill, catch=(SpillError,))
    assert study.stopped == "complete"
    assert study.counts() == {"done": 5, "failed": 5, "timeout": 0, "pending": 0}


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_exception_in_a_worker_reaches_its_author(kind: type[Executor]) -> None:
    with kind(2) as executor:  # type: ignore[call-arg]
        study = Study(THESIS, seed=1)
        with pytest.raises(SpillError) as caught:
            optimise(study, spill, workers=Workers(2, executor))
        assert 'raise SpillError("b")' in "".join(format_exception(caught.value))
        assert study.tag.waiting
        optimise(study, spill, workers=Workers(2, executor), catch=(SpillError,))
    assert study.counts() == {"done": 5, "failed": 5, "timeout": 0, "pending": 0}


def test_an_exception_that_cannot_leave_its_process_breaks_nothing() -> None:
    with ProcessPoolExecutor(2) as executor:
        with pytest.raises(ObjectiveError, match=r"test_tag\.py:\d+: OddError: b at 0"):
            optimise(THESIS, odd, workers=Workers(2, executor))
        study = optimise(THESIS, odd, workers=Workers(2, executor), catch=(OddError,))
    assert study.counts()["failed"] == 5
    with pytest.raises(OddError):
        optimise(THESIS, odd)


def test_a_worker_that_dies_is_told_and_its_sinks_are_not_lost() -> None:
    study = Study(THESIS)
    with ProcessPoolExecutor(2) as executor, pytest.raises(WorkerDiedError, match="killed"):
        optimise(study, die, workers=Workers(2, executor))
    assert study.counts()["pending"] == len(study.tag.waiting) == 2
    optimise(study, value_of)
    assert study.counts()["done"] == WORDS


def test_a_study_keeps_its_own_options() -> None:
    study = Study(THESIS, minimise=True)
    for options in ({"seed": 1}, {"settings": OF_THE_THESIS}, {"path": "study.sqlite"}):
        with pytest.raises(PlanningError, match="is an option of a new study"):
            optimise(study, value_of, **options)
    assert optimise(study, value_of, evaluations=3) is study
    assert study.best_value == min(t.value for t in study.trials if t.value is not None)


# --- workers of our own ----------------------------------------------------------------


def moody(word: tuple[str, ...]) -> float:
    if word == ("b", "c"):
        time.sleep(60)
    if word == ("a", "c"):
        os.kill(os.getpid(), signal.SIGKILL)
    return value_of(word)


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_worker_that_hangs_or_dies_costs_its_trial_only() -> None:
    begin = time.monotonic()
    study = optimise(THESIS, moody, workers=2, timeout=0.5)
    assert time.monotonic() - begin < 30
    assert study.counts() == {"done": 8, "failed": 1, "timeout": 1, "pending": 0}
    told = {t.sink: t.message for t in study.trials if t.outcome != "done"}
    assert told[("b", "c")] == "more than 0.5 s"
    assert told[("a", "c")] == "its worker process died (SIGKILL)"
    assert study.best == ("b", "b", "b")
    assert not multiprocessing.active_children()


def hang(word: tuple[str, ...]) -> float:
    time.sleep(60)
    return 0.0


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_only_what_has_begun_can_take_too_long() -> None:
    """More trials than workers, all of which hang: each has its own time."""
    study = optimise(THESIS, hang, workers=2, timeout=0.2)
    assert study.counts() == {"done": 0, "failed": 0, "timeout": WORDS, "pending": 0}
    assert all(0.2 <= (trial.seconds or 0) < 0.2 + 5 for trial in study.trials)


@pytest.mark.parametrize("number", [1_001, 10**400])
def test_more_workers_than_a_machine_can_have(number: int) -> None:
    with pytest.raises(PlanningError, match="workers is at most 1,000"):
        optimise(THESIS, len, workers=number)


def test_workers_of_an_executor_that_hang_are_not_queued_at() -> None:
    end = threading.Event()

    def stuck(word: tuple[str, ...]) -> float:
        end.wait(60)
        return 0.0

    study = Study(THESIS)
    with ThreadPoolExecutor(2) as executor:
        try:
            with pytest.raises(WorkerDiedError, match="all workers of the executor"):
                optimise(study, stuck, workers=Workers(4, executor), timeout=0.05)
        finally:
            end.set()
    assert study.counts()["timeout"] == 2
    assert study.counts()["pending"] == 0


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_an_exception_in_a_process_reaches_its_author() -> None:
    study = Study(THESIS, seed=1)
    with pytest.raises(SpillError) as caught:
        optimise(study, spill, workers=2)
    assert 'raise SpillError("b")' in "".join(format_exception(caught.value))
    with pytest.raises(ObjectiveError, match=r"test_tag\.py:\d+: OddError: b at 0"):
        optimise(THESIS, odd, workers=2)
    optimise(study, spill, workers=2, catch=SpillError)
    assert study.counts() == {"done": 5, "failed": 5, "timeout": 0, "pending": 0}


ORPHANS = """
import os, sys, time
from montego.planning import optimise

def note(sink):
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\n")
    time.sleep(60)

optimise({"r": [1, 2, 3, 4]}, note, workers=2)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs the proc file system")
def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    """They sleep, and nobody is left to end them."""
    file = tmp_path / "workers"
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS, str(file)])
    workers = wait_for(lambda: file.exists() and file.read_text().split())
    parent.kill()
    parent.wait()
    assert wait_for(lambda: not any(is_alive(int(worker)) for worker in workers))


def wait_for(found: Callable[[], Any], seconds: float = 20.0) -> Any:
    end = time.monotonic() + seconds
    while not (answer := found()) and time.monotonic() < end:
        time.sleep(0.05)
    return answer


def is_alive(process: int) -> bool:
    """Whether it runs: one that nobody has waited for is not counted."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_an_objective_without_a_number() -> None:
    with pytest.raises(ObjectiveError, match=r"returned None for \('\w.*, not a number"):
        optimise(THESIS, nothing)  # type: ignore[arg-type]
    with pytest.raises(PlanningError, match="exception types: 'ValueError' is not one"):
        optimise(THESIS, value_of, catch=("ValueError",))  # type: ignore[arg-type]


def test_an_exception_of_the_graph_reaches_its_author() -> None:
    def successors(vertex: str) -> list[str]:
        return ["a", "b"] if vertex == "r" else vertex + 1  # type: ignore[operator]

    with pytest.raises(TypeError, match="concatenate"):
        optimise(("r", successors), value_of)
    with pytest.raises(PlanningError, match="the successors of 'r' are not a list: 3"):
        optimise(("r", lambda vertex: 3), value_of)
    with pytest.raises(PlanningError, match="the successors of 'r': unhashable"):
        optimise(("r", lambda vertex: [[]]), value_of)


def test_ctrl_c_keeps_what_is_there(tmp_path: Path) -> None:
    calls = 0

    def objective(word: tuple[str, ...]) -> float:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return value_of(word)

    path = tmp_path / "study.sqlite"
    study = optimise(THESIS, objective, path=path, seed=2)
    assert study.stopped == "interrupt"
    assert study.tag.waiting == [study.trials[3]]
    assert study.counts() == {"done": 3, "failed": 0, "timeout": 0, "pending": 1}
    again = optimise(THESIS, objective, path=path, seed=2)
    assert again.counts() == {"done": WORDS, "failed": 0, "timeout": 0, "pending": 0}
    assert len({t.sink for t in again.trials}) == WORDS


def test_what_is_out_when_time_is_over_is_asked_for_again() -> None:
    with ThreadPoolExecutor(2) as executor:
        study = optimise(THESIS, dawdle, workers=Workers(2, executor), seconds=0.1)
        assert study.counts() == {"done": 0, "failed": 0, "timeout": 0, "pending": 2}
        optimise(study, value_of)
    assert study.counts() == {"done": WORDS, "failed": 0, "timeout": 0, "pending": 0}


def test_progress_is_told() -> None:
    told: list[Progress] = []
    optimise(THESIS, value_of, evaluations=5, progress=told.append)
    assert told[-1].evaluations == 5
    assert told[-1].share == 1.0
    assert told[-1].best is not None


# --- studies ---------------------------------------------------------------------------


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("seed", "elite"), [(0, 0), (1, 0), (2, 3), (3, 3)])
def test_a_resumed_study_goes_on_as_if_nothing_had_been(
    seed: int, elite: int, exact: bool, tmp_path: Path
) -> None:
    graph = random_dag(seed, 60)
    settings = TagSettings(s=4, elite=elite)
    options: dict[str, Any] = {"seed": seed, "deterministic": exact, "settings": settings}

    def objective(sink: int) -> float:
        return (sink * 7919) % 101

    whole = optimise((0, graph.__getitem__), objective, evaluations=24, **options)
    path = tmp_path / "study.sqlite"
    for part in (7, 9, 8):
        study = optimise((0, graph.__getitem__), objective, evaluations=part, path=path, **options)
        check_rewards(study.tag)
    assert [t.sink for t in study.trials] == [t.sink for t in whole.trials]
    assert study.best_value == whole.best_value
    assert study.tag.subgraph.edges == whole.tag.subgraph.edges


def as_older_versions_wrote_it(path: Path) -> None:
    """Edges were arrows, and paths were ways."""
    with closing(sqlite3.connect(path)) as base, base:
        changed = base.execute("UPDATE log SET kind = 'arrow' WHERE kind = 'edge'").rowcount
        base.execute("UPDATE study SET key = 'ways' WHERE key = 'paths'")
        base.execute("UPDATE trials SET outcome = 'out' WHERE outcome = 'pending'")
    assert changed > 0


def test_a_study_of_an_older_version_goes_on(tmp_path: Path) -> None:
    (graph, taste), path = recipe(), tmp_path / "study.sqlite"
    options: dict[str, Any] = {"seed": 3, "settings": TagSettings(s=4, elite=3)}
    whole = optimise(graph, taste, evaluations=80, **options)
    optimise(graph, taste, evaluations=40, path=path, **options)
    as_older_versions_wrote_it(path)
    for evaluations in (20, 20):  # the second file has old words and new ones
        study = optimise(graph, taste, evaluations=evaluations, path=path, **options)
        check_rewards(study.tag)
    assert [t.sink for t in study.trials] == [t.sink for t in whole.trials]
    assert study.best_value == whole.best_value


def test_a_study_is_saved_exported_and_drawn(tmp_path: Path) -> None:
    study = optimise(THESIS, value_of, evaluations=8)
    for name in ("all.csv", "all.json", "all.sqlite"):
        study.export(tmp_path / name)
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()))
    assert [float(row["value"]) for row in rows] == [t.value for t in study.trials]
    told = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert told["best_value"] == study.best_value
    with sqlite3.connect(tmp_path / "all.sqlite") as base:
        assert base.execute("SELECT max(value) FROM trials").fetchone()[0] == study.best_value
    base.close()
    again = Study(THESIS, path=tmp_path / "all.sqlite")
    assert again.best == study.best
    pytest.importorskip("matplotlib")
    study.plot(tmp_path / "study.svg")
    assert "best so far" in (tmp_path / "study.svg").read_text(encoding="utf-8")
    with pytest.raises(PlanningError, match=r"\.csv"):
        study.export(tmp_path / "all.txt")


def test_a_study_that_cannot_be_saved_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, study = tmp_path / "study.sqlite", optimise(THESIS, value_of, evaluations=3)
    for name in ("study.sqlite", "study.json", "study.csv"):
        study.export(tmp_path / name)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def full(*files: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("montego.planning.study.os.replace", full)
    optimise(study, value_of)
    for name in before:
        with pytest.raises(PlanningError, match="cannot be written: No space left on device"):
            study.export(tmp_path / name)
    with pytest.raises(PlanningError, match="cannot be written: unable to open"):
        study.save(tmp_path / "nowhere" / "study.sqlite")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert len(Study(THESIS, path=path).trials) == 3


DYING = """
import os, sqlite3, sys
from montego.planning import Study

class Dying(sqlite3.Connection):
    def __init__(self, path):
        super().__init__(path)
        self.left = int(sys.argv[2])
        self.set_trace_callback(self.count)

    def count(self, statement):
        if self.left == 0:
            os._exit(3)
        self.left -= 1

sqlite3.connect = Dying
Study({"r": [1, 2, 3]}, path=sys.argv[1])
"""


@pytest.mark.parametrize("statements", range(6))
def test_a_process_that_dies_while_it_makes_a_study(tmp_path: Path, statements: int) -> None:
    path = tmp_path / "study.sqlite"
    command = [sys.executable, "-c", DYING, str(path), str(statements)]
    assert subprocess.run(command, check=False).returncode == 3
    assert optimise({"r": [1, 2, 3]}, float, path=path).counts()["done"] == 3


def test_two_processes_do_not_write_the_same_study(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    one, other = Study(THESIS, path=path), Study(THESIS, path=path)
    optimise(one, value_of)
    with pytest.raises(PlanningError, match="has been changed by another process"):
        optimise(other, value_of)
    assert Study(THESIS, path=path).counts()["done"] == WORDS


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE trials SET value = NULL",
        "UPDATE trials SET sink = '((((((((((((((((((((' || sink",
        "UPDATE log SET kind = 'x'",
        "UPDATE log SET trial = -1",
        "UPDATE log SET head = printf('%.*c', 100000, '(')",
        "UPDATE log SET head = CAST(x'80' || head AS TEXT)",
        "UPDATE study SET value = '[]' WHERE key = 'paths'",
        "UPDATE study SET value = printf('%.*c', 100000, '[') WHERE key = 'dice'",
        "UPDATE study SET value = '[3, [1], null]' WHERE key = 'dice'",
        "DELETE FROM study WHERE key = 'dice'",
        "DELETE FROM trials",
        "DROP TABLE log",
    ],
)
def test_a_damaged_study_is_told_in_one_line(tmp_path: Path, change: str) -> None:
    path = tmp_path / "study.sqlite"
    optimise(THESIS, value_of, path=path, evaluations=5)
    with closing(sqlite3.connect(path)) as base, base:
        base.execute(change)
    with pytest.raises(PlanningError, match=r"is damaged|is not a study") as caught:
        Study(THESIS, path=path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_damaged_schema_is_told_in_one_line(tmp_path: Path) -> None:
    """SQLite quotes it in its message, bytes that are no text included."""
    path = tmp_path / "study.sqlite"
    optimise(THESIS, value_of, path=path, evaluations=5)
    content = path.read_bytes()
    assert b"CREATE TABLE study" in content
    path.write_bytes(content.replace(b"CREATE TABLE study", b"CREATE \xb4\xb4\xb4LE study"))
    with pytest.raises(PlanningError, match="is not a study") as caught:
        Study(THESIS, path=path)
    assert "\n" not in str(caught.value)


def test_another_study_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    optimise(THESIS, value_of, evaluations=2, path=path)
    with pytest.raises(PlanningError, match="its minimise is false"):
        optimise(THESIS, value_of, evaluations=2, path=path, minimise=True)
    path.write_text("not a database", encoding="utf-8")
    with pytest.raises(PlanningError, match="not a study"):
        optimise(THESIS, value_of, evaluations=2, path=path)
    path.unlink()
    optimise(THESIS, value_of, evaluations=4, path=path)
    changed = Grammar({"S": [["B"]], "B": [["c"], ["d"]]}, "S")
    with pytest.raises(PlanningError, match=r"study\.sqlite is damaged, or its graph has changed"):
        optimise(changed, value_of, evaluations=2, path=path)
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("UPDATE study SET value = '{' WHERE key = 'dice'")
    with pytest.raises(PlanningError, match=r"study\.sqlite is damaged"):
        optimise(THESIS, value_of, evaluations=2, path=path)
    with pytest.raises(PlanningError, match="text, numbers and tuples"):
        Study((object(), lambda v: []), path=tmp_path / "new.sqlite")


def test_memory_and_time_grow_with_the_vertices() -> None:
    def successors(word: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [] if len(word) == 16 else [(*word, 0), (*word, 1)]

    def cost(evaluations: int) -> float:
        start = time.process_time()
        study = optimise(((), successors), sum, evaluations=evaluations)
        assert len(study.tag.subgraph.vertices) <= evaluations + 1
        assert all(len(known.best) <= 30 for known in study.tag.subgraph.vertices.values())
        return time.process_time() - start

    cost(200)
    assert cost(4000) < 30 * 4000 / 100_000 * 3  # ten to the fifth in 30 s, and noise


def test_alpha_is_the_same_everywhere_unless_delta_is_given() -> None:
    graph = {"a": ["b", "c"], "b": [], "c": []}
    ours = Tag(("a", graph.__getitem__))
    thesis = Tag(("a", graph.__getitem__), settings=OF_THE_THESIS)
    assert ours._alpha(10, 3) == ours._alpha(1_000, 16) == DEFAULT_SETTINGS.alpha
    assert thesis._alpha(10, 3) == pytest.approx(math.log(2 * 10 * 3 / 0.1))
    for wrong in (-1.0, math.inf, math.nan):
        with pytest.raises(PlanningError, match="alpha"):
            TagSettings(alpha=wrong)
        with pytest.raises(PlanningError, match="delta"):
            TagSettings(delta=wrong)
    with pytest.raises(PlanningError, match="settings are TagSettings, not 3"):
        Tag(("a", graph.__getitem__), settings=3)  # type: ignore[arg-type]
