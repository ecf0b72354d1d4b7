"""Lines in, replies out: the form of the Go Text Protocol, and nothing of what it says."""

from __future__ import annotations

from dataclasses import dataclass

INTERRUPT = "# interrupt"
"""The comment by which GoGui stops a move generation."""
_CONTROL = dict.fromkeys((*range(32), 127)) | {ord("\t"): " "}
_UNPRINTABLE = dict.fromkeys((*range(10), *range(11, 32), 127))


@dataclass(frozen=True)
class Request:
    """One command: its optional number as it was written, its name and arguments."""

    number: str
    name: str
    arguments: tuple[str, ...]


def parse_line(line: str) -> Request | None:
    """The command in a line; None if there is nothing but white space and comment."""
    words = line.translate(_CONTROL).partition("#")[0].split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
    return Request(number, words[0] if words else "", tuple(words[1:]))


def header(number: str, succeeded: bool = True) -> str:
    """What a reply begins with: ``=`` or ``?`` and the command's number."""
    return ("=" if succeeded else "?") + number


def success(number: str, text: str = "") -> str:
    """The whole reply of a command that went well."""
    return _reply(header(number), text)


def failure(number: str, reason: str) -> str:
    """The whole reply of a command that failed, with the reason in one line."""
    return _reply(header(number, succeeded=False), " ".join(reason.split()))


def _reply(begin: str, text: str) -> str:
    # An empty line ends a reply, so there is none inside; one in front asks for a new line.
    body = "\n".join(line for line in plain(text).split("\n") if line.strip())
    gap = "" if not body else "\n" if text.startswith("\n") else " "
    return f"{begin}{gap}{body}\n\n"


def plain(text: str) -> str:
    """Without control characters other than line ends."""
    return text.translate(_UNPRINTABLE)
