"""Every Python example of README.md and of the documentation runs."""

from __future__ import annotations

import runpy
from pathlib import Path

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
