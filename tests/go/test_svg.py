"""Boards as SVG: well-formed, every stone and number where it belongs."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from montego.go import PASS, WHITE, Position, parse_move
from montego.go.svg import CELL, FACES, MARGIN, board, undrawn

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def circles(picture: ElementTree.Element, face: str) -> set[tuple[int, int]]:
    """Where circles of this colour are; it is their own, or that of their group."""
    return {
        (int(one.attrib["cx"]), int(one.attrib["cy"]))
        for group in picture.iter()
        for one in group.findall(f"{SVG}circle")
        if one.get("fill", group.get("fill")) == face
    }


def at(column: int, row: int) -> tuple[int, int]:
    return MARGIN + CELL * (column - 1), MARGIN + CELL * (row - 1)


@pytest.mark.parametrize("size", [2, 5, 7, 8, 9, 13, 19])
def test_all_sizes_are_drawn(size: int) -> None:
    picture = drawn(board(Position.start(size)))
    names = [text.text for text in picture.iter(f"{SVG}text")]
    assert names.count("A") == names.count("1") == names.count(str(size)) == 2
    assert len(names) == 4 * size


@pytest.mark.parametrize(("size", "stars"), [(5, 0), (8, 4), (9, 5), (13, 5), (19, 9)])
def test_stars(size: int, stars: int) -> None:
    picture = drawn(board(Position.start(size)))
    assert sum(one.get("class") == "stars" for one in picture.iter()) == stars


def test_a_line_is_numbered_and_the_move_crossed_out() -> None:
    position = Position.start(5).play("C3").play("B2")
    line = [parse_move(name, 5) for name in ("D4", "A1")]
    picture = drawn(board(position, line, crossed=parse_move("E5", 5)))
    assert circles(picture, FACES[1]) == {at(3, 3), at(4, 2), at(5, 1)}  # C3, D4, E5
    assert circles(picture, FACES[WHITE]) == {at(2, 4), at(1, 5)}  # B2, A1
    numbers = [text.text for text in picture.iter(f"{SVG}text") if "font-weight" in text.attrib]
    assert numbers == ["1", "2"]
    crosses = [path for path in picture.iter(f"{SVG}path") if path.get("class") is None]
    assert len(crosses) == 1


def test_a_move_that_the_line_plays_too_is_ringed() -> None:
    position = Position.start(5)
    line = [parse_move(name, 5) for name in ("D4", "A1", "C3")]
    picture = drawn(board(position, line, crossed=parse_move("C3", 5)))
    assert circles(picture, "none") == {at(3, 3)}
    assert len(circles(picture, FACES[1])) == 2


def test_what_cannot_be_drawn_is_told() -> None:
    position = Position.start(5).play("C3")
    line = [parse_move(name, 5) for name in ("D4", "A1", "D4", "C3")]
    assert undrawn(position, [*line, PASS]) == ["3 at D4", "4 at C3", "5 pass"]
    assert undrawn(position, line[:2]) == []
    assert drawn(board(position, [*line, PASS], crossed=PASS)) is not None


def test_the_label_is_escaped() -> None:
    assert drawn(board(Position.start(5), label='<a "b">')).attrib["aria-label"] == '<a "b">'
