"""Sources in the documentation: a link to a file of the package leads to a page of its code.

In a page, [`kernels/tree/select.py: score`](../src/montego/kernels/tree/select.py) is a link that
any viewer of Markdown follows.  In the site it leads to that definition, on a page with the whole
file.  Wherever a page or a comment cites a method by its id, that leads to the key (methods.md).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "src/montego"
CONTRIBUTING = DOCS.parent / "CONTRIBUTING.md"
KEY = "methods.md"
FENCE = re.compile(r"(^ *(?P<mark>```+|~~~+).*?^ *(?P=mark)$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[`([^`]+)`\]\((?:\.\./)?src/montego/([\w/]+)\.py\)")
TAG = re.compile(r"(<[^>]+>)")
ID = re.compile(r"(?<![\w-])([POHTRK]\d{1,2}b?)(?![\w-])")
ROW = re.compile(r'^\| <a id="\w+"></a>(\w+) \|', re.MULTILINE)
NO_PROSE = ("a", "code", "pre", "h1", "h2", "h3", "h4", "script", "style")
"""Elements in which no id is a citation; of code, only comments and docstrings are read."""
SAID = re.compile(r'<span class="(?:c1|sd)">')


class Piece(NamedTuple):
    """A definition of a file, or what stands before the first one (without a name)."""

    name: str
    line: int
    code: str


# --- the site --------------------------------------------------------------------------


def on_files(files: Files, config: Any) -> Files:
    """Add a page for every file that a page links to, and CONTRIBUTING.md."""
    from mkdocs.structure.files import File, InclusionLevel

    contributing = CONTRIBUTING.read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "contributing.md", content=contributing))
    texts = [page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")]
    for file, names in linked([*texts, contributing]).items():
        page = page_of(file, names)
        hidden = InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, f"source/{file}.md", content=page, inclusion=hidden))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let links to sources lead to their pages."""
    parts = prose(markdown)
    for i in range(0, len(parts), 2):
        parts[i] = LINK.sub(_to_page, parts[i]).replace("](../CONTRIBUTING.md", "](contributing.md")
    return "".join(parts)


def on_page_content(html: str, page: Page, files: Files, **_: Any) -> str:
    """Let ids lead to the key."""
    key = files.get_file_from_path(KEY)
    if key is None or page.file.src_uri == KEY:
        return html
    known = set(ROW.findall((DOCS / KEY).read_text(encoding="utf-8")))
    return with_ids(html, known, key.url_relative_to(page.file))


def linked(pages: list[str]) -> dict[str, set[str]]:
    """The files that pages link to, and the names in them."""
    found: dict[str, set[str]] = {}
    texts = (part for page in pages for part in prose(page)[::2])
    for text, file in (link for part in texts for link in LINK.findall(part)):
        found.setdefault(file, set()).add(text.partition(": ")[2])
    return found


def prose(markdown: str) -> list[str]:
    """Prose and blocks of code in turn."""
    parts = FENCE.split(markdown)
    return [part for i, part in enumerate(parts) if i % 3 != 2]  # without the marks


def _to_page(link: re.Match[str]) -> str:
    text, file = link.groups()
    name = text.partition(": ")[2]
    return f"[`{text}`](source/{file}.md{'#' + name if name else ''})"


# --- a page of code --------------------------------------------------------------------


def page_of(file: str, names: set[str]) -> str:
    """A file as Markdown, with a heading for every definition, and for the constants in names."""
    parts = ["---", "search:", "  exclude: true", "---", f"# `{file}.py`", ""]
    for name, line, code in pieces((PACKAGE / f"{file}.py").read_text(encoding="utf-8"), names):
        if name:
            parts += [f"{'###' if '.' in name else '##'} `{name}` {{ #{name} }}", ""]
        parts += [f'`````{{ .python linenums="{line}" }}', code, "`````", ""]
    return "\n".join(parts)


def pieces(source: str, names: set[str]) -> Iterator[Piece]:
    """A source, cut before every function, class and method, and before the constants in names."""
    lines = source.splitlines()
    cuts = [(0, ""), *((_first(lines, line), name) for name, line in _places(source, names))]
    ends = [line for line, _ in cuts[1:]] + [len(lines)]
    for (begin, name), end in zip(cuts, ends, strict=True):
        while begin < end and not lines[begin].strip():
            begin += 1
        if begin < end:
            yield Piece(name, begin + 1, "\n".join(lines[begin:end]).rstrip())


def _places(source: str, names: set[str]) -> Iterator[tuple[str, int]]:
    """Definitions by name, with the line (from 0) of their first decorator."""
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield node.name, _line(node)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if name in names:
                    yield name, node.lineno - 1
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, ast.FunctionDef):
                yield f"{node.name}.{inner.name}", _line(inner)  # type: ignore[union-attr]


def _line(node: ast.FunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1


def _first(lines: list[str], line: int) -> int:
    """Where a definition begins if the comments above it belong to it."""
    first = line
    while line > 0 and (not lines[line - 1].strip() or lines[line - 1].lstrip().startswith("#")):
        line -= 1
        first = line if lines[line].strip() else first
    return first


# --- ids -------------------------------------------------------------------------------


def with_ids(html: str, known: set[str], key: str) -> str:
    """HTML in which the ids that are known lead to the key."""

    def link(found: re.Match[str]) -> str:
        name = found.group(1)
        return f'<a href="{key}#{name.lower()}">{name}</a>' if name in known else name

    closed, said, parts = 0, False, []
    for part in TAG.split(html):
        if part.startswith("<"):
            element = re.split(r"[\s>/]", part.removeprefix("</").removeprefix("<"), maxsplit=1)[0]
            closed += (element in NO_PROSE) * (-1 if part.startswith("</") else 1)
            said = bool(SAID.match(part))
        elif said or not closed:
            part = ID.sub(link, part)
        parts.append(part)
    return "".join(parts)
