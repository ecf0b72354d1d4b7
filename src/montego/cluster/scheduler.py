"""The way to a Dask scheduler and its workers, or to some of this machine's own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from montego import __version__

LOCAL = "local"
"""In place of an address: a scheduler and workers on this machine."""
CONNECT_SECONDS = 10.0
WAIT_SECONDS = 60.0
"""What the first worker may take to come."""

CERTIFICATES = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
"""The environment's names for the files of TLS, without what all of Dask's begin with."""

NO_PAGES = {"dashboard": False}
"""A scheduler has a port for figures of its own, but need not draw them."""


class SchedulerError(ValueError):
    """The workers cannot be used; the message is one line for the user."""


def check_installed() -> None:
    """Raise a SchedulerError where there is no Dask."""
    if find_spec("distributed") is None:
        raise SchedulerError("many machines need Dask: pip install 'montego[cluster]'")


@contextmanager
def connected(address: str, count: int) -> Iterator[Any]:
    """A client of the scheduler; ``local`` has so many workers.  Raises SchedulerError."""
    check_installed()
    with _client(address, count) as client:
        check(client, address)
        yield client


@contextmanager
def _client(address: str, count: int) -> Iterator[Any]:
    from distributed import Client, LocalCluster, Security

    for name in [name for name in logging.root.manager.loggerDict if "distributed" in name]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told by us
    check_address(address)
    security = own_security() if address == LOCAL else Security()
    check_certificates(address, security)
    with ExitStack() as stack:  # not their own contexts: those belong to one thread
        place: Any = address
        if address == LOCAL:
            place = LocalCluster(
                n_workers=count, threads_per_worker=1, host="127.0.0.1", security=security,
                dashboard_address="127.0.0.1:0", scheduler_kwargs=NO_PAGES,
            )  # fmt: skip
            stack.callback(place.close)
        try:
            client = Client(place, timeout=CONNECT_SECONDS, security=security, set_as_default=False)
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            why = str(error).partition("\n")[0] or type(error).__name__
            raise SchedulerError(f"no scheduler answers at {address}: {why}") from None
        stack.callback(client.close)
        yield client


def own_security() -> Any:
    """Certificates of this process and its workers alone, which are in no file: the ports of
    127.0.0.1 are open to every user of the machine.  Raises SchedulerError."""
    from distributed import Security

    try:
        return Security.temporary()
    except ImportError:
        raise SchedulerError(
            "workers of this machine need certificates: pip install 'montego[cluster]'"
        ) from None


def check_address(address: str) -> None:
    """Refuse what is no address, before Dask tries to use it."""
    from distributed.comm import get_address_host_port

    if address == LOCAL:
        return
    try:
        get_address_host_port(address)
    except (ValueError, TypeError) as error:
        raise SchedulerError(f"no scheduler answers at {address}: {error}") from None


def check_certificates(address: str, security: Any) -> None:
    """Refuse an address with TLS where there are no certificates for it, or none that can be
    read."""
    if not address.startswith("tls://"):
        return
    try:
        is_known = security.get_connection_args("client").get("ssl_context") is not None
    except (OSError, ValueError) as error:
        raise SchedulerError(f"no scheduler answers at {address}: {error}") from None
    if not is_known:
        names = ", ".join(f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in CERTIFICATES)
        raise SchedulerError(f"no scheduler answers at {address}: certificates? ({names})")


def check(client: Any, address: str) -> None:
    """Refuse a scheduler without workers, and workers with another version."""
    try:
        client.wait_for_workers(1, timeout=WAIT_SECONDS)
        versions = client.run(version)
    except (OSError, TimeoutError) as error:
        raise SchedulerError(f"the scheduler at {address} has no workers: {error}") from None
    except Exception as error:  # what a worker raises that does not know us
        raise SchedulerError(f"a worker at {address} cannot run montego: {error}") from None
    for worker, its in versions.items():
        if its != __version__:
            raise SchedulerError(f"{worker} has montego {its}, this is {__version__}")


def version() -> str:
    """That of the program; asked of workers."""
    return __version__
