"""Every Python example of README.md and of the documentation runs, and its hooks do what they say.

`make docs` builds the pages themselves; a warning of it is an error.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parent.parent
ALL_PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def python_blocks(text: str) -> str:
    """The Python blocks of a page as one program; each line keeps its number."""
    program, inside = [], False
    for line in text.splitlines():
        opens = not inside and line.strip().startswith("```python")
        closes = inside and line.strip() == "```"
        program.append("" if opens or closes or not inside else line)
        inside = opens or (inside and not closes)
    return "\n".join(program)


PAGES = [page for page in ALL_PAGES if python_blocks(page.read_text(encoding="utf-8")).strip()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = python_blocks(page.read_text(encoding="utf-8"))
    # A real file, not exec: tracebacks show its lines, and compiled functions find their source.
    path = tmp_path / f"{page.stem.replace('-', '_')}.py"
    path.write_text(program, encoding="utf-8")
    monkeypatch.chdir(tmp_path)  # what an example writes stays there
    runpy.run_path(str(path), run_name="__main__")


def test_blocks_are_found_and_keep_their_lines() -> None:
    page = "text\n```python\na = 1\n```\n```console\nb\n```\n```python\nc = a\n```\n"
    assert python_blocks(page).splitlines() == ["", "", "a = 1", *[""] * 5, "c = a"]


# --- results in a page -----------------------------------------------------------------

TABLE = """\
# X: a tiny one

no paper; quick scale. Intervals are of 95 %.

## games won, %

| row | label | paper | ours | 95 % |
|---|---|---:|---:|---:|
| `a` | one \\| other | 50.0 | 40.0 | 30.0 to 50.0 |
| `b` | never run | 50.0 | – |  |

## nothing was run here, %

| row | label | ours |
|---|---|---:|
| `c` | never run | – |

## a long one, points

| row | label | ours |
|---|---|---:|
{rows}

- a above b: holds

A note.
"""
ROW = "| `r{}` | some | 1.0 |"


@pytest.fixture
def hooks(tmp_path: Path) -> Any:
    """The hooks, with the results of a tiny experiment."""
    found = runpy.run_path(str(ROOT / "docs/hooks.py"))
    found["section"].__globals__["RESULTS"] = tmp_path
    folder = tmp_path / "X/quick"
    folder.mkdir(parents=True)
    table = TABLE.format(rows="\n".join(map(ROW.format, range(found["LONG"] + 1))))
    (folder / "table.md").write_text(table, encoding="utf-8")
    (folder / "figure.svg").touch()
    return SimpleNamespace(**found)


def test_results_stand_apart_from_each_other(hooks: Any) -> None:
    page = hooks.on_page_markdown("Before.\n\n{{ results X/quick }}\n\nAfter.")
    blocks = page.split("\n\n")
    for block in (
        "## X: a tiny one",
        "![X: a tiny one](results/X/quick/figure.svg)",
        "**games won, %**",
        "- a above b: holds",
        "A note.",
    ):
        assert block in blocks
    tables = [block for block in blocks if block.startswith("|")]
    assert [len(table.splitlines()) for table in tables] == [3]
    assert all(line.startswith("|") for table in tables for line in table.splitlines())
    assert "never run" not in page
    assert "nothing was run here" not in page


def test_a_long_table_is_folded(hooks: Any) -> None:
    page = hooks.section("X/quick")
    assert f'??? abstract "a long one, points: {hooks.LONG + 1} rows"\n\n    | row |' in page
    assert "    | `r0` | some | 1.0 |" in page


def test_a_bar_in_a_table_is_shown_without_its_backslash(hooks: Any) -> None:
    html = hooks.on_page_content(r"<td><code>--scale quick\|full</code></td><p>a\|b</p>")
    assert html == r'<td><code class="short">--scale quick|full</code></td><p>a\|b</p>'


@pytest.mark.parametrize(
    ("html", "warned"),
    [
        ('<script src="https://example.org/x.js"></script>', True),
        ('<link rel="stylesheet" href=//example.org/x.css>', True),
        ('<link rel="icon" href="https://example.org/x.png">', True),
        ('<script src="assets/x.js"></script><a href="https://example.org">', False),
        ('<link rel="canonical" href="http://localhost:8000/">', False),
    ],
)
def test_what_needs_the_network_is_warned_of(
    hooks: Any, caplog: pytest.LogCaptureFixture, html: str, warned: bool
) -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="index.md"))
    assert hooks.on_post_page(html, page) == html
    assert ("would fetch" in caplog.text) == warned


def test_the_results_that_pages_show_are_there() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in ALL_PAGES)
    shown = re.findall(r"^\{\{ results (\S+) \}\}$", text, re.MULTILINE)
    assert len(shown) > 10
    missing = [name for name in shown if not (ROOT / "results" / name / "table.md").exists()]
    assert not missing


def test_the_picture_of_the_home_page() -> None:
    home = SimpleNamespace(**runpy.run_path(str(ROOT / "docs/home.py")))
    position = home.position_shown()
    stones = len(position.stones("black")) + len(position.stones("white"))
    for drawn in (home.picture(position, 200), (ROOT / "docs/home.svg").read_text("utf-8")):
        circles = ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}circle")
        assert sum(circle.get("r") == "20" for circle in circles) == stones
