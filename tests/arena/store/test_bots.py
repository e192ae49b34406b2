# SPDX-License-Identifier: GPL-3.0-or-later
from typing import get_args

import pytest

from arena.store import Store
from arena.store.errors import BadCursor, BadName, NameTaken, TooManyVersions, UnknownBot
from arena.store.rows import BotFilter, BotKind, BotOrder


async def test_a_bot_is_found_by_name_in_any_case_by_id_and_by_token(store: Store) -> None:
    bot = await store.bots.add("Marion", "secret", owner="Arthur", description="looks far ahead")
    assert (bot.name, bot.kind, bot.owner, bot.removed) == ("Marion", "own", "Arthur", None)
    assert await store.bots.get(bot.id) == bot
    assert await store.bots.named("mARION") == bot
    assert await store.bots.by_token("secret") == bot
    assert await store.bots.get(bot.id + 1) is None
    assert await store.bots.named("Tinsley") is None
    assert await store.bots.by_token("guess") is None


async def test_a_name_is_given_once_whatever_its_case(store: Store) -> None:
    await store.bots.add("Marion", "one")
    with pytest.raises(NameTaken, match="Marion is taken"):
        await store.bots.add("marion", "two")
    assert await store.bots.by_token("two") is None


async def test_some_texts_are_no_names(store: Store) -> None:
    for text in ("", "-rf", "two words", "ünlaut", "a" * 41, "x\n", "<b>"):
        with pytest.raises(BadName):
            await store.bots.add(text, "one")


async def test_a_rotated_token_opens_nothing_and_the_new_one_does(store: Store) -> None:
    bot = await store.bots.add("marion", "old")
    assert await store.bots.rotate("Marion", "new") == bot
    assert await store.bots.by_token("old") is None
    assert await store.bots.by_token("new") == bot
    assert await store.bots.revoked({"old", "new"}) == {"old"}
    assert await store.bots.revoked(set()) == set()


async def test_a_removed_bot_is_locked_out_but_remembered(store: Store) -> None:
    bot = await store.bots.add("marion", "secret")
    removed = await store.bots.remove("marion")
    assert removed.removed is not None
    assert removed.removed >= bot.created
    assert await store.bots.by_token("secret") is None
    assert await store.bots.revoked({"secret"}) == {"secret"}
    assert await store.bots.get(bot.id) == removed
    assert (await store.bots.page()).items == []
    with pytest.raises(UnknownBot, match="marion was removed"):
        await store.bots.remove("marion")
    with pytest.raises(UnknownBot):
        await store.bots.rotate("marion", "again")
    with pytest.raises(NameTaken, match="removed"):
        await store.bots.add("marion", "again")
    with pytest.raises(UnknownBot, match="no bot is called tinsley"):
        await store.bots.rotate("tinsley", "again")
    # Two removed bots have no token each, and that is no clash.
    await store.bots.add("tinsley", "secret")
    await store.bots.remove("tinsley")


async def test_a_built_in_bot_gets_a_token_every_time_until_it_is_removed(store: Store) -> None:
    first = await store.bots.admit_built_in("random", "one", description="plays anything")
    assert first is not None
    assert first.kind == "built-in"
    assert await store.bots.admit_built_in("random", "two") == first
    assert await store.bots.by_token("one") is None
    assert await store.bots.by_token("two") == first
    await store.bots.remove("random")
    assert await store.bots.admit_built_in("random", "three") is None
    await store.bots.add("minimax-2", "somebody's")
    with pytest.raises(NameTaken):
        await store.bots.admit_built_in("minimax-2", "four")


async def test_a_version_is_made_once(store: Store) -> None:
    bot = await store.bots.add("marion", "secret")
    first = await store.bots.version(bot.id, "1.0")
    second = await store.bots.version(bot.id, "1.1")
    assert await store.bots.version(bot.id, "1.0") == first
    assert await store.bots.versions(bot.id) == [first, second]
    assert await store.bots.versions(bot.id, 1) == [second]
    with pytest.raises(UnknownBot):
        await store.bots.version(bot.id + 1, "1.0")


async def test_new_versions_are_limited_by_the_day_and_known_ones_are_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, other = await store.bots.add("marion", "secret"), await store.bots.add("tinsley", "another")
    now = 1e9
    monkeypatch.setattr("arena.store.bots.time.time", lambda: now)
    first = await store.bots.version(bot.id, "1", most=2)
    now += 3600
    await store.bots.version(bot.id, "2", most=2)
    with pytest.raises(TooManyVersions, match="try again in 23 h 0 min") as refused:
        await store.bots.version(bot.id, "3", most=2)
    assert refused.value.retry_after == 23 * 3600
    assert await store.bots.version(bot.id, "1", most=2) == first
    assert len(await store.bots.versions(bot.id)) == 2
    await store.bots.version(other.id, "3", most=2)
    now += 23 * 3600
    await store.bots.version(bot.id, "3", most=2)
    with pytest.raises(TooManyVersions):
        await store.bots.version(bot.id, "4", most=0)


async def test_pages_join_to_the_whole_list_though_it_grows_meanwhile(store: Store) -> None:
    for number in range(5):
        await store.bots.add(f"bot-{number}", f"hash {number}")
    page = await store.bots.page(limit=2)
    names = [bot.name for bot in page.items]
    await store.bots.add("latecomer", "late")
    while page.next:
        page = await store.bots.page(after=page.next, limit=2)
        names += [bot.name for bot in page.items]
    assert names == [*(f"bot-{number}" for number in range(5)), "latecomer"]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("added", ["delta", "Bravo", "alpha", "Charlie"]),
        ("name", ["alpha", "Bravo", "Charlie", "delta"]),
        ("kind", ["Charlie", "alpha", "Bravo", "delta"]),
        ("status", ["Charlie", "delta", "alpha", "Bravo"]),
    ],
)
async def test_each_order_is_read_page_by_page(
    store: Store, order: BotOrder, expected: list[str], reverse: bool
) -> None:
    kinds: dict[str, BotKind] = {"delta": "own", "Bravo": "own", "alpha": "own", "Charlie": "built-in"}
    bots = {name: await store.bots.add(name, f"hash {name}", kind=kind) for name, kind in kinds.items()}
    chosen = BotFilter(connected={bots["delta"].id, bots["Charlie"].id}, order=order, reverse=reverse)
    page = await store.bots.page(limit=1, chosen=chosen)
    names = [bot.name for bot in page.items]
    while page.next:
        page = await store.bots.page(after=page.next, limit=1, chosen=chosen)
        names += [bot.name for bot in page.items]
    assert names == (expected[::-1] if reverse else expected)


async def test_a_list_is_filtered_by_name_and_connection(store: Store) -> None:
    bots = [await store.bots.add(name, f"hash {name}") for name in ("first_bot", "FIRST-2", "other")]
    for part, expected in (("first", ["first_bot", "FIRST-2"]), ("t_b", ["first_bot"]), ("%", [])):
        found = await store.bots.page(chosen=BotFilter(part))
        assert [bot.name for bot in found.items] == expected
    chosen = BotFilter("first", {bots[1].id, bots[2].id}, only_connected=True)
    assert [bot.name for bot in (await store.bots.page(chosen=chosen)).items] == ["FIRST-2"]
    assert (await store.bots.page(chosen=BotFilter(only_connected=True))).items == []


async def test_a_made_up_cursor_is_refused(store: Store) -> None:
    orders: tuple[BotOrder, ...] = get_args(BotOrder)
    for cursor in ("", "?", "x", "AAAA", "bnVsbA", "é"):
        for order in orders:
            with pytest.raises(BadCursor):
                await store.bots.page(after=cursor, chosen=BotFilter(order=order))
