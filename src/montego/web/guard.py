"""Who may come in: by the names that a browser calls us, and by a token.

A foreign page can make its visitor's browser send requests to this machine, and, by changing
what its own name means (DNS rebinding), even read the answers.  So we answer only to names of
ours; a WebSocket has to come from a page of ours (Origin).  Where we listen to other machines
too, everybody has to know a token: it comes with the first address, and is kept in a cookie.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

LOCAL = ("localhost", "127.0.0.1", "[::1]")


def is_local(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Guard:
    """What is asked of those who come."""

    host: str = "127.0.0.1"
    port: int = 0
    token: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What we are called, in lower case."""
        own = f"[{self.host}]" if ":" in self.host else self.host.lower()
        return tuple(f"{name}:{self.port}" for name in (*LOCAL, own))

    @property
    def cookie(self) -> str:
        """Its name; another server on this machine has another one."""
        return f"montego-{self.port}"

    def knows(self, host: str | None) -> bool:
        """Whether a request is for us; who has a token may call us as he likes."""
        return self.token is not None or (host or "").lower() in self.names

    def is_ours(self, origin: str | None, host: str | None) -> bool:
        """Whether the page that a WebSocket comes from is our own."""
        return bool(host) and (origin or "").lower() in (f"http://{host}".lower(),
                                                         f"https://{host}".lower())  # fmt: skip

    def is_right(self, token: str | None) -> bool:
        """Whether a token is the one; it takes as long if it is not."""
        if self.token is None:
            return True
        return secrets.compare_digest((token or "").encode(), self.token.encode())

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether a request has the token in its cookie."""
        if self.token is None:
            return True
        try:
            kept = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return kept is not None and self.is_right(kept.value)
