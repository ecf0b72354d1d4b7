"""Lines of the Go Text Protocol: right ones, nearly right ones, and noise; and what a reply is."""

from __future__ import annotations

import re
from random import Random

from montego.gtp.table import COMMANDS

COLORS = ["b", "w", "black", "white", "B", "W", "green", "", "bb"]
VERTICES = ["A1", "b2", "C3", "d4", "E5", "pass", "PASS", "resign", "J9", "T19", "I5", "A0", "Z99"]
GOOD = [*(f"{column}{row}" for column in "ABCDE" for row in range(1, 6)), "pass"]
NUMBERS = ["0", "1", "2", "4", "5", "9", "-1", "7.5", "1e9", "nan", "inf", "-inf", "1_0", "٣"]
NUMBERS += ["0x1", "9" * 30, "9" * 5_000, "1e400", "+2", "2.", ".5"]
SIZES = ["2", "3", "4", "5", "5", "5", "9", "1", "0", "-3", "20", "99999999999", "five"]
FILES = ["game", "other", "missing", "folder", "game 1", "game 3", "game -1", "game 99999999999"]
WORDS = ["true", "false", "interval", "minmoves", "maxmoves", "avoid", "allow", "ownership", "none"]
WORDS += ["byoyomi", "canadian", "absolute", "chinese", "japanese", "tromp-taylor", "pattern", "{}"]
WORDS += ['{"ko":"SIMPLE"}', '{"ko":[]}', "[" * 2_000, "selection.c", "manners.resign", "#", "\0"]
RARE = 60
"""So much rarer are commands that take long: they judge positions, or explain them."""
SLOW = ("final_", "montego-", "kgs-genmove", "estimate", "gogui-analyze")
NOISE = "abcXYZ019 \t\r\0\x7f#-_=?,éß棋😀\ud800"


def line(random: Random, names: list[str]) -> str:
    """One line of any kind."""
    text = _command(random, random.choice(names))
    if random.random() < 0.2:
        text = f"{random.choice(['1', '007', '9' * 40, '-3', '1.5', '٣'])} {text}"
    for _ in range(random.choice([0, 0, 0, 0, 1, 2, 8])):
        text = _changed(random, text)
    return text.replace("\n", " ")


def names(without: tuple[str, ...] = ()) -> list[str]:
    """The commands to draw from: what is slow comes rarely, what plays comes often."""
    known = [name for name in sorted(COMMANDS) if name not in without]
    fast = [name for name in known if not name.startswith(SLOW)]
    return RARE * fast + 3_000 * ["play"] + 300 * ["undo", "boardsize", "clear_board"] + known


def _command(random: Random, name: str) -> str:
    if name in ("loadsgf", "printsgf"):
        return f"{name} {random.choice(FILES)}" if random.random() < 0.9 else name
    if name == "boardsize":
        return f"{name} {random.choice(SIZES)}"
    if name in ("play", "genmove", "is_legal", "reg_genmove"):
        places = GOOD if random.random() < 0.8 else VERTICES
        return f"{name} {random.choice(COLORS[:4])} {random.choice(places)}"
    pools = [COLORS, VERTICES, NUMBERS, WORDS]
    words = [random.choice(random.choice(pools)) for _ in range(random.choice([0, 1, 1, 2, 3, 8]))]
    return " ".join([name, *words])


def _changed(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    kind = random.randrange(5)
    if kind == 0:
        return text[:at] + random.choice(NOISE) + text[at:]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at]
    if kind == 3:
        words = text.split(" ")
        random.shuffle(words)
        return " ".join(words)
    return text + " " + text


REPLY = re.compile(r"[=?]([0-9]*)((?: |\n)[^\n]+(?:\n[^\n]+)*)?\n\n|[=?]([0-9]*)(?:\n[^\n]+)*\n\n")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def check_reply(reply: str, sent: str) -> None:
    """A reply is of the protocol's form, and tells no mistake of our own."""
    assert REPLY.fullmatch(reply), (sent, reply)
    assert not _CONTROL.search(reply), (sent, reply)
    assert "internal error" not in reply, (sent, reply)
    assert reply[0] == "=" or reply.count("\n") == 2, (sent, reply)
