"""Many threads: at the first use of everything that is public, and at the same transforms."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from random import Random

import numpy as np
import pytest

from montego import dft
from tests.attack.conftest import Attack

pytestmark = pytest.mark.attack
TRANSFORMS, FIRST_USES, FORKS, THREADS = 200_000, 100, 20, 8
SIZES = (1, 2, 3, 8, 15, 32, 60, 64, 100, 128, 256, 1000, 1024, 4096, 8192)

PROGRAM = """
import sys, threading
sys.setswitchinterval({interval})
{ahead}
start, answers = threading.Barrier({threads}), []

def work(number):
    start.wait()
    answers.append(repr(use(number)))

def use(number):
    {use}

threads = [threading.Thread(target=work, args=(number,)) for number in range({threads})]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(answers) == {threads} and len(set(answers)) == 1, answers
"""
USES = (
    "from montego import dft; return dft.fft([1, 2, 3, 4]).tolist()",
    "import numpy as np; from montego import dft; return dft.fft(np.ones(64) + 0j).tolist()",
    "import numpy as np; from montego import dft;"
    " return dft.ifft(np.ones((3, 32)), threads=2).sum()",
    "from montego import dft; return dft.plan(256, 'none').word",
    "from montego import dft; return dft.grammar(64).count()",
    "from montego.go import Position; "
    " from montego.go.points import parse_vertex;"
    " return Position.start(9).play(parse_vertex('E5', 9)).key",
    "from montego.go import Position; from montego.mcts.playouts import Uniform, simulate;"
    " return simulate(Position.start(9), Uniform(), 3, seed=1)",
    "from montego.go import Position; from montego.mcts.recipes import RECIPES;"
    " from montego.mcts.search import Budget, LocalSearch;"
    " search = LocalSearch(RECIPES['uct'], memory_mb=4, seed=1);"
    " return search.run(Position.start(5), Budget(simulations=50)).simulations",
    "import montego; return montego.Engine(size=5, seed=1, simulations=50).genmove().vertex",
    "from montego.planning import nested; from montego.planning.examples.morpion import Morpion;"
    " game = Morpion(); return nested(game, game.START, 1, evaluations=20).value > 0",
    "from montego.planning import optimise; return optimise({'r': [1, 2, 3]}, float).best",
    "from montego.planning import mcts;"
    " from montego.planning.examples.tic_tac_toe import TicTacToe;"
    " game = TicTacToe(); return mcts(game, game.START, evaluations=30).action",
)
"""Each in a function of the number of its thread."""


def first_use(use: str, rng: Random) -> str:
    ahead = rng.choice(("", "import montego", "import numpy", "from montego import dft"))
    interval = rng.choice((1e-6, 1e-5, 5e-3))
    return PROGRAM.format(ahead=ahead, interval=interval, threads=THREADS, use=use)


def test_first_uses(attack: Attack) -> None:
    for number in attack.steps(FIRST_USES):
        program = first_use(USES[number % len(USES)], attack.random)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              check=False, timeout=300)  # fmt: skip
        assert done.returncode == 0, (done.returncode, done.stderr[-2000:], program)
    attack.tell("first uses by eight threads")


def test_transforms(attack: Attack) -> None:
    vectors = {n: np.random.default_rng(n).standard_normal(2 * n).view(complex) for n in SIZES}
    right = {n: (np.fft.fft(x), np.fft.ifft(x)) for n, x in vectors.items()}
    wrong: list[object] = []

    def work(seed: int, many: int) -> None:
        rng = Random(seed)
        for _ in range(many):
            n, inverse = rng.choice(SIZES), rng.random() < 0.3
            found = (dft.ifft if inverse else dft.fft)(vectors[n])
            if not np.allclose(found, right[n][inverse], rtol=0, atol=1e-9):
                wrong.append((n, inverse))

    each = 250
    for _ in attack.steps(TRANSFORMS // (THREADS * each)):
        seeds = [attack.random.getrandbits(32) for _ in range(THREADS)]
        threads = [threading.Thread(target=work, args=(seed, each)) for seed in seeds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
    attack.tell(f"rounds of {THREADS * each:,} transforms by eight threads")


FORKED = """
import multiprocessing, threading
import numpy as np
from montego import dft

def child(n):
    return bool(np.allclose(dft.fft(np.ones((4, n)), threads=2)[:, 0], n))

def busy():
    x = np.arange(8192) + 0j
    while not stop.is_set():
        dft.fft(x.reshape(4, 2048), threads=2)
        dft.ifft(np.ones(2 ** np.random.randint(3, 12)))

stop = threading.Event()
threads = [threading.Thread(target=busy, daemon=True) for _ in range(3)]
for thread in threads: thread.start()
for _ in range(3):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert all(pool.map_async(child, [64, 128, 8192, 32768]).get(timeout=120))
stop.set()
for thread in threads: thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forks(attack: Attack) -> None:
    """In the middle of what other threads do, first uses among it."""
    for _ in attack.steps(FORKS):
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], capture_output=True,
                              text=True, check=False, timeout=300)  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
    attack.tell("processes that fork while three threads work")
