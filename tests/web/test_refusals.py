"""The server from outside: who and what it refuses, its limits, and nonsense."""

from __future__ import annotations

import http.client
import json
import random
import time
from contextlib import ExitStack, closing
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from montego.web.limits import Limits
from tests.web.client import PATIENCE, Client
from tests.web.conftest import Server, running


def get(server: Server, path: str, **headers: str) -> http.client.HTTPResponse:
    place = urlsplit(server.address).netloc
    with closing(http.client.HTTPConnection(place, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer


def test_the_page_is_served_with_its_rules(server: Server) -> None:
    answer = get(server, "/")
    assert answer.status == 200
    assert answer.getheader("content-type", "").startswith("text/html")
    assert "default-src 'none'" in answer.getheader("content-security-policy", "")


@pytest.mark.parametrize(
    "path", ["/nothing", "/../app.py", "/%2e%2e/app.py", "//etc/passwd", "/index.html/..", "/\\x"]
)
def test_no_path_leads_out_of_the_page(server: Server, path: str) -> None:
    assert get(server, path).status == 404


def test_other_names_are_not_answered(server: Server) -> None:
    assert get(server, "/", Host="evil.example").status == 403
    with pytest.raises(InvalidStatus):
        server.client(Host="evil.example")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_other_pages_get_no_socket(server: Server, origin: str) -> None:
    with pytest.raises(InvalidStatus):
        server.client(origin=origin)


def test_a_token_is_asked_for() -> None:
    with running("--token", "open-sesame") as server:
        assert server.address.endswith("/?token=open-sesame")
        assert get(server, "/").status == 401
        assert get(server, "/?token=open-barley").status == 401
        with pytest.raises(InvalidStatus):
            server.client()
        answer = get(server, "/?token=open-sesame")
        assert answer.status == 303
        cookie = answer.getheader("set-cookie", "")
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        kept = cookie.partition(";")[0]
        assert get(server, "/", Cookie=kept).status == 200
        with server.client(Cookie=kept) as client:
            client.begin()


BAD = [
    ("", "Not understood"),
    ("{}", "Not understood"),
    ('{"type":"rm"}', "Not understood"),
    ('{"type":"undo"}', "Begin a game first"),
    ('{"type":"new","settings":{"size":50}}', "size"),
    ('{"type":"new","settings":{"size":2,"handicap":9}}', "room for"),
    ('{"type":"new","settings":{"recipe":"stew"}}', "not a recipe"),
    ('{"type":"new","settings":{"recipe":"python:/tmp/a.py:MINE"}}', "not a recipe"),
    ('{"type":"new","settings":{"recipe":"uct,learned.strengths=/etc/hosts"}}', "not a recipe"),
    ('{"type":"new","settings":{"komi":1e999}}', "komi"),
    ('{"type":"new","settings":{"limit":{"by":"seconds","amount":1e9}}}', "seconds"),
    ('{"type":"new","settings":{"limit":{"by":"simulations","amount":1.5}}}', "whole"),
    ('{"type":"new","settings":{},"more":1}', "more"),
    ('{"type":"open","sgf":"(;SZ[99])"}', "size out of range"),
    ('{"type":"follow","link":"size=99"}', "size"),
]


@pytest.mark.parametrize(("text", "reason"), BAD)
def test_what_makes_no_sense_is_explained(client: Client, text: str, reason: str) -> None:
    client.socket.send(text)
    assert reason in client.until("problem")["text"]


def test_a_message_that_is_too_large_ends_the_visit_and_no_more(server: Server) -> None:
    with server.client() as client:
        client.socket.send("x" * 3_000_000)
        with pytest.raises(ConnectionClosed):
            client.until("state")
    with server.client() as other:
        other.begin()


def test_a_record_that_is_too_long_is_refused(client: Client) -> None:
    client.say("open", sgf="(;SZ[9]C[" + "x" * 600_000 + "])")
    assert "sgf" in client.until("problem")["text"]


# --- limits of a client ----------------------------------------------------------------


def test_a_client_has_so_many_games_and_sockets() -> None:
    """Games that nobody looks at make room; those that are looked at are not taken away."""
    limits = Limits()
    with running() as server, ExitStack() as open_pages:
        first = open_pages.enter_context(server.client())
        oldest = first.begin()["game"]
        for _ in range(limits.games_each):  # one after the other on the same page
            latest = first.begin()["game"]
        first.say("join", game=oldest)
        assert first.until("problem")["code"] == "lost"
        first.say("join", game=latest)
        assert first.until("state")["game"] == latest
        pages = [open_pages.enter_context(server.client()) for _ in range(limits.games_each - 1)]
        for page in pages:
            page.begin()
        more = open_pages.enter_context(server.client())
        more.say("new", settings={"size": 5})
        told = more.until("problem")
        assert told["code"] == "limit"
        assert "too many games" in told["text"]
        for _ in range(limits.sockets_each - limits.games_each - 1):
            open_pages.enter_context(server.client())
        with pytest.raises(InvalidStatus):
            server.client()


def test_a_flood_of_messages_has_to_wait(client: Client) -> None:
    limits = Limits()
    client.begin()
    flood = limits.burst + 200
    begin = time.monotonic()
    for _ in range(flood):
        client.socket.send("{}")
    client.say("undo")
    client.say("hint")
    client.until("hinted")
    assert time.monotonic() - begin > 0.9 * 200 / limits.rate


# --- anything at all -------------------------------------------------------------------

WORDS = ["new", "join", "open", "follow", "play", "undo", "resign", "hint", "stop", "estimate",
         "mark", "agree", "resume", "change", "switch", "goto", "remove", "analyse",
         "save", "review", "playout", "lookup", "laboratory", "showmatch", "showtable",
         "opengame"]  # fmt: skip
FIELDS: dict[str, list[Any]] = {
    "move": ["C3", "A1", "pass", "Z99", "", None, 3],
    "at": [0, 1, 2, -1, 2**70, "x"],
    "node": [0, 1, 2, 99, -1, None],
    "mode": ["play", "analyse", "sleep"],
    "on": [True, False, "maybe"],
    "point": ["C3", "B2", "pass", "\x00"],
    "game": ["x", "../../etc/passwd"],
    "link": ["size=5", "size=5&moves=BC3", "%00", "moves=" + "Bpass." * 50],
    "sgf": ["(;SZ[5];B[aa])", "(" * 400, "(;PB[<script>alert(1)</script>])", "\ud800"],
    "settings": [{"size": 5, "limit": {"by": "simulations", "amount": 5}}, {}, {"size": 0}, []],
    "games": [1, 5, 0, 10**9, 1.5],
    "restart": [True, "x"],
    "match": ["x", "../..", None, 7],
    "experiment": ["R2", "R99", "../R1", ""],
    "number": [1, -1, 2**40],
    "scale": ["quick", "huge"],
    "user": ["black", "white", "both"],
    "recipe": ["mango", "stew"],
    "limit": [{"by": "level", "amount": 1}, {"by": "level", "amount": 99}],
    "beside": ["uct", None, "stew"],
    "inside": [True, 7],
    "parameters": [{"selection.c": 0.5}, {"selection.c": 1e300}, {"x": 1}, {"a" * 99: 1}, []],
}


def nonsense(chance: random.Random) -> str | bytes:
    """A message that may mean something, or bytes that mean nothing."""
    if chance.random() < 0.1:
        return chance.randbytes(chance.randrange(200))
    told: dict[str, Any] = {"type": chance.choice(WORDS)}
    for name in chance.sample([*FIELDS], chance.randrange(5)):
        told[name] = chance.choice(FIELDS[name])
    text = json.dumps(told)
    if chance.random() < 0.1:
        place = chance.randrange(len(text))
        text = text[:place] + chance.choice('{}[]",:\\x') + text[place + 1 :]
    return text


def attack(server: Server, messages: int, seed: int) -> None:
    """Say anything, and see that the server still plays."""
    chance = random.Random(seed)
    for _ in range(messages // 100):
        with server.client() as client:
            client.begin()
            for _ in range(100):
                client.socket.send(nonsense(chance))
    assert server.process.poll() is None
    with server.client() as client:
        client.begin()
        client.play("C3")
        client.until("state", lambda state: len(state["line"]) == 3)


def test_the_server_survives_nonsense(server: Server) -> None:
    attack(server, 300, seed=1)


@pytest.mark.slow
def test_the_server_survives_much_nonsense(server: Server) -> None:
    attack(server, 10_000, seed=2)
