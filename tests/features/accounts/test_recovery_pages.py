# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of the e-mail address, of forgotten passwords, and of the second factor, in the browser."""

import asyncio
import re
import socket
from pathlib import Path

from playwright.async_api import Page, expect

from arena.features.accounts.qr import qr_code
from arena.features.accounts.totp import STEP, code_at
from tests.browser.test_disclosure import visited
from tests.features.accounts.mailbox import Mailbox
from tests.features.accounts.people import PASSWORD, part_of
from tests.features.accounts.test_mail import NEW, by
from tests.features.accounts.test_pages import at, field, fine
from tests.web.door import Door

NOW = 1_000_000_000.0


def test_an_owner_confirms_an_address_and_signs_in_with_a_second_factor(
    tmp_path: Path, chromium_path: str | None
) -> None:
    box = Mailbox()
    listening = socket.create_server(("127.0.0.1", 0))
    box.port = listening.getsockname()[1]

    async def visit(page: Page, door: Door) -> None:
        part = part_of(door)
        part.now = lambda: NOW
        await part.accounts.add("marta", "owner", password_hash=await part.passwords.hash(PASSWORD))
        async with await asyncio.start_server(box.serve, sock=listening):
            await page.goto(at(door, "/sign-in?next=/account"))
            await enter(page, PASSWORD)
            await address(page, door, box)
            secret = await second_factor(page)
            await page.context.clear_cookies()
            await forgotten(page, door, box)
            await expect(page).to_have_url(at(door, "/sign-in"))
            await with_code(page, door, secret)

    visited(tmp_path, chromium_path, "tictactoe", visit, features=(by(box),))


async def enter(page: Page, password: str) -> None:
    """Fill in the form that signs in."""
    await field(page, "Account name").fill("marta")
    await field(page, "Password").fill(password)
    await page.keyboard.press("Enter")


async def with_code(page: Page, door: Door, secret: str) -> None:
    """Sign in with a code in another page, whose console may complain of the refusal without a code."""
    assert page.context.browser is not None
    other = await page.context.browser.new_page()
    try:
        await other.goto(at(door, "/sign-in"))
        await enter(other, NEW)
        await expect(other.get_by_text("Enter the code of your authenticator app")).to_be_visible()
        await field(other, "Code").fill(code_at(secret, int(NOW // STEP) + 1))
        await fine(other)
        await other.keyboard.press("Enter")
        await expect(other).to_have_url(at(door, "/my-bots"))
    finally:
        await other.close()


async def address(page: Page, door: Door, box: Mailbox) -> None:
    """Give an address, and confirm it by the mailed link."""
    form = page.locator("#change-email")
    await form.get_by_label("E-mail address").fill("marta@example.org")
    await field(form, "Current password").fill(PASSWORD)
    await form.get_by_role("button", name="Save address").click()
    await expect(form.get_by_role("status")).to_contain_text("open the link in the mail")
    await page.goto(at(door, f"/confirm-email?code={await box.link()}"))
    await fine(page)
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_text("The address is confirmed.")).to_be_visible()
    await page.goto(at(door, "/account"))
    await expect(form.get_by_label("E-mail address")).to_have_value("marta@example.org")


async def second_factor(page: Page) -> str:
    """Switch the second factor on; return the secret."""
    section = page.locator("#second-factor")
    await field(section, "Current password").fill(PASSWORD)
    await section.get_by_role("button", name="Set up").click()
    shown = section.get_by_role("group", name="Secret for the app")
    await expect(shown).to_be_focused()
    secret = await shown.locator("code").inner_text()
    link = shown.get_by_role("link")
    await expect(link).to_have_attribute("href", re.compile(f"^otpauth://totp/.*{secret}"))
    picture = shown.get_by_role("img", name="QR code with the secret")
    await expect(picture.locator("path")).to_have_attribute("d", qr_code(await link.get_attribute("href") or "").path)
    shape = await picture.bounding_box()
    assert shape is not None
    assert shape["width"] == shape["height"] > 150
    await fine(page)
    await field(section, "Code of the app").fill(code_at(secret, int(NOW // STEP)))
    await section.get_by_role("button", name="Switch on").click()
    await expect(section.get_by_role("group", name="Recovery codes")).to_be_focused()
    await fine(page)
    return secret


async def forgotten(page: Page, door: Door, box: Mailbox) -> None:
    """Get a link by mail, and set a new password by it."""
    await page.goto(at(door, "/sign-in"))
    await page.get_by_role("link", name="Get a link by mail").click()
    await fine(page)
    await field(page, "Account name").fill("marta")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("a mail with a link is on its way")).to_be_visible()
    await page.goto(at(door, f"/reset-password?code={await box.link()}"))
    await field(page, "New password").fill(NEW)
    await page.get_by_role("button", name="Set password").click()
    await expect(page.get_by_text("The password is changed.")).to_be_visible()
    await page.get_by_role("main").get_by_role("link", name="Sign in").click()
