# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the benchmark of hosted bots that need no measurement."""

import os
from pathlib import Path

from arena.features.uploads.records.versions import Uploads
from arena.store import Store
from tests.features.uploads import bench


async def test_the_benchmark_records_bots_that_the_server_hosts(tmp_path: Path) -> None:
    await bench.accepted(tmp_path, 3)
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        hosted = await store.records(Uploads).hosted()
    assert [(row.bot, row.state) for row in hosted] == [(f"bot-{number}", "accepted") for number in range(3)]
    assert (tmp_path / "uploads" / f"{hosted[0].digest}.python" / "files" / hosted[0].entry).is_file()


def test_the_memory_of_a_process_is_known() -> None:
    assert bench.memory(os.getpid()) > bench.MIB
