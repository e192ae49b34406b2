# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of accounts: sign-up with the first administrator's code, tokens, sessions, invitations, administration."""

import re
from pathlib import Path

from playwright.async_api import Locator, Page, expect

from arena.features.accounts.part import AccountsPart
from arena.protocol.messages import LONGEST_TEXT
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits, visited
from tests.features.accounts.people import PASSWORD
from tests.web.door import Door

NEW_PASSWORD = "another long password"

ADMINISTRATION = "/administration"


def test_an_account_lives_from_sign_up_to_deletion(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", life)


async def life(page: Page, door: Door) -> None:
    """Be the first administrator, invite somebody, manage the account, and delete it."""
    await first_administrator(page, door)
    await own_account(page, door)
    await own_bots(page, door)
    await administration(page, door)
    invitation = await invite(page, door)
    await guest(page, door, invitation)
    await signed_out(page, door)
    await deleted(page, door)


def at(door: Door, path: str) -> str:
    """The address of a page."""
    return f"http://{door.address}{path}"


def field(page: Page | Locator, label: str) -> Locator:
    """A field of a form by its whole label."""
    return page.get_by_label(label, exact=True)


def menu(page: Page) -> Locator:
    """The menu of the account in the header."""
    return page.locator("header .account")


async def fine(page: Page) -> None:
    """The page keeps the rules of accessibility and fits wide and narrow screens."""
    await sound(page)
    await fits(page)


async def first_administrator(page: Page, door: Door) -> None:
    """Sign up with the code that the server prints: by keyboard, after mistakes that the page explains."""
    part = door.arena.part(AccountsPart)
    await part.looked.wait()
    await page.goto(at(door, "/matches"))
    await page.get_by_role("banner").get_by_role("link", name="Sign in").click()
    await expect(page).to_have_url(at(door, "/sign-in?next=%2Fmatches"))
    await expect(page.get_by_role("note")).to_contain_text("no administrator yet")
    await fine(page)
    await page.goto(at(door, "/sign-up?next=%2Fmatches"))
    await expect(page.get_by_role("heading", name="Create the first administrator account")).to_be_visible()
    await expect(field(page, "Account name")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Fill in this field: account name.")).to_be_visible()
    await expect(field(page, "Account name")).to_be_focused()
    await fine(page)
    # the focus stays in a field that is being mended, though the next one is wrong too
    await field(page, "Account name").press_sequentially("marta")
    await page.keyboard.press("Tab")
    await expect(field(page, "Password")).to_be_focused()
    await page.keyboard.type("too short")
    await field(page, "One-time code").fill(part.first_code)
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Use at least 12 characters (this has 9).")).to_be_visible()
    await expect(field(page, "Password")).to_be_focused()
    for password, shown in (("password1234", "Strength: weak"), (PASSWORD, "Strength: strong")):
        await field(page, "Password").fill(password)
        await expect(page.locator("#sign-up .strength")).to_contain_text(shown)
    await fine(page)
    await field(page, "Password").focus()
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(at(door, "/matches"))
    await expect(menu(page)).to_contain_text("marta")
    for label, value in (("name", "username"), ("password", "new-password")):
        await page.goto(at(door, "/sign-up"))
        await expect(page.locator(f"#sign-up-{label}")).to_have_attribute("autocomplete", value)


async def own_account(page: Page, door: Door) -> None:
    """Make a token, which works and is shown once; revoke it; change the password."""
    await page.goto(at(door, "/account"))
    await menu(page).get_by_text("marta").click()
    await expect(menu(page).get_by_role("link", name="Administration")).to_be_visible()
    await sound(page)
    await page.keyboard.press("Escape")
    await expect(menu(page).get_by_role("link", name="Administration")).not_to_be_visible()
    tokens = page.locator("#tokens")
    await field(tokens, "Label").fill("laptop")
    await tokens.get_by_label("play").check()
    await tokens.get_by_role("button", name="Create token").click()
    shown = tokens.get_by_role("group", name="New token: laptop")
    await expect(shown).to_be_focused()
    token = await shown.locator("code").inner_text()
    async with door.http.get("/api/v1/account", headers={"Authorization": f"Bearer {token}"}) as response:
        assert (await response.json())["scopes"] == ["play", "submit"]
    await fine(page)
    await page.reload()
    row = tokens.get_by_role("row").filter(has_text="laptop")
    await expect(row).to_contain_text("play, submit")
    assert token not in await page.content()
    await row.get_by_role("button", name="Revoke").click()
    await expect(page.get_by_role("dialog")).to_contain_text("“laptop”")
    await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    await expect(row).to_have_count(0)
    async with door.http.get("/api/v1/account", headers={"Authorization": f"Bearer {token}"}) as response:
        assert response.status == 401
    form = page.locator("#change-password")
    await field(form, "Current password").fill(PASSWORD)
    await field(form, "New password").fill(NEW_PASSWORD)
    await form.get_by_role("button", name="Change password").click()
    await expect(form.get_by_role("status")).to_contain_text("The password is changed.")
    await expect(page.locator("#sessions")).to_contain_text("this browser")


async def own_bots(page: Page, door: Door) -> None:
    """Register a bot that connects by itself; its token is shown once."""
    await page.goto(at(door, "/my-bots"))
    await expect(page.get_by_role("heading", name="You have no bots yet")).to_be_visible()
    await field(page, "Bot name").fill("first-bot")
    # the form has the limit of the API
    await field(page, "Description (optional)").fill("d" * (LONGEST_TEXT + 1))
    await page.get_by_role("button", name="Register bot").click()
    await expect(page.get_by_text(f"Use at most {LONGEST_TEXT} characters")).to_be_visible()
    await field(page, "Description (optional)").fill("d" * LONGEST_TEXT)
    await page.get_by_role("button", name="Register bot").click()
    shown = page.get_by_role("group", name="Token of first-bot")
    await expect(shown).to_be_focused()
    token = await shown.locator("code").first.inner_text()
    assert f"--token {token}" in await shown.locator("code").last.inner_text()
    await expect(page.get_by_role("row").filter(has_text="first-bot")).to_contain_text("not connected")
    await fine(page)


async def administration(page: Page, door: Door) -> None:
    """Change the role of an account, disable it, and read about it in the audit log."""
    part = door.arena.part(AccountsPart)
    await part.accounts.add("jo", "owner", password_hash=await part.passwords.hash(PASSWORD))
    await page.goto(at(door, ADMINISTRATION))
    row = page.get_by_role("row").filter(has_text="jo")
    await field(row, "Role of jo").select_option("organiser")
    await row.get_by_role("button", name="Disable").click()
    await page.get_by_role("dialog").get_by_role("button", name="Disable").click()
    await expect(row).to_contain_text("disabled")
    await fine(page)
    await page.reload()
    await expect(field(row, "Role of jo")).to_have_value("organiser")
    await row.get_by_role("button", name="Enable").click()
    await page.get_by_role("dialog").get_by_role("button", name="Enable").click()
    await expect(row).to_contain_text("active")
    await page.get_by_role("link", name="Audit log").click()
    await expect(page.locator("#audit")).to_contain_text("POST /api/v1/accounts/{id}/disable")
    text = await page.locator("#audit").inner_text()
    assert not re.search("|".join((PASSWORD, NEW_PASSWORD)), text)
    assert "Disable an account, with its sessions" in text
    await fine(page)
    await page.set_extra_http_headers({"Accept-Language": "de"})
    await page.reload()
    await expect(page.locator("#audit")).to_contain_text("Konto sperren, mit seinen Sitzungen")
    await page.set_extra_http_headers({})
    await page.reload()


async def invite(page: Page, door: Door) -> str:
    """Invite somebody; return the address to sign up at."""
    await page.goto(at(door, f"{ADMINISTRATION}/invitations"))
    await expect(page.get_by_text("There are no invitations that can be used.")).to_be_visible()
    await field(page, "Role of the new account").select_option("organiser")
    await page.get_by_role("button", name="Create invitation").click()
    shown = page.get_by_role("group", name="New invitation")
    await expect(shown).to_be_focused()
    await expect(page.locator("#invitations")).to_contain_text("Organiser")
    await fine(page)
    return await shown.locator("code").inner_text()


async def guest(page: Page, door: Door, invitation: str) -> None:
    """Sign up by an invitation in another browser, whose console may complain of refusals."""
    browser = page.context.browser
    assert browser is not None
    other = await browser.new_page(viewport={"width": 360, "height": 740})
    try:
        await other.goto(invitation)
        await field(other, "Account name").fill("Marta")
        await field(other, "Password").fill(PASSWORD)
        await other.get_by_role("button", name="Sign up").click()
        await expect(field(other, "Account name")).to_have_attribute("aria-invalid", "true")
        await expect(field(other, "Account name")).to_be_focused()
        await field(other, "Account name").fill("guest")
        await other.get_by_role("button", name="Sign up").click()
        await expect(other).to_have_url(at(door, "/my-bots"))
        answer = await other.goto(at(door, ADMINISTRATION))
        assert answer is not None
        assert answer.status == 403
        await other.goto(at(door, "/account"))
        await expect(menu(other)).to_be_visible()
        await other.locator(".account summary").click()
        await expect(menu(other).get_by_role("link", name="Administration")).to_have_count(0)
        # from a link, such as one in a message; a wrong password is reported, with its possible cause
        await other.context.clear_cookies()
        await other.goto(at(door, "/account"))
        await expect(other).to_have_url(at(door, "/sign-in?next=/account"))
        await field(other, "Account name").fill("guest")
        await field(other, "Password").fill("a wrong password")
        await other.keyboard.press("Enter")
        await expect(other.get_by_text("The name or the password is wrong.")).to_be_visible()
        await forgotten(page, other, door)
    finally:
        await other.close()


async def forgotten(page: Page, other: Page, door: Door) -> None:
    """Get a reset code from the administrator; set a new password by it, and sign in."""
    await page.goto(at(door, ADMINISTRATION))
    await page.get_by_role("row").filter(has_text="guest").get_by_role("button", name="Reset password").click()
    await page.get_by_role("dialog").get_by_role("button", name="Create code").click()
    shown = page.get_by_role("group", name="Reset code for guest")
    await expect(shown).to_be_focused()
    await other.goto(await shown.locator("code").inner_text())
    await sound(other)
    await field(other, "New password").fill(NEW_PASSWORD)
    await other.get_by_role("button", name="Set password").click()
    await expect(other.get_by_text("The password is changed.")).to_be_visible()
    await other.goto(at(door, "/sign-in?next=//example.org/"))
    await field(other, "Account name").fill("guest")
    await field(other, "Password").fill(NEW_PASSWORD)
    await other.get_by_role("button", name="Sign in").click()
    # never to another site
    await expect(other).to_have_url(at(door, "/my-bots"))


async def signed_out(page: Page, door: Door) -> None:
    """Sign out: the header has the link again, on pages that are the same for everybody."""
    await page.goto(at(door, "/"))
    await menu(page).get_by_text("marta").click()
    await menu(page).get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    assert "arena_signed_in" not in await page.evaluate("document.cookie")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(at(door, "/bots"), wait_until="networkidle")
    assert not [url for url in asked if url.endswith("/api/v1/account")]


async def deleted(page: Page, door: Door) -> None:
    """Sign in, and delete the account, after another one has become an administrator."""
    part = door.arena.part(AccountsPart)
    row = await part.accounts.named("jo")
    assert row is not None
    await part.accounts.set_role(row.id, "administrator")
    await page.goto(at(door, "/sign-in?next=/account"))
    await field(page, "Account name").fill("marta")
    await field(page, "Password").fill(NEW_PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(at(door, "/account"))
    await page.get_by_text("Delete this account…").click()
    form = page.locator("#delete-account")
    await field(form, "Current password").fill(NEW_PASSWORD)
    await form.get_by_role("button", name="Delete the account").click()
    await expect(page).to_have_url(at(door, "/"))
    await expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    assert await part.accounts.named("marta") is None
