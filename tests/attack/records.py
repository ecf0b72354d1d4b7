"""Game records: good ones, changed ones, noise, and some that are made to cost time or memory."""

from __future__ import annotations

from random import Random

PROPERTIES = b"B W AB AW AE PL SZ KM HA RE C CA GM FF PB PW RU MN KO XX b AddBlack TB LB".split()
VALUES = b"aa bb cc ee tt zz aa:cc cc:aa ss: 9 5 19 -1 1e9 nan inf B W b UTF-8 latin-1 gbk".split()
VALUES += b"idna punycode rot13 hex zlib undefined utf-16 unicode_escape".split()
VALUES += [
    b"",
    b"9" * 5_000,
    b"x" * 3_000,
    b"text \\] more",
    b"\\",
    b"a:b",
    b"\0",
    b"\n\r",
    b"\xff\xfe",
]
VALUES += ["棋".encode()]
NOISE = b"()[];:\\BWCaz9 \n\r\t\0\xff"


def record(random: Random) -> bytes:
    """One file of any kind."""
    kind = random.random()
    if kind < 0.15:
        return random.randbytes(random.randrange(300))
    if kind < 0.3:
        return bytes(random.choices(NOISE, k=random.randrange(300)))
    if kind < 0.302:
        return hostile(random)
    data = b"".join(_tree(random, 3) for _ in range(random.choice([1, 1, 1, 2])))
    for _ in range(random.choice([0, 0, 1, 2, 10])):
        data = _changed(random, data)
    return data


def _tree(random: Random, depth: int) -> bytes:
    root = b"(;SZ[" + random.choice([b"5", b"5", b"9", b"3", b"19"]) + b"]"
    nodes = b"".join(_node(random) for _ in range(random.randrange(12)))
    below = [_tree(random, depth - 1) for _ in range(random.choice([0, 0, 1, 2]))] if depth else []
    return root + nodes + b"".join(below) + b")"


def _node(random: Random) -> bytes:
    if random.random() < 0.7:
        place = bytes(random.choices(b"abcde", k=2))
        return b";" + random.choice([b"B", b"W"]) + b"[" + place + b"]"
    pairs = range(random.randrange(3))
    values = (b"[" + random.choice(VALUES) + b"]" for _ in pairs)
    return b";" + b"".join(random.choice(PROPERTIES) + value for value in values)


def _changed(random: Random, data: bytes) -> bytes:
    at, size = random.randrange(len(data) + 1), random.randrange(1, 20)
    return random.choice(
        [
            data[:at] + data[at + size :],
            data[:at] + bytes(random.choices(NOISE, k=size)) + data[at:],
            data[:at] + data[at : at + size] * random.randrange(50) + data[at:],
            data[:at],
        ]
    )


def hostile(random: Random) -> bytes:
    """Much of one thing."""
    unit = random.choice(
        [
            b";", b"(;", b"(;)", b"[aa:ss]", b";AB[aa]", b";B[];W[]", b"\\", b"\\]", b" ", b"[",
            b")", b";AB[aa:ss]AE[aa:ss]", b"C[a]", b"\n\r", b"\xff", b"a-",
        ]
    )  # fmt: skip
    begin = random.choice(
        [
            b"",
            b"(",
            b"(;",
            b"(;AB",
            b"(;C[",
            b"(;CA[idna]C[",
            b"(;CA[gb18030]C[",
            b"(;SZ[5]",
            b"(;KM[",
        ]
    )
    end = random.choice([b"", b")", b"])", b";B[aa])"])
    return begin + unit * random.randrange(1, 3_999_000 // len(unit)) + end
