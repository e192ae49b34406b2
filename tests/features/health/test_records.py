# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of quarantines, over SQLite and over PostgreSQL."""

import pytest

from arena.features.accounts.records import Accounts, Ownership
from arena.features.health.judging import Verdict
from arena.features.health.records import BY_HAND, Quarantines
from arena.features.health.rows import NeedsValidation, NotQuarantined
from arena.features.uploads.records.versions import Uploads
from arena.store import Store
from tests.arena.store.company import play, versions
from tests.features.health.failing import failed
from tests.features.uploads.test_records import accepted

VERDICT = Verdict("it crashed", (3, 4))


async def test_the_newest_rated_matches_of_a_version_are_read(store: Store) -> None:
    records = store.records(Quarantines)
    shaky, other = await versions(store, "shaky", "other")
    newer = await store.bots.version(shaky.bot_id, "2")
    matches = [await failed(store, shaky, other), await failed(store, shaky, other, termination="time")]
    won = (await play(store, shaky, other)).match_id
    await failed(store, newer, other)
    await failed(store, shaky, other, rated=False)
    await play(store, shaky, other, result="*")
    found = await records.ended(shaky.bot_id, shaky.id, 20)
    assert [(each.match, each.termination, each.lost) for each in found] == [
        (won, "decided", False),
        (matches[1], "time", True),
        (matches[0], "crash", True),
    ]
    assert [each.match for each in await records.ended(shaky.bot_id, shaky.id, 1)] == [won]
    assert [each.lost for each in await records.ended(other.bot_id, other.id, 20)] == [False, True, False, False]


async def test_a_bot_is_in_quarantine_once_and_counts_anew_afterwards(store: Store) -> None:
    records = store.records(Quarantines)
    shaky, other = await versions(store, "shaky", "other")
    await failed(store, shaky, other)
    assert await records.add(shaky.bot_id, shaky.id, VERDICT)
    assert not await records.add(shaky.bot_id, shaky.id, VERDICT)
    assert await records.bots() == {shaky.bot_id}
    (row,) = (await records.lasting()).items
    assert (row.bot, row.version, row.reason, row.matches, row.account_id) == ("shaky", "1", "it crashed", (3, 4), None)
    lifted = await records.lift(shaky.bot_id)
    assert (lifted.how, lifted.lifted is not None) == (BY_HAND, True)
    assert await records.bots() == frozenset()
    assert await records.ended(shaky.bot_id, shaky.id, 20) == []
    with pytest.raises(NotQuarantined):
        await records.lift(shaky.bot_id)
    again = await failed(store, shaky, other)
    assert [each.match for each in await records.ended(shaky.bot_id, shaky.id, 20)] == [again]
    assert await records.add(shaky.bot_id, shaky.id, VERDICT)
    assert [each.lifted is None for each in await records.of_bot(shaky.bot_id, 20)] == [True, False]


async def test_notices_are_for_the_owner_and_those_of_other_bots_for_administrators(store: Store) -> None:
    records = store.records(Quarantines)
    marion = await store.records(Accounts).add("marion", "owner")
    own = await store.records(Ownership).register(marion.id, "own", "hash of own")
    (unowned,) = await versions(store, "unowned")
    version = await store.bots.version(own.id, "1")
    await records.add(own.id, version.id, VERDICT)
    await records.add(unowned.bot_id, unowned.id, VERDICT)
    assert [row.bot for row in await records.of_account(marion.id, unowned=False)] == ["own"]
    assert [row.bot for row in await records.of_account(marion.id, unowned=True)] == ["unowned", "own"]
    assert [row.bot for row in await records.of_account(999, unowned=False)] == []
    await store.bots.remove("own")
    assert [row.bot for row in (await records.lasting()).items] == ["unowned"]


async def test_pages_of_quarantines_follow_each_other(store: Store) -> None:
    records = store.records(Quarantines)
    for version in await versions(store, "a", "b", "c"):
        await records.add(version.bot_id, version.id, VERDICT)
    page = await records.lasting(limit=2)
    assert [row.bot for row in page.items] == ["c", "b"]
    assert [row.bot for row in (await records.lasting(after=page.next)).items] == ["a"]


async def test_a_hosted_version_in_quarantine_needs_a_validation(store: Store) -> None:
    records, uploads = store.records(Quarantines), store.records(Uploads)
    (mine,) = await versions(store, "mine")
    upload = await accepted(store, mine.bot_id)
    await uploads.change(upload, ("accepted",), "quarantined", VERDICT.reason)
    await records.add(mine.bot_id, mine.id, VERDICT)
    with pytest.raises(NeedsValidation, match="validate the version again"):
        await records.lift(mine.bot_id)
    await uploads.change(upload, ("quarantined",), "withdrawn")
    assert (await records.lift(mine.bot_id)).lifted is not None
