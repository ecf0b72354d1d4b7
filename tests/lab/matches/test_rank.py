"""``montego rank`` over folders of matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from montego.lab.base.errors import LabError
from montego.lab.base.record import Record
from montego.lab.matches.rank import find_matches, rank, write_figure


def match(folder: Path, first: str, second: str, wins: int, losses: int, size: int = 9) -> None:
    config = {"first": first, "second": second, "size": size, "komi": 7.5}
    with Record(folder, config) as record:
        for number in range(1, wins + losses + 1):
            winner = "first" if number <= wins else "second"
            line = {"game": number, "winner": winner, "black": "first", "reason": "score"}
            record.add(line, "(;)")


def test_players_of_several_matches(tmp_path: Path) -> None:
    match(tmp_path / "one", "a", "b", 60, 40)
    match(tmp_path / "two", "b", "c", 70, 30)
    match(tmp_path / "three", "a", "c", 80, 20)
    ratings = rank([tmp_path, tmp_path / "one"])
    assert [(rating.name, rating.games, rating.points) for rating in ratings] == [
        ("a", 200, 140),
        ("b", 200, 110),
        ("c", 200, 50),
    ]
    assert rank([tmp_path], zero="b")[1].elo == 0


def test_what_has_no_common_scale(tmp_path: Path) -> None:
    match(tmp_path / "one", "a", "b", 1, 1)
    match(tmp_path / "two", "a", "b", 1, 1, size=13)
    with pytest.raises(LabError, match=r"9×9 with komi 7.5, 13×13 .* no common scale"):
        rank([tmp_path])


def test_no_games(tmp_path: Path) -> None:
    match(tmp_path / "one", "a", "a", 1, 1)
    with pytest.raises(LabError, match="no game of two different players"):
        rank([tmp_path])
    with pytest.raises(LabError, match="holds no match"):
        find_matches([tmp_path / "none"])


def test_the_figure_of_a_scale(tmp_path: Path) -> None:
    match(tmp_path / "one", "a" * 100, "b", 6, 4)
    ratings = rank([tmp_path])
    write_figure(ratings, tmp_path / "scale.svg")
    write_figure(ratings, tmp_path / "again.svg")
    drawn = (tmp_path / "scale.svg").read_bytes()
    assert drawn.startswith(b"<?xml")
    assert drawn == (tmp_path / "again.svg").read_bytes()
    with pytest.raises(LabError, match=r"scale.txt: a figure is one of .svg, .png"):
        write_figure(ratings, tmp_path / "scale.txt")
