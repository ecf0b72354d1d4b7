"""Game records: good ones, changed ones, noise, and some that are made to cost time or memory."""

from __future__ import annotations

from random import Random

PROPERTIES = [
    b"B",
    b"W",
    b"AB",
    b"AW",
    b"AE",
    b"PL",
    b"SZ",
    b"KM",
    b"HA",
    b"RE",
    b"C",
    b"CA",
    b"GM",
]
PROPERTIES += [
    b"FF",
    b"PB",
    b"PW",
    b"RU",
    b"MN",
    b"KO",
    b"XX",
    b"b",
    b"AddBlack",
    b"TB",
    b"LB",
    b"",
]
VALUES = [
    b"",
    b"aa",
    b"bb",
    b"cc",
    b"ee",
    b"tt",
    b"zz",
    b"aa:cc",
    b"cc:aa",
    b"ss:",
    b"9",
    b"5",
    b"19",
]
VALUES += [
    b"-1",
    b"1e9",
    b"nan",
    b"inf",
    b"9" * 5_000,
    b"B",
    b"W",
    b"b",
    b"UTF-8",
    b"latin-1",
    b"gbk",
]
VALUES += [
    b"idna",
    b"punycode",
    b"rot13",
    b"hex",
    b"zlib",
    b"undefined",
    b"utf-16",
    b"unicode_escape",
]
VALUES += [
    b"text \\] more",
    b"\\",
    b"a:b",
    b"\xff\xfe",
    "棋".encode(),
    b"\0",
    b"\n\r",
    b"x" * 3_000,
]
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
