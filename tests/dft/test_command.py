"""``montego dft`` from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from montego.cli import main
from montego.cli.dft import Rows, as_text, parse_size, parse_sizes, sparkline
from montego.dft import wisdom
from montego.dft.bench import Figure, measure
from montego.dft.plans import parse
from montego.dft.search import SearchResult


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["dft", *arguments])
    said = capsys.readouterr()
    return int(ended.value.code or 0), said.out, said.err


def test_plan_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "plan", "2^5", "--seconds", "0.01", "--json")
    result = json.loads(out)
    assert code == 0
    assert parse(result["plan"]).n == 32
    assert result["mflops"] > 0
    code, out, _ = run(capsys, "wisdom")
    assert code == 0
    assert out.startswith("32 double:")
    code, out, _ = run(capsys, "plan", "32", "--seconds", "0.01")
    assert code == 0
    assert "pseudo-Mflop/s" in out


def test_what_is_imported_is_looked_at_before_anything_is_forgotten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    wisdom.learn(8, "double", ("codelet", 8), 1e-6)
    (tmp_path / "bad.json").write_text("{")
    code, _, error = run(capsys, "wisdom", "--forget", "--import", str(tmp_path / "bad.json"))
    assert code == 2
    assert "bad.json holds no wisdom, or is damaged" in error
    assert wisdom.best(8) == ("codelet", 8)


@pytest.mark.parametrize("arguments", [["--forget"], ["--import", "good.json"]])
def test_nothing_is_done_where_nothing_can_be_kept(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    wisdom.learn(8, "double", ("codelet", 8), 1e-6)
    wisdom.export_wisdom("good.json")
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "good.json" / "wisdom.json")
    code, _, error = run(capsys, "wisdom", *arguments)
    assert code == 2
    assert error.count("\n") == 1
    assert "cannot be kept in" in error
    assert wisdom.best(8) == ("codelet", 8)


def test_ranges_of_sizes() -> None:
    assert parse_sizes("3-13,5") == [3, 6, 12, 5]


def test_a_table_without_its_first_library() -> None:
    rows = Rows(("fftw-patient", "numpy"), quiet=True)
    rows.add(8, [Figure(8, "numpy", 1e-6)])
    assert [list(column.cells) for column in rows.table.columns] == [["8"], ["–"], ["–"]]


def test_the_first_search_says_that_it_mostly_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    result = SearchResult(32, "tag", word=("codelet", 32), seconds=1e-6, elapsed=4.0, compiling=0.1)
    assert as_text(result).count("\n") == 1
    result.compiling = 3.0
    monkeypatch.setattr("montego.kernels.compiler.cache.can_keep", lambda: True)
    assert "3.0 s of it compiled kernels, once" in as_text(result)
    monkeypatch.setattr("montego.kernels.compiler.cache.can_keep", lambda: False)
    assert "3.0 s of it compiled kernels, for this run only" in as_text(result)


def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (("plan", "14"), "products of 2, 3 and 5, not 14"),
        (("plan", "two"), "a size is a number"),
        (("plan", "8", "--search", "luck"), "searches are"),
        (("bench", "--sizes", "8", "--libraries", "mkl"), "libraries are"),
        (("wisdom", "--import", "nowhere.json"), "nowhere.json: No such file"),
    ):
        code, _, line = run(capsys, *arguments)
        assert code == 2
        assert said in line
        assert line.count("\n") == 1


def test_bench_command(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ("--sizes", "8,32", "--seconds", "0.001", "--libraries", "montego,numpy")
    code, out, _ = run(capsys, "bench", *sizes, "--json")
    assert code == 0
    figures = json.loads(out)
    assert [(f["n"], f["library"]) for f in figures] == [
        (8, "montego"), (8, "numpy"), (32, "montego"), (32, "numpy"),
    ]  # fmt: skip
    assert all(f["seconds"] > 0 and f["mflops"] > 0 for f in figures)
    code, out, _ = run(capsys, "bench", *sizes)
    assert "numpy" in out


def test_sizes_as_people_write_them() -> None:
    assert [parse_size(text) for text in ("1024", "2^18", "3*2^10", "3*5")] == [
        1024, 2**18, 3072, 15,
    ]  # fmt: skip
    assert parse_sizes("2^5-2^8,96") == [32, 64, 128, 256, 96]


def test_a_picture_of_the_best_so_far() -> None:
    line = sparkline([(0.5, 2e-6), (5.0, 1e-6)], 10.0, width=10)
    assert line == "▅▅▅▅███████"[:4] + "██████"
    assert len(line) == 10


def test_figures() -> None:
    assert Figure(1024, "x", 1e-6).mflops == pytest.approx(51_200)
    assert {f.library for f in measure(8, 0.001, ("montego", "numpy"))} == {"montego", "numpy"}
    assert SearchResult(8, "tag", seconds=1e-6).mflops == pytest.approx(120)
