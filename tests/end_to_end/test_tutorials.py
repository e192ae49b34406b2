# SPDX-License-Identifier: GPL-3.0-or-later
"""The tutorials work: their commands run in order against a real arena, and print what the pages show."""

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.browser.watching import watching
from tests.end_to_end.server import Server
from tests.end_to_end.tutorials import DOCS, Reader, fits, pattern, steps
from tests.tools.installing import Environment, locked

TUTORIALS = DOCS / "tutorials"
QUICK = ("--ladder-interval", "0.1", "--ladder-pause", "0", "--built-in-move-time", "0")


def test_every_tutorial_is_followed() -> None:
    pages = {page.name for page in TUTORIALS.glob("*.md")} - {"README.md"}
    assert pages == set(re.findall(r'TUTORIALS / "([\w-]+\.md)"', Path(__file__).read_text("utf-8")))


def test_instructions_are_read_and_wrong_outputs_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '<!-- test: arena; until "ready" -->\n```sh\nls\n```\n\n<!-- test: stop -->\n\n```python\na = 1\n```\n', "utf-8"
    )
    assert [(step.language, step.text, step.notes) for step in steps(page)] == [
        ("sh", "ls\n", {"arena": "", "until": '"ready"'}),
        ("", "", {"stop": ""}),
        ("python", "a = 1\n", {}),
    ]
    shown = "12.5 games, … against first-bot\n…\n1-0, decided"
    assert fits(shown, "match 3\n  7 games, random  against first-bot\nmore\n1-0, decided\n")
    assert not fits(shown, "7 games, random against second-bot\n1-0, decided\n")
    assert not fits(shown, "1-0, decided\n7 games, random against first-bot\n")
    assert pattern("10,000").pattern == pattern("7").pattern


async def test_first_bot(tmp_path: Path) -> None:
    # version 1 leaves in the middle of a pair: version 2 waits until its second match is lost
    grace = ("--reconnect-grace", "1")
    server = Server(tmp_path, "--games", "tictactoe", *QUICK, *grace, bots={"random", "alphabeta-6"})
    reader = Reader(tmp_path, server)
    # what the SDK needs, from the lock file: the page's own command installs the SDK, and finds the rest installed
    (reader.own / "first-bot").mkdir()
    Environment(reader.own / "first-bot" / ".venv").install(requirements=locked("msgspec", "websockets"))
    await server.start()
    try:
        await server.ready()
        await reader.follow(TUTORIALS / "first-bot.md")
        assert "first-bot" in reader.output
        versions = await server.all("/leaderboard?game=tictactoe")
        assert {row["version"] for row in versions if row["bot"]["name"] == "first-bot"} == {"1", "2"}
    finally:
        await server.stop()


@pytest.mark.long
async def test_first_tournament(tmp_path: Path, chromium_path: str | None) -> None:
    players = {"alphabeta-4", "minimax-3", "minimax-2", "random"}
    server = Server(tmp_path, "--games", "checkers", "--ladder", "no", *QUICK, bots=players)
    reader = Reader(tmp_path, server)
    await server.start()
    try:
        await server.ready()
        await reader.follow(TUTORIALS / "first-tournament.md")
        (cup,) = await server.all("/tournaments")
        assert (cup["name"], cup["status"]) == ("Spring cup", "finished")
        await in_the_browser(server, chromium_path)
    finally:
        await server.stop()


async def in_the_browser(server: Server, chromium_path: str | None) -> None:
    """Hold the second tournament as the page says, with the names that it prints in bold."""
    bold = re.findall(r"\*\*(.+?)\*\*", (TUTORIALS / "first-tournament.md").read_text("utf-8"))
    code = re.search(r"with the code (\S+)", server.log)
    assert code is not None
    async with watching(chromium_path) as page:
        await page.goto(f"{server.url}/sign-up?code={code[1]}")
        await page.get_by_label("Account name").fill("marion")
        await page.get_by_label("Password", exact=True).fill("correct horse battery")
        await page.get_by_role("button", name="Sign up").click()
        await expect(page).to_have_url(re.compile("/my-bots$"))
        await page.locator("nav.groups summary", has_text=bold.pop(bold.index("Compete"))).click()
        await page.get_by_role("link", name=bold.pop(bold.index("Tournaments")), exact=True).first.click()
        await page.get_by_role("link", name=bold.pop(bold.index("Create a tournament"))).click()
        form = page.get_by_role("form", name="New tournament")
        await form.get_by_label(bold.pop(bold.index("Name")), exact=True).fill("Autumn cup")
        await form.get_by_label(bold.pop(bold.index("Game")), exact=True).select_option("checkers")
        await form.get_by_label(bold.pop(bold.index("Format")), exact=True).select_option("knockout")
        for name in ("minimax-3", "random"):
            await form.get_by_role("combobox", name="Add a bot").fill(name)
            await form.get_by_role("option", name=name).click()
        await expect(form.get_by_label(bold.pop(bold.index("Start it immediately")))).to_be_checked()
        await form.get_by_role("button", name=bold.pop(bold.index("Create the tournament"))).click()
        await expect(page.get_by_role("heading", name="Autumn cup")).to_be_visible()
    assert set(bold) <= {"Compete", "Tournaments"}


@pytest.mark.long
async def test_first_breeding(tmp_path: Path) -> None:
    server = Server(tmp_path, "--games", "checkers", *QUICK, bots={"random"})
    reader = Reader(tmp_path, server)
    await server.start()
    try:
        await server.ready()
        await reader.follow(TUTORIALS / "first-breeding.md")
        (population,) = await server.all("/populations")
        assert (population["name"], population["generations"]) == ("first", 6)
    finally:
        await server.stop()
