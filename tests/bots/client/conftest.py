# SPDX-License-Identifier: GPL-3.0-or-later
"""A port at which nobody listens."""

import socket
from collections.abc import Iterator

import pytest


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that refuses connections; no other process can open it meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
