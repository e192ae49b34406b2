# SPDX-License-Identifier: GPL-3.0-or-later
"""An organiser creates tournaments with the form: by keyboard, after errors that it shows beside the fields."""

import re
from pathlib import Path

import msgspec
from playwright.async_api import Page, expect

from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.swiss import Swiss
from engine.formats.suite import Opening
from engine.match.ending import Adjudication, DrawRule, ResignRule
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits, visited
from tests.features.accounts.people import signed_in, use
from tests.web.door import Door

NAMES = ("anna", "bert", "cleo")


def test_an_organiser_creates_tournaments_with_the_form(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", organised)


async def organised(page: Page, door: Door) -> None:
    """Be a visitor, an owner, and an organiser who creates a tournament and another like it."""
    for name in NAMES:
        await door.arena.store.bots.add(name, f"token of {name}")
    await refused(page, door, "Sign in with such an account.")
    await expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_have_attribute(
        "href", "/sign-in?next=%2Ftournaments%2Fnew"
    )
    async with signed_in(door) as (owner, _):
        await use(page, owner)
    await refused(page, door, "Your account has the role owner.")
    assert page.context.browser is not None
    beside = await page.context.browser.new_page()  # its console complains of the answers that name invalid fields
    async with signed_in(door, role="organiser") as (organiser, _):
        await use(beside, organiser)
    number = await created(beside, door)
    await copied(beside, door, number)


async def refused(page: Page, door: Door, why: str) -> None:
    """The page says why the visitor cannot use the form."""
    await page.goto(f"http://{door.address}/tournaments/new")
    await expect(page.get_by_role("main")).to_contain_text(why)
    await expect(page.get_by_role("form")).to_have_count(0)


async def created(page: Page, door: Door) -> int:
    """Create a tournament from an address that fills in a part; return its number."""
    form = page.get_by_role("form", name="New tournament")
    await page.goto(f"http://{door.address}/tournaments/new?game=tictactoe&format=swiss&rounds=many&bot=bert&bot=anna")
    await expect(form.get_by_label("Rounds", exact=True)).to_have_value("many")
    create = form.get_by_role("button", name="Create the tournament")
    await create.click()
    await expect(form.get_by_label("Name", exact=True)).to_be_focused()
    await expect(form).to_contain_text("Write a whole number (got many).")
    await page.keyboard.type("Cup 1")
    await form.get_by_label("Rounds", exact=True).fill("2")
    await form.get_by_label("Time control", exact=True).fill("soon")
    await form.get_by_label("Openings", exact=True).fill("a1 b2\n\n c3")
    await form.get_by_label("End drawn matches early").check()
    await form.get_by_label("Moves in succession").fill("6")
    await form.get_by_label("Start it immediately").uncheck()
    await sound(page)
    await fits(page)
    # the errors of the server, each beside its field, which has the focus then; nothing is lost
    await create.focus()
    await page.keyboard.press("Enter")
    await expect(form.get_by_label("Time control", exact=True)).to_be_focused()
    await expect(form.locator('[id="new-time_control-note"]')).to_contain_text("soon")
    await form.get_by_label("Time control", exact=True).fill("60+0.5")
    await page.keyboard.press("Enter")
    await expect(form.get_by_label("Rounds", exact=True)).to_be_focused()
    await expect(form.locator('[id="new-format.rounds-note"]')).to_contain_text(
        "a swiss of 2 players", ignore_case=True
    )
    # one player more, found by a part of the name; then the order, by keyboard
    await form.get_by_role("combobox", name="Add a bot").fill("le")
    await expect(form.get_by_role("option", name="cleo")).to_be_visible()
    await page.keyboard.press("Enter")
    players = form.get_by_role("listitem").locator("bdi")
    await expect(players).to_have_text(["bert", "anna", "cleo"])
    await form.get_by_role("button", name="Move anna up").focus()
    await page.keyboard.press("Enter")
    await expect(players).to_have_text(["anna", "bert", "cleo"])
    await expect(form.get_by_role("button", name="Move anna up")).to_be_focused()
    await form.get_by_label("Own time control of cleo").fill("30+0")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/tournaments/\d+$"))
    await expect(page.get_by_text("Not started")).to_be_visible()
    number = int(page.url.rpartition("/")[2])
    assert (await stored(door, number), (await door.arena.store.tournaments.get(number)).status) == (
        Config(
            name="Cup 1",
            game="tictactoe",
            format=Swiss(2),
            entries=(Entry("anna"), Entry("bert"), Entry("cleo", time_control="30+0")),
            time_control="60+0.5",
            openings=(Opening(None, ("a1", "b2")), Opening(None, ("c3",))),
            adjudication=Adjudication(draw=DrawRule(score=0.1, moves=6, after=34)),
            seed=(await stored(door, number)).seed,
        ),
        "created",
    )
    return number


async def copied(page: Page, door: Door, number: int) -> None:
    """Create another tournament like it, of another format, and start it."""
    await page.get_by_role("link", name="Create another like this").click()
    form = page.get_by_role("form", name="New tournament")
    await expect(form.get_by_label("Name", exact=True)).to_have_value("Cup 2")
    await form.get_by_label("Format", exact=True).select_option("round-robin")
    await form.get_by_label("End lost matches early").check()
    await form.get_by_role("button", name="Remove cleo").click()
    await expect(form.get_by_role("combobox", name="Add a bot")).to_be_focused()
    await form.get_by_role("button", name="Create the tournament").click()
    await expect(page).not_to_have_url(re.compile(r"/new"))
    before, after = await stored(door, number), await stored(door, number + 1)
    assert before.adjudication is not None
    assert after == msgspec.structs.replace(
        before,
        name="Cup 2",
        format=RoundRobin(own_play=False),
        entries=before.entries[:2],
        adjudication=msgspec.structs.replace(before.adjudication, resign=ResignRule(score=6, moves=3)),
        seed=after.seed,
    )
    assert after.seed != before.seed
    assert (await door.arena.store.tournaments.get(number + 1)).status == "running"


async def stored(door: Door, number: int) -> Config:
    """Return the description of a tournament."""
    row = await door.arena.store.tournaments.get(number)
    return msgspec.json.decode(row.config, type=Config)
