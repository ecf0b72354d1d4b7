"""Several hosts, made of network namespaces: Dask by TLS, MPI, and a cable that is pulled out."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from montego.cluster.job import JobError, mpiexec
from montego.mcts.ready import warm_up
from tests.lab.base.test_farm import LONG, games_of, match

pytestmark = pytest.mark.slow
ONE, TWO = "montego-one", "montego-two"
ADDRESSES = {ONE: "10.77.21.1", TWO: "10.77.21.2"}
TLS = {
    "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": "cert.pem",
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT": "cert.pem",
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY": "key.pem",
}
MONTEGO = (sys.executable, "-m", "montego")


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def on(host: str, *command: str) -> list[str]:
    """A command as that host runs it."""
    return ["ip", "netns", "exec", host, *command]


@pytest.fixture(scope="module")
def hosts() -> Iterator[None]:
    """Two hosts with a cable between them."""
    if shutil.which("ip") is None:
        pytest.skip("no ip: network namespaces need iproute2")
    try:
        for host in ADDRESSES:
            ip("netns", "add", host)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespaces here: {error.stderr.decode().strip()}")
    try:
        ip(
            "link",
            "add",
            "montego1",
            "netns",
            ONE,
            "type",
            "veth",
            "peer",
            "montego2",
            "netns",
            TWO,
        )
        for (host, address), end in zip(ADDRESSES.items(), ("montego1", "montego2"), strict=True):
            ip("-n", host, "address", "add", f"{address}/24", "dev", end)
            ip("-n", host, "link", "set", end, "up")
            ip("-n", host, "link", "set", "lo", "up")
        warm_up()
        yield
    finally:
        for host in ADDRESSES:
            with suppress(subprocess.CalledProcessError):
                ip("netns", "del", host)


def listeners(host: str) -> set[str]:
    """The addresses at which somebody listens there."""
    table = subprocess.run(on(host, "cat", "/proc/net/tcp"), capture_output=True, text=True)
    rows = [line.split() for line in table.stdout.splitlines()[1:]]
    return {row[1].partition(":")[0] for row in rows if row[3] == "0A"}


# --- many games ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=montego", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def scheduler(hosts: None, certificates: Path) -> Iterator[str]:
    """A scheduler on the first host and workers on the second, as the docs start them."""
    if find_spec("distributed") is None:
        pytest.skip("Dask is not installed: pip install 'montego[cluster]'")
    files = ("--tls-ca-file", "cert.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    address = f"tls://{ADDRESSES[ONE]}:8786"
    dask = (sys.executable, "-m", "dask")
    commands = [
        on(ONE, *dask, "scheduler", "--host", ADDRESSES[ONE], "--protocol", "tls", *files),
        on(TWO, *dask, "worker", address, "--nworkers", "2", "--nthreads", "1", *files),
    ]
    running = [
        subprocess.Popen(
            command, cwd=certificates, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for command in commands
    ]
    yield address
    for process in reversed(running):
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run(host: str, arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        on(host, *MONTEGO, *arguments),
        capture_output=True, text=True, timeout=LONG, env=os.environ | environment,
    )  # fmt: skip


def test_the_same_games_on_another_host(scheduler: str, certificates: Path, tmp_path: Path) -> None:
    secrets = {name: str(certificates / file) for name, file in TLS.items()}
    there = run(ONE, match(tmp_path / "there", 12, "--cluster", scheduler), **secrets)
    assert there.returncode == 0, there.stderr
    here = run(ONE, match(tmp_path / "here", 12))
    assert here.returncode == 0, here.stderr
    assert len(games_of(tmp_path / "there")) == 12
    assert games_of(tmp_path / "there") == games_of(tmp_path / "here")


@pytest.mark.parametrize("protocol", ["tls", "tcp"])
def test_a_stranger_is_refused_in_one_line(scheduler: str, protocol: str, tmp_path: Path) -> None:
    """One who has no certificate, and one who does not even ask for TLS."""
    address = scheduler.replace("tls", protocol)
    told = run(TWO, match(tmp_path, 4, "--cluster", address))
    assert told.returncode == 2
    assert told.stderr.splitlines()[-1].startswith(f"montego: no scheduler answers at {address}")
    assert "Traceback" not in told.stderr


@pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")
def test_a_local_cluster_listens_to_nobody_else(hosts: None, tmp_path: Path) -> None:
    seen: set[str] = set()
    before = listeners(TWO)
    with subprocess.Popen(
        on(TWO, *MONTEGO, *match(tmp_path, 30, "--cluster", "local", "--workers", "2")),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as played:  # fmt: skip
        while played.poll() is None:
            seen |= listeners(TWO)
            time.sleep(0.2)
    assert played.returncode == 0
    assert seen - before == {"0100007F"}  # 127.0.0.1


# --- one search ------------------------------------------------------------------------

LAUNCHER = """#!/bin/sh
# in place of ssh: the host is the last word before the command
while [ "${1#-}" != "$1" ]; do shift; done
case "$1" in
  10.77.21.1) host=montego-one ;;
  *) host=montego-two ;;
esac
shift
exec ip netns exec $host sh -c "$*"
"""


@pytest.fixture
def starter(hosts: None, tmp_path: Path) -> str:
    """What starts a rank on each host."""
    try:
        program = mpiexec()
    except JobError as error:
        pytest.skip(str(error))
    launcher = tmp_path / "launcher"
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    both = ",".join(ADDRESSES.values())
    return f"{program} -launcher ssh -launcher-exec {launcher} -hosts {both} -n 2"


def start_player(starter: str) -> subprocess.Popen[str]:
    """A player whose ranks talk over the cable: by themselves they would see that both hosts have
    one memory, and use that."""
    command = [
        *MONTEGO, "gtp", "--cluster", "slow-tree", "--ranks", "2", "--mpiexec", starter,
        "--memory", "32", f"cluster.listen={ADDRESSES[ONE]}",
    ]  # fmt: skip
    return subprocess.Popen(
        on(ONE, *command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=os.environ | {"UCX_TLS": "tcp,self"},
    )  # fmt: skip


def ask(player: subprocess.Popen[str], line: str) -> str:
    assert player.stdin is not None
    assert player.stdout is not None
    player.stdin.write(line + "\n")
    player.stdin.flush()
    reply = player.stdout.readline().strip()
    while player.stdout.readline().strip():
        pass
    return reply


def test_a_search_on_two_hosts_outlives_its_cable(starter: str) -> None:
    with start_player(starter) as player:
        assert player.stderr is not None
        assert ask(player, "boardsize 7") == "="
        assert ask(player, "time_settings 0 1 1") == "="
        assert ask(player, "genmove b").startswith("= ")
        ip("-n", TWO, "link", "set", "montego2", "down")
        for color in "wbwb":
            begin = time.monotonic()
            assert ask(player, f"genmove {color}").startswith("= ")
            assert time.monotonic() - begin < 30
        ip("-n", TWO, "link", "set", "montego2", "up")
        ask(player, "quit")
        assert player.wait(60) == 0
        told = player.stderr.read()
    assert "montego: the cluster:" in told
    assert "Traceback" not in told
