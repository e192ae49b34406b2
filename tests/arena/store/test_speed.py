# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from sqlalchemy import event

from arena.store import Store
from arena.store.database import writer
from tests.arena.store.company import CHECKERS, versions

MATCHES = 500
MOVES = 12
BODY = b'{"type":"moved","ply":12,"seat":0,"move":"11-15","elapsed":512,"clock":59000,"info":{"score":0.1,"depth":8}}'


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_many_matches_share_the_price_of_a_commit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The moves that come while the writer waits after a commit are committed together."""
    commits: list[object] = []
    event.listen(store._engines.writing, "commit", commits.append)
    first, second = await versions(store, "marion", "tinsley")
    new = replace(CHECKERS, players=(first.id, second.id))
    started = await asyncio.gather(*(store.matches.start(new) for _ in range(MATCHES)))

    playing = set(started)

    async def play(match_id: int) -> None:
        for number in range(MOVES):
            await store.matches.append(match_id, [(number, BODY)])
        playing.remove(match_id)

    def gather(_: float) -> None:
        """Wait until all matches have their next move here, on a machine of any speed."""
        while store.backlog < len(playing):
            time.sleep(0.001)  # the backlog has no event

    monkeypatch.setattr(writer, "_GATHERING", float("inf"))
    monkeypatch.setattr(writer, "time", SimpleNamespace(monotonic=time.monotonic, sleep=gather))
    commits.clear()
    await asyncio.gather(*(play(match_id) for match_id in started))
    # the first of all may have come alone
    assert MOVES <= len(commits) <= MOVES + 1
