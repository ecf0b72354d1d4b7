"""The tree of a game: ways through it, and its limits."""

from __future__ import annotations

import pytest

from montego.go import GoError, IllegalMove, Position
from montego.web import tree as tree_module
from montego.web.tree import ROOT, MoveTree


def a_tree() -> MoveTree:
    """C3 D4 with a variation B2 E5 at White's move, where one is."""
    tree = MoveTree(Position.start(5))
    tree.play("C3")
    tree.play("D4")
    tree.goto(1)
    tree.play("B2")
    tree.play("E5")
    return tree


def test_a_game_becomes_a_line() -> None:
    tree = MoveTree(Position.start(5).play("C3").play("D4"))
    assert tree.line() == [0, 1, 2]
    assert tree.at == 2
    assert tree.start.moves == []


def test_another_move_is_a_variation_and_the_line_goes_through_it() -> None:
    tree = a_tree()
    assert tree.nodes[1].children == [2, 3]
    assert tree.line() == [0, 1, 3, 4]


def test_the_same_move_is_the_same_node() -> None:
    tree = a_tree()
    tree.goto(1)
    tree.play("D4")
    assert tree.at == 2
    assert len(tree.nodes) == 5


def test_going_somewhere_plays_the_moves_that_lead_there() -> None:
    tree = a_tree()
    tree.goto(2)
    assert tree.position.moves == Position.start(5).play("C3").play("D4").moves
    assert tree.line() == [0, 1, 2]
    tree.goto(ROOT)
    assert tree.position.moves == []
    assert tree.line() == [0, 1, 2]  # the way that was taken last


def test_an_illegal_move_changes_nothing() -> None:
    tree = a_tree()
    with pytest.raises(IllegalMove):
        tree.play("C3")
    assert tree.at == 4
    assert len(tree.nodes) == 5


def test_a_variation_can_be_forgotten() -> None:
    tree = a_tree()
    tree.remove(3)
    assert tree.at == 1
    assert tree.line() == [0, 1, 2]
    assert {*tree.nodes} == {0, 1, 2}


@pytest.mark.parametrize("number", [ROOT, 17])
def test_what_cannot_be_forgotten(number: int) -> None:
    with pytest.raises(GoError):
        a_tree().remove(number)


def test_there_is_no_way_to_a_node_that_there_is_not() -> None:
    with pytest.raises(GoError, match="no such position"):
        a_tree().goto(17)


def test_a_tree_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = a_tree()
    monkeypatch.setattr(tree_module, "MOST_NODES", 5)
    with pytest.raises(GoError, match="remove a variation"):
        tree.play("A1")
    tree.goto(1)
    tree.play("D4")  # is there already
    monkeypatch.setattr(tree_module, "MOST_NODES", 50)
    monkeypatch.setattr(tree_module, "MOST_MOVES", 2)
    with pytest.raises(GoError, match="moves at most"):
        tree.play("A1")
