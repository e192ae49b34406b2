# SPDX-License-Identifier: GPL-3.0-or-later
"""Tried as a new user would, in the browser only: sign up, submit a bot, see it validated, playing and rated."""

import asyncio
import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from bots.sandbox import find
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits
from tests.browser.watching import watching
from tests.end_to_end.server import Server
from tests.web.players import connected, first_move
from tools.debian import BIN

PATIENCE = 1200.0
MILLISECONDS = 1000
MATCHES = 1_000_000
"""More matches than the opponent plays until the bot has a rating."""

BOT = b"""\
import sys
from bots import Bot, run

class Mine(Bot):
    games = ["tictactoe"]

    def move(self, turn):
        print(f"ply {turn.ply}", file=sys.stderr)
        return turn.legal_moves[0]

run(Mine(), url="", token="")
"""


@pytest.mark.timeout(PATIENCE)
def test_a_bot_is_submitted_in_the_browser(
    tmp_path: Path, chromium_path: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
    # the user of a sandboxed program reaches its files through this folder
    tmp_path.chmod(0o755)
    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, submit(tmp_path, chromium_path)).result()


async def submit(folder: Path, chromium_path: str | None) -> None:
    """Be the first administrator of an arena with uploads."""
    if (await find()).sandbox is None:
        pytest.skip("no sandbox here")
    folder /= "data"
    folder.mkdir()
    options = ("--games=tictactoe", "--no-built-in-bots", "--validation-time-control=600+0")
    server = Server(folder, *options, "--native-uploads=approved")
    try:
        async with asyncio.timeout(PATIENCE - 20), watching(chromium_path) as page:
            await server.start()
            await signed_up(page, server)
            await nothing_uploaded(page, server)
            await refused_file(page, server)
            first = await uploaded(page, "first-bot")
            await approved(page, server, first)
            await accepted(page)
            await downloaded(page)
            await rejected(page, server)
            await built(page, server)
            await rated(page, server)
    finally:
        await server.kill()


def field(page: Page | Locator, label: str) -> Locator:
    """A field of a form by its whole label."""
    return page.get_by_label(label, exact=True)


async def fine(page: Page) -> None:
    """The page keeps the rules of accessibility and fits wide and narrow screens."""
    await sound(page)
    await fits(page)


async def signed_up(page: Page, server: Server) -> None:
    """Sign up with the code that the server has printed."""
    await until(lambda: re.search(r"sign up at (\S+)/sign-up with the code (\S+)", server.log))
    told = re.search(r"with the code (\S+)", server.log)
    assert told is not None
    await page.goto(f"{server.url}/submit")
    await page.get_by_role("link", name="Sign up").click()
    await field(page, "Account name").fill("marta")
    await field(page, "Password").fill("correct horse battery")
    await field(page, "One-time code").fill(told[1])
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Submit a bot")).to_be_visible()


async def nothing_uploaded(page: Page, server: Server) -> None:
    """The list of uploads says what will be there; then go on to the form."""
    await page.goto(f"{server.url}/administration/uploads")
    await expect(page.get_by_role("heading", name="No uploads yet")).to_be_visible()
    await expect(page.locator("#queue")).to_have_count(0)
    await page.goto(f"{server.url}/submit")


async def until(found: Callable[[], Any]) -> None:
    """Wait until the log of the server has something; its file has no event for it."""
    while not found():  # noqa: ASYNC110  # it happens in another process
        await asyncio.sleep(0.05)


async def refused_file(page: Page, server: Server) -> None:
    """Forget the file, then choose an empty one: the page tells what is wrong, beside the field."""
    button = page.get_by_role("button", name="Submit", exact=True)
    await button.click()
    await expect(page.get_by_text("Choose a file.")).to_be_visible()
    await expect(field(page, "File")).to_be_focused()
    await field(page, "File").set_input_files({"name": "first bot.py", "mimeType": "text/x-python", "buffer": b""})
    await expect(field(page, "Bot name")).to_have_value("first-bot")
    await button.click()
    await expect(page.get_by_text("The file is empty.")).to_be_visible()
    await fine(page)


async def uploaded(page: Page, name: str) -> str:
    """Choose a file for a new bot and upload it; return the path of its page."""
    await field(page, "File").set_input_files({"name": "mine.py", "mimeType": "text/x-python", "buffer": BOT})
    await field(page, "Bot name").fill(name)
    return await sent(page)


async def dropped(page: Page, source: bytes) -> str:
    """Drop a file on the page and upload it; return the path of its page."""
    files = await page.evaluate_handle(
        """(source) => {
          const files = new DataTransfer();
          files.items.add(new File([source], "dropped.py", { type: "text/x-python" }));
          return files;
        }""",
        source.decode(),
    )
    await page.dispatch_event(".drop", "drop", {"dataTransfer": files})
    await expect(page.locator(".drop")).to_contain_text("dropped.py")
    return await sent(page)


async def sent(page: Page) -> str:
    """Upload the file of the form; return the path of the page that shows it."""
    await page.get_by_role("button", name="Submit", exact=True).click()
    await expect(page).to_have_url(re.compile(r"/bots/\d+/versions/\d+$"))
    await expect(page.get_by_role("status")).to_contain_text("waiting for approval")
    return page.url.partition("/bots/")[2]


async def approved(page: Page, server: Server, version: str) -> None:
    """Approve an upload on the page of administration; then look at its page."""
    await page.goto(f"{server.url}/administration/uploads")
    name = page.get_by_role("button", name=re.compile("^Approve"))
    await expect(name).to_have_count(1)
    await name.click()
    await page.get_by_role("dialog").get_by_role("button", name="Approve").click()
    await expect(name).to_have_count(0)
    await page.goto(f"{server.url}/bots/{version}")


async def accepted(page: Page) -> None:
    """See the validation end well, without a reload."""
    await expect(page.get_by_role("status")).to_contain_text("accepted", timeout=PATIENCE * MILLISECONDS)
    await expect(page.get_by_role("log")).to_contain_text("accepted for tictactoe")
    await expect(page.get_by_role("link", name="Show the bot")).to_be_visible()


async def downloaded(page: Page) -> None:
    """Get the file back as it was."""
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download the file").click()
    file = await download.value
    assert file.suggested_filename == "mine.py"
    assert await asyncio.to_thread((await file.path()).read_bytes) == BOT


async def rejected(page: Page, server: Server) -> None:
    """Submit a version that plays an illegal move: the page tells why it is rejected, and what to do."""
    await page.get_by_role("link", name="New version").click()
    await expect(field(page, "Submit as").locator("option:checked")).to_have_text("A new version of first-bot")
    version = await dropped(page, BOT.replace(b"turn.legal_moves[0]", b"'z9'"))
    await approved(page, server, version)
    await expect(page.get_by_role("status")).to_contain_text("rejected", timeout=PATIENCE * MILLISECONDS)
    await expect(page.get_by_text("illegal move").first).to_be_visible()
    await expect(page.get_by_role("heading", name="What to do")).to_be_visible()
    await fine(page)
    await page.goto(f"{server.url}/administration/uploads")
    await expect(page.locator("#queue")).to_contain_text("rejected")
    await fine(page)
    await page.goto(f"{server.url}/my-bots")
    await expect(page.get_by_role("row").filter(has_text="first-bot")).to_contain_text("version 2 is rejected")


async def built(page: Page, server: Server) -> None:
    """Build a bot without code: a wrong number is shown at once and keeps the form; then it is validated."""
    await page.goto(f"{server.url}/submit")
    await page.get_by_role("link", name="build a bot").click()
    await expect(page.get_by_role("heading", name="Build a bot")).to_be_visible()
    file = page.get_by_label("The file")
    await field(page, "Algorithm").select_option("advanced")
    await expect(page.get_by_text("This search has no parameters.")).to_be_visible()
    await field(page, "Algorithm").select_option("play")
    for part in ("#switches", "#parameters", "#weights"):
        await page.locator(f"{part} > summary").press("Enter")
    await field(page, "Null move").press("Space")
    depth = field(page, "SEE depth plies")
    await depth.fill("99")
    await expect(page.get_by_text("Write a number from 0 to 20.")).to_be_visible()
    await field(page, "Weight 1").fill("2")
    await field(page, "Bot name").fill("built-bot")
    await field(page, "Bot name").press("Enter")
    await expect(depth).to_be_focused()
    await fine(page)
    await depth.fill("4")
    await field(page, "Nodes").fill("1000")
    await expect(file).to_contain_text('"nodes": 1000')
    assert json.loads(await file.inner_text()) == {
        "kind": "search",
        "version": 1,
        "games": {"tictactoe": {"evaluation": "open-lines", "weights": [2]}},
        "algorithm": "play",
        "switches": {"null-move": False},
        "parameters": {"see_depth": 4},
        "seconds": 1,
        "nodes": 1000,
        "name": "built-bot",
    }
    await page.get_by_role("button", name="Submit", exact=True).click()
    await expect(page).to_have_url(re.compile(r"/bots/\d+/versions/1$"))
    # it needs no approval
    await accepted(page)
    await page.get_by_role("button", name="Withdraw").click()
    await page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    await expect(page.get_by_role("status")).to_contain_text("withdrawn")


async def rated(page: Page, server: Server) -> None:
    """See the bot play and get a rating; only its owner sees versions, error output and settings on its page."""
    bots = await server.get("/api/v1/bots")
    number = next(bot["id"] for bot in bots["items"] if bot["name"] == "first-bot")
    tokens = await server.register("rival")
    logs = f"{server.url}/api/v1/bots/{number}/logs"
    async with connected(server.play_url) as rival, asyncio.TaskGroup() as group:
        await rival.hello(tokens["rival"], ["tictactoe"])
        playing = group.create_task(rival.play(first_move, MATCHES))
        while not (await server.get(f"/api/v1/bots/{number}"))["ratings"]:  # noqa: ASYNC110  # the API has no event
            await asyncio.sleep(0.1)
        # the error output of a match arrives after its result
        while not (await (await page.request.get(logs)).json())["items"]:  # noqa: ASYNC110  # the API has no event
            await asyncio.sleep(0.1)
        playing.cancel()
    await page.goto(f"{server.url}/bots/{number}")
    await expect(page.get_by_role("heading", name="Rating in Tic-tac-toe")).to_be_visible()
    section = page.get_by_role("region", name="For the owner")
    await expect(section.get_by_role("row").filter(has_text="Version 1")).to_contain_text("accepted")
    await section.locator("summary").first.click()
    await expect(section.get_by_role("log").first).to_contain_text("ply ")
    await sound(page)
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await section.evaluate("(section) => section.scrollWidth <= section.clientWidth")
    await page.set_viewport_size({"width": 1440, "height": 900})
    await field(section, "Description (optional)").fill("Plays the first move that it may play.")
    await section.get_by_role("button", name="Save").click()
    await expect(section.get_by_text("Saved.")).to_be_visible()
    await section.get_by_role("button", name="Withdraw version 1").click()
    await page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    await expect(section.get_by_role("row").filter(has_text="Version 1")).to_contain_text("withdrawn")
    await page.context.clear_cookies()
    await page.reload()
    await expect(page.get_by_text("Plays the first move that it may play.")).to_be_visible()
    await expect(page.get_by_role("heading", name="Matches", exact=True)).to_be_visible()
    await expect(section).to_have_count(0)
