"""Many small matches as one file: what each played for, its settings, lines and games.

A match is two files, and the records of small ones would be hundreds.  Writes DIR/matches.json.gz
from the matches in DIR, and removes them; what that file holds already comes first, so that a
folder can be folded again.  ABOUT is a JSON file of a text for each of them, by folder.

    python benchmarks/fold.py DIR ABOUT
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from montego.lab.base.record import Record, read_games, read_sgfs

FOLDED = "matches.json.gz"
KEPT = {"games.jsonl", "games.sgfs", "games.sgfs.gz", "lock"}
"""The files of a match."""


def folded(folder: Path, name: str, about: str) -> dict[str, Any]:
    """A match as it is kept; a KeyError says which game was kept without its moves."""
    lines = read_games(folder)
    games, winners = read_sgfs(folder, lines), Counter(line["winner"] for line in lines)
    return {
        "name": name, "about": about, "match": Record.read_config(folder),
        "won": winners["first"], "lost": winners["second"], "games": lines,
        "sgfs": [games[line["game"]].decode() for line in lines],
    }  # fmt: skip


def read(path: Path) -> list[dict[str, Any]]:
    """What was folded before."""
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        matches: list[dict[str, Any]] = json.load(file)
    return matches


def main() -> None:
    """Fold."""
    parser = argparse.ArgumentParser(description="Fold matches into one file.")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("about", type=Path, metavar="ABOUT")
    given = parser.parse_args()
    about = json.loads(given.about.read_text(encoding="utf-8"))
    folders = {found.relative_to(given.folder).as_posix(): found
               for found in Record.find(given.folder)}  # fmt: skip
    if unknown := folders.keys() - about.keys():
        parser.error(f"{given.about} says nothing of {', '.join(sorted(unknown))}")
    for path in folders.values():
        if others := {one.name for one in path.iterdir()} - KEPT:
            parser.error(f"{path} holds more than a match: {', '.join(sorted(others))}")
    matches = read(given.folder / FOLDED)
    matches += [folded(path, name, about[name]) for name, path in sorted(folders.items())]
    text = json.dumps(matches, ensure_ascii=False, separators=(",", ":"))
    unfinished = given.folder / f".{FOLDED}.unfinished"
    unfinished.write_bytes(gzip.compress(text.encode(), mtime=0))
    unfinished.replace(given.folder / FOLDED)
    for path in folders.values():
        shutil.rmtree(path)
    print(f"{len(matches)} matches in {given.folder / FOLDED}")


if __name__ == "__main__":
    main()
