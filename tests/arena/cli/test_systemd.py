# SPDX-License-Identifier: GPL-3.0-or-later
"""The server notifies systemd that it is ready, works and stops; a socket stands in for systemd's."""

import os
import socket
import sys
from pathlib import Path

import pytest

from arena.cli.support.serving.systemd import Notifier
from tests.end_to_end.server import Server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="systemd runs on Linux")

PATIENCE = 600.0


def listener(address: str) -> socket.socket:
    """Return the socket on which systemd waits for notifications."""
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    heard.bind(address)
    heard.settimeout(PATIENCE)
    return heard


async def test_it_says_that_it_is_ready_works_and_stops(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    with listener(address) as heard:
        environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "60000000"}
        server = Server(tmp_path, "--no-built-in-bots", "--games", "nim", environment=environment, real=True)
        try:
            await server.start()
            await server.stop()
        finally:
            await server.kill()
        told: list[list[str]] = []
        while not told or "STOPPING=1" not in told[-1]:
            told.append(heard.recv(4096).decode().split("\n"))
    ready = next(states for states in told if "READY=1" in states)
    assert ready[1].startswith("STATUS=The arena is at http://127.0.0.1:")
    assert ["WATCHDOG=1"] in told


def test_without_systemd_it_says_nothing() -> None:
    environment: dict[str, str] = {}
    notifier = Notifier(environment)
    notifier.notify("READY=1")
    assert notifier.watchdog == 0


def test_children_do_not_notify_and_the_watchdog_of_another_process_is_ignored() -> None:
    environment = {"NOTIFY_SOCKET": "@arena-test", "WATCHDOG_PID": "1", "WATCHDOG_USEC": "1000000"}
    assert Notifier(environment).watchdog == 0
    assert environment == {}
    own = {"NOTIFY_SOCKET": "@arena-test", "WATCHDOG_PID": str(os.getpid()), "WATCHDOG_USEC": "90000000"}
    assert Notifier(own).watchdog == 90


def test_sockets_without_a_file_are_reached() -> None:
    name = f"arena-{os.getpid()}"
    with listener(f"\0{name}") as heard:
        Notifier({"NOTIFY_SOCKET": f"@{name}"}).notify("READY=1", "STATUS=well")
        assert heard.recv(100) == b"READY=1\nSTATUS=well"


def test_a_queue_that_nobody_empties_holds_nothing_up() -> None:
    name = f"arena-full-{os.getpid()}"
    with listener(f"\0{name}"):
        notifier = Notifier({"NOTIFY_SOCKET": f"@{name}"})
        for _ in range(1_000):
            notifier.notify("WATCHDOG=1")


def test_a_socket_that_is_gone_ends_nothing(tmp_path: Path) -> None:
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).notify("READY=1")
