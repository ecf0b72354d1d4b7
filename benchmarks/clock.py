"""No loss on time: fast games on a machine that is busy with other things as well.

Engines share their cores with loops that only burn time.  A referee keeps the clocks by its own
watch and its own rules, tells them with ``time_left`` as a server does, and notes how near every
flag came and how much of the time given was used: being safe by using none of it would be no art.

Two loads: ``one-core``, four games at once and two loops on one core, and ``all-cores``, engines
of two threads and two loops everywhere, the referee among them, by the shortest of times.

    python benchmarks/clock.py [--load one-core] [--games 200] [--out FOLDER] [--json]

With ``--out`` the games are kept as they end, and what was begun there is gone on with.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from montego.lab.base.provenance import provenance
from montego.lab.matches.program import GtpProgram

KOMI = 7.5
PATIENCE = 60.0
"""Seconds until a reply counts as none; a flag has fallen long before."""
BURN = [sys.executable, "-c", "import os\np = os.getppid()\nwhile os.getppid() == p: pass"]
"""Burns until it is killed, or nobody is left who could do that."""
ENGINE = [sys.executable, "-m", "montego", "gtp", "--memory", "64"]


@dataclass(frozen=True)
class Setting:
    """What a game is played by: the board, and the time as ``kata-time_settings`` writes it."""

    size: int
    system: str

    def __str__(self) -> str:
        return f"{self.size}x{self.size} {self.system}"

    @property
    def most_moves(self) -> int:
        return 2 * self.size**2


@dataclass(frozen=True)
class Load:
    """How busy the machine is, and what is played on it in turn."""

    settings: tuple[Setting, ...]
    cores: int | None
    """How many cores the engines and the loops share; None for all."""
    threads: int
    at_once: int
    """Games at a time."""
    burners: int


_ONE_CORE = (
    "absolute 10",
    "canadian 2 5 10",
    "byoyomi 0 0.5 1",
    "byoyomi 0 1 1",
    "fischer 2 0.3",
)
LOADS = {
    "one-core": Load(
        tuple(Setting(9, system) for system in _ONE_CORE),
        cores=1, threads=1, at_once=4, burners=2,
    ),
    "all-cores": Load(
        (  # the shorter, the more often
            Setting(19, "absolute 5"),
            *[Setting(13, "absolute 2")] * 2,
            *[Setting(9, "fischer 0.2 0.05")] * 3,
            *[Setting(9, "absolute 0.3")] * 14,
        ),
        cores=None, threads=2, at_once=1, burners=2,
    ),
}  # fmt: skip


# --- the referee's clock ---------------------------------------------------------------


@dataclass
class Flag:
    """One player's clock, by the rules of a time system and the referee's watch."""

    system: str
    seconds: float = field(init=False)
    overtime: int = 0
    """Stones still to play or periods left; 0 in the main time."""
    given: float = field(init=False)
    used: float = 0.0
    slowest: float = 0.0
    """The longest move."""
    closest: float = float("inf")
    """The least that was left when a move was done."""
    fell: bool = False

    def __post_init__(self) -> None:
        self.kind, *numbers = self.system.split()
        self.main, self.period, self.count = (*map(float, numbers), 0.0, 0.0)[:3]
        self.seconds = self.given = self.main
        if self.main <= 0:
            self._enter_overtime(0.0)

    def _enter_overtime(self, over: float) -> None:
        self.overtime, self.seconds = int(self.count), self.period - over

    def spend(self, seconds: float) -> None:
        """A move took this long."""
        self.used += seconds
        self.slowest = max(self.slowest, seconds)
        self.seconds -= seconds
        if self.seconds <= 0 and self.overtime == 0 and self.count > 0:
            self._enter_overtime(-self.seconds)  # the main time is over, which is no loss
        if self.overtime or self.count == 0:
            self.closest = min(self.closest, self.seconds)
        self.fell = self.fell or self.seconds <= 0
        self._after_a_move()

    def _after_a_move(self) -> None:
        if self.kind == "fischer":
            self.seconds += self.period
            self.given += self.period
        elif self.overtime and self.kind == "byoyomi":
            self.seconds = self.period
            self.given += self.period
        elif self.overtime:  # canadian
            self.overtime -= 1
            self.given += self.period / self.count
            if self.overtime == 0:
                self._enter_overtime(0.0)

    def left(self) -> str:
        """As ``time_left`` takes it."""
        return f"{max(self.seconds, 0.0):.3f} {self.overtime}"


# --- games -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """What is kept of a game; pairs are Black's and White's."""

    game: int
    setting: str
    result: str
    used: tuple[float, float]
    slowest: tuple[float, float]
    given: tuple[float, float]
    closest: tuple[float, float]
    flags: int
    moves: str


def play(game: int, setting: Setting, players: Sequence[GtpProgram]) -> Played:
    """One game of two programs, by the referee's clocks."""
    for player in players:
        for command in (f"boardsize {setting.size}", "clear_board", f"komi {KOMI}"):
            player.ask(command, PATIENCE)
        player.ask(f"kata-time_settings {setting.system}", PATIENCE)
    flags, moves, result = (Flag(setting.system), Flag(setting.system)), list[str](), ""
    while not result and len(moves) < setting.most_moves:
        mover = len(moves) % 2
        color, flag = "bw"[mover], flags[mover]
        players[mover].ask(f"time_left {color} {flag.left()}", PATIENCE)
        begin = time.perf_counter()
        move = players[mover].ask(f"genmove {color}", PATIENCE)
        flag.spend(time.perf_counter() - begin)
        moves.append(move)
        result = _result(moves, flag, "WB"[mover])
        if not result:
            players[1 - mover].ask(f"play {color} {move}", PATIENCE)
    pairs: dict[str, Any] = {
        name: tuple(round(getattr(flag, name), 3) for flag in flags)
        for name in ("used", "slowest", "given", "closest")
    }
    fallen = sum(flag.fell for flag in flags)
    name = str(setting)
    return Played(game, name, result or "long", **pairs, flags=fallen, moves=" ".join(moves))


def _result(moves: list[str], flag: Flag, opponent: str) -> str:
    if flag.fell:
        return f"{opponent}+T"
    if moves[-1].lower() == "resign":
        return f"{opponent}+R"
    return "passes" if [move.lower() for move in moves[-2:]] == ["pass", "pass"] else ""


# --- a busy machine --------------------------------------------------------------------


@contextmanager
def busy_machine(load: Load) -> Iterator[list[GtpProgram]]:
    """Engines and burning loops on the cores of a load, this process on all there are."""
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(everywhere)[: load.cores])
    fires: list[subprocess.Popen[bytes]] = []
    programs: list[GtpProgram] = []
    engine = [*ENGINE, "--threads", str(load.threads)]
    try:
        programs += [GtpProgram([*engine, "--seed", str(i)]) for i in range(2 * load.at_once)]
        for program in programs:
            program.ask("clear_board", 10 * PATIENCE)  # the kernels are there now
        # In sessions of their own, as other people's programs would be.
        fires += [subprocess.Popen(BURN, start_new_session=True) for _ in range(load.burners)]
        for thread in os.listdir("/proc/self/task"):
            os.sched_setaffinity(int(thread), everywhere)
        yield programs
    finally:
        for fire in fires:
            fire.kill()
            fire.wait()
        for program in programs:
            program.close()


def play_all(load: Load, numbers: Sequence[int], out: Path | None = None) -> list[Played]:
    """Play games by all settings in turn, several at once; a flag that falls stops nothing."""
    played: list[Played] = []
    lock = threading.Lock()
    with (
        busy_machine(load) as programs,
        ThreadPoolExecutor(load.at_once) as pool,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task("games", total=len(numbers))
        pairs = SimpleQueue[Sequence[GtpProgram]]()
        for i in range(load.at_once):
            pairs.put(programs[2 * i : 2 * i + 2])

        def one(game: int) -> None:
            players = pairs.get()
            done = play(game, load.settings[game % len(load.settings)], players)
            pairs.put(players)
            with lock:
                played.append(done)
                _keep(out, done)
                progress.advance(task)

        try:
            list(pool.map(one, numbers))
        except BaseException:  # Ctrl-C, say: the games that run end with their programs
            pool.shutdown(wait=False, cancel_futures=True)
            for program in programs:
                program.close()
            raise
    return played


def _keep(out: Path | None, done: Played) -> None:
    if out is not None:
        with (out / "games.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(done)) + "\n")


def kept(out: Path | None) -> list[Played]:
    """The games that were played before."""
    if out is None or not (out / "games.jsonl").exists():
        return []
    lines = (out / "games.jsonl").read_text(encoding="utf-8").splitlines()
    return [Played(**json.loads(line)) for line in lines]


# --- the report ------------------------------------------------------------------------


def summary(games: Sequence[Played]) -> dict[str, dict[str, float]]:
    """By setting: games, moves, fallen flags, the closest call, the part of time used."""
    table: dict[str, dict[str, float]] = {}
    for setting in dict.fromkeys(game.setting for game in sorted(games, key=lambda g: g.game)):
        those = [game for game in games if game.setting == setting]
        used, given = (sum(sum(getattr(g, name)) for g in those) for name in ("used", "given"))
        table[setting] = {
            "games": len(those),
            "moves": sum(len(game.moves.split()) for game in those),
            "flags": sum(game.flags for game in those),
            "closest": min(min(game.closest) for game in those),
            "used": round(used / given, 3),
        }
    return table


def show(table: dict[str, dict[str, float]]) -> None:
    """Print it."""
    shown = Table("setting", "games", "moves", "flags fallen", "least left", "time used")
    for setting, row in table.items():
        shown.add_row(
            setting, str(row["games"]), f"{row['moves']:,}", str(row["flags"]),
            f"{row['closest']:.2f} s", f"{row['used']:.0%}",
        )  # fmt: skip
    Console().print(shown)


def main() -> None:
    """Play, keep, print; the exit status tells whether a flag fell."""
    parser = argparse.ArgumentParser(description="Fast games on a busy machine: no loss on time.")
    parser.add_argument("--load", choices=LOADS, default="one-core")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--at-once", type=int, help="games at a time, if not the load's")
    parser.add_argument("--out", type=Path, help="a folder for the record")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    load = LOADS[options.load]
    if options.at_once:
        load = replace(load, at_once=options.at_once)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    origin = provenance()  # now: who waits for the games may edit on
    games = kept(options.out)
    missing = sorted({*range(options.games)} - {game.game for game in games})
    games += play_all(load, missing, options.out)
    table = summary(games)
    settings = {name: getattr(load, name) for name in ("cores", "threads", "at_once", "burners")}
    record = {"load": options.load} | settings | {"settings": table} | origin
    if options.out is not None:
        (options.out / "clock.json").write_text(json.dumps(record, indent=2) + "\n")
    if options.json:
        print(json.dumps(record, indent=2))
    else:
        show(table)
    sys.exit(any(row["flags"] for row in table.values()))


if __name__ == "__main__":
    main()
