# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation site, built once in a run of the tests."""

import fcntl
import os
from pathlib import Path

import pytest

from tools.documentation.building import build


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site; the processes of a parallel run share it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    site = shared / "documentation"
    with (shared / "documentation.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not site.exists():
            build(site, shared / "documentation-stage")
    return site
