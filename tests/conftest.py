# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of several rooms need: a real PostgreSQL and a real browser's executable."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

# as a server does, before numpy is loaded: see arena/cli/serve.py
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from arena.hosting.processors import allowed
from arena.store.database import engines
from bots.sandbox import own_time, tiers
from tests import chance, forked, new_databases, order, rewriting
from tests.postgres import Postgres, running
from tools.chromium import installed

FOLDER = Path(__file__).parent

chance.register()
new_databases.remember()

# a disk that other processes use takes long for a write, and is not broken
engines.PATIENCE = 600.0
# and a sandbox that starts late is one
tiers.TRIAL_WITHIN = 600.0
# and a program that waits for a processor for minutes is none that hangs
own_time.LEAST_WALL = 600.0

# an arena within a test logs to standard error, as a server does: what commands print stays apart
structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))

# a shell's background job ignores Ctrl-C, and so would every process that a test starts and means to stop that way
signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["tests.databases", "tests.documentation"]

# processors are for what a test is about; tests of breeding and of learning ask for it
os.environ.setdefault("ARENA_BREEDING", "")
os.environ.setdefault("ARENA_LEARNING", "no")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes run the tests: twice the processors, but at most two more, as many tests wait."""
    return min(2 * allowed(), allowed() + 2)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Fix the examples of Hypothesis, after its own plugin has read --hypothesis-profile.

    The processes of a parallel run share the work of rewriting assertions.
    """
    chance.repeat()
    if worker := getattr(config, "workerinput", None):
        rewriting.share(config, int(worker["workerid"].removeprefix("gw")), worker["workercount"])


def pytest_unconfigure() -> None:
    """End the process that starts servers."""
    forked.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let each process of a parallel run begin with its part of the longest tests."""
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    if processes > 1:
        items[:] = order.dealt(items, processes, lambda item: item.path.relative_to(FOLDER).as_posix())


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL server that runs for this session only.

    Each process of a parallel run has its own: tests empty its database, and crash it.
    """
    with running(tmp_path_factory.mktemp("runtime")) as server:
        server.hurry()
        yield server


@pytest.fixture(scope="session")
def chromium_path() -> str | None:
    """Executable of the system's Chromium for Playwright's `executable_path`; None: Playwright's own."""
    return installed()
