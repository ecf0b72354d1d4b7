"""The review of a game: losses, notes in the record, the graph, an interruption."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sgfmill import sgf as mill

from montego import cli
from montego.go import BLACK, WHITE, Position, parse_move, sgf
from montego.lab.errors import LabError
from montego.lab.review import (
    Reviewed,
    View,
    draw,
    notes,
    read_game,
    review,
    searcher,
    shorten,
    show,
    summary,
)

GAME = "(;SZ[5]KM[7.5]PB[one]PW[two]RE[W+R];B[cc]C[a thought](;W[bb];B[])(;W[dd]))"


def at(name: str) -> int:
    return parse_move(name, 5)


VIEWS = [
    View(0.60, at("C3"), (at("C3"), at("B2"))),
    View(0.45, at("D4"), (at("D4"), at("B2"), at("A1"))),
    View(0.90, at("D3"), (at("D3"),)),
    View(0.85, at("A1"), (at("A1"),)),
]


def reviewed(count: int = 4) -> list[Reviewed]:
    views = iter(VIEWS)
    seen: list[View] = []
    return review(
        sgf.loads(GAME).position,
        lambda position: next(views),
        lambda now: seen.extend(now[len(seen) :]),
        lambda: len(seen) >= count,
    )


def test_losses() -> None:
    first, second, third = reviewed()
    assert (first.loss, first.verdict) == (0.0, "")  # the best move loses nothing
    assert second.after == pytest.approx(0.10)
    assert second.loss == pytest.approx(0.35)
    assert second.verdict == "bad"
    assert third.loss == pytest.approx(0.90 - 0.15)
    assert [move.color for move in (first, second, third)] == [BLACK, WHITE, BLACK]
    assert second.black_rate == pytest.approx(0.55)


def test_an_interruption_keeps_what_is_there() -> None:
    moves = reviewed(2)
    assert [move.number for move in moves] == [1, 2]
    assert moves[1].after is None
    assert moves[1].verdict == ""


def test_the_end_of_the_game_is_not_searched() -> None:
    position = Position.start(5).play("C3").play("pass").play("pass")
    seen: list[Position] = []

    def look(position: Position) -> View:
        seen.append(position)
        return VIEWS[0]

    moves = review(position, look)
    assert len(seen) == 3
    assert moves[-1].after is None


def test_notes_are_added_to_all_that_is_there() -> None:
    text = sgf.annotate(GAME.encode(), notes(reviewed(), 5)).decode()
    read = mill.Sgf_game.from_string(text)
    main = read.get_main_sequence()
    assert main[1].get("C").startswith("a thought\nBlack wins 60.0% before this move")
    assert main[2].has_property("BM")
    assert "bad move: it loses 35.0%; best D4" in main[2].get("C")
    # White's other moves: the one that was there, and the better line
    others = [child.get_move() for child in main[1]]
    assert others == [("w", (3, 1)), ("w", (1, 3)), ("w", (3, 3))]
    better = main[1][2]
    assert [node.get_move()[0] for node in read.get_main_sequence_below(better)] == ["b", "w"]
    assert len(list(main[0])) == 1  # no variation beside the best move
    assert read.get_root().get("RE") == "W+R"
    assert sgf.loads(text).position.moves == sgf.loads(GAME).position.moves


def test_summary_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    record = sgf.loads(GAME)
    told = json.loads(json.dumps(summary(record, reviewed(), True)))
    assert told["players"]["white"] == {
        "moves": 1,
        "bad": 1,
        "doubtful": 0,
        "as_the_search": 0,
        "mean_loss": 0.35,
    }
    assert told["moves"][1]["variation"] == ["D4", "B2", "A1"]
    show(record, reviewed())
    out = capsys.readouterr().out
    assert "45% → 10%" in out
    assert "D4 B2 A1" in out
    show(record, reviewed()[:1])
    assert "no move lost 10% or more" in capsys.readouterr().out


def test_the_graph(tmp_path: Path) -> None:
    for name in ("x.png", "x.svg"):
        draw(reviewed(), "a title", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000


def test_long_names_are_cut() -> None:
    assert shorten("short") == "short"
    assert shorten("x" * 50) == "x" * 39 + "…"


def test_games_that_cannot_be_reviewed(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    for text, told in (("nonsense", "not a readable"), ("(;SZ[9])", "holds no move")):
        path.write_text(text)
        with pytest.raises(LabError, match=told):
            read_game(path)
    with pytest.raises(LabError, match="No such file"):
        read_game(tmp_path / "other.sgf")
    with pytest.raises(LabError, match="does not search"):
        searcher("random", 10, lambda: False)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main(["review", *arguments])
    return int(left.value.code or 0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(GAME)
    assert run(str(path), "--simulations", "50", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["complete"]
    assert [move["move"] for move in told["moves"]] == ["C3", "B4", "pass"]
    assert (tmp_path / "game-review.png").exists()
    sgf.load(tmp_path / "game-review.sgf")
    assert path.read_text() == GAME
    graph = tmp_path / "graph.svg"
    assert run(str(path), "--simulations", "20", "--graph", str(graph), "--player", "uct") == 0
    assert graph.exists()


def test_commands_without_sense(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(GAME)
    assert run(str(tmp_path / "none.sgf")) == 2
    assert run(str(path), "--graph", "x.gif") == 2
    assert "neither .png nor .svg" in capsys.readouterr().err
    assert run(str(path), "--out", str(tmp_path / "no" / "where.sgf")) == 2
    assert not (tmp_path / "no").exists()
