"""Who may come in."""

from __future__ import annotations

import pytest

from montego.web.guard import Guard, is_local
from montego.web.serve import address, make_guard

HERE = Guard("127.0.0.1", 8427)
OPEN = Guard("0.0.0.0", 8427, "a-secret-token")


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8427", "localhost:8427", "LOCALHOST:8427", "[::1]:8427"]
)
def test_our_own_names(host: str) -> None:
    assert HERE.knows(host)


@pytest.mark.parametrize(
    "host",
    [None, "", "127.0.0.1", "evil.example:8427", "127.0.0.1:80", "localhost:8427.evil.example"],
)
def test_names_of_others(host: str | None) -> None:
    assert not HERE.knows(host)


@pytest.mark.parametrize(
    ("origin", "ours"),
    [("http://localhost:8427", True), ("http://LOCALHOST:8427", True),
     ("https://localhost:8427", True), ("http://localhost", False), ("http://evil.example", False),
     ("null", False), (None, False),
     ("http://localhost:8427.evil.example", False)],
)  # fmt: skip
def test_a_websocket_has_to_come_from_our_page(origin: str | None, ours: bool) -> None:
    assert HERE.is_ours(origin, "localhost:8427") is ours


def test_without_a_host_nothing_is_ours() -> None:
    assert not HERE.is_ours("http://", "")


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("::", False),
     ("192.168.1.5", False), ("my.machine", False)],
)  # fmt: skip
def test_what_other_machines_can_reach_has_a_token(host: str, local: bool) -> None:
    assert is_local(host) is local
    guard = make_guard(host, 8427, None)
    assert (guard.token is None) is local
    assert ("token=" in address(guard)) is not local


def test_a_token_opens_the_door_and_nothing_else_does() -> None:
    assert OPEN.is_right("a-secret-token")
    assert not any(OPEN.is_right(wrong) for wrong in (None, "", "a-secret-tokem", "ü" * 14))
    assert OPEN.admits({"cookie": "montego-8427=a-secret-token"})
    for cookie in ("", "montego-8427=wrong", "montego-8428=a-secret-token", "=;;\x00"):
        assert not OPEN.admits({"cookie": cookie})
    assert HERE.admits({})


def test_every_machine_has_an_address_to_open() -> None:
    assert address(make_guard("::", 1, "12345678")) == "http://[::1]:1/?token=12345678"
    assert address(Guard("127.0.0.1", 1)) == "http://127.0.0.1:1/"
