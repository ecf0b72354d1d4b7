"""Results in the documentation: tables and figures straight from their records.

A line ``{{ results R1/full }}`` in a page becomes the rows of ``results/R1/full/table.md`` that
were really run, and the figure beside it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.structure.files import Files

RESULTS = Path(__file__).parent.parent / "results"
INCLUDE = re.compile(r"^\{\{ results (\S+) \}\}$", re.MULTILINE)
NOT_RUN = ("| not begun |", "| missing")


def on_files(files: Files, config: Any) -> Files:
    """Take the figures along."""
    for figure in sorted(RESULTS.glob("R*/*/figure.svg")):
        path = f"results/{figure.relative_to(RESULTS).as_posix()}"
        files.append(File.generated(config, path, abs_src_path=str(figure)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the tables in."""
    return INCLUDE.sub(lambda found: section(found.group(1)), markdown)


def section(experiment: str) -> str:
    """The table and the figure of an experiment at a scale, such as ``R1/full``."""
    lines = (RESULTS / experiment / "table.md").read_text(encoding="utf-8").splitlines()
    title = lines[0].removeprefix("# ")
    parts = [f"## {title}", *_that_were_run(lines[1:])]
    if (RESULTS / experiment / "figure.svg").exists():
        parts.append(f"![{title}](results/{experiment}/figure.svg)")
    return "\n".join([*parts, ""])


def _that_were_run(lines: list[str]) -> list[str]:
    """Without rows that were not run, nor tables of which nothing is left."""
    kept: list[str] = []
    for table in re.split(r"\n(?=## )", "\n".join(lines)):
        rows = [line for line in table.splitlines() if not any(mark in line for mark in NOT_RUN)]
        is_table = any(line.startswith("|---") for line in rows)
        if not is_table or sum(line.startswith("|") for line in rows) > 2:
            kept += [f"#{line}" if line.startswith("## ") else line for line in rows]
        else:  # what follows the last table is a note
            kept += [line for line in rows if line and line[0] not in "|#"]
    return kept
