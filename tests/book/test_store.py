"""Books on disk: one file, one writer, and nothing that is lost or wrong without being told."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.keys import key_of
from montego.book.statistics import BookMove
from montego.book.store import APPLICATION, Book
from montego.book.upkeep import check, copy_first, merge, rebuild, summary
from montego.go import BLACK, WHITE, Position, parse_move, vertex
from tests.book.games import line, random_game, turned_position


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with Book.create(tmp_path / "a.book") as book:
        yield book


def described(book: Book, position: Position) -> dict[str, tuple[int, int, int]]:
    moves = book.look_up(position)
    return {vertex(m.point, 9): (m.games, m.black_wins, m.white_wins) for m in moves}


# --- adding and looking up -------------------------------------------------------------


def test_games_come_back_as_they_were(book: Book) -> None:
    games = [random_game(seed) for seed in range(5)]
    assert book.add(games) == 5
    assert len(book) == 5
    assert list(book.games()) == games
    assert [game.source for game in book.games()] == ["a test"] * 5
    assert list(book.games(after=3)) == games[3:]


def test_moves_of_a_position(book: Book) -> None:
    book.add([line("E5 C3", "B+R", name="1"), line("E5 G3", "W+R", name="2"), line("C3", "W+1.5")])
    empty = Position.start(9)
    assert next(iter(described(book, empty).items())) == ("E5", (2, 1, 1))
    assert list(described(book, empty).values()) == [(2, 1, 1), (1, 0, 1)]
    assert list(described(book, empty.play("E5")).values()) == [(2, 1, 1)]
    assert book.look_up(empty.play("A1")) == ()
    assert book.look_up(Position.start(9, empty.with_komi(7).rules)) == ()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 7))
def test_any_view_finds_the_same_entry(
    tmp_path_factory: pytest.TempPathFactory, seed: int, symmetry: int
) -> None:
    game = random_game(seed, 7, 20)
    with Book.create(tmp_path_factory.mktemp("views") / "a.book") as book:
        book.add([game])
        for position, move in game.positions():
            turned = turned_position(position, symmetry)
            found = book.look_up(turned)
            assert {(one.games, one.color) for one in found} == {(1, position.to_play)}
            # on the other board it is the same move: what follows is the same position
            followers = {key_of(turned.play(one.point)).key for one in found}
            assert key_of(position.play(move)).key in followers


def test_at_rest_a_book_is_one_file(book: Book, tmp_path: Path) -> None:
    book.add([random_game(1)])
    assert len(list(tmp_path.iterdir())) > 1
    book.close()
    with Book(book.path) as reader:
        assert len(reader) == 1
    assert list(tmp_path.iterdir()) == [book.path]


def test_a_game_is_held_once(book: Book) -> None:
    assert book.add([random_game(1), random_game(1), random_game(2)]) == 2
    assert book.add([random_game(2)]) == 0
    assert len(book) == 2
    assert check(book) == []


def test_all_games_or_none(book: Book) -> None:
    e5 = parse_move("E5", 9)
    bad = BookGame(((BLACK, e5), (WHITE, e5)), "B+R")
    with pytest.raises(BookError, match="occupied"):
        book.add([random_game(1), bad])
    assert len(book) == 0
    assert book.position_count == 0


def test_a_reader_sees_what_is_told(book: Book) -> None:
    with Book(book.path) as reader:
        before = reader.version()
        book.add([random_game(1)])
        assert len(reader) == 1
        assert reader.version() != before
        with pytest.raises(BookError, match="read-only"):
            reader.add([random_game(2)])


def test_a_book_in_a_folder_that_cannot_be_written(book: Book, tmp_path: Path) -> None:
    book.add([random_game(1)])
    book.close()
    folder = tmp_path / "shipped"
    folder.mkdir()
    shutil.copy(book.path, folder / "b.book")
    folder.chmod(0o555)
    try:
        with Book(folder / "b.book") as reader:
            assert len(reader) == 1
    finally:
        folder.chmod(0o755)


def points_of(moves: tuple[BookMove, ...]) -> list[int]:
    return [move.point for move in moves]


# --- what is no book -------------------------------------------------------------------


def test_files_that_are_no_books(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no book at all, but long enough to have a header" * 50)
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    with sqlite3.connect(tmp_path / "foreign") as base:
        base.execute("CREATE TABLE games (id)")
    with sqlite3.connect(tmp_path / "future") as base:
        base.executescript(f"PRAGMA application_id={APPLICATION}; PRAGMA user_version=99;")
    with sqlite3.connect(tmp_path / "bare") as base:
        base.executescript(f"PRAGMA application_id={APPLICATION}; PRAGMA user_version=1;")
    expected = {
        "text": "is not a book", "empty": "is empty", "folder": "is not a file",
        "foreign": "of another program", "future": "another version", "nothing": "there is no book",
        "bare": "is damaged",
    }  # fmt: skip
    for name, told in expected.items():
        for writes in (False, True):
            with pytest.raises(BookError, match=told) as error:
                Book(tmp_path / name, writes)
            assert str(tmp_path / name) in str(error.value)
    with sqlite3.connect(tmp_path / "foreign") as base:
        assert base.execute("PRAGMA user_version").fetchone() == (0,)


def test_a_book_is_never_made_over_something(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    with pytest.raises(BookError, match="there already"):
        Book.create(tmp_path / "a")
    with pytest.raises(BookError, match="cannot be written"):
        Book.create(tmp_path / "no/such/folder.book")
    assert (tmp_path / "a").read_text() == "mine"


@pytest.mark.parametrize("part", [0.3, 0.5, 0.7, 0.9])
def test_a_damaged_book_is_named_and_never_used(book: Book, part: float) -> None:
    games = [random_game(seed) for seed in range(60)]
    book.add(games)
    book.close()
    content = bytearray(book.path.read_bytes())
    begin = int(part * len(content))
    content[begin : begin + 4000] = bytes(byte ^ 0x55 for byte in content[begin : begin + 4000])
    book.path.write_bytes(content)
    try:
        damaged = Book(book.path)
    except BookError as error:
        assert f"{book.path} is damaged" in str(error)  # noqa: PT017
        return
    with damaged:
        assert check(damaged)
        for game in games:
            for position, move in game.positions():
                try:
                    found = damaged.look_up(position)
                except BookError as error:
                    assert str(book.path) in str(error)  # noqa: PT017
                else:  # what is found at all is right
                    number = key_of(position).number(move)
                    assert not found or number in map(key_of(position).number, points_of(found))


def test_a_book_is_looked_through_before_it_is_used(book: Book) -> None:
    """Where pages are damaged, entries are not found: it would seem to know nothing."""
    book.add([random_game(seed) for seed in range(60)])
    book.close()
    content = bytearray(book.path.read_bytes())
    page = len(content) // 2 // 4096 * 4096
    content[page + 8 : page + 200] = bytes(byte ^ 0x55 for byte in content[page + 8 : page + 200])
    book.path.write_bytes(content)
    for writes in (False, True):
        with pytest.raises(BookError, match=rf"^{book.path} is damaged: .+"):
            Book(book.path, writes)


def test_a_book_that_was_cut_off(book: Book) -> None:
    book.add([random_game(seed) for seed in range(60)])
    book.close()
    content = book.path.read_bytes()
    book.path.write_bytes(content[: len(content) // 2])
    try:
        with Book(book.path) as damaged:
            assert check(damaged)
    except BookError as error:
        assert str(book.path) in str(error)  # noqa: PT017


# --- check, rebuild, merge -------------------------------------------------------------


def tampered(book: Book, *statements: str) -> None:
    with sqlite3.connect(book.path) as base:
        for statement in statements:
            base.execute(statement)


def test_check_finds_what_does_not_follow_from_the_games(book: Book) -> None:
    book.add([random_game(seed) for seed in range(4)])
    assert check(book) == []
    tampered(book, "DELETE FROM positions WHERE key IN (SELECT key FROM positions LIMIT 1)")
    assert "is missing" in check(book)[0]
    rebuild(book)
    assert check(book) == []
    tampered(book, "DELETE FROM games WHERE id = 2")
    assert any("in no game" in line or "the games say" in line for line in check(book))
    tampered(book, "UPDATE games SET result = 'B+9.5' WHERE id = 1")
    (told,) = check(book)
    assert "game 1 is damaged: it has been changed" in told
    with pytest.raises(BookError, match="game 1 is damaged"):
        rebuild(book)


def test_a_rebuilt_book_is_the_same(book: Book) -> None:
    book.add([random_game(seed) for seed in range(6)])
    before = dict(book.positions())
    tampered(book, "DELETE FROM positions")
    rebuild(book)
    assert dict(book.positions()) == before


@settings(max_examples=5, deadline=None)
@given(st.lists(st.integers(0, 8), max_size=8), st.lists(st.integers(0, 8), max_size=8))
def test_merged_books_hold_every_game_once(
    tmp_path_factory: pytest.TempPathFactory, one: list[int], other: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("merge")
    with (
        Book.create(folder / "1") as first,
        Book.create(folder / "2") as second,
        Book.create(folder / "both") as both,
        Book.create(folder / "at once") as expected,
    ):
        first.add(map(random_game, one))
        second.add(map(random_game, other))
        assert merge(both, [first, second]) == len({*one, *other})
        assert merge(both, [second]) == 0
        expected.add(map(random_game, [*one, *other]))
        assert dict(both.positions()) == dict(expected.positions())
        assert check(both) == []


def test_a_book_is_not_merged_into_itself(book: Book) -> None:
    with Book(book.path) as same, pytest.raises(BookError, match="into itself"):
        merge(book, [same])


def test_the_first_games_of_a_book(book: Book, tmp_path: Path) -> None:
    games = [random_game(seed) for seed in range(5)]
    book.add(games)
    copy_first(book, tmp_path / "b.book", 3)
    with Book(tmp_path / "b.book") as copy:
        assert list(copy.games()) == games[:3]
        assert check(copy) == []
    with pytest.raises(BookError, match="holds 5 games, not 6"):
        copy_first(book, tmp_path / "c.book", 6)


def test_what_a_book_holds(book: Book) -> None:
    book.add([line("E5", "B+R", name="1"), line("C3", "0", name="2", source="x")])
    told = summary(book)
    assert (told["games"], told["black_wins"], told["draws"]) == (2, 1, 1)
    assert told["sources"] == {"": 1, "x": 1}
    assert told["boards"] == {"9x9, komi 7.5, positional superko": 2}


# --- writers ---------------------------------------------------------------------------


def test_writers_wait_for_one_another(book: Book) -> None:
    def write(first: int) -> None:
        with Book(book.path, writes=True) as own:
            for seed in range(first, first + 10):
                own.add([random_game(seed)])

    threads = [threading.Thread(target=write, args=(first,)) for first in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(book) == 20
    assert check(book) == []


def test_a_full_disk(book: Book) -> None:
    book.add([random_game(seed) for seed in range(5)])
    pages = book._base.execute("PRAGMA page_count").fetchone()[0]
    book._base.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own full disk
    with pytest.raises(BookError, match=r"the disk is full; the games .* are all there"):
        book.add([random_game(seed) for seed in range(100, 200)])
    assert len(book) == 5
    assert check(book) == []
    book._base.execute("PRAGMA max_page_count = 100000")
    assert book.add([random_game(100)]) == 1


@pytest.mark.skipif(not shutil.which("unshare"), reason="needs unshare for a disk of its own")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from montego.book.store import Book;"
        "from montego.book.errors import BookError; from montego.book.upkeep import check;"
        "from tests.book.games import random_game;"
        "book = Book.create(Path(sys.argv[1]) / 'a.book'); told = 0\n"
        "try:\n"
        "    for seed in range(10000): book.add([random_game(seed)]); told += 1\n"
        "except BookError as error: print(error)\n"
        "print(told == len(book) == len(Book(book.path)) > 0, check(book))"
    )
    disk = tmp_path / "disk"
    disk.mkdir()
    script = f'mount -t tmpfs -o size=300k none {disk} && exec {sys.executable} -c "$0" {disk}'
    done = subprocess.run(
        ["unshare", "--mount", "--map-root-user", "sh", "-c", script, program],
        capture_output=True, text=True,
    )  # fmt: skip
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(f"no disk of its own: {done.stderr.strip()}")
    assert "the disk is full" in done.stdout, done
    assert done.stdout.splitlines()[-1] == "True []"


WRITER = """
import sys
from pathlib import Path
from montego.book.store import Book
from tests.book.games import random_game
book = Book.open_or_create(Path(sys.argv[1]))
for seed in range(int(sys.argv[2]), 10**6):
    book.add([random_game(seed)])
    print(seed, flush=True)
"""


def test_killed_writers_lose_nothing_that_was_told(tmp_path: Path) -> None:
    path, told = tmp_path / "a.book", list[int]()
    for number in range(3):
        command = [sys.executable, "-c", WRITER, str(path), str(1000 * number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            told += [int(writer.stdout.readline()) for _ in range(5 + number)]
            time.sleep(0.002 * number)
            writer.kill()
            told += map(int, writer.stdout.read().split())
        with Book(path) as book:
            names = [int(game.name) for game in book.games()]
            # the last one may be on disk, and the writer killed before it could say so
            assert [name for name in names if name in told] == told
            assert len(names) <= len(told) + number + 1
            assert check(book) == []


def test_a_move_is_found_on_the_board_as_it_lies(book: Book) -> None:
    book.add([line("C3 G7 G3", "B+R")])
    turned = Position.start(9).play("G7").play("C3")
    (found,) = book.look_up(turned)
    assert found.point in (parse_move("C7", 9), parse_move("G3", 9))
