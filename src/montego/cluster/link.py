"""Frames between two processes: two lengths, a piece of JSON, and bytes.

Nothing that comes through a link is run or unpickled.  The listening end takes one guest: who
knows the token that was given to it, for the port is open to everybody on the machine.
"""

from __future__ import annotations

import hmac
import json
import secrets
import select
import socket
import struct
import threading
import time
from typing import Any, NamedTuple

LENGTHS = struct.Struct("!II")
MOST_BYTES = 1 << 26
"""Of one part of a frame."""
SEND_SECONDS = 5.0
"""A link whose other end takes nothing for so long is lost."""
GREETING = 64
"""Characters of a token."""


class LinkLost(Exception):  # noqa: N818 - what happened, not what was done wrong
    """The other end has gone, or makes no sense."""


class Frame(NamedTuple):
    """What is sent at once."""

    told: dict[str, Any]
    data: bytes = b""


def pack(told: dict[str, Any], data: bytes = b"") -> bytes:
    """A frame as bytes."""
    text = json.dumps(told, separators=(",", ":")).encode()
    return LENGTHS.pack(len(text), len(data)) + text + data


def unpack(buffer: bytes | bytearray) -> tuple[Frame | None, int]:
    """The first frame of some bytes, and how many it takes; None if it is not whole."""
    if len(buffer) < LENGTHS.size:
        return None, 0
    text, data = LENGTHS.unpack_from(buffer)
    if max(text, data) > MOST_BYTES:
        raise LinkLost("a frame that is too long")
    end = LENGTHS.size + text + data
    if len(buffer) < end:
        return None, 0
    frame = bytes(buffer[LENGTHS.size : end])
    try:
        told = json.loads(frame[:text])
    except ValueError as error:
        raise LinkLost("a frame that makes no sense") from error
    if not isinstance(told, dict):
        raise LinkLost("a frame that makes no sense")
    return Frame(told, frame[text:]), end


class Link:
    """One end of a connection; any thread may send, one receives."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._socket.settimeout(SEND_SECONDS)
        self._lock = threading.Lock()
        self._buffer = bytearray()

    def send(self, told: dict[str, Any], data: bytes = b"") -> None:
        """Send a frame; raises LinkLost."""
        try:
            with self._lock:
                self._socket.sendall(pack(told, data))
        except (OSError, ValueError) as error:
            raise LinkLost(str(error)) from error

    def receive(self, seconds: float) -> Frame | None:
        """The next frame, or None if there is none within this time; raises LinkLost."""
        deadline = time.monotonic() + seconds
        while (frame := self._whole_frame()) is None:
            left = max(deadline - time.monotonic(), 0.0)
            try:
                if not select.select([self._socket], [], [], left)[0]:
                    return None
                piece = self._socket.recv(1 << 18)
            except (OSError, ValueError) as error:
                raise LinkLost(str(error)) from error
            if not piece:
                raise LinkLost("the other end has gone")
            self._buffer += piece
        return frame

    def _whole_frame(self) -> Frame | None:
        frame, size = unpack(self._buffer)
        del self._buffer[:size]
        return frame

    def close(self) -> None:
        """Leave."""
        self._socket.close()


class Door:
    """Where the one guest comes in."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self._socket = socket.create_server((host, 0))
        self._token = secrets.token_hex(GREETING // 2)
        port = self._socket.getsockname()[1]
        self.address = f"{host} {port} {self._token}"
        """For the guest: host, port and token."""

    def wait(self, seconds: float) -> Link | None:
        """The guest, or None if it does not come within this time; others are sent away."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([self._socket], [], [], left)[0]:
                return None
            guest, _ = self._socket.accept()
            guest.settimeout(SEND_SECONDS)
            if self._knows_the_token(guest):
                return Link(guest)
            guest.close()
        return None

    def _knows_the_token(self, guest: socket.socket) -> bool:
        said = b""
        try:
            while len(said) < GREETING and (piece := guest.recv(GREETING - len(said))):
                said += piece
        except OSError:
            return False
        return hmac.compare_digest(said, self._token.encode())

    def close(self) -> None:
        """Let nobody in any more."""
        self._socket.close()


def enter(address: str) -> Link:
    """Go in by a door; raises LinkLost."""
    host, port, token = address.split()
    try:
        connection = socket.create_connection((host, int(port)), timeout=SEND_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(token.encode())
    except OSError as error:
        raise LinkLost(str(error)) from error
    return Link(connection)
