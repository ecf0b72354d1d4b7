"""How many positions a player solves of those that ask for a move, by size of board.

    python benchmarks/positions.py INDEX.tsv [--player montego,simulations=2000] [--size 9] \
        [--every 1] [--json]

The index names for each position a game record, the move before which it stands, moves that are
played before the question, the question, a regular expression for the answer, and whether GNU Go is
known to fail (`*`).  Questions that restrict the moves are left out.  The positions become a
file that ``montego regress`` asks through GTP.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ASKS = ("reg_genmove", "gg_genmove")
Row = dict[str, str]


def positions(index: Path, size: int, every: int) -> list[Row]:
    """The questions of an index for one size of board; every so many of them."""
    with index.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    asked = [row for row in rows if int(row["size"]) == size and row["command"].startswith(ASKS)]
    return asked[::every]


def test_file(rows: list[Row], folder: Path) -> str:
    """The questions as GTP commands, each with the answer that is right."""
    lines = []
    for number, row in enumerate(rows, start=1):
        before = f" {row['before_move']}" if row["before_move"] else ""
        lines.append(f"loadsgf {folder / row['suite'] / row['sgf']}{before}")
        lines += [command.strip() for command in row["extra_setup"].split(";") if command.strip()]
        expected = row["expected_regex"]
        negated, expected = ("!", expected[1:]) if expected.startswith("!") else ("", expected)
        color = row["command"].split()[1]
        lines += [f"{number} reg_genmove {color}", f"#? [{negated}{expected}]*", ""]
    return "\n".join(lines)


def solved(rows: list[Row], folder: Path, player: str) -> list[bool]:
    """Which of them a player solves."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "positions.tst"
        path.write_text(test_file(rows, folder), encoding="utf-8")
        command = [sys.executable, "-m", "montego", "regress", str(path), "--player", player]
        done = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, check=False)
    told: dict[str, Any] = json.loads(done.stdout)["files"][0]
    for error in told["errors"]:
        print(error, file=sys.stderr)
    tests: list[dict[str, Any]] = told["tests"]
    found = {int(test["number"]): test["outcome"] == "unexpected pass" for test in tests}
    return [found.get(number, False) for number in range(1, len(rows) + 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("index", type=Path)
    parser.add_argument("--player", default="montego,simulations=2000")
    parser.add_argument("--size", type=int, action="append")
    parser.add_argument("--every", type=int, default=1, help="every so many positions only")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = []
    for size in given.size or (9, 13):
        rows = positions(given.index, size, given.every)
        right = solved(rows, given.index.resolve().parent, given.player)
        hard = [one for one, row in zip(right, rows, strict=True) if "*" in row["flags"]]
        found.append({
            "size": f"{size}x{size}", "player": given.player, "positions": len(rows),
            "solved": sum(right), "of_those_gnugo_fails": len(hard), "solved_of_those": sum(hard),
        })  # fmt: skip
        if not given.json:
            part = sum(right) / max(len(rows), 1)
            print(f"{size}×{size}: {sum(right)} of {len(rows)} ({part:.1%}), "
                  f"{sum(hard)} of {len(hard)} that GNU Go fails")  # fmt: skip
    if given.json:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
