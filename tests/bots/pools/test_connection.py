# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of clusters that cannot be used are refused with the reason, and nothing loads Ray unasked."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.pools.connection import connected
from bots.pools.pool import PoolFailed
from bots.pools.probe import differences, software


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    before = dict(os.environ)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    yield
    for name in set(os.environ) - set(before):
        del os.environ[name]


@pytest.mark.parametrize(
    "address", ["", "rays", "ray:", "ray://", "ray://host", "ray://host:0", "ray://h:99999", "h:1"]
)
def test_an_address_is_ray_or_a_host_and_a_port(address: str) -> None:
    with pytest.raises(PoolFailed, match="--on must be ray, or ray://HOST:PORT"):
        connected(address)


def test_a_cluster_that_is_not_there_is_reported() -> None:
    # bound, so that no other process listens there
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        with pytest.raises(PoolFailed, match=f"cannot reach ray://127.0.0.1:{port}: Connection refused"):
            connected(f"ray://127.0.0.1:{port}")


def test_a_cluster_needs_its_token() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(PoolFailed, match="set RAY_AUTH_TOKEN_PATH"):
            connected(f"ray://127.0.0.1:{port}")


def test_without_the_extra_the_command_to_install_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(PoolFailed, match=r"pip install 'bot-arena\[ray\]'"):
        connected("ray")


def test_other_versions_are_named() -> None:
    own = software()
    assert differences(own, software()) == []
    assert differences(own, own._replace(arena="9.9", code="0")) == [
        f"bot-arena 9.9 (here {own.arena})",
        f"the code of engine and bots 0 (here {own.code})",
    ]


LOADED = """
import sys, arena.cli.match, arena.cli.evolve, lab.commands.tune
print(sorted(name for name in sys.modules if name == "ray" or name.startswith(("ray.", "grpc"))))
"""


def test_commands_load_nothing_of_ray() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            LOADED,
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "[]"
