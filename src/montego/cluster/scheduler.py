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
    with ExitStack() as stack:  # not their own contexts: those belong to one thread
        place: Any = address
        if address == LOCAL:
            place = LocalCluster(
                n_workers=count, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
            )
            stack.callback(place.close)
        try:
            client = Client(
                place, timeout=CONNECT_SECONDS, security=Security(), set_as_default=False
            )
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            why = str(error).partition("\n")[0] or type(error).__name__
            raise SchedulerError(f"no scheduler answers at {address}: {why}") from None
        stack.callback(client.close)
        yield client


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
