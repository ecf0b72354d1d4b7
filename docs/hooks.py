"""Results in the documentation: tables and figures straight from their records.

A line ``{{ results R1/full }}`` in a page becomes the figure of ``results/R1/full`` and the rows of
its ``table.md`` that were really run; long tables are folded.  And no page may need the network:
whatever it would fetch from elsewhere is a warning, which ``--strict`` makes an error.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

RESULTS = Path(__file__).parent.parent / "results"
INCLUDE = re.compile(r"^\{\{ results (\S+) \}\}$", re.MULTILINE)
FETCHED = re.compile(
    r"<(?:script|img|iframe|link(?![^>]*rel=\"?(?:canonical|prev|next|alternate)))\b"
    r"[^>]*?(?:src|href)=\"?((?:https?:)?//[^\s\">]+)"
)
"""What a browser loads with a page; the address of the page itself is none of it."""
CELL = re.compile(r"<td.*?</td>", re.DOTALL)
SHORT_CODE = re.compile(r"(?<!<pre>)<code>([^<\n]{1,26})</code>")
LONG = 12
"""Rows of a table that is folded."""
NOT_RUN = "–"
"""Where our figure would stand."""

log = logging.getLogger("mkdocs.hooks.results")


def on_files(files: Files, config: Any) -> Files:
    """Take the figures along."""
    from mkdocs.structure.files import File

    for figure in sorted(RESULTS.glob("*/*/figure.svg")):
        path = f"results/{figure.relative_to(RESULTS).as_posix()}"
        files.append(File.generated(config, path, abs_src_path=str(figure)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the tables in."""
    return INCLUDE.sub(lambda found: section(found.group(1)), markdown)


def on_page_content(html: str, **_: Any) -> str:
    r"""Show a bar in a table, which is written ``\|``, as GitHub does; mark code of a few words."""
    html = CELL.sub(lambda cell: cell.group().replace("\\|", "|"), html)
    return SHORT_CODE.sub(r'<code class="short">\1</code>', html)


def on_post_page(output: str, page: Page, **_: Any) -> str:
    """Warn of what would be fetched from another place."""
    for address in FETCHED.findall(output):
        log.warning("'%s' would fetch %s", page.file.src_uri, address)
    return output


def section(experiment: str) -> str:
    """The figure, the tables and the findings of an experiment at a scale, such as ``R1/full``."""
    text = (RESULTS / experiment / "table.md").read_text(encoding="utf-8")
    title, source, *blocks = text.strip().split("\n\n")
    name = title.removeprefix("# ")
    parts = [f"## {name}", source]
    if (RESULTS / experiment / "figure.svg").exists():
        parts.append(f"![{name}](results/{experiment}/figure.svg)")
    heading = ""
    for block in blocks:
        if block.startswith("## "):
            heading = block.removeprefix("## ")
        elif block.startswith("|"):
            parts += table(heading, block)
        else:
            parts.append(block)
    return "\n\n".join([*parts, ""])


def table(heading: str, block: str) -> list[str]:
    """A table with the rows that were run; nothing if none was, folded if it is long."""
    head, line, *rows = block.splitlines()
    ours = _cells(head).index("ours")
    kept = [row for row in rows if _cells(row)[ours] != NOT_RUN]
    if not kept:
        return []
    lines = [head, line, *kept]
    if len(kept) <= LONG:
        return [f"**{heading}**", "\n".join(lines)]
    title = f'??? abstract "{heading}: {len(kept)} rows"'
    return ["\n".join([title, "", *(f"    {one}" for one in lines)])]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
