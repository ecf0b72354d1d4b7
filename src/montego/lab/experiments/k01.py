"""K1: each kind of knowledge by itself: our program with it against our program without it."""

from __future__ import annotations

from montego.lab.base.statistics import Sprt
from montego.lab.experiments.matches import Amount, duel
from montego.lab.experiments.model import Experiment, Panel, Row, Scale

USED = {  # what the recipe knows: label, and the settings that take it away
    "learned": ("shapes and features, learned, in the tree", "knowledge.learned_games=0"),
    "atari": ("captures and escapes", "playout.atari=0"),
    "race": ("fights of two liberties", "playout.race=0"),
    "hole": ("nakade", "playout.hole=0"),
    "local": ("3×3 shapes at the last move", "playout.local=0"),
    "veto": ("no self-ataris", "playout.veto=0,playout.veto_random=0"),
    "judged": (
        "self-ataris by purpose, seki left alone",
        "playout.judged=false,playout.veto=0.9,playout.veto_random=0.9",
    ),
    "poor": ("no poor shapes at random", "playout.poor=0"),
    "decay": ("RAVE weights falling along the playout", "selection.rave_decay=0"),
}
UNUSED = {  # what it could know: label, and the settings that add it
    "victim": ("semeai", "playout.victim=1"),
    "eye": ("eye-making points", "playout.eye=1"),
    "fill": ("fill board", "playout.fill_tries=4"),
    "reply": ("last good reply", "playout.reply=0.5"),
    "weighted": ("3×3 shapes by learned strengths", "playout.weighted=true"),
    "approach": ("approach moves", "playout.approach=0.5"),
    "anywhere": ("captures anywhere", "playout.anywhere=1"),
    "before": ("3×3 shapes at the move before", "playout.local_before=1"),
    "critical": ("criticality", "knowledge.critical_games=50"),
}
HELPS_OR_HARMS = Sprt(-30, 30)
AMOUNTS = {
    Scale.quick: Amount("simulations=300", 20),
    Scale.full: Amount("seconds=0.15", 200, HELPS_OR_HARMS),
}


def kind_row(name: str, scale: Scale, key: str, panel: Panel, size: int, amount: Amount) -> Row:
    """With a kind of knowledge against without it; what differs stands behind the name."""
    if key in USED:
        label, settings = USED[key]
        players = ("search:classic", f"search:classic,{settings}")
    else:
        label, settings = UNUSED[key]
        players = (f"search:classic,{settings}", "search:classic")
    return duel(name, scale, key, panel, label, players, size, amount)


PANEL_USED = Panel("games won with what the program knows against without it, 9×9", even=50.0)
PANEL_UNUSED = Panel("games won with what it could know against without it, 9×9", even=50.0)


def rows(scale: Scale) -> list[Row]:
    return [
        kind_row("K1", scale, key, PANEL_USED if key in USED else PANEL_UNUSED, 9, AMOUNTS[scale])
        for key in (*USED, *UNUSED)
    ]


EXPERIMENT = Experiment(
    "K1",
    "Each kind of knowledge, 9×9",
    "our own question",
    rows,
    notes="Equal time at the full scale, 0.15 s a move, which was 900 to 1,500 simulations here. "
    "A match ends when it is decided (SPRT, −30 against 30 Elo), so a clear lead looks a little "
    "larger than it is.",
)
