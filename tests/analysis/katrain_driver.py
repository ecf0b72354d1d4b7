"""A session with KaTrain's own classes, without its window; run by a Python that has KaTrain.

The argument is how the engine is set: ``custom COMMAND``, KaTrain's «custom command», or ``local
PROGRAM``, the path of what takes KataGo's place.  What happened is printed as one line of JSON.
"""

# mypy: ignore-errors

from __future__ import annotations

import json
import os
import sys
import tempfile
import time

os.environ |= {
    "KIVY_NO_ARGS": "1", "KIVY_NO_CONSOLELOG": "1", "KIVY_NO_FILELOG": "1",
    "KIVY_HOME": tempfile.mkdtemp(),
}  # fmt: skip
backend, program = sys.argv[1:3]
del sys.argv[1:]

from katrain.core.ai import generate_ai_move  # noqa: E402
from katrain.core.base_katrain import KaTrainBase  # noqa: E402
from katrain.core.constants import OUTPUT_ERROR, OUTPUT_KATAGO_STDERR  # noqa: E402
from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game import Game  # noqa: E402
from pysgf import Move  # noqa: E402

sys.stderr = sys.__stderr__  # Kivy has taken it
PATIENCE = 60.0


class Controls:
    """Where KaTrain writes its status lines."""

    def set_status(self, *_):
        pass


class Trainer(KaTrainBase):
    """KaTrain without a window; it keeps what was logged."""

    def __init__(self):
        self.messages = []
        self.controls = Controls()
        self.pondering = False
        super().__init__(force_package_config=True, debug_level=2)

    def log(self, message, level=0):
        self.messages.append((level, str(message)))

    def __call__(self, *message):
        """What the window would be told, such as that the engine has died."""
        self.messages.append((OUTPUT_ERROR, str(message)))

    def update_state(self, **_):
        pass


def wait(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.01)


def new_game(trainer, engine, size, rules="japanese", **more):
    engine.on_new_game()
    properties = {"SZ": size, "KM": 6.5, "RU": rules, **more}
    trainer.game = Game(trainer, engine, game_properties=properties)
    wait("the first analysis", lambda: trainer.game.root.analysis_complete)
    return trainer.game


def play_moves(game):
    """Moves of a person, one of them silly, each analysed."""
    for name in ("E5", "G5", "A1", "C5"):
        game.play(Move.from_gtp(name, player=game.current_node.next_player))
    nodes = game.current_node.nodes_from_root
    wait("the analysis of all moves", lambda: all(node.analysis_complete for node in nodes))
    node = game.current_node
    return {
        "scores": [n.score for n in nodes],
        "lost": {n.move.gtp(): n.points_lost for n in nodes[1:]},
        "candidates": [(c["move"], c["pointsLost"], c["visits"]) for c in node.candidate_moves],
        "ownership": len(node.ownership),
        "center": node.ownership[40],
        "policy": len(node.policy),
        "policy_sum": sum(p for p in node.policy if p > 0),
        "occupied": node.policy[40],
        "comment": nodes[3].comment(sgf=True),
    }


def ask_for_more(trainer, game):
    """Alternatives, a region, a refined move, and pondering that is stopped."""
    engine, node = game.engines["B"], game.current_node
    before = set(node.analysis["moves"])
    game.analyze_extra("alternative")
    wait("alternatives", engine.is_idle)
    after = set(node.analysis["moves"])
    game.region_of_interest = [0, 2, 0, 2]
    node.analyze(engine, region_of_interest=game.region_of_interest, visits=300)
    wait("the region", engine.is_idle)
    game.region_of_interest = None
    game.analyze_extra("equalize")
    wait("equal visits", engine.is_idle)
    visits = node.root_visits
    game.analyze_extra("ponder")
    wait("pondering", lambda: node.root_visits > visits)
    pondered = node.root_visits
    game.analyze_extra("stop")
    wait("the end of pondering", engine.is_idle)
    return {"new_moves": len(after - before), "pondered": pondered - visits}


def play_with_ais(trainer, game, strategies):
    """Moves of KaTrain's own strategies, in turn."""
    played = {}
    for name in strategies:
        node = game.current_node
        wait("the analysis before a move", lambda node=node: node.analysis_complete)
        settings = trainer.config(f"ai/{name}") or trainer.config("ai/ai:simple")
        move, new_node = generate_ai_move(game, name, settings)
        played[name] = move.gtp() if new_node else None
    return played


def finish(trainer, game):
    """The default strategy against itself, until both have passed."""
    while not game.end_result and game.current_node.depth < 120:
        play_with_ais(trainer, game, ["ai:default"])
    wait("the last analysis", lambda: game.current_node.analysis_complete)
    return {"moves": game.current_node.depth, "result": game.end_result}


def main():
    trainer = Trainer()
    config = dict(trainer.config("engine"))
    key = "altcommand" if backend == "custom" else "katago"
    config |= {"backend": backend, key: program, "max_visits": 1000, "max_time": 20.0}
    engine = KataGoEngine(trainer, config)
    told = {"command": engine.command}
    try:
        game = new_game(trainer, engine, 9)
        told["moves"] = play_moves(game)
        told["more"] = ask_for_more(trainer, game)
        strategies = ("ai:default", "ai:policy", "ai:p:weighted", "ai:simple", "ai:settle",
                      "ai:scoreloss", "ai:jigo", "ai:handicap")  # fmt: skip
        told["ais"] = play_with_ais(trainer, game, strategies)
        told["whole"] = finish(trainer, new_game(trainer, engine, 5, "chinese"))
        game = new_game(trainer, engine, 9, "chinese", HA=2, AB=["cc", "gg"])
        told["handicap"] = {"to_play": game.root.next_player, "score": game.root.score}
        told["alive"] = engine.check_alive()
    finally:
        engine.shutdown(finish=None)
        # What KaTrain itself calls errors, popups included.
        told["errors"] = [text for level, text in trainer.messages if level == OUTPUT_ERROR]
        told["stderr"] = [t for level, t in trainer.messages if level == OUTPUT_KATAGO_STDERR]
        print(json.dumps(told), flush=True)


main()
