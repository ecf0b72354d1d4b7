"""The key to the papers (docs/methods.md): every id that is cited leads to a line that is there.

Nothing is imported or compiled: sources are read as text and as syntax trees.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src/montego"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
SOURCES = [
    path
    for folder in ("src", "tests", "benchmarks", "docs")
    for path in sorted((ROOT / folder).glob("**/*.py"))
]
NOT_YET = "*not yet*"

ID = r"[POHTRK]\d{1,2}b?"
CITED = re.compile(rf"(?<![\w-])({ID})(?:(?:-|–| to )({ID}))?(?![\w-])")
ROW = re.compile(rf'^\| <a id="(\w+)"></a>({ID}) \|(.*)\|$', re.MULTILINE)
LINK = re.compile(r"\[`([^`]+)`\]\((?:\.\./)?src/montego/([\w/]+\.py)\)")
FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`|\(https?:[^)]*\)|\{\{.*?\}\}")
"""What is not prose: words of code, addresses, results that are put in."""


class Row(NamedTuple):
    """A method of the key."""

    anchor: str
    id: str
    method: str
    paper: str
    code: str
    explained: str


def rows_of(page: str) -> list[Row]:
    found = []
    for anchor, name, rest in ROW.findall(page):
        found.append(Row(anchor, name, *(cell.strip() for cell in rest.split("|"))))
    return found


KEY = (ROOT / "docs/methods.md").read_text(encoding="utf-8")
ROWS = rows_of(KEY)
IDS = [row.id for row in ROWS]
BUILT = [row for row in ROWS if row.code != NOT_YET]


# --- what is cited ---------------------------------------------------------------------


def cited(text: str) -> list[str]:
    """The ids of a text, in order; a range such as H1-H3 names all that the key has in between."""
    found: list[str] = []
    for first, last in CITED.findall(text):
        if last and first in IDS and last in IDS:
            found += IDS[IDS.index(first) : IDS.index(last) + 1]
        else:
            found += [first, last] if last else [first]
    return found


def told(path: Path) -> str:
    """What a file says to people: the comments and docstrings of a source, the prose of a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return CODE.sub(" ", FENCE.sub("", text))
    return "\n".join([*_comments(path), *_docstrings(ast.parse(text))])


def _comments(path: Path) -> Iterator[str]:
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.string


def _docstrings(tree: ast.Module) -> Iterator[str]:
    """Strings that stand alone: those of modules, classes, functions and constants."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text


@pytest.mark.parametrize("path", [*SOURCES, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_every_id_that_is_cited_is_in_the_key(path: Path) -> None:
    assert set(cited(told(path))) <= set(IDS)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("# P7: in the order of H", ["P7"]),
        ("MoGo's terms (T12, T12b)", ["T12", "T12b"]),
        ("Orego (H1-H4b)", ["H1", "H2", "H3", "H4", "H4b"]),
        ("(T13–T16), R4 to R6", ["T13", "T14", "T15", "T16", "R4", "R5", "R6"]),
        ("the node T, of T = 30, A1, OH2, P7x, B-T1", []),
        ("K99 to K100", ["K99"]),
    ],
)
def test_how_ids_are_read(text: str, ids: list[str]) -> None:
    assert cited(text) == ids


def test_code_in_a_page_cites_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("P1 `K10` and\n```python\nT19\n```\n{{ results R1/full }}\nP2\n", "utf-8")
    assert cited(told(page)) == ["P1", "P2"]


METHODS = [row.id for row in BUILT if row.id[0] not in "RK"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_test_that_cites_it(method: str) -> None:
    assert method in _cited_by_tests()


@cache
def _cited_by_tests() -> set[str]:
    here = Path(__file__).resolve()
    tests = [path for path in (ROOT / "tests").glob("**/*.py") if path != here]
    return {name for path in tests for name in cited(told(path))}


# --- the key ---------------------------------------------------------------------------


OF_THE_PAPERS = """
P1 P2 P3 P4 P5 P6 P7 P8 P9 P9b P11  O1 O2 O3 O4 O5  H1 H2 H3 H4 H4b H5
T1 T2 T3 T4 T5 T6 T7  T20 T21 T22 T23 T24  T30 T31 T32 T33  T12 T12b T13 T14 T15 T16  T40 T41 T50
R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 R18
"""


def test_no_method_of_the_papers_is_missing() -> None:
    assert [name for name in IDS if name[0] != "K"] == OF_THE_PAPERS.split()


@pytest.mark.parametrize("number", range(1, 5))
def test_the_bibliography_has_the_authors_of_a_paper(number: int) -> None:
    authors = (
        "Chaslot Winands Herik Uiterwijk Bouzy", "Chaslot Saito Bouzy Uiterwijk Herik",
        "Drake Uurtamo", "Rimmel",
    )[number - 1]  # fmt: skip
    entry = KEY.split("## Bibliography")[1].split(f"\n{number}.")[1].split(f"\n{number + 1}.")[0]
    assert all(name in entry for name in authors.split())
    assert entry.rstrip().endswith(f"**{'POHT'[number - 1]}**")


def test_all_of_the_bibliography_is_numbered() -> None:
    numbers = re.findall(r"^(\d+)\. ", KEY.split("## Bibliography")[1], re.MULTILINE)
    assert [*map(int, numbers)] == [*range(1, len(numbers) + 1)]
    cited_numbers = re.findall(r"\[\\?\[(\d+)\\?\]\]\(#bibliography\)", KEY)
    assert {*map(int, cited_numbers)} <= {*map(int, numbers)}
    assert len(cited_numbers) > 10


def test_the_key_has_each_method_once() -> None:
    assert len(set(IDS)) == len(IDS)
    assert [row.anchor for row in ROWS] == [name.lower() for name in IDS]
    assert KEY.count('<a id="') == len(ROWS)  # no row escapes the pattern


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_every_method_has_a_home_or_is_not_yet_there(row: Row) -> None:
    assert row.method
    assert row.paper
    if row.code == NOT_YET:
        return
    assert row.explained
    homes = row.code.split("<br>")
    assert all(LINK.fullmatch(home) for home in homes)


@pytest.mark.parametrize("row", BUILT, ids=lambda row: row.id)
def test_the_code_cites_the_method(row: Row) -> None:
    """So that the way from the paper to the line can be walked back."""
    files = {PACKAGE / path for _, path in LINK.findall(row.code)}
    assert not [path for path in files if row.id not in cited(told(path))]


# --- links to the sources --------------------------------------------------------------


@cache
def names_in(path: Path) -> set[str]:
    """What a module defines: functions, classes and their members, constants."""
    return set(_names(ast.parse(path.read_text(encoding="utf-8")).body, ""))


def _names(body: list[ast.stmt], within: str) -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name):
                yield within + name
            case ast.ClassDef(name=name, body=inner):
                yield within + name
                yield from _names(inner, f"{within}{name}.")
            case ast.Assign(targets=targets):
                yield from (within + t.id for t in targets if isinstance(t, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield within + name


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


LINKS = sorted({(page, *link) for page in PAGES for link in LINK.findall(prose(page))})


@pytest.mark.parametrize(
    ("page", "text", "target"), LINKS, ids=[f"{page.stem}-{text}" for page, text, _ in LINKS]
)
def test_links_lead_to_what_they_name(page: Path, text: str, target: str) -> None:
    path, _, name = text.partition(": ")
    assert target.endswith(path.removeprefix("src/montego/"))
    assert (PACKAGE / target).exists()
    assert not name or name in names_in(PACKAGE / target)


def test_there_are_links() -> None:
    assert len(LINKS) > 100
    names = names_in(PACKAGE / "mcts/search.py")
    assert {"LocalSearch", "LocalSearch._choose", "MEGABYTE"} <= names
    assert "nothing_of_this_name" not in names


PATH = re.compile(r"(?<![\w/.:-])(?:[a-z_]+/)+[a-z_0-9]+\.(?:py|md|txt)(?![\w/])")


def missing(paths: list[str], *bases: Path) -> list[str]:
    return [path for path in paths if not any((base / path).exists() for base in bases)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_in_prose_exist(page: Path) -> None:
    """A path such as ``kernels/tree/select.py`` in a page, below the root or the package."""
    assert not missing(PATH.findall(prose(page)), ROOT, PACKAGE, ROOT / "docs")


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("**/*.py")), ids=str)
def test_paths_in_comments_exist(path: Path) -> None:
    """Below the root, the package or a room; a bare name is a file of the same room."""
    text = told(path)
    assert not missing(PATH.findall(text), ROOT, PACKAGE, path.parent.parent, path.parent)
    names = re.findall(r"(?<=see )[a-z][a-z_0-9]*\.py", text)
    assert not missing(names, path.parent)
