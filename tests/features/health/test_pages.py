# SPDX-License-Identifier: GPL-3.0-or-later
"""Quarantine in the browser: public words, the owner's section and notice, administration."""

from pathlib import Path

from playwright.async_api import Page, expect

from arena.features.health.part import HealthPart
from arena.features.health.settings import HealthSettings
from arena.store.rows import VersionRow
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits, visited
from tests.features.accounts.people import part_of, signed_in, use
from tests.features.health.failing import failed
from tests.web.door import Door

WORDS = "in quarantine"


def test_a_bot_in_quarantine_is_shown_and_put_back(tmp_path: Path, chromium_path: str | None) -> None:
    limits = HealthSettings(quarantine_crashes=2)
    visited(tmp_path, chromium_path, "checkers", look, features=(limits,))


async def look(page: Page, door: Door) -> None:
    """Look as a visitor, as the owner, and as an administrator."""
    store = door.arena.store
    async with signed_in(door) as (owner, name), signed_in(door, role="administrator") as (administrator, _):
        account = await part_of(door).accounts.find(name)
        mine = await part_of(door).ownership.register(account.id, "shaky", "hash of shaky")
        twin = await part_of(door).ownership.register(account.id, "twin", "hash of twin")
        unowned = await store.bots.add("unowned", "hash of unowned")
        versions = [await store.bots.version(bot.id, "1") for bot in (mine, unowned, twin)]
        matches = await quarantined(door, versions[0], versions[1])
        await quarantined(door, versions[1], versions[0])
        own = await failed(store, versions[2], versions[0], termination="resignation")

        await visitor(page, door, mine.id, own)
        await use(page, owner)
        await owners(page, door, mine.id, matches)
        await use(page, administrator)
        await administrators(page, door)
        # the page asks nothing more when the sessions have ended
        await page.goto("about:blank")


async def quarantined(door: Door, loser: VersionRow, winner: VersionRow) -> list[int]:
    """Let a version crash twice, which is too often; return the matches."""
    matches = [await failed(door.arena.store, loser, winner) for _ in range(2)]
    await door.arena.part(HealthPart).judge(loser.bot_id, loser.id)
    return matches


async def fine(page: Page) -> None:
    """The page keeps the rules of accessibility and fits wide and narrow screens. Then no menu is open on it."""
    await sound(page)
    await fits(page)
    await page.reload()


async def visitor(page: Page, door: Door, bot: int, own: int) -> None:
    """Everybody sees that the bot is off the ladder, and not why."""
    await page.goto(f"http://{door.address}/leaderboard?game=checkers&time_class=bullet&system=elo")
    row = page.get_by_role("row").filter(has_text="shaky")
    await expect(row).to_contain_text(WORDS)
    twin = page.get_by_role("row").filter(has_text="twin")
    await expect(twin).not_to_contain_text(WORDS)
    await expect(twin).to_contain_text("only against bots of the same owner")
    await expect(row).not_to_contain_text("only against")
    await fine(page)
    await page.goto(f"http://{door.address}/bots/{bot}")
    await expect(page.locator(".head").first).to_contain_text(WORDS)
    await expect(page.get_by_role("heading", name="Matches", exact=True)).to_be_visible()
    await expect(page.locator("#quarantine")).to_have_count(0)
    await page.goto(f"http://{door.address}/matches/{own}")
    await expect(page.get_by_text("both bots have the same owner")).to_be_visible()


async def owners(page: Page, door: Door, bot: int, matches: list[int]) -> None:
    """The owner reads the notice and the reason, and puts the bot back."""
    await page.goto(f"http://{door.address}/my-bots")
    await expect(page.locator("#notices")).to_contain_text("it crashed or disconnected 2 times")
    await expect(page.locator("#notices").get_by_role("link", name="match")).to_have_count(2)
    await expect(page.get_by_role("row").filter(has_text="shaky")).to_contain_text(WORDS)
    await fine(page)
    await german_owners(page, door, bot)
    await page.goto(f"http://{door.address}/bots/{bot}")
    section = page.locator("#quarantine")
    for match in matches:
        await expect(section.get_by_role("link", name=f"match {match}", exact=True)).to_be_visible()
    await fine(page)
    await section.get_by_role("button", name="Put back on the ladder: shaky").click()
    await page.get_by_role("dialog").get_by_role("button", name="Put back").click()
    await expect(section).to_contain_text("put back by hand")
    await expect(section.get_by_role("button")).to_have_count(0)
    await page.reload()
    await expect(page.locator(".head").first).not_to_contain_text(WORDS)


async def german_owners(page: Page, door: Door, bot: int) -> None:
    """The owner reads the notice and the reason in German."""
    await page.set_extra_http_headers({"Accept-Language": "de"})
    reason = "in seinen neuesten 2 gewerteten Partien: 2-mal abgestürzt oder getrennt"
    await page.goto(f"http://{door.address}/my-bots")
    await expect(page.locator("#notices")).to_contain_text(f"ist in Quarantäne, nicht auf der Leiter: {reason}")
    await page.goto(f"http://{door.address}/bots/{bot}")
    await expect(page.locator("#quarantine")).to_contain_text(reason)
    await page.set_extra_http_headers({})


async def administrators(page: Page, door: Door) -> None:
    """An administrator lists the bots in quarantine, and puts one back."""
    await page.goto(f"http://{door.address}/administration")
    await page.get_by_role("link", name="Quarantine").click()
    row = page.get_by_role("row").filter(has_text="unowned")
    await expect(row).to_contain_text("it crashed or disconnected 2 times")
    await fine(page)
    await row.get_by_role("button", name="Put back on the ladder: unowned").click()
    await page.get_by_role("dialog").get_by_role("button", name="Put back").click()
    await expect(page.get_by_role("heading", name="No bot is in quarantine")).to_be_visible()
    await fine(page)
