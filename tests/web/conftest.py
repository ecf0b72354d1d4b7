"""A real server, in a process of its own, for all tests that need one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from montego.cli.common import get_kernels_ready
from tests.web.client import Client


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    address: str
    process: subprocess.Popen[str]

    def client(self, **headers: str) -> Client:
        return Client(self.address, keeps_all=False, **headers)

    def browser(self) -> Client:
        """A client that answers while nobody listens to it."""
        return Client(self.address, keeps_all=True)


@contextmanager
def running(*options: str) -> Iterator[Server]:
    """A server at any port; at the end it must have had nothing to complain of.

    Without options that name one there is no book: the program is to think from the first move on.
    """
    get_kernels_ready()
    if "--book" not in options:
        options += ("--no-book",)
    command = [sys.executable, "-m", "montego", "web", "--no-open", "--port", "0", *options]
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        ) as process,
    ):  # fmt: skip
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield Server(line.split()[4], process)
        finally:
            process.terminate()
            process.communicate()
            errors.seek(0)
            complaints = errors.read()
    assert complaints == ""


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One for all tests that do no harm to it."""
    with running() as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """A page."""
    with server.client() as client:
        yield client
