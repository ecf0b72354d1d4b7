"""Games and text books of others, filtered, as games of a book (T31)."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.keys import key_of
from montego.book.records import Filters, Reading, bad_advice, parse_rank
from montego.go import BLACK, WHITE, BadSgf, Position, parse_move, vertex

GAMES = [
    "(;SZ[9]KM[7.5]RE[B+R]PB[Cho]BR[9p]PW[Kato]WR[8p]DT[1991];B[ee];W[cc];B[gg])",
    "(;SZ[9]KM[7]RE[W+2.5]PB[anna]BR[3d]PW[Bert]WR[5k];B[ee];W[cg])",
    "(;SZ[9]KM[7.5]RE[W+R]PB[bot]BR[2310]PW[robot]WR[2400?];B[cc];W[gg])",
    "(;SZ[13]KM[7.5]RE[B+0.5]PB[x]BR[1d]PW[y]WR[2d];B[ee])",
    "(;SZ[9]KM[7.5]RE[?];B[ee])",
    "(;SZ[9]KM[7.5]RE[B+R];B[ee];W[ee])",
    "(;SZ[9]KM[7.5]RE[Draw])",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "some.sgfs.gz"
    path.write_bytes(gzip.compress("\n".join(GAMES).encode()))
    return path


def read(path: Path, filters: Filters | None = None, moves: int | None = None) -> list[BookGame]:
    return list(Reading(filters or Filters(), moves).games(path))


def test_what_a_record_tells_is_kept(path: Path) -> None:
    reading = Reading()
    games = list(reading.games(path))
    assert [len(game.moves) for game in games] == [3, 2, 2, 1]
    first = games[0]
    assert (first.black, first.white, first.winner, first.rules.komi) == ("Cho", "Kato", BLACK, 7.5)
    assert first.about == {"BR": "9p", "WR": "8p", "DT": "1991"}
    assert first.source == "some.sgfs.gz"
    assert reading.seen == 7
    assert sorted(reading.skipped.values()) == [1, 1, 1]
    told = " / ".join(reading.skipped)
    for reason in ("'?' is not the result", "move 2 is illegal", "without moves"):
        assert reason in told


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        (Filters(size=9), ["Cho", "anna", "bot"]),
        (Filters(komi=(7.0,)), ["anna"]),
        (Filters(komi=(7.0, 7.5), size=9), ["Cho", "anna", "bot"]),
        (Filters(rank="1d"), ["Cho", "x"]),
        (Filters(rank="1p"), ["Cho"]),
        (Filters(rank="9p"), []),
        (Filters(rank="5k"), ["Cho", "anna", "x"]),
        (Filters(rank="2300"), ["bot"]),
        (Filters(rank="2350"), []),
        (Filters(player="BERT"), ["anna"]),
        (Filters(winner=WHITE), ["anna", "bot"]),
    ],
)
def test_filters(path: Path, filters: Filters, names: list[str]) -> None:
    assert [game.black for game in read(path, filters)] == names


def test_only_the_first_moves(path: Path) -> None:
    assert [len(game.moves) for game in read(path, moves=1)] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("weaker", "stronger"), [("30k", "1k"), ("1k", "1d"), ("7 dan", "1p"), ("1p", "9 pro")]
)
def test_ranks_are_ordered(weaker: str, stronger: str) -> None:
    low, high = parse_rank(weaker), parse_rank(stronger)
    assert low is not None
    assert high is not None
    assert low < high


def test_ranks_that_are_none() -> None:
    assert [parse_rank(text) for text in ("", "strong", "d5", "NR")] == [None] * 4
    with pytest.raises(BookError, match="'strong' is not a rank"):
        Filters(rank="strong")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.sgfs.gz").write_bytes(b"not packed")
    with pytest.raises(BadSgf, match="not compressed"):
        read(tmp_path / "a.sgfs.gz")
    (tmp_path / "a.dat").write_bytes(b"\xff\xfe")
    with pytest.raises(BookError, match="neither SGF nor a text"):
        read(tmp_path / "a.dat")
    (tmp_path / "a.dat.gz").write_bytes(b"not packed")
    with pytest.raises(BookError, match="not compressed"):
        read(tmp_path / "a.dat.gz")
    with pytest.raises(BookError, match="No such file"):
        read(tmp_path / "none.dat")


def test_a_file_of_several_games(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("\n".join(GAMES[:3]))
    assert len(read(tmp_path / "a.sgf")) == 3


# --- text books ------------------------------------------------------------------------

TEXT = """\
# as Fuego, Pachi and Matilda write it
9 | E5
9 E5 E7 G6 | E3 C4

13 C4 | D11 # 84/112
"""


def test_a_text_is_advice(tmp_path: Path) -> None:
    (tmp_path / "book.dat").write_text(TEXT)
    games = read(tmp_path / "book.dat", Filters(size=9))
    assert [game.result for game in games] == ["B+", "W+", "W+"]
    assert [(len(game.moves), game.counted_from) for game in games] == [(1, 0), (4, 3), (4, 3)]
    position = Position.start(9).play("E5").play("E7").play("G6")
    replies = {vertex(game.moves[-1][1], 9) for game in games[1:]}
    assert replies == {"E3", "C4"}
    assert {key_of(next(game.positions())[0]).key for game in games[1:]} == {key_of(position).key}


def test_a_text_is_for_every_komi_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "book.dat").write_text("9 | E5\n")
    games = read(tmp_path / "book.dat", Filters(komi=(7.0, 7.5)))
    assert [game.rules.komi for game in games] == [7.0, 7.5]


def test_bad_advice_is_left_out_whichever_way_the_board_is_turned(tmp_path: Path) -> None:
    (tmp_path / "book.dat").write_text("9 E5 E3 | G4 C4\n9 E5 C3 | G3\n")
    (tmp_path / "bad").write_text("9 E5 E7 | G6\n")  # G4 and C4 after E3, turned
    reading = Reading(bad=bad_advice(tmp_path / "bad"))
    games = list(reading.games(tmp_path / "book.dat"))
    assert [game.moves[-1][1] for game in games] == [parse_move("G3", 9)]
    assert reading.skipped == {"known to be bad": 2}


@pytest.mark.parametrize(
    "line", ["9 E5", "nine | E5", "9 E5 |", "9 E5 E5 | C3", "9 | Z9", "99 | E5"]
)
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "book.dat").write_text(f"9 | E5\n{line}\n")
    with pytest.raises(BookError, match=r"book.dat, line 2: "):
        read(tmp_path / "book.dat")
