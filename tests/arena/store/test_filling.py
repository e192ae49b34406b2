# SPDX-License-Identifier: GPL-3.0-or-later
"""A made-up arena is a sound one, and goes on like any other."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli import main
from arena.records.verification import verify
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.filling import Plan
from tests.arena.store.company import play, versions

PLAN = Plan(bots=30, matches=25_000, game="checkers", time_class="bullet", time_control="60+0.5", seed=3)


async def test_synthetic_records_verify_and_new_matches_can_follow(store: Store) -> None:
    heard: list[int] = []
    await store.fill(PLAN, heard.append)
    assert heard == [20_000, 25_000]
    board = await store.ratings.leaderboard("checkers", "bullet")
    assert len(board.items) == 30
    assert sum(line.rating_row.games for line in board.items) == 50_000
    assert board.items[0].rating_row.rating > 1600 > 1400 > board.items[-1].rating_row.rating
    newest = await store.matches.page("finished", bot_id=board.items[0].bot_id, limit=5)
    assert [row.id for row in newest.items] == sorted((row.id for row in newest.items), reverse=True)
    one, other = await versions(store, "marion", "arthur")
    assert one.id > PLAN.bots
    finished = await play(store, one, other, "1-0", game="nim")
    assert finished.match_id == PLAN.matches + 1
    report = await store.audit(verify)
    assert {finding.where for finding in report.findings} == {f"match {finished.match_id}"}  # its moves are made up
    assert (report.matches, report.pruned) == (25_001, 25_000)


async def test_only_an_empty_arena_is_filled(store: Store) -> None:
    await versions(store, "marion")
    with pytest.raises(StoreError, match="empty"):
        await store.fill(PLAN)


def test_the_command_fills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["--data", str(tmp_path), "--json"]
    assert main(["lab", "fill", "--bots", "5", "--matches", "40", *place]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 40
    with closing(sqlite3.connect(tmp_path / "arena.db")) as database:
        assert database.execute("SELECT max(finished) FROM match").fetchone() <= (time.time(),)
    assert main(["verify", *place]) == 0
    capsys.readouterr()
    assert main(["lab", "fill", "--bots", "5", "--matches", "40", *place]) == 2
    assert "empty" in capsys.readouterr().err
    assert main(["lab", "fill", "--bots", "1", "--matches", "1", *place]) == 2
    assert main(["lab", "fill", "--matches", "-1", *place]) == 2
    assert main(["lab", "fill", "--game", "go", *place]) == 2
