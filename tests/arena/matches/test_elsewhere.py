# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of other servers engage their bots once, however the leading server hears of them."""

import asyncio
from collections.abc import Collection
from pathlib import Path

import pytest

from arena.ladder.shares import BotAndOwner, Shares
from arena.matches.elsewhere import Elsewhere
from arena.settings import Settings
from arena.store import Store
from arena.store.rows import MatchRow, NewMatch

ME, OTHER = 1, 2


async def started(store: Store, owner: int) -> MatchRow:
    """Start a match of two new bots that a server referees."""
    names = [f"{name}-{await store.matches.count()}" for name in ("one", "other")]
    bots = [await store.bots.add(name, f"token of {name}") for name in names]
    one, other = [(await store.bots.version(bot.id, "1")).id for bot in bots]
    new = NewMatch("nim", "bullet", "60+0", True, 1, None, (), (one, other), owner=owner, epoch=1)
    row = await store.matches.row(await store.matches.start(new))
    assert row is not None
    return row


async def test_a_match_that_was_found_before_it_was_added_engages_once(tmp_path: Path) -> None:
    over: list[int] = []
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        shares = Shares(Settings())
        elsewhere = Elsewhere(store, shares, lambda row: None, lambda row: over.append(row.id))
        row = await started(store, OTHER)
        one, other = row.players
        shares.engage(BotAndOwner.of_player(one), BotAndOwner.of_player(other))
        await elsewhere.look(ME)
        elsewhere.add(row)
        assert shares.matches(one.bot_id) == 1
        await elsewhere.look(ME)
        await store.matches.finish(row.id, result="1-0", termination="decided", plies=3)
        await elsewhere.look(ME)
        assert (shares.matches(one.bot_id), shares.matches(other.bot_id)) == (0, 0)
        assert over == [row.id]
        assert not elsewhere.rows


async def test_a_match_that_is_added_while_it_is_read_engages_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        shares = Shares(Settings())
        elsewhere = Elsewhere(store, shares, lambda row: None, lambda row: None)
        row = await started(store, OTHER)
        one, other = row.players
        shares.engage(BotAndOwner.of_player(one), BotAndOwner.of_player(other))
        read = store.matches.rows

        async def rows(numbers: Collection[int]) -> list[MatchRow]:
            found = await read(numbers)
            if numbers:
                elsewhere.add(row)
            return found

        monkeypatch.setattr(store.matches, "rows", rows)
        await elsewhere.look(ME)
        monkeypatch.undo()
        assert shares.matches(one.bot_id) == 1
        await store.matches.finish(row.id, result="1-0", termination="decided", plies=3)
        await elsewhere.look(ME)
        assert (shares.matches(one.bot_id), shares.matches(other.bot_id)) == (0, 0)


async def test_a_match_that_this_server_referees_now_is_not_elsewhere(tmp_path: Path) -> None:
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        shares = Shares(Settings())
        elsewhere = Elsewhere(store, shares, lambda row: None, lambda row: None)
        row = await started(store, OTHER)
        await elsewhere.look(ME)
        assert shares.matches(row.players[0].bot_id) == 1
        await store.matches.hand_over([row.id], OTHER, ME)
        await elsewhere.look(ME)
        assert shares.matches(row.players[0].bot_id) == 0
        found = await store.matches.row(row.id)
        assert found is not None
        assert (found.owner, found.epoch) == (ME, 2)


async def test_ends_that_another_server_tells_are_settled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over: list[int] = []
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        shares = Shares(Settings())
        elsewhere = Elsewhere(store, shares, lambda row: None, lambda row: over.append(row.id))
        row, lasting = await started(store, OTHER), await started(store, OTHER)
        await elsewhere.look(ME)
        await store.matches.finish(row.id, result="1-0", termination="decided", plies=3)
        read = store.matches.live_owners
        told: list[asyncio.Task[None]] = []

        async def live(own: int | None = None) -> dict[int, int | None]:
            found = await read(own)
            told.append(asyncio.create_task(elsewhere.ended(ME, {row.id, lasting.id, lasting.id + 1}, ())))
            await asyncio.sleep(0)
            return found

        # the message comes while all matches are compared
        monkeypatch.setattr(store.matches, "live_owners", live)
        await elsewhere.look(ME)
        await told[0]
        assert over == [row.id]
        assert [shares.matches(player.bot_id) for player in row.players] == [0, 0]
        assert [shares.matches(player.bot_id) for player in lasting.players] == [1, 1]
        assert list(elsewhere.rows) == [lasting.id]


async def test_bots_are_not_free_between_two_matches_that_follow_from_one_another(tmp_path: Path) -> None:
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        shares = Shares(Settings())
        free: list[int] = []
        elsewhere = Elsewhere(
            store,
            shares,
            lambda row: None,
            lambda row: free.extend(side.bot_id for side in row.players if not shares.matches(side.bot_id)),
        )
        first = await started(store, OTHER)
        await elsewhere.look(ME)
        second = NewMatch(
            "nim", "bullet", "60+0", True, 1, None, (), (first.players[1].version_id, first.players[0].version_id),
            pair=first.id, owner=OTHER, epoch=1,
        )  # fmt: skip
        ended = await store.matches.finish(first.id, result="1-0", termination="decided", plies=3, sequel=second)
        assert ended.sequel is not None
        await elsewhere.ended(ME, {first.id}, {ended.sequel})
        assert [shares.matches(player.bot_id) for player in first.players] == [1, 1]
        assert not free
        await store.matches.finish(ended.sequel, result="1-0", termination="decided", plies=3)
        await elsewhere.ended(ME, {ended.sequel}, ())
        assert [shares.matches(player.bot_id) for player in first.players] == [0, 0]
        assert sorted(free) == sorted(player.bot_id for player in first.players)
