"""Games as text: what is written is read again, and nonsense is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings as hypothesis_settings, strategies as st
from sgfmill.sgf import Sgf_game

from montego.go import BLACK, WHITE, GoError, Position, vertex
from montego.go.points import parse_move
from montego.web import limits
from montego.web.messages import Settings
from montego.web.records import (
    read_link,
    read_sgf,
    read_variations,
    rules_of,
    write_link,
    write_sgf,
)
from montego.web.tree import MoveTree


def test_the_line_comes_first_and_the_variations_after_it() -> None:
    tree = MoveTree(Position.start(5).play("C3").play("D4"))
    tree.goto(1)
    tree.play("B2")
    tree.node.note = "a note"
    text = write_sgf(tree, "Ann", "Bob]", "B+R", "aga")
    game = Sgf_game.from_string(text)
    root = game.get_root()
    assert (root.get("PB"), root.get("PW"), root.get("RE"), root.get("RU")) == (
        "Ann", "Bob]", "B+R", "aga"
    )  # fmt: skip
    first = root[0]
    assert [child.get_move() for child in first] == [("w", (1, 1)), ("w", (3, 3))]
    assert first[0].get("C") == "a note"
    record, _ = read_sgf(text, Settings())
    assert record.position.moves == tree.position.moves


def test_a_deep_variation_needs_no_deep_stack() -> None:
    tree = MoveTree(Position.start(19))
    tree.play("A1")
    for _ in range(limits.MOST_MOVES // 2 - 1):
        tree.play("pass")
        tree.play("pass")
    tree.goto(0)
    tree.play("Q16")
    assert write_sgf(tree, "", "", "", "chinese").count(";") > limits.MOST_MOVES - 2


def opened(text: str) -> MoveTree:
    record, _ = read_sgf(text, Settings())
    tree = MoveTree(record.position)
    read_variations(text, tree)
    return tree


def shape(tree: MoveTree, node: int = 0) -> object:
    """The moves of a tree, each with those that follow."""
    return [(vertex(tree.nodes[n].move, tree.start.size), shape(tree, n))
            for n in tree.nodes[node].children]  # fmt: skip


def test_variations_are_read_and_one_stands_at_the_end_of_the_main_line() -> None:
    text = "(;SZ[5];B[cc](;W[dd];B[bb])(;W[ca]C[or so](;B[cb])(;B[da];W[]))(;W[cd]))"
    tree = opened(text)
    assert shape(tree) == [
        ("C3", [
            ("D2", [("B4", [])]),
            ("C5", [("C4", []), ("D5", [("pass", [])])]),
            ("C2", []),
        ])
    ]  # fmt: skip
    assert tree.node.move == parse_move("B4", 5)
    assert [node.note for node in tree.nodes.values() if node.note] == ["or so"]
    again = opened(write_sgf(tree, "", "", "", "chinese"))
    assert shape(again) == shape(tree)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("(;SZ[5];B[aa](;W[bb])(;W[aa];B[cc])(;AB[cc];W[dd]))", 2),  # taken, or set up
        ("(;SZ[5]B[aa](;W[bb])(;W[cc]))", 3),  # a move in the root
        ("(;SZ[5];B[aa];AW[cc](;B[bb])(;B[dd];W[ee]))", 3),  # the game starts over
        ("(;SZ[5];C[first](;B[bb])(;B[dd]))", 2),
        ("(;SZ[5](;B[bb])(;B[dd](;W[aa])(;W[aa])))", 3),  # the same twice
        ("(;SZ[5])", 0),
    ],
)
def test_what_cannot_be_part_of_the_tree_is_left_out(text: str, count: int) -> None:
    assert len(opened(text).nodes) == count + 1


def test_a_record_with_too_many_variations_is_read_as_far_as_there_is_room() -> None:
    wide = "(;SZ[19];B[aa]" + "(;W[bb];B[cc];W[])" * 2 + "".join(
        f"(;W[{x}{y}];B[];W[])" for x in "cdefghijklmnopqrs" for y in "abcdefghijklmnopqrs" * 4
    )  # fmt: skip
    assert len(opened(wide + ")").nodes) <= limits.MOST_NODES
    deep = "(;SZ[9];B[aa]" + "(;W[bb]" + ";B[];W[]" * 450 + ")" * 1 + "(;W[cc]))"
    assert len(opened(deep).nodes) > 900
    endless = "(;SZ[9];B[aa](;W[bb])" + "(;W[aa])" * 25_000 + ")"
    assert len(opened(endless).nodes) == 3


def test_a_record_brings_its_board_and_komi() -> None:
    record, settings = read_sgf("(;SZ[13]KM[5.5]HA[2]AB[dd][jj];W[cc])", Settings())
    assert (settings.size, settings.komi, settings.handicap) == (13, 5.5, 2)
    assert len(record.position.moves) == 1


@pytest.mark.parametrize(
    "text", ["", "(", "(;SZ[40])", "(;GM[2])", "(;B[aa];B[aa])", "(;SZ[9]KM[999])", "no game"]
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(GoError):
        read_sgf(text, Settings())


def test_a_record_that_is_too_long_is_refused() -> None:
    moves = ";B[];W[]" * limits.MOST_MOVES
    with pytest.raises(GoError, match="moves at most"):
        read_sgf(f"(;SZ[9]{moves})", Settings())


def test_a_link_holds_all_of_a_position() -> None:
    start = Position.set_up(9, ["C3"], ["G7"], WHITE, rules_of(Settings(komi=0.5, rules="aga")))
    tree = MoveTree(start.play("D4").play("pass").play("E5", BLACK))
    tree.play("E6")
    settings = Settings(komi=0.5, rules="aga", user="white")
    position, read = read_link(write_link(tree, settings))
    assert read == settings
    assert position.moves == tree.position.moves
    assert position.first.key == start.key
    assert position.rules == start.rules


@pytest.mark.parametrize(
    "link",
    ["size=50", "size=9&moves=BZ9", "komi=nan", "x=1", "size=9&moves=BD4.WD4", "user=me",
     "moves=D4", "rules=go", "black=A1&black=A2&white=A1&size=2&first=you",
     "moves=" + "Bpass." * 2000],
)  # fmt: skip
def test_what_is_no_link_is_refused(link: str) -> None:
    with pytest.raises(GoError):
        read_link(link)


@hypothesis_settings(deadline=None, max_examples=200)
@given(st.text(max_size=60))
def test_any_text_is_a_link_or_refused(text: str) -> None:
    try:
        read_link(text)
    except GoError:
        return
