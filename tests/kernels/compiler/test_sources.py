"""What compiled code comes from: all that a module imports, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from montego.kernels.compiler import sources
from montego.kernels.compiler.sources import PACKAGE, closure, digest_of

SEARCH = ("montego.kernels.tree.search", PACKAGE / "kernels" / "tree" / "search.py")


def test_all_that_is_imported_is_found() -> None:
    found = closure(*SEARCH)
    assert {
        "montego.kernels.board.board",
        "montego.kernels.board.shape",  # only by way of others
        "montego.kernels.compiler.jit",
        "montego.kernels.playouts.policy",
        "montego.kernels.tree.select",  # from an import in several lines
    } <= set(found)
    assert all(name.startswith("montego.kernels") for name in found)
    assert "montego.kernels.reading.life" not in found


def test_the_closure_is_what_python_really_imports() -> None:
    import montego.kernels.tree.search  # noqa: F401

    listed = {name for name in closure(*SEARCH) if not name.endswith("__init__")}
    assert {name for name in listed if name not in sys.modules} == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from montego.go import rules", {"montego.go", "montego.go.rules"}),
        ("from montego.go import (\n    rules,  # why\n    sgf as s,\n)", {"montego.go.sgf"}),
        ("    import montego.go.rules, os", {"montego.go.rules"}),
        ("from . import other", {"own", "own.other"}),
        ("from .other import thing", {"own.other"}),
        ("# from montego.go import rules", set()),
    ],
)
def test_import_statements(text: str, names: set[str], tmp_path: Path) -> None:
    path = tmp_path / "own" / "module.py"
    path.parent.mkdir()
    path.write_text(text)
    found = set(sources._imports("own.module", path))
    assert names <= found
    assert names or not found


def test_a_users_own_helper_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    digests = set()
    for text in ("STEP = 1", "STEP = 2"):
        sources._content.cache_clear()
        digest_of.cache_clear()
        (tmp_path / "own_helper_of_a_test.py").write_text(text)
        (tmp_path / "own_kernel_of_a_test.py").write_text("from own_helper_of_a_test import STEP\n")
        import own_kernel_of_a_test  # type: ignore[import-not-found]

        sources._file_of.cache_clear()
        digests.add(digest_of("own_kernel_of_a_test", Path(own_kernel_of_a_test.__file__)))
    assert len(digests) == 2
