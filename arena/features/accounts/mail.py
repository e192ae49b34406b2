# SPDX-License-Identifier: GPL-3.0-or-later
"""Mails to the owners of accounts, sent by SMTP, one after the other beside the arena.

A request only puts its mail into a queue: its answer takes the same time whether there is a mail to send or not.
"""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import structlog

from arena.features.accounts.rows import UnknownAccount
from arena.features.accounts.settings import AccountSettings
from arena.store.errors import StoreError

WAITING = 100
"""Mails that may wait; further ones are not sent."""
TIMEOUT = 60.0
"""Seconds that one step of sending a mail may take."""

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


class Mailer:
    """Sends mails by the SMTP server of the settings; without one it sends nothing."""

    def __init__(self, settings: AccountSettings, send: Callable[[AccountSettings, Mail], None] | None = None) -> None:
        """``send``: sends one mail, in a thread."""
        self._settings = settings
        self._send = send or send_by_smtp
        self._queue: asyncio.Queue[Callable[[], Awaitable[Mail | None]]] = asyncio.Queue(WAITING)

    @property
    def on(self) -> bool:
        """Whether the arena sends mails."""
        return bool(self._settings.smtp_host)

    def link(self, path: str) -> str:
        """Return the address of a page for a mail. The Host header of a request would be the sender's choice."""
        return self._settings.mail_url.rstrip("/") + path

    def put(self, write: Callable[[], Awaitable[Mail | None]]) -> None:
        """Write and send a mail later; None: there is none to send. It is left out if too many wait."""
        if not self.on:
            return
        try:
            self._queue.put_nowait(write)
        except asyncio.QueueFull:
            log.warning("a mail was not sent: too many are waiting")

    async def run(self) -> None:
        """Send the mails until cancelled."""
        while True:
            write = await self._queue.get()
            try:
                mail = await write()
                if mail is not None and mail.to:
                    await asyncio.to_thread(self._send, self._settings, mail)
            except (OSError, ValueError, StoreError, UnknownAccount) as error:  # errors of SMTP are OSErrors
                log.warning("a mail was not sent", why=str(error))


def send_by_smtp(settings: AccountSettings, mail: Mail) -> None:
    """Send one mail. Raises OSError, and ValueError for a mail that cannot be written."""
    import smtplib

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
