# SPDX-License-Identifier: GPL-3.0-or-later
"""A match on another site's page, and the section of its own page, in a browser."""

from pathlib import Path

from aiohttp import web
from playwright.async_api import FrameLocator, Page, expect

from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import moved, visited
from tests.web.door import Door
from tests.web.test_peepers import challenged, seated


async def framing(site: web.AppRunner, page: Page, address: str) -> FrameLocator:
    """Show a page of another site with an address of the arena in an iframe."""
    port = site.addresses[0][1]
    # another name of this machine is another site
    await page.goto(f"http://localhost:{port}/?{address}")
    return page.frame_locator("iframe")


async def unheard(page: Page) -> Page:
    """Return another page of the browser, which may complain in its console."""
    assert page.context.browser is not None
    return await page.context.browser.new_page()


async def _other_site(request: web.Request) -> web.Response:
    text = f'<link rel="icon" href="data:,"><iframe src="{request.query_string}" width="420" height="560"></iframe>'
    return web.Response(text=text, content_type="text/html")


def test_a_match_is_watched_on_another_site(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", watched)


async def watched(page: Page, door: Door) -> None:
    """Follow a live match in an iframe of another origin, step through it, and look at what belongs to it."""
    application = web.Application()
    application.router.add_get("/", _other_site)
    site = web.AppRunner(application)
    await site.setup()
    try:
        await web.TCPSite(site, "localhost", 0).start()
        async with seated(door, "one", "other") as bots:
            match = await challenged(bots[0], bots[1], "other")
            state = await bots[1].hear("match")
            first, second = bots if state["to_move"] != state["seat"] else bots[::-1]
            embedded = f"http://{door.address}/embed/matches/{match}"
            frame = await framing(site, page, embedded)
            await expect(frame.get_by_text("one", exact=True)).to_be_visible()
            pieces = frame.locator(".board [data-square]")
            await expect(pieces).to_have_count(0)
            await moved(first)
            await expect(pieces).to_have_count(1)
            await moved(second)
            await expect(pieces).to_have_count(2)
            await stepped(frame)
            await first.say("resign", match=match)
            await expect(frame.get_by_text("by resignation")).to_be_visible()
        await expect(frame.get_by_role("link", name="Bot Arena")).to_have_attribute("target", "_blank")
        frame = await framing(site, page, f"{embedded}?ply=1&theme=dark")
        await expect(frame.locator(".board [data-square]")).to_have_count(1)
        await expect(frame.get_by_role("link", name="Bot Arena")).to_have_attribute("href", f"/matches/{match}?ply=1")
        await refused(site, page, f"http://{door.address}/matches/{match}")
    finally:
        await site.cleanup()
    await page.goto(embedded)
    await expect(page.locator(".board [data-square]")).to_have_count(2)
    await sound(page)
    await offered(page, door, match)


async def stepped(frame: FrameLocator) -> None:
    """Step through a match of two moves by buttons and keys."""
    pieces = frame.locator(".board [data-square]")
    await frame.get_by_role("button", name="First position").click()
    await expect(pieces).to_have_count(0)
    await expect(frame.get_by_text("0 / 2")).to_be_visible()
    await frame.get_by_role("button", name="Next position").press("ArrowRight")
    await expect(pieces).to_have_count(1)
    await frame.locator("body").press("End")
    await expect(pieces).to_have_count(2)
    await expect(frame.get_by_role("button", name="Last position")).to_be_disabled()


async def refused(site: web.AppRunner, page: Page, address: str) -> None:
    """See that the browser refuses to frame a page."""
    other = await unheard(page)
    async with other.expect_console_message(lambda message: "frame-ancestors" in message.text):
        frame = await framing(site, other, address)
    await expect(frame.locator(".board")).to_have_count(0)
    await other.close()


async def offered(page: Page, door: Door, match: int) -> None:
    """Look at the code and the pictures that the match's own page offers."""
    await page.goto(f"http://{door.address}/matches/{match}")
    await page.get_by_text("Embed and pictures").click()
    source = f'src="http://{door.address}/embed/matches/{match}"'
    await expect(page.locator("code", has_text="<iframe")).to_contain_text(source)
    for name, kind in (("SVG", "image/svg+xml"), ("PNG", "image/png"), ("GIF", "image/gif")):
        address = await page.get_by_role("link", name=name, exact=True).get_attribute("href")
        answer = await page.request.get(f"http://{door.address}{address}")
        assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, kind)
    # the viewer's preference chooses the colours of the drawing
    other = await unheard(page)  # a drawing names no icon, which the browser misses
    await other.goto(f"http://{door.address}/matches/{match}/position.svg")
    await other.emulate_media(color_scheme="light")
    await expect(other.locator("svg .background")).to_have_css("fill", "rgb(255, 255, 255)")
    await other.emulate_media(color_scheme="dark")
    await expect(other.locator("svg .background")).to_have_css("fill", "rgb(27, 30, 34)")
    await other.close()
