# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``arena quarantine``, on the database itself."""

import asyncio
import json
from pathlib import Path

import pytest

from arena.cli import main
from arena.features.health.judging import Verdict
from arena.features.health.records import Quarantines
from arena.store import Store
from tests.arena.store.company import versions
from tests.databases import found


def test_a_bot_is_listed_and_put_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def fill() -> None:
        async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
            (shaky,) = await versions(store, "shaky")
            await store.records(Quarantines).add(shaky.bot_id, shaky.id, Verdict("it crashed", (3, 4)))

    found(tmp_path)
    asyncio.run(fill())
    place = "--data", str(tmp_path)
    assert main(["quarantine", "list", *place]) == 0
    assert "it crashed" in capsys.readouterr().out
    assert main(["quarantine", "list", *place, "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["items"]
    assert (listed["name"], listed["version"], listed["matches"], listed["lifted"]) == ("shaky", "1", [3, 4], None)
    assert main(["quarantine", "lift", "shaky", *place, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["how"] == "put back by hand"
    assert main(["quarantine", "lift", "shaky", *place]) == 2
    assert "not in quarantine" in capsys.readouterr().err
    assert main(["quarantine", "lift", "nobody", *place]) == 2
    assert "no bot is called nobody" in capsys.readouterr().err
