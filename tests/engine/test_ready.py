"""Ready means ready: no move of a game may wait for a compiler."""

from __future__ import annotations

import subprocess
import sys

A_WHOLE_GAME = """
from montego.mcts.ready import warm_up
warm_up()

from montego.kernels.compiler.jit import Entry
def load(self, kinds):
    raise AssertionError(f"{self.__name__} was not ready for {kinds}")
Entry._load = load

from montego import Engine
from montego.engine.clock import Japanese
for size, recipe in ((9, "montego"), (5, "mango"), (7, "mogo"), (19, "omc")):
    engine = Engine(recipe, size=size, seconds=0.02, parameters={"manners.cleanup": True})
    engine.clock.reset(Japanese(0.0, 1.0, 1))
    for _ in range(8 if size == 19 else 120):
        if engine.genmove().resigned or engine.position.is_over:
            break
    engine.undo()
    engine.analyse(lambda found: False)
    engine.set_komi(0.5)
    engine.final_score()
    engine.status().chains("dead")
    engine.sgf_text()
    engine.new_game(9)
    engine.handicap(2)
    engine.genmove("white")
    engine.set_up(["C3"], ["D4"])
    engine.genmove()
print("played")
"""


def test_nothing_is_loaded_or_compiled_after_the_warm_up() -> None:
    command = [sys.executable, "-c", A_WHOLE_GAME]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == "played\n", done.stderr
