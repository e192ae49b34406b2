# SPDX-License-Identifier: GPL-3.0-or-later
from collections.abc import Iterator

import pytest
import pytest_asyncio

from arena.store import Store
from tests.nats import Nats, running
from tests.postgres import Postgres


@pytest.fixture(scope="package")
def nats() -> Iterator[Nats]:
    """A NATS server, which runs after each test."""
    with running() as server:
        yield server


@pytest_asyncio.fixture
async def database(postgres: Postgres) -> str:
    """URL of an empty arena's database in PostgreSQL."""
    postgres.sweep()
    await (await Store.open(postgres.url)).close()
    return postgres.url
