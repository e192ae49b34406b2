# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of matches: its filters, its pages, and its text when it is empty."""

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.async_api import expect as expect_soon
from playwright.sync_api import Page, expect

from arena.settings import Settings
from lab.proofs.attacks.slow_peers import big_match
from tests.browser.conftest import PATIENCE, Site
from tests.browser.held import held
from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.web.door import opened

ROWS = ".results tbody tr"


def arrived(page: Page, address: str | re.Pattern[str]) -> None:
    """Wait until a page with this address has come whole and its scripts have run, so that it takes keys."""
    expect(page).to_have_url(address)
    page.wait_for_load_state()


def shown(page: Page) -> list[int]:
    """Return the numbers of the matches on the page."""
    page.wait_for_load_state()
    links = page.locator(f"{ROWS} a")
    expect(links.first).to_be_visible()
    return [int(str(link.get_attribute("href")).rpartition("/")[2]) for link in links.all()]


def test_filters_are_in_the_address_and_in_the_history(site: Site, page: Page) -> None:
    match = site.wait("/matches?status=finished&game=tictactoe")
    name = match["players"][0]["name"]
    page.goto(site.url + "/")
    page.get_by_role("link", name="All matches").click()
    arrived(page, site.url + "/matches")
    page.get_by_role("link", name="Tic-tac-toe", exact=True).click()
    arrived(page, site.url + "/matches?game=tictactoe")
    page.get_by_role("link", name="Finished", exact=True).click()
    arrived(page, re.compile(r"\?game=tictactoe&status=finished$|\?status=finished&game=tictactoe$"))
    expect(page.locator('.tabs [aria-current="page"]')).to_have_text(["Tic-tac-toe", "Finished"])
    rows = page.locator(ROWS).all_inner_texts()
    assert rows
    assert all("Tic-tac-toe" in row for row in rows)
    for result in page.locator(f"{ROWS} .result").all_inner_texts():
        assert re.fullmatch(r"1–0\s+\S+ won|0–1\s+\S+ won|½–½\s+draw|void", result.strip()), result
    page.get_by_label("Filter by bot name").click()
    page.keyboard.type(name.upper())
    page.keyboard.press("Enter")
    arrived(page, re.compile(f"bot={match['players'][0]['bot']}"))
    expect(page).to_have_url(re.compile("game=tictactoe"))
    expect(page.locator(".chosen")).to_contain_text(name)
    assert all(name in row for row in page.locator(ROWS).all_inner_texts())
    for result in page.locator(f"{ROWS} .result").all_inner_texts():
        assert re.search("won|lost|draw|void|live", result), result
    exported = page.get_by_role("link", name="JSONL").get_attribute("href")
    assert page.request.get(f"{site.url}{exported}").text().count("\n") >= 1
    page.get_by_role("link", name=f"Remove the filter Bot {name}").click()
    expect(page.locator(".chosen")).to_have_count(0)
    page.go_back()
    expect(page.locator(".chosen")).to_contain_text(name)
    page.go_back()
    expect(page).to_have_url(re.compile("status=finished"))
    expect(page.locator(".chosen")).to_have_count(0)


def test_links_and_keys_lead_to_older_and_newer_matches(site: Site, page: Page) -> None:
    # what ended before the end of a match that is stored stays as it is, whatever ends meanwhile
    def ended() -> float:
        ends = [match["finished"] for match in site.get("/matches?status=finished&limit=100")["items"]]
        until = max(ends, default=0.0)
        return until if len([end for end in ends if end < until]) >= 6 else 0.0

    deadline = time.monotonic() + PATIENCE
    while not (until := ended()):
        assert time.monotonic() < deadline
        page.wait_for_timeout(0.5 * MILLISECONDS)
    page.goto(f"{site.url}/matches?limit=2&until={until}")
    expect(page.locator(".pager [aria-disabled=true]")).to_have_text("← Newer")
    first = shown(page)
    page.get_by_role("link", name="Older").click()
    arrived(page, re.compile("after="))
    second = shown(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(f'{ROWS} a[href="/matches/{second[0]}"]')).to_have_count(0)
    third = shown(page)
    assert [len(each) for each in (first, second, third)] == [2, 2, 2]
    assert first + second + third == sorted({*first, *second, *third}, reverse=True)
    page.keyboard.press("ArrowLeft")
    arrived(page, re.compile("before="))
    assert shown(page) == second
    shared = page.url
    page.get_by_role("link", name="Newest").click()
    expect(page).not_to_have_url(re.compile("before=|after="))
    page.wait_for_load_state()
    page.goto(shared)
    assert shown(page) == second
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Older matches")


def test_a_live_match_in_the_list_gets_its_result_in_place(site: Site, page: Page) -> None:
    with held(site, "checkers") as bot:
        page.goto(site.url + "/matches?game=checkers")
        row = page.locator(ROWS).filter(has=page.locator(f'a[href="/matches/{bot.match}"]'))
        expect(row.locator(".result")).to_have_text("● live")
        place = shown(page).index(bot.match)
        bot.gives_up()
        expect(row.locator(".result")).to_have_text(re.compile("won"))
    assert shown(page).index(bot.match) == place
    expect(row.locator("time")).to_have_attribute("title", re.compile("Started .*, ended "))


def test_matches_can_be_limited_to_those_ended_before_a_day(site: Site, page: Page) -> None:
    site.wait("/matches?status=finished&game=tictactoe")
    page.goto(site.url + "/matches?status=live&game=tictactoe")
    page.get_by_label("Ended on or before").fill("2100-01-01")
    page.get_by_role("button", name="Go").click()
    arrived(page, re.compile(r"until=\d+"))
    expect(page.locator('.tabs [aria-current="page"]')).to_have_text(["Tic-tac-toe", "All"])
    expect(page.locator(ROWS)).not_to_have_count(0)
    expect(page.get_by_label("Ended on or before")).to_have_value("2100-01-01")
    page.get_by_label("Ended on or before").fill("2001-01-01")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_role("heading", name="No match fits these filters")).to_be_visible()
    page.locator(".empty").get_by_role("link", name="All matches").click()
    expect(page).to_have_url(site.url + "/matches")


@pytest.mark.parametrize("width", [360, 620, 800])
def test_players_are_stacked_on_narrow_screens(site: Site, page: Page, width: int) -> None:
    site.wait("/matches?status=finished&game=tictactoe")
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(site.url + "/matches?status=finished")
    names = page.locator(f"{ROWS}").first.locator(".ellipsis")
    upper, lower = names.nth(0).bounding_box(), names.nth(1).bounding_box()
    assert upper
    assert lower
    assert upper["x"] == lower["x"]
    assert upper["y"] < lower["y"]
    assert page.evaluate(WHOLE_PAGE_FITS)
    assert page.evaluate(
        "document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth"
    )


def test_a_search_for_an_unknown_name_says_so(site: Site, page: Page) -> None:
    page.goto(site.url + "/matches")
    box = page.get_by_label("Filter by bot name")
    box.fill("no such bot")
    box.press("Enter")
    expect(page.get_by_role("heading", name="No bot has the name “no such bot”")).to_be_visible()
    expect(page.get_by_label("Filter by bot name")).to_have_value("no such bot")


def test_an_arena_without_any_match_says_how_to_get_one(tmp_path: Path, chromium_path: str | None) -> None:
    async def look() -> None:
        settings = Settings(games="nim", ladder=False)
        async with opened(tmp_path, settings) as door, watching(chromium_path) as page:
            await page.goto(f"http://{door.address}/matches")
            await expect_soon(page.get_by_role("heading", name="No matches yet")).to_be_visible()
            await expect_soon(page.get_by_role("link", name="How to connect a bot")).to_be_visible()

    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, look()).result()


def test_all_moves_of_a_long_match_are_loaded(tmp_path: Path, chromium_path: str | None) -> None:
    """They come in pages, after the first ones that the page holds."""

    async def look() -> None:
        settings = Settings(games="nim", ladder=False)
        async with opened(tmp_path, settings) as door, watching(chromium_path) as page:
            number = await big_match(door.arena.store, 750, 3_000)
            await page.goto(f"http://{door.address}/matches/{number}")
            await expect_soon(page.get_by_text("750 / 750")).to_be_visible()
            await expect_soon(page.locator(".moves button")).to_have_count(750)
            await expect_soon(page.get_by_role("status")).to_have_count(0)
            await page.get_by_label("First position").click()
            await expect_soon(page.get_by_text("0 / 750")).to_be_visible()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, look()).result()
