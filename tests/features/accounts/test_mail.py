# SPDX-License-Identifier: GPL-3.0-or-later
"""Mails: a confirmed address, a link for a forgotten password, and notes about changes, over a real SMTP socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from arena.features.accounts.limits import MAILS, Guesses, Mails
from arena.features.accounts.mail import BadAddress, Mail, Mailer, check_address, send_by_smtp
from arena.features.accounts.rows import CodeRow
from arena.features.accounts.settings import AccountSettings
from arena.settings import Settings
from tests.features.accounts.mailbox import Mailbox, mailbox
from tests.features.accounts.people import PASSWORD, browser, new_name, part_of, signed_in
from tests.web.door import Door, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")

NEW = "another long password"
URL = "https://arena.example.org"


def by(box: Mailbox, **more: Any) -> AccountSettings:
    """Return settings by which mails come into a mailbox."""
    values = {"smtp_host": "127.0.0.1", "smtp_port": box.port, "smtp_encryption": "none"}
    return AccountSettings(**{**values, "mail_from": "arena@example.org", "mail_url": URL, **more})


@asynccontextmanager
async def mailing(folder: Path) -> AsyncIterator[tuple[Door, Mailbox]]:
    """Open an arena that sends mails."""
    async with mailbox() as box, opened(folder, Settings(games="tictactoe", ladder=False, features=(by(box),))) as door:
        part = part_of(door)
        part.mails = Mails(lambda: 0.0)
        part.guesses = Guesses(1000, lambda: 0.0)
        yield door, box


def code_of(mail: EmailMessage) -> str:
    """Return the code of the link in a mail."""
    code: str = mail.get_content().partition("?code=")[2].split()[0]
    return code


async def test_a_forgotten_password_is_set_by_a_mailed_link_once(tmp_path: Path) -> None:
    async with mailing(tmp_path) as (door, box), browser(door) as other:
        async with signed_in(door) as (one, name):
            body = {"email": "marion@example.org", "password": PASSWORD}
            assert (await one.post("/account/email", {**body, "password": "wrong"}))[0] == 403
            assert (await one.post("/account/email", body))[0] == 200
            assert (await one.get("/account"))[1]["email"] == "", "not before it is confirmed"
            code = await box.link()
            assert (await other.post("/email-confirmations", {"code": code}))[0] == 200
            assert (await other.post("/email-confirmations", {"code": code}))[0] == 403
            account = (await one.get("/account"))[1]
            assert (account["email"], account["email_confirmed"] is None) == ("marion@example.org", False)
            assert (await other.post("/password-resets/mail", {"name": name.upper()}))[0] == 200
            mail = await box.mails.get()
            assert (mail["To"], mail["From"]) == ("marion@example.org", "arena@example.org")
            text = mail.get_content()
            assert f"{URL}/reset-password?code=" in text, "never the Host header of the request"
            code = code_of(mail)
            assert (await other.post("/password-resets", {"code": code, "password": NEW}))[0] == 200
            assert (await other.post("/password-resets", {"code": code, "password": NEW}))[0] == 403
            assert (await one.get("/account"))[0] == 401
        note = await box.mails.get()
        assert (note["Subject"], note["To"]) == ("The password of your account has changed", "marion@example.org")
        assert (await other.post("/sessions", {"name": name, "password": NEW}))[0] == 200


async def test_the_log_counts_the_mails_that_a_stop_loses() -> None:
    failed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def fail(settings: AccountSettings, mail: Mail) -> None:
        loop.call_soon_threadsafe(failed.set)
        raise OSError("no connection")

    async def write() -> Mail:
        if failed.is_set():
            second.set()
            await asyncio.Event().wait()
        return Mail("a@example.org", "A subject", "A text.")

    second = asyncio.Event()
    mailer = Mailer(AccountSettings(smtp_host="127.0.0.1", mail_from="b@example.org", mail_url=URL), fail)
    mailer.again = (3600.0,)
    for _ in range(3):
        mailer.put(write)
    with capture_logs() as logged:
        running = asyncio.create_task(mailer.run())
        # the first mail waits for another try, the second is being written, the third waits
        await second.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert [(each["event"], each["mails"]) for each in logged if "mails" in each] == [
        ("mails were not sent: the server stops", 2)
    ]


async def test_a_mailed_link_for_a_password_is_valid_for_ten_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mailing(tmp_path) as (door, box), browser(door) as other:
        part = part_of(door)
        row = await part.accounts.add(new_name(), "owner", email="a@example.org", confirmed=True)
        make = part.codes.reset

        async def make_old(code_hash: str, account: int, lifetime: float) -> CodeRow:
            """Make a code that a person uses one second too late."""
            return await make(code_hash, account, lifetime - 601.0)

        for reset, status in ((make_old, 403), (make, 200)):
            monkeypatch.setattr(part.codes, "reset", reset)
            assert (await other.post("/password-resets/mail", {"name": row.name}))[0] == 200
            mail = await box.mails.get()
            assert "within 10 minutes" in mail.get_content()
            code = code_of(mail)
            assert (await other.post("/password-resets", {"code": code, "password": NEW}))[0] == status


async def test_the_answer_is_the_same_for_names_that_nobody_has(tmp_path: Path) -> None:
    async with mailing(tmp_path) as (door, box), browser(door) as other:
        part = part_of(door)
        confirmed = await part.accounts.add(new_name(), "owner", email="a@example.org", confirmed=True)
        unconfirmed = await part.accounts.add(new_name(), "owner", email="b@example.org")
        disabled = await part.accounts.add(new_name(), "owner", email="c@example.org", confirmed=True)
        await part.accounts.set_disabled(disabled.id, True)
        answers = []
        for name in ("nobody-at-all", unconfirmed.name, disabled.name, confirmed.name):
            part.mails = Mails(lambda: 0.0)
            answers.append((await other.post("/password-resets/mail", {"name": name}))[:2])
        assert answers == [(200, {})] * 4
        assert (await box.mails.get())["To"] == "a@example.org", "mails go out in order: the others had none"
        assert box.recipients == ["<a@example.org>"]


async def test_mails_are_throttled_by_name_and_address_alike_for_unknown_names(tmp_path: Path) -> None:
    async with mailing(tmp_path) as (door, _), browser(door) as other:
        for name in ("nobody-at-all", "nobody-else"):
            part_of(door).mails = Mails(lambda: 0.0)
            statuses = [(await other.post("/password-resets/mail", {"name": name}))[0] for _ in range(MAILS + 1)]
            assert statuses == [200] * MAILS + [429]
        status, _, headers = await other.post("/password-resets/mail", {"name": "third"})
        assert (status, int(headers["Retry-After"]) > 0) == (429, True)


async def test_an_address_that_is_removed_or_replaced_gets_no_link(tmp_path: Path) -> None:
    async with mailing(tmp_path) as (door, box), browser(door) as other, signed_in(door) as (one, name):
        for email in ("first@example.org", "second@example.org"):
            assert (await one.post("/account/email", {"email": email, "password": PASSWORD}))[0] == 200
        first, second = await box.link(), await box.link()
        assert (await other.post("/email-confirmations", {"code": first}))[0] == 403, "the newer link counts"
        assert (await other.post("/email-confirmations", {"code": second}))[0] == 200
        assert (await one.post("/account/email", {"email": "", "password": PASSWORD}))[0] == 200
        row = await part_of(door).accounts.find(name)
        assert (row.email, row.mail_address) == ("", "")
        assert (await box.mails.get())["To"] == "second@example.org", "a note to the address that was removed"


async def test_an_arena_without_mail_says_so_and_keeps_the_address(door: Door) -> None:
    async with signed_in(door) as (one, name):
        assert (await one.post("/account/email", {"email": "x@example.org", "password": PASSWORD}))[0] == 200
        row = await part_of(door).accounts.find(name)
        assert (row.email, row.mail_address) == ("x@example.org", "")
        status, answer, _ = await one.post("/password-resets/mail", {"name": name})
        assert (status, "sends no mail" in answer["error"]["message"]) == (409, True)
        assert (await one.post("/account/email", {"email": "no address", "password": PASSWORD}))[0] == 400


async def test_a_server_that_does_not_answer_delays_nobody(tmp_path: Path) -> None:
    async with mailing(tmp_path) as (door, box), browser(door) as other:
        part = part_of(door)
        for number in range(2):
            await part.accounts.add(f"owner-{'ab'[number]}", "owner", email=f"{number}@example.org", confirmed=True)
        sent: list[str] = []

        def fail(settings: AccountSettings, mail: Mail) -> None:
            sent.append(mail.to)
            if len(sent) == 1:
                raise ConnectionRefusedError
            send_by_smtp(settings, mail)

        part.mailer._send = fail
        part.mailer.again = (3600.0,)
        for name in ("owner-a", "owner-b"):
            assert (await other.post("/password-resets/mail", {"name": name}))[0] == 200
        assert (await box.mails.get())["To"] == "1@example.org"
        assert sent == ["0@example.org", "1@example.org"]


@pytest.mark.parametrize(
    "text", ["x", "a@b\nBcc: c@d.org", "a b@example.org", "a@", "<a@b.org>", "a@b.org, c@d.org", "ä@b.org"]
)
async def test_texts_that_are_no_addresses(text: str) -> None:
    with pytest.raises(BadAddress):
        check_address(text)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"mail_from": ""}, "mail_from"),
        ({"mail_url": "arena.example.org"}, "mail_url"),
        ({"smtp_encryption": "ssl"}, "starttls, tls or none"),
        ({"smtp_user": "arena"}, "smtp_password_file"),
    ],
)
async def test_settings_of_mails_are_checked(values: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        by(Mailbox(), **values)
