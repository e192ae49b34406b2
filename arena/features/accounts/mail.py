# SPDX-License-Identifier: GPL-3.0-or-later
"""Mails to the owners of accounts, sent by SMTP, one after the other beside the arena, and again after a failure.

A request only puts its mail into a queue: its answer takes the same time whether there is a mail to send or not.
"""

import asyncio
import re
import smtplib
import ssl
from collections.abc import Awaitable, Callable, Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import structlog

from arena.features.accounts.rows import UnknownAccount
from arena.features.accounts.settings import AccountSettings
from arena.protocol.terminal import plain_line
from arena.store.errors import StoreError

WAITING = 100
"""Mails that may wait; further ones are not sent."""
TIMEOUT = 60.0
"""Seconds that one step of sending a mail may take."""
AGAIN = (15.0, 60.0, 240.0)
"""Seconds after which a mail that was not sent is tried again. A mailed link for a new password is valid longer."""

_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\\\"]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,120}[A-Za-z0-9])?", re.ASCII)

log = structlog.get_logger("arena.accounts")


class BadAddress(Exception):
    """The text is no e-mail address."""


class Mail(NamedTuple):
    """A mail to one person."""

    to: str
    subject: str
    text: str


def check_address(text: str) -> str:
    """Return an e-mail address. Raises BadAddress."""
    address = text.strip()
    if not address.isascii() or not address.isprintable() or not _ADDRESS.fullmatch(address):
        raise BadAddress(f"{text[:100]!r} is not an e-mail address, such as name@example.org")
    return address


class _Waiting(NamedTuple):
    """A mail in the queue."""

    write: Callable[[], Awaitable[Mail | None]]
    again: Sequence[float]
    """Seconds before each further try."""


class Mailer:
    """Sends mails by the SMTP server of the settings; without one it sends nothing."""

    def __init__(self, settings: AccountSettings, send: Callable[[AccountSettings, Mail], None] | None = None) -> None:
        """``send``: sends one mail, in a thread."""
        self.again: Sequence[float] = AGAIN
        """Seconds before each further try to send a mail."""
        self._settings = settings
        self._send = send or send_by_smtp
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue(WAITING)
        self._late = 0
        """Mails that wait for another try."""

    @property
    def on(self) -> bool:
        """Whether the arena sends mails."""
        return bool(self._settings.smtp_host)

    def link(self, path: str) -> str:
        """Return the address of a page for a mail. The Host header of a request would be the sender's choice."""
        return self._settings.mail_url.rstrip("/") + path

    def put(self, write: Callable[[], Awaitable[Mail | None]]) -> None:
        """Write and send a mail later; None: there is none to send. It is left out if too many wait."""
        if self.on:
            self._put(_Waiting(write, self.again))

    def _put(self, waiting: _Waiting) -> None:
        try:
            self._queue.put_nowait(waiting)
        except asyncio.QueueFull:
            log.warning("a mail was not sent: too many are waiting")

    async def run(self) -> None:
        """Send the mails until cancelled. Mails that wait then are lost."""
        async with asyncio.TaskGroup() as later:
            try:
                while True:
                    await self._next(later)
            except asyncio.CancelledError:
                if lost := self._queue.qsize() + self._late:
                    log.warning("mails were not sent: the server stops", mails=lost)
                raise

    async def _next(self, later: asyncio.TaskGroup) -> None:
        """Wait for a mail and send it."""
        write, again = await self._queue.get()
        try:
            mail = await write()
        except (StoreError, UnknownAccount) as error:
            log.warning("a mail was not sent", why=str(error))
            return
        if mail is not None and mail.to:
            await self._try(mail, again, later)

    async def _try(self, mail: Mail, again: Sequence[float], later: asyncio.TaskGroup) -> None:
        """Send a mail; where this fails, put it into the queue again later, a few times."""
        try:
            await asyncio.to_thread(self._send, self._settings, mail)
        except (OSError, ValueError) as error:  # errors of SMTP are OSErrors
            why = explain(error, self._settings)
            if not again or is_final(error) or self._late >= WAITING:
                log.warning("a mail was not sent", why=why)
                return
            log.warning("a mail was not sent; trying again", why=why, seconds=again[0])
            later.create_task(self._put_later(mail, again))

    async def _put_later(self, mail: Mail, again: Sequence[float]) -> None:
        async def write() -> Mail:
            return mail

        self._late += 1
        try:
            await asyncio.sleep(again[0])
        finally:
            self._late -= 1
        self._put(_Waiting(write, again[1:]))


def explain(error: Exception, settings: AccountSettings) -> str:
    """Return the reason why a mail was not sent, for the log; it has no password and no recipient."""
    server = f"the SMTP server {settings.smtp_host}:{settings.smtp_port}"
    match error:
        case ssl.SSLCertVerificationError():
            return f"the certificate of {server} is not valid: {error.verify_message}"
        case smtplib.SMTPAuthenticationError():
            return f"{server} refused the login of smtp_user {settings.smtp_user!r}: {_answer(error)}"
        case smtplib.SMTPRecipientsRefused(recipients=recipients):
            codes = sorted({code for code, _ in recipients.values()})
            return f"{server} refused the recipient: {', '.join(map(str, codes))}"
        case smtplib.SMTPResponseException():
            return f"{server} answered {_answer(error)}"
        case smtplib.SMTPNotSupportedError():
            return f"{server} does not support what the settings ask for: {error}"
        case _:
            return f"{server}: {error}"


def _answer(error: smtplib.SMTPResponseException) -> str:
    text = error.smtp_error
    return plain_line(f"{error.smtp_code} {text if isinstance(text, str) else text.decode(errors='replace')}")


def is_final(error: Exception) -> bool:
    """Tell whether a further try is useless: the server refused the mail itself, or the mail cannot be written.

    Somebody may mend a login or a certificate meanwhile.
    """
    match error:
        case smtplib.SMTPRecipientsRefused(recipients=recipients):
            return all(code >= FOR_GOOD for code, _ in recipients.values())
        case smtplib.SMTPSenderRefused() | smtplib.SMTPDataError():
            return error.smtp_code >= FOR_GOOD
        case _:
            return not isinstance(error, OSError)  # a wrong certificate is a ValueError too


FOR_GOOD = 500
"""Codes of an SMTP server from this number on say that the same command will fail again."""


def send_by_smtp(settings: AccountSettings, mail: Mail) -> None:
    """Send one mail. Raises OSError, and ValueError for a mail that cannot be written."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = settings.mail_from, mail.to, mail.subject
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.text)
    context = ssl.create_default_context()
    host, port = settings.smtp_host, settings.smtp_port
    with (
        smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=context)
        if settings.smtp_encryption == "tls"
        else smtplib.SMTP(host, port, timeout=TIMEOUT)
    ) as server:
        if settings.smtp_encryption == "starttls":
            server.starttls(context=context)
        if settings.smtp_user:
            server.login(settings.smtp_user, Path(settings.smtp_password_file).read_text("utf-8").strip())
        server.send_message(message)
