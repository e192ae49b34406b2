# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of uploads, over SQLite and over PostgreSQL."""

import time
from typing import Any

import pytest

from arena.features.accounts.records import Accounts, Ownership
from arena.features.uploads.records.versions import KEPT_MATCHES, LONGEST_LOG, MOST_ATTEMPTS, PAUSES, Uploads
from arena.features.uploads.rows import (
    Allowance,
    NewUpload,
    State,
    TooManyUploads,
    UnknownVersion,
    UploadRow,
    WrongState,
)
from arena.store import Store

FREE = Allowance(None, None, 10**9, 1000)


async def add(store: Store, bot_id: int, *, account: int = 1, state: State = "queued", **more: Any) -> UploadRow:
    """Record an upload."""
    new = NewUpload(bot_id, account, "ab" * 32, "python", "mine.py", "bot.py", [], "", 100, 150, state)
    return await store.records(Uploads).add(new._replace(**more), FREE)


async def accepted(store: Store, bot_id: int, label: str = "1", **more: Any) -> UploadRow:
    """Record an upload that was validated."""
    row = await add(store, bot_id, **more)
    records = store.records(Uploads)
    await records.started(row.id)
    assert await records.accept(row.id, ["nim"], label)
    return await records.get(bot_id, row.number)


async def bot(store: Store, name: str = "mine") -> int:
    """Register a bot."""
    return (await store.bots.add(name, f"hash of {name}")).id


async def test_versions_of_a_bot_are_numbered(store: Store) -> None:
    one, other = await bot(store), await bot(store, "other")
    rows = [await add(store, one), await add(store, other), await add(store, one, games=["nim"], label="7")]
    assert [row.number for row in rows] == [1, 1, 2]
    assert (rows[2].games, rows[2].label, rows[2].bot, rows[2].state) == (("nim",), "7", "mine", "queued")
    page = await store.records(Uploads).of_bot(one, limit=1)
    assert [row.number for row in page.items] == [2]
    assert [row.number for row in (await store.records(Uploads).of_bot(one, after=page.next)).items] == [1]
    with pytest.raises(UnknownVersion):
        await store.records(Uploads).get(one, 3)


@pytest.mark.parametrize(
    ("allowance", "why"),
    [
        (FREE._replace(per_day=2), "may upload 2 files in 24 hours"),
        (FREE._replace(per_day=0), "may upload 0 files in 24 hours"),
        (FREE._replace(storage=449), "may take 449 bytes"),
        (FREE._replace(storage_all=599), "no more room"),
        (FREE._replace(queue=3), "3 uploads wait"),
    ],
)
async def test_limits_count_what_is_there(store: Store, allowance: Allowance, why: str) -> None:
    mine = await bot(store)
    rows = [await add(store, mine, account=account) for account in (1, 1, 2)]
    new = NewUpload(mine, 1, "ab" * 32, "python", "mine.py", "bot.py", [], "", 100, 150, "queued")
    with pytest.raises(TooManyUploads, match=why) as refused:
        await store.records(Uploads).add(new, allowance)
    assert 0 < refused.value.retry_after <= 86_400
    assert await store.records(Uploads).usage(1) == (300, 2)
    await store.records(Uploads).change(rows[2], ("queued",), "withdrawn")
    assert await store.records(Uploads).usage(2) == (0, 1)


async def test_a_validation_writes_its_log_and_its_result(store: Store) -> None:
    records, mine = store.records(Uploads), await bot(store)
    row = await add(store, mine)
    await records.log(row.id, "before it starts")
    await records.started(row.id)
    for line in ("one", "two", "x" * LONGEST_LOG, "three"):
        await records.log(row.id, line)
    assert [each.id for each in await records.waiting()] == [row.id]
    assert await records.accept(row.id, ["nim", "chess"], "3", "Plays nim and chess.")
    described = await store.bots.named("mine")
    assert described is not None
    assert described.description == "Plays nim and chess."
    found = await records.get(mine, 1)
    assert (found.state, found.label, found.games, found.log) == (
        "accepted",
        "3",
        ("nim", "chess"),
        "one\ntwo\nthree\n",
    )
    await records.reject(row.id, "too late")
    await records.log(row.id, "too late")
    assert not await records.accept(row.id, ["go"], "4", "Plays Go.")
    assert await store.bots.named("mine") == described
    assert await records.get(mine, 1) == found
    assert await records.waiting() == []
    other = await add(store, mine)
    await records.started(other.id)
    await records.reject(other.id, "illegal move")
    newest = await records.get(mine, 2)
    assert (newest.state, newest.reason) == ("rejected", "illegal move")


async def test_a_label_belongs_to_one_file(store: Store) -> None:
    mine = await bot(store)
    assert (await accepted(store, mine)).label == "1"
    assert (await accepted(store, mine)).label == "1", "it is the same file"
    assert (await accepted(store, mine, digest="cd" * 32)).label == "1-3"
    assert (await accepted(store, mine, "2", digest="ef" * 32)).label == "2"
    assert (await accepted(store, await bot(store, "other"), digest="cd" * 32)).label == "1"


async def test_interrupted_validations_are_queued_again_but_not_for_ever(store: Store) -> None:
    records, mine = store.records(Uploads), await bot(store)
    row = await add(store, mine)
    for attempt, pause in enumerate(PAUSES, 1):
        await records.started(row.id)
        assert (await records.get(mine, 1)).reason == ""
        before = time.time()
        assert await records.interrupted("no memory left") == []
        found = await records.get(mine, 1)
        assert found.state == "queued"
        assert before + pause <= found.queued <= time.time() + pause
        assert f"attempt {attempt} of {MOST_ATTEMPTS} had no result (no memory left); the next one" in found.reason
    await records.started(row.id)
    assert await records.interrupted("no memory left") == [row.id]
    found = await records.get(mine, 1)
    assert found.state == "rejected"
    assert found.reason.startswith(f"validation failed {MOST_ATTEMPTS} times")
    assert found.reason.endswith("no memory left")
    again = await records.change(found, ("rejected",), "queued")
    assert (again.state, again.attempts, again.reason, again.log) == ("queued", 0, "", "")
    assert again.queued > row.queued


async def test_a_state_changes_only_from_those_that_allow_it(store: Store) -> None:
    row = await add(store, await bot(store))
    with pytest.raises(
        WrongState, match="version 1 is queued; this action needs a version that is waiting or rejected"
    ):
        await store.records(Uploads).change(row, ("waiting", "rejected"), "queued")


async def test_the_newest_accepted_version_of_a_bot_is_hosted(store: Store) -> None:
    records, mine = store.records(Uploads), await bot(store)
    first = await accepted(store, mine)
    second = await accepted(store, mine, digest="cd" * 32)
    await add(store, mine)
    assert [row.id for row in await records.hosted()] == [second.id]
    assert await records.files() == {("ab" * 32, "python"), ("cd" * 32, "python")}
    await records.change(second, ("accepted",), "quarantined")
    assert await records.hosted() == [], "an older version does not replace one in quarantine"
    await records.change(second, ("quarantined",), "withdrawn")
    assert [row.id for row in await records.hosted()] == [first.id]
    assert not await records.in_use("cd" * 32, "python")
    await store.bots.remove("mine")
    assert await records.hosted() == []
    assert await records.waiting() == []
    assert await records.files() == set()


async def test_bots_of_disabled_accounts_are_not_hosted(store: Store) -> None:
    marion = await store.records(Accounts).add("marion", "owner")
    mine = (await store.records(Ownership).register(marion.id, "mine", "hash")).id
    await accepted(store, mine, account=marion.id)
    await add(store, mine, account=marion.id)
    records = store.records(Uploads)
    assert (len(await records.hosted()), len(await records.waiting())) == (1, 1)
    await store.records(Accounts).set_disabled(marion.id, True)
    assert (len(await records.hosted()), len(await records.waiting())) == (0, 0)


async def test_error_output_is_kept_for_the_newest_matches(store: Store) -> None:
    records, mine = store.records(Uploads), await bot(store)
    row = await accepted(store, mine)
    for match in range(1, KEPT_MATCHES + 6):
        await records.add_errors(row.id, match, f"in match {match}\0")
    await records.add_errors(row.id, KEPT_MATCHES + 5, "told twice")
    page = await records.errors(mine, limit=KEPT_MATCHES + 10)
    assert [each.match for each in page.items] == list(range(KEPT_MATCHES + 5, 5, -1))
    assert (page.items[0].text, page.items[0].version) == (f"in match {KEPT_MATCHES + 5}\ufffd", 1)
    first = await records.errors(mine, limit=2)
    second = await records.errors(mine, limit=2, after=first.next)
    assert [each.match for each in (*first.items, *second.items)] == [105, 104, 103, 102]


async def test_uploads_of_removed_bots_take_no_room(store: Store) -> None:
    """Nobody could withdraw them: by removing bots or accounts, an owner could fill the arena for ever."""
    mine, records = await bot(store), store.records(Uploads)
    await add(store, mine)
    await store.bots.remove("mine")
    full = Allowance(None, 150, 150, 1)
    await records.check_queue(1, full)
    other = await bot(store, "other")
    new = NewUpload(other, 1, "ab" * 32, "python", "mine.py", "bot.py", [], "", 100, 150, "queued")
    await records.add(new, full)
    assert await records.usage(1) == (150, 2), "a day's uploads count in any case"


async def test_an_account_takes_a_part_of_the_queue_and_its_turn(store: Store) -> None:
    mine, records = await bot(store), store.records(Uploads)
    rows = [await add(store, mine, account=account) for account in (1, 1, 1, 2, 3, 2)]
    assert [row.id for row in await records.waiting()] == [rows[place].id for place in (0, 3, 4, 1, 5, 2)]
    limited = FREE._replace(per_day=100, queue=12)
    with pytest.raises(TooManyUploads, match="3 uploads of your account wait"):
        await records.check_queue(1, limited)
    await records.check_queue(2, limited)
    await records.check_queue(1, limited._replace(per_day=None))
