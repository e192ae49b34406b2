# SPDX-License-Identifier: GPL-3.0-or-later
"""Real chess engines for tests, where they are installed."""

import pytest

from tools.debian import installed


def engine(name: str) -> str:
    """Path of an engine; the test is left out where it is not installed."""
    path = installed(name)
    if path is None:
        pytest.skip(f"{name} is not installed: python -m tools.programs")
    return str(path)
