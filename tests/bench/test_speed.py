"""The benchmark: every kind and recipe is measured, and JSON is nothing but JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import call


def check_figures(rates: dict[str, dict[str, float]], kinds: list[str], sizes: list[str]) -> None:
    assert list(rates) == kinds
    for by_size in rates.values():
        assert list(by_size) == sizes
        assert all(isinstance(rate, float) and rate > 0 for rate in by_size.values())


def test_bench_prints_json_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--sizes", "5, 2,5", "--kinds", "uniform", "--recipes", "none"]
    assert call("bench", *arguments, "--seconds", "0.05", "--json", "-") == 0
    figures = json.loads(capsys.readouterr().out)
    assert list(figures) == ["playouts", "search", "compile_seconds"]
    assert isinstance(figures["compile_seconds"], float)
    check_figures(figures["playouts"], ["uniform"], ["5", "2"])
    check_figures(figures["search"], [], [])


def test_bench_measures_every_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from montego.mcts.playouts import KINDS
    from montego.mcts.recipes import RECIPES

    monkeypatch.setattr("montego.bench.speed.SearchCell.batch", 100)
    path = tmp_path / "figures.json"
    path.write_text("of an earlier run, and much longer than the new ones" * 100)
    assert call("bench", "--sizes", "5", "--seconds", "0.05", "--json", str(path)) == 0
    figures = json.loads(path.read_text())
    check_figures(figures["playouts"], list(KINDS), ["5"])
    check_figures(figures["search"], list(RECIPES), ["5"])
    table = capsys.readouterr().out
    assert "5×5" in table
    assert all(name in table for name in (*KINDS, *RECIPES))
