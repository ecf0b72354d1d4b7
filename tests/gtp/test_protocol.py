"""The form of lines and replies."""

from __future__ import annotations

import pytest

from montego.gtp.protocol import Request, failure, parse_line, success


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", None),
        ("   \t \r\n", None),
        ("# only a comment", None),
        ("name", Request("", "name", ())),
        ("12 name", Request("12", "name", ())),
        ("007 name", Request("007", "name", ())),
        ("play b D4 # here", Request("", "play", ("b", "D4"))),
        ("3\tplay\tb  D4\r\n", Request("3", "play", ("b", "D4"))),
        ("na\x00\x07me", Request("", "name", ())),
        ("12", Request("12", "", ())),
        ("-1 name", Request("", "-1", ("name",))),
        ("² name", Request("", "²", ("name",))),
        ("9" * 5000 + " name", Request("9" * 5000, "name", ())),
    ],
)
def test_parsing(line: str, expected: Request | None) -> None:
    assert parse_line(line) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (success(""), "=\n\n"),
        (success("4"), "=4\n\n"),
        (success("4", "D4"), "=4 D4\n\n"),
        (success("", "a\n\nb\n"), "= a\nb\n\n"),
        (success("", "\nboard\nrow"), "=\nboard\nrow\n\n"),
        (failure("4", "no\n\nway"), "?4 no way\n\n"),
        (failure("", "bell \x07"), "? bell \n\n"),
    ],
)
def test_replies(reply: str, expected: str) -> None:
    assert reply == expected
