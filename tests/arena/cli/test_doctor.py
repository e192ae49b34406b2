# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena doctor`` on this machine, and on installations that lack something."""

import asyncio
import json
import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from arena.cli import main
from arena.cli.support.examining import machine, software
from arena.settings import Settings
from arena.store.database.examining import DatabaseState, examine
from arena.store.database.migrating import newest
from bots.sandbox import Found, bubblewrap
from tests.databases import lay
from tests.end_to_end.server import Server

NAMES = [
    *("versions", "libraries", "database", "disk of the database", "kernel cache", "disk of the kernel cache"),
    *("sandbox", "port", "open files", "processors", "memory", "clock"),
]

Examine = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def doctor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Examine:
    """Examine the arena of a new folder; return the exit code and the checks by name."""

    def run(*options: str) -> tuple[int, dict[str, Any]]:
        capsys.readouterr()
        code = main(["doctor", "--json", "--data", str(tmp_path), *(options or ("--port", "0"))])
        told = json.loads(capsys.readouterr().out)
        states = [check["state"] for check in told["checks"]]
        assert (told["errors"], told["warnings"]) == (states.count("error"), states.count("warning"))
        assert code == (1 if told["errors"] else 0)
        return code, {check["name"]: check for check in told["checks"]}

    return run


def test_it_examines_this_machine(doctor: Examine, capsys: pytest.CaptureFixture[str]) -> None:
    code, checks = doctor()
    assert list(checks) == NAMES
    assert code == 0, checks
    for check in checks.values():
        assert (check["state"] == "ok") == (not check["advice"]), check
    assert f"{len(os.sched_getaffinity(0))} usable" in checks["processors"]["found"]
    assert "none yet" in checks["database"]["found"]
    assert checks["sandbox"]["found"].split(",")[0].split(";")[0] in {"bubblewrap", "namespaces", "none"}
    assert main(["doctor", "--port", "0"]) == 0
    shown = capsys.readouterr().out
    for name in NAMES:
        assert f"\n{name} " in shown


def test_it_says_why_a_sandbox_is_not_used(doctor: Examine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "NEEDED", ("no-such-command",))
    _, checks = doctor()
    assert "bubblewrap: no-such-command not installed" in checks["sandbox"]["found"]
    assert checks["sandbox"]["state"] == "warning"
    none = software.sandbox(Found(None, ("sandboxes need Linux (this is other)",)))
    assert (none.state, none.found) == ("warning", "none; not used: sandboxes need Linux (this is other)")


def test_a_taken_port_is_an_error(doctor: Examine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, checks = doctor("--port", str(port))
    assert code == 1
    assert checks["port"]["state"] == "error"
    assert f"port {port} is in use" in checks["port"]["found"]
    assert "choose another --port" in checks["port"]["advice"]


async def test_a_running_server_is_named_and_no_error(doctor: Examine, tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-built-in-bots", "--games", "nim")
    await server.start()
    code, checks = await asyncio.to_thread(doctor, "--port", str(server.port))
    assert code == 0, checks
    assert f", process {server.pid} on {socket.gethostname()}" in checks["database"]["found"]
    assert "while arena" in checks["port"]["found"]
    await server.ready()  # the examination did not take the database from it
    await server.stop()
    _, checks = await asyncio.to_thread(doctor)
    assert "no server runs on it" in checks["database"]["found"]


def test_databases_of_other_versions_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "arena.db"
    lay(f"sqlite:///{file}")
    state = examine(f"sqlite:///{file}")
    assert (state.schema, state.trouble, state.server) == (newest(), "", "")
    assert software.database(state).state == "ok"
    for schema, verdict, advice in (("0003", "warning", "migrates it to schema"), ("9999", "error", "that made it")):
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", [schema])
        check = software.database(examine(f"sqlite:///{file}"))
        assert (check.state, f"schema {schema}" in check.found, advice in check.advice) == (verdict, True, True)


def test_databases_that_cannot_be_used_are_errors(tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_bytes(b"no database" * 1000)
    unknown = examine("mysql://user:secret@host/name")
    for state in (
        examine(f"sqlite:///{tmp_path / 'arena.db'}"),
        examine("postgresql://nobody:secret@127.0.0.1:1/none?connect_timeout=2"),
        unknown,
        DatabaseState("arena.db", writable=False),
    ):
        check = software.database(state)
        assert (check.state, bool(check.advice)) == ("error", True)
        assert "secret" not in check.found


def test_libraries_are_compared_with_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / software.LOCK
    lock.parent.mkdir()
    text = (
        "aiohttp==0.0.1 \\\n    --hash=sha256:ab\nno-such-library==1.0 \\\ncolorama==0.1 ; sys_platform == 'win32' \\\n"
    )
    lock.write_text(text)
    check = software.libraries(tmp_path)
    assert check.state == "warning"
    assert "not 0.0.1" in check.found
    assert "no-such-library is missing, not 1.0" in check.found
    assert "colorama" not in check.found
    shutil.rmtree(lock.parent)
    assert software.libraries(tmp_path).found == "all are installed"


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize(("free", "state"), [(1 << 20, "error"), (1 << 30, "warning"), (1 << 40, "ok")])
def test_a_full_disk_is_reported(free: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1 << 40, 0, free))
    check = machine.disk("disk", tmp_path / "not" / "there")
    assert (check.state, bool(check.advice)) == (state, state != "ok")


def test_too_few_files_and_little_memory_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "raise_limit", lambda: 1024)
    assert machine.open_files(Settings()).state == "warning"
    few = Settings(max_connections=10, silent_connections=10, max_spectators=10, http_connections=10)
    assert machine.open_files(few).state == "ok"
    monkeypatch.setattr(machine, "raise_limit", lambda: None)
    assert machine.open_files(Settings()).state == "ok"
    monkeypatch.setattr(machine, "_memory", lambda: 1 << 30)
    assert machine.memory().state == "warning"
    monkeypatch.setattr(machine, "allowed", lambda: 1)
    assert machine.processors().state == "warning"


def test_wrong_clocks_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.clock().state == "ok"

    def clocks(wall: Callable[[], float]) -> SimpleNamespace:
        """The module's clocks with another wall clock: other threads read the real one."""
        return SimpleNamespace(time=wall, monotonic=time.monotonic, sleep=time.sleep)

    monkeypatch.setattr(machine, "time", clocks(lambda: 1000.0))
    assert machine.clock().state == "error"
    jumps = iter([0.0] * (machine.READINGS + 1))
    monkeypatch.setattr(machine, "time", clocks(lambda: time.time() + next(jumps, 3600.0)))
    check = machine.clock()
    assert (check.state, "the wall clock moved by" in check.found) == ("warning", True)


def test_the_kernel_cache_is_examined(tmp_path: Path) -> None:
    cache = tmp_path / "kernels" / "0123"
    cache.mkdir(parents=True)
    assert software.kernel_cache(cache).state == "warning"
    (cache / "f.nbc").write_bytes(bytes(2 << 20))
    check = software.kernel_cache(cache)
    assert (check.state, "2 MiB" in check.found) == ("ok", True)
    (cache.parent / "old").mkdir()
    with (cache.parent / "old" / "f.nbc").open("wb") as large:
        large.truncate(software.MOST_CACHE)
    assert "delete the other folders" in software.kernel_cache(cache).advice
