"""Game records under attack: 30,000 files, none of which costs more than a typed error."""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from montego.go import GoError, sgf
from montego.go.notes import annotate
from montego.go.sgf import GameRecord
from tests.attack.conftest import Attack
from tests.attack.records import record

MOST_SECONDS = 8.0
"""Of processor time for a file of 4 MB: about two, on a machine that has other work to do."""
MOST_MEGABYTES = 2_000


def use(data: bytes, path: Path) -> bool:
    """All that is done with a file; returns whether it held a game."""
    path.write_bytes(data)
    try:
        sgf.split(data)
        game = sgf.load(path)
        annotate(data, {})
    except GoError as error:
        told = str(error)
    else:
        check_return(game)
        return True
    assert told
    assert "\n" not in told
    return False


def check_return(game: GameRecord) -> None:
    """A game that was read and is written comes back."""
    again = sgf.loads(sgf.dumps(GameRecord(game.position, game.black, game.white)))
    assert again.position.moves == game.position.moves
    assert again.position.diagram() == game.position.diagram()
    assert again.position.to_play == game.position.to_play


def test_sgf(attack: Attack, tmp_path: Path) -> None:
    games, slowest = 0, 0.0
    for number in attack.steps(30_000):
        data = record(attack.random)
        begin = time.process_time()
        try:
            games += use(data, tmp_path / "record.sgf")
        except Exception:
            kept = Path(f"attack-{number}.sgf")
            kept.write_bytes(data)
            print(f"kept as {kept.resolve()}", file=sys.stderr)
            raise
        slowest = max(slowest, time.process_time() - begin)
        assert slowest < MOST_SECONDS, data[:100]
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert used < MOST_MEGABYTES
    attack.tell(f"files, {games:,} of them games, the slowest {slowest:.1f} s, {used:.0f} MB")
