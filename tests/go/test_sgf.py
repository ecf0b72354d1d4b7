"""Game records: there and back, up to a move, and files that are broken."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest
from sgfmill.sgf import Sgf_game

from montego.go import BLACK, WHITE, BadSgf, GoError, Position, Rules, fixed_handicap, sgf
from montego.go.history import MAX_MOVES
from montego.go.notes import Note, annotate
from montego.go.sgf import GameRecord
from tests.go.boards import played
from tests.positions import random_position

GAME = b"(;GM[1]SZ[9]KM[6.5]PB[Anna]PW[Ben]RE[B+R];B[ee]C[centre];W[cc];B[];W[gg])"


def test_a_record_is_read() -> None:
    record = sgf.loads(GAME)
    assert (record.black, record.white, record.result) == ("Anna", "Ben", "B+R")
    assert record.position.komi == 6.5
    assert record.position.moves == played(Position.start(9), "E5 C7 pass G3").moves
    assert record.comments == {1: "centre"}


@pytest.mark.parametrize(
    ("number", "moves"), [(None, 4), (0, 0), (1, 0), (2, 1), (4, 3), (5, 4), (99, 4), (-3, 0)]
)
def test_a_move_number_means_the_position_before_it(number: int | None, moves: int) -> None:
    assert len(sgf.loads(GAME, number).position.moves) == moves


@pytest.mark.parametrize(("size", "seed"), [(2, 1), (9, 2), (13, 3), (19, 4)])
def test_there_and_back(size: int, seed: int) -> None:
    position = random_position(size, 40, seed).play("pass").with_komi(0.5)
    notes = {0: "start", 3: "a ] bracket \\ and ünïcode"}
    again = sgf.loads(sgf.dumps(GameRecord(position, "A", "B", "W+0.5", notes)))
    assert again.position.moves == position.moves
    assert again.position.diagram() == position.diagram()
    assert again.position.komi == 0.5
    assert (again.black, again.white, again.result) == ("A", "B", "W+0.5")
    assert again.comments == notes


def test_handicap_and_set_up_stones_come_back() -> None:
    given = fixed_handicap(9, 4, Rules(komi=0.5)).play("E5")
    text = sgf.dumps(GameRecord(given))
    again = sgf.loads(text)
    assert "HA[4]" in text
    assert again.handicap == 4
    assert again.position.moves == [(WHITE, given.moves[0][1])]
    drawn = Position.from_diagram(". X .\n O . .\n . . .", to_play=WHITE)
    assert sgf.loads(sgf.dumps(GameRecord(drawn))).position.to_play == WHITE
    assert GameRecord(drawn).handicap == 0


@pytest.mark.parametrize(
    ("text", "first"),
    [("(;SZ[9]AB[ee][cc])", WHITE), ("(;SZ[9]AB[ee]PL[B])", BLACK), ("(;SZ[9];W[aa])", WHITE)],
)
def test_who_begins(text: str, first: int) -> None:
    assert sgf.loads(text).position.first.to_play == first


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("(;SZ[3];AB[aa]AW[bb]PL[W])", None, ("X . . / . O . / . . .", WHITE, 0)),
        ("(;SZ[3];AB[aa][bb])", None, ("X . . / . X . / . . .", WHITE, 0)),
        ("(;SZ[3];B[aa];AB[bb];W[cc]C[here];B[ca])", None, ("X . X / . X . / . . O", WHITE, 2)),
        ("(;SZ[3];B[aa];AE[aa]AW[bb];B[cc])", 2, (". . . / . O . / . . .", BLACK, 0)),
        ("(;SZ[3];B[aa];AE[aa]AW[bb];B[cc])", 1, (". . . / . . . / . . .", BLACK, 0)),
    ],
)
def test_stones_that_are_set_up_later_begin_the_game_anew(
    text: str, number: int | None, expected: tuple[str, int, int]
) -> None:
    record = sgf.loads(text, number)
    rows, to_play, moves = expected
    drawn = Position.from_diagram(rows.replace(" / ", "\n"))
    assert record.position.key == drawn.key
    assert (record.position.to_play, len(record.position.moves)) == (to_play, moves)
    if "C[here]" in text:
        assert record.comments == {1: "here"}


BROKEN = {
    "empty": b"",
    "no record": b"hello",
    "cut off": b"(;GM[1]SZ[9];B[ee",
    "too large": b"(;SZ[25])",
    "absurd size": b"(;SZ[x])",
    "off the board": b"(;SZ[9];B[zz])",
    "occupied": b"(;SZ[9];B[aa];W[aa])",
    "dead stones in the middle": b"(;SZ[2];B[aa];AB[ab][ba]AW[bb])",
    "dead stones": b"(;SZ[2]AB[aa][ab][ba]AW[bb])",
    "two on one": b"(;SZ[9]AB[aa]AW[aa])",
    "encoding": b"(;CA[no-such]SZ[9])",
    "komi": b"(;SZ[9]KM[much])",
    "endless komi": b"(;SZ[9]KM[inf])",
    "player": b"(;SZ[9]PL[purple])",
    "binary": bytes(range(256)),
    "deep": b"(;SZ[9]" + b"(;B[aa]" * 100_000,
    "another game": b"(;GM[2]SZ[8])",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_broken_records_raise_a_typed_error(data: bytes) -> None:
    with pytest.raises(GoError) as told:
        sgf.loads(data)
    assert str(told.value)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    sgf.save(path, sgf.loads(GAME))
    assert sgf.load(path).position.moves == sgf.loads(GAME).position.moves
    for name in (tmp_path / "missing.sgf", tmp_path, "bad\0name"):
        with pytest.raises(BadSgf, match=r"cannot read .*: "):
            sgf.load(name)
    with pytest.raises(BadSgf, match=r"cannot write .*: Is a directory"):
        sgf.save(tmp_path, sgf.loads(GAME))
    for text, reason in (("", "no SGF data"), ("(;SZ[50])", "50"), ("(;B[aa];W[aa])", "move 2")):
        path.write_text(text)
        with pytest.raises(BadSgf, match=rf"game\.sgf: .*{reason}"):
            sgf.load(path)


@pytest.mark.parametrize(
    ("data", "games"),
    [
        (b"", 0),
        (b"(;SZ[9];B[aa])", 1),
        (b"(;SZ[9];B[aa](;W[bb])(;W[cc]))\n(;SZ[5])junk( ;SZ[3])", 3),
        (b"mail (me) (;C[a \\] bracket ( and (; more])(;SZ[5])", 2),
        (b"(;SZ[9];B[aa", 1),
    ],
)
def test_games_of_a_file(data: bytes, games: int) -> None:
    assert len(sgf.split(data)) == games


def test_every_game_of_a_file_is_a_record() -> None:
    first, second = sgf.split(b"x(;SZ[9]PB[one];B[aa](;W[bb])(;W[cc]))\n\n(;SZ[5]PB[two])")
    assert sgf.loads(first).black == "one"
    assert len(sgf.loads(first).position.moves) == 2
    assert sgf.loads(second).position.size == 5


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("(;SZ[9]PB[Jürgen 金])".encode(), "Jürgen 金"),
        ("(;SZ[9]PB[Jürgen])".encode("latin-1"), "Jürgen"),
        ("(;CA[gb2312]SZ[9]PB[金])".encode("gb2312"), "金"),
    ],
)
def test_names_in_any_encoding(data: bytes, name: str) -> None:
    assert sgf.loads(data).black == name
    assert sgf.loads(annotate(data, {0: Note("text")})).black == name


# --- notes -----------------------------------------------------------------------------


def notes_of(count: int) -> dict[int, Note]:
    return {number: Note(f"note {number}", instead=(22,)) for number in range(1, count + 1)}


def test_a_first_move_in_the_root_gets_a_node_of_its_own() -> None:
    data = b"(;SZ[9]PB[Anna]C[root]B[ee]BM[1](;W[cc];B[gg])(;W[dd]))"
    text = annotate(data, notes_of(3))
    game = Sgf_game.from_bytes(text)
    root = game.get_root()
    assert root.properties() == ["C", "CA", "PB", "SZ"]
    assert [node.get_move() for node in root] == [("b", (4, 4)), ("b", (8, 0))]
    assert root[0].get("C") == "note 1"
    assert root[0].has_property("BM")
    assert [node.get_move()[1] for node in root[0]] == [(6, 2), (5, 3), (8, 0)]
    assert sgf.loads(text).position.moves == sgf.loads(data).position.moves


@pytest.mark.parametrize("set_up", ["AB[bb]", "AW[bb]", "AE[aa]", "AB[bb]PL[W]"])
def test_notes_follow_the_game_where_stones_are_set_up(set_up: str) -> None:
    data = f"(;SZ[3];B[aa];W[cc];{set_up};W[ba];B[ca])".encode()
    notes = {0: Note(properties={"SBKV": "50"}), 1: Note("first"), 2: Note("second")}
    text = annotate(data, notes)
    assert sgf.loads(text).comments == {1: "first", 2: "second"}
    nodes = Sgf_game.from_bytes(text).get_main_sequence()
    assert ["C" in node.properties() for node in nodes] == [False, False, False, False, True, True]
    assert nodes[3].get("SBKV") == "50"


def test_a_verdict_of_the_record_stays_the_only_one() -> None:
    data = b"(;SZ[9];B[ee]TE[1];W[cc])"
    text = annotate(data, {1: Note(mark="BM"), 2: Note(mark="DO")})
    first, second = Sgf_game.from_bytes(text).get_main_sequence()[1:]
    assert (first.has_property("TE"), first.has_property("BM")) == (True, False)
    assert second.has_property("DO")


def test_a_record_that_cannot_be_written_is_told_so() -> None:
    with pytest.raises(BadSgf, match="can be written"):
        annotate(b"hello", {})


# --- records that cost too much --------------------------------------------------------

COSTLY = {
    "idna": b"(;CA[idna]SZ[9]C[" + b"a" * 2_000_000 + b"])",
    "punycode": b"(;CA[punycode]SZ[9]C[" + b"a-" * 1_000_000 + b"])",
    "nodes": b"(" + b";" * 3_999_000 + b")",
    "brackets": b"(;" * 1_900_000,
    "rectangles": b"(;AB" + b"[aa:ss]" * 290_000 + b")",
    "boards": b"(;SZ[19]" + b";AB[aa]" * 30_000 + b")",
    "small boards": b"(;SZ[5]" + b";AB[aa]" * 30_000 + b")",
    "moves": b"(;SZ[9]" + b";B[];W[]" * 2_001 + b")",
}


@pytest.mark.parametrize("data", COSTLY.values(), ids=COSTLY)
def test_what_a_record_can_cost_is_bounded(data: bytes) -> None:
    begin = time.process_time()
    with pytest.raises(GoError):
        sgf.loads(data)
    assert time.process_time() - begin < 5  # about one second, and not minutes


def test_too_many_games_of_a_file_are_refused() -> None:
    with pytest.raises(BadSgf, match="more than 100,000 games"):
        sgf.split(b"(;)" * 100_001)
    assert sgf.loads(b"(;SZ[5])" + b"(;SZ[9])" * 110_000).position.size == 5


def test_the_longest_game_comes_back_soon() -> None:
    position = Position.start(2, Rules(superko="simple"))
    for _ in range(MAX_MOVES):
        position = position.play("pass")
    begin = time.process_time()
    assert len(sgf.loads(sgf.dumps(GameRecord(position))).position.moves) == MAX_MOVES
    assert time.process_time() - begin < 5


# --- files that are none ---------------------------------------------------------------


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe, endless = tmp_path / "pipe.sgf", tmp_path / "endless.sgf"
    os.mkfifo(pipe)
    endless.write_bytes(b"(;SZ[9]")
    os.truncate(endless, 10**12)  # a hole: it takes no room on the disk
    for path in (pipe, Path("/dev/zero"), Path("/dev/tty"), tmp_path, endless):
        with pytest.raises(BadSgf, match="cannot read "):
            sgf.load(path)
    with pytest.raises(BadSgf, match=r"cannot write .*: nobody reads"):
        sgf.save(pipe, sgf.loads(GAME))
    with pytest.raises(BadSgf, match=r"cannot write .*: No space left"):
        sgf.save("/dev/full", sgf.loads(GAME))


def test_a_file_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "game.sgf"
    sgf.save(path, sgf.loads(GAME))
    path.chmod(0o640)
    sgf.save(path, sgf.loads(GAME))
    assert path.stat().st_mode & 0o777 == 0o640
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(BadSgf, match="No space left"):
        sgf.save(path, sgf.loads(b"(;SZ[5])"))
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["game.sgf"]


# --- whose turn it is ------------------------------------------------------------------


def set_up(black: str, white: str, to_play: int) -> Position:
    return Position.set_up(9, black.split(), white.split(), to_play)


@pytest.mark.parametrize(
    "position",
    [
        set_up("", "", WHITE),
        set_up("D4 E5", "", BLACK),
        set_up("D4 E5", "", WHITE),
        set_up("D4", "", BLACK),
        set_up("D4", "E5", WHITE),
        Position.start(9).play("D4", BLACK).play("E5", BLACK),
        Position.start(9).play("D4", WHITE),
        set_up("D4 E5", "", BLACK).play("A1", WHITE).play("A2", WHITE),
    ],
)
def test_who_is_to_move_comes_back(position: Position) -> None:
    again = sgf.loads(sgf.dumps(GameRecord(position))).position
    assert again.moves == position.moves
    while position.parent is not None:
        assert again.to_play == position.to_play
        again, position = again.undo(), position.undo()
    assert again.to_play == position.to_play
