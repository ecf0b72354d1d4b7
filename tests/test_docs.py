"""Every Python example of README.md and of the documentation runs, patches in how-tos apply, and
the hooks do what they say.

`make docs` builds the pages themselves; a warning of it is an error.
"""

from __future__ import annotations

import ast
import os
import re
import runpy
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from montego.lab.base.record import read_config
from tests.test_layers import ROOMS, room_of

ROOT = Path(__file__).resolve().parent.parent
ALL_PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("**/*.md")),
]


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


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_finished(page: Path) -> None:
    """No word in capitals that waits for what it stands for."""
    lines = page.read_text(encoding="utf-8").splitlines()
    places = re.compile(r"\b(TODO|TBD|FIXME|FILL|XXX)\b|^[A-Z]{4,}$")
    assert not [line for line in lines if places.search(line)]


def test_the_rules_of_ones_own_are_those_that_were_played() -> None:
    page = (ROOT / "docs/your-own-rule.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```python title=\"rules.py\"\n(.*?)^```$", page, re.M | re.S)
    folder = ROOT / "results/own-rules"
    played = (folder / "rules.py").read_bytes()
    assert shown.encode() == played
    for name in ("like", "tuned"):
        config = read_config(folder / name)
        assert config["digest of rules.py"] == sha256(played).hexdigest()[:16]


# --- how-tos ---------------------------------------------------------------------------

BLOCK = re.compile(r"^```(diff|py)(?: title=\"([^\"\n]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOWTOS = sorted((ROOT / "docs").glob("howto-*.md"))


def git_apply(patch: str, copy: Path, *options: str) -> subprocess.CompletedProcess[str]:
    alone = os.environ | {"GIT_CEILING_DIRECTORIES": str(copy.parent)}  # no repository above it
    return subprocess.run(
        ["git", "apply", "--whitespace=nowarn", *options, "-"],
        input=patch, text=True, capture_output=True, cwd=copy, env=alone,
    )  # fmt: skip


def follow(page: Path, copy: Path) -> str:
    """Do what a how-to says in a copy of the sources; returns the program that uses the result."""
    for folder in ("src", "tests"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    patches = "".join(text for kind, _, text in blocks if kind == "diff")
    if git_apply(patches, copy, "--reverse", "--check").returncode == 0:
        pytest.skip("this how-to has been followed here: its patches are in the sources")
    program = []
    for kind, title, text in blocks:
        if kind == "diff":
            done = git_apply(text, copy)
            assert done.returncode == 0, f"{done.stderr}\n{text}"
        elif title:
            (copy / title).write_text(text, encoding="utf-8")
        else:
            program.append(text)
    return "\n".join(program)


@pytest.mark.parametrize("page", HOWTOS, ids=lambda page: page.stem)
def test_the_patches_of_a_howto_apply(page: Path, tmp_path: Path) -> None:
    program = follow(page, tmp_path)
    changed = [
        path
        for path in tmp_path.glob("**/*.py")
        if not (kept := ROOT / path.relative_to(tmp_path)).exists()
        or path.read_bytes() != kept.read_bytes()
    ]
    assert len(changed) >= 3
    for text in [program, *(path.read_text(encoding="utf-8") for path in changed)]:
        ast.parse(text)


@pytest.mark.slow
@pytest.mark.parametrize("page", HOWTOS, ids=lambda page: page.stem)
def test_what_a_howto_builds_runs(page: Path, tmp_path: Path) -> None:
    program = tmp_path / "use.py"
    program.write_text(follow(page, tmp_path), encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(tmp_path / "src"),
        "MONTEGO_CACHE": str(tmp_path / "cache"),
    }
    subprocess.run([sys.executable, str(program)], env=environment, cwd=tmp_path, check=True)


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
    assert len(shown) > 8
    missing = [name for name in shown if not (ROOT / "results" / name / "table.md").exists()]
    assert not missing


def test_the_picture_of_the_home_page() -> None:
    home = SimpleNamespace(**runpy.run_path(str(ROOT / "docs/home.py")))
    position = home.position_shown()
    stones = len(position.stones("black")) + len(position.stones("white"))
    for drawn in (home.picture(position, 200), (ROOT / "docs/home.svg").read_text("utf-8")):
        circles = ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}circle")
        assert sum(circle.get("r") == "20" for circle in circles) == stones


# --- sources in a page -----------------------------------------------------------------


@pytest.fixture(scope="module")
def sources() -> Any:
    return SimpleNamespace(**runpy.run_path(str(ROOT / "docs/sources.py")))


SOURCE = """\
\"\"\"A module.\"\"\"

LIMIT = 3
OTHER = 4


# --- a part ---


@leaf
def first(x):
    return x


class Second:
    size = 1

    def method(self):
        # P7
        return LIMIT
"""


def test_a_source_is_cut_at_its_definitions(sources: Any) -> None:
    pieces = list(sources.pieces(SOURCE, {"OTHER"}))
    assert [(name, line) for name, line, _ in pieces] == [
        ("", 1), ("OTHER", 4), ("first", 7), ("Second", 15), ("Second.method", 18),
    ]  # fmt: skip
    kept = [line for piece in pieces for line in piece.code.splitlines() if line.strip()]
    assert kept == [line for line in SOURCE.splitlines() if line.strip()]


def test_links_lead_to_pages_of_sources(sources: Any) -> None:
    link = "[`mcts/strategies.py: Uct`](../src/montego/mcts/strategies.py)"
    page = f"{link} [x](../CONTRIBUTING.md#tests)\n\n```text\n{link}\n```\n"
    made = sources.on_page_markdown(page)
    assert made.startswith(
        "[`mcts/strategies.py: Uct`](source/mcts/strategies.md#Uct) [x](contributing.md#t"
    )
    assert made.endswith(f"```text\n{link}\n```\n")
    assert sources.linked([page]) == {"mcts/strategies": {"Uct"}}
    assert "## `Uct` { #Uct }" in sources.page_of("mcts/strategies", {"Uct"})


@pytest.mark.parametrize(
    ("html", "with_links"),
    [
        ("<p>UCT (P1), T19</p>", '<p>UCT (<a href="k#p1">P1</a>), T19</p>'),
        ("<h2>P1</h2><code>P1</code>", "<h2>P1</h2><code>P1</code>"),
        (
            '<pre><span class="n">P1</span><span class="c1"># P1</span></pre>',
            '<pre><span class="n">P1</span><span class="c1"># <a href="k#p1">P1</a></span></pre>',
        ),
    ],
)
def test_ids_lead_to_the_key(sources: Any, html: str, with_links: str) -> None:
    assert sources.with_ids(html, {"P1"}, "k") == with_links


# --- the rooms -------------------------------------------------------------------------


def test_the_picture_of_the_rooms_is_that_of_the_imports() -> None:
    rooms = SimpleNamespace(**runpy.run_path(str(ROOT / "docs/rooms.py")))
    drawn = (ROOT / "docs/rooms.svg").read_text(encoding="utf-8")
    assert drawn == rooms.picture(), "python -m docs.rooms"
    shown = {name.partition(".")[0] for name in rooms.BOXES} | set(rooms.BOXES)
    assert set(ROOMS) <= shown


def test_the_reading_order_is_that_of_the_rooms() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Reading the code")[2]
    files = re.findall(r"\(src/(montego/[\w/]+)\.py\)", text)
    order = [ROOMS.index(room_of(file.replace("/", "."))) for file in files]
    assert order == sorted(order)
    assert len(set(order)) > 15
