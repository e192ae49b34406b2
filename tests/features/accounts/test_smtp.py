# SPDX-License-Identifier: GPL-3.0-or-later
"""Mails by SMTP servers with STARTTLS or TLS, certificates and logins, on real sockets; and servers that refuse."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from structlog.testing import capture_logs
from structlog.typing import EventDict

from arena.features.accounts.mail import Mail, Mailer, send_by_smtp
from arena.features.accounts.settings import AccountSettings
from tests.features.accounts.mailbox import Mailbox, mailbox
from tests.features.accounts.test_mail import by

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOST, USER, PASSWORD = "127.0.0.1", "arena", "the password of the mailbox"
MAIL = Mail("marion@example.org", "Grüße", "A text.\n")
TLS = ("starttls", "tls")


class SecureMailbox:
    """Takes mails of a client that is encrypted and has logged in; ``answers``: to the first mails."""

    def __init__(self, answers: Sequence[str] = ()) -> None:
        self.mails: asyncio.Queue[Envelope] = asyncio.Queue()
        self._answers = list(answers)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's
        """Take a mail."""
        if self._answers:
            return self._answers.pop(0)
        if not session.authenticated:
            return "530 log in first"
        if server.transport is None or server.transport.get_extra_info("cipher") is None:
            return "530 encrypt first"
        self.mails.put_nowait(envelope)
        return "250 taken"


def authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: object) -> AuthResult:
    """Let one account in."""
    right = given == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=right)


@asynccontextmanager
async def serving(box: SecureMailbox, encryption: str, certificate: trustme.LeafCert) -> AsyncIterator[int]:
    """Serve a mailbox on a port of this machine; returns the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    implicit = encryption == "tls"

    def protocol() -> SMTP:
        return SMTP(
            box,
            hostname="mail.example.org",
            tls_context=None if implicit else context,
            require_starttls=not implicit,
            auth_require_tls=not implicit,
            authenticator=authenticate,
            loop=asyncio.get_running_loop(),
        )

    loop = asyncio.get_running_loop()
    async with await loop.create_server(protocol, HOST, 0, ssl=context if implicit else None) as server:
        yield server.sockets[0].getsockname()[1]


class Setting:
    """What an arena knows of its SMTP server: the password, and the authority that it trusts."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.authority = trustme.CA()
        self.password = folder / "password"
        self.correct()
        self._file = folder / "authority.pem"
        self.trust(self.authority)
        # OpenSSL reads the variable when a context loads the authorities of the system
        patch.setenv("SSL_CERT_FILE", str(self._file))

    def trust(self, authority: trustme.CA) -> None:
        """Trust the certificates of one authority only."""
        self._file.write_bytes(authority.cert_pem.bytes())

    def correct(self) -> None:
        """Write the right password into the file."""
        self.password.write_text(f"{PASSWORD}\n", encoding="utf-8")

    def settings(self, port: int, encryption: str) -> AccountSettings:
        """Return the settings of the arena."""
        file = str(self.password)
        box = Mailbox()
        return by(box, smtp_port=port, smtp_encryption=encryption, smtp_user=USER, smtp_password_file=file)


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    """An arena that knows the password and trusts an authority."""
    return Setting(tmp_path, monkeypatch)


@asynccontextmanager
async def sending(settings: AccountSettings, mend: Callable[[], None] | None = None) -> AsyncIterator[list[EventDict]]:
    """Send a mail as an arena does, whose administrator repairs something after the first failure; returns the log."""
    repairs = [] if mend is None else [mend]

    def send(settings: AccountSettings, mail: Mail) -> None:
        try:
            send_by_smtp(settings, mail)
        except OSError:
            if repairs:
                repairs.pop()()
            raise

    async def write() -> Mail:
        return MAIL

    mailer = Mailer(settings, send)
    mailer.again = (0.0,)
    with capture_logs() as logs:
        running = asyncio.create_task(mailer.run())
        mailer.put(write)
        try:
            yield logs
        finally:
            running.cancel()
            await asyncio.wait({running})


async def logged(logs: list[EventDict], count: int) -> list[EventDict]:
    """Wait until a log has a number of entries; return it."""
    async with asyncio.timeout(600):
        while len(logs) < count:  # noqa: ASYNC110  # the log has no event
            await asyncio.sleep(0.01)
    return logs


@pytest.mark.parametrize("encryption", TLS)
async def test_a_mail_is_sent_encrypted_after_a_login(setting: Setting, encryption: str) -> None:
    box = SecureMailbox()
    certificate = setting.authority.issue_cert(HOST)
    async with serving(box, encryption, certificate) as port, sending(setting.settings(port, encryption)) as logs:
        envelope = await box.mails.get()
    assert logs == []
    assert (envelope.mail_from, envelope.rcpt_tos) == ("arena@example.org", ["marion@example.org"])
    assert isinstance(envelope.content, bytes)
    assert b"Subject: =?utf-8?" in envelope.content


@pytest.mark.parametrize("encryption", TLS)
@pytest.mark.parametrize("name", [HOST, "other.example"])
async def test_no_mail_goes_to_a_server_with_a_wrong_certificate(setting: Setting, encryption: str, name: str) -> None:
    """The mail waits: it is sent once the arena trusts the authority, but never to a server with another name."""
    box, other = SecureMailbox(), trustme.CA()
    issuer = other if name == HOST else setting.authority
    async with (
        serving(box, encryption, issuer.issue_cert(name)) as port,
        sending(setting.settings(port, encryption), lambda: setting.trust(other)) as logs,
    ):
        if name == HOST:
            await box.mails.get()
        else:
            await logged(logs, 2)
    assert box.mails.empty()
    assert logs[0]["event"].startswith("a mail was not sent; trying again")
    assert logs[0]["why"].startswith(f"the certificate of the SMTP server {HOST}:{port} is not valid: ")
    assert len(logs) == (1 if name == HOST else 2)


@pytest.mark.parametrize("encryption", TLS)
async def test_a_refused_login_is_logged_without_the_password(setting: Setting, encryption: str) -> None:
    """The mail waits: it is sent once the file has the right password."""
    box = SecureMailbox()
    setting.password.write_text("a wrong password", encoding="utf-8")
    async with (
        serving(box, encryption, setting.authority.issue_cert(HOST)) as port,
        sending(setting.settings(port, encryption), setting.correct) as logs,
    ):
        await box.mails.get()
    (entry,) = logs
    assert entry["why"].startswith(f"the SMTP server {HOST}:{port} refused the login of smtp_user 'arena': 535 ")
    assert "wrong password" not in str(entry)


@pytest.mark.parametrize(
    ("answers", "events"),
    [
        (["451 later"], ["a mail was not sent; trying again"]),
        (["451 later", "451 later"], ["a mail was not sent; trying again", "a mail was not sent"]),
        (["554 never"], ["a mail was not sent"]),
    ],
)
async def test_a_mail_is_sent_again_unless_it_is_refused_for_good(
    setting: Setting, answers: list[str], events: list[str]
) -> None:
    box = SecureMailbox(answers)
    certificate = setting.authority.issue_cert(HOST)
    async with serving(box, "tls", certificate) as port, sending(setting.settings(port, "tls")) as logs:
        await logged(logs, len(events))
        if events[-1].endswith("again"):
            await box.mails.get()
    assert [entry["event"] for entry in logs] == events
    assert logs[0]["why"] == f"the SMTP server {HOST}:{port} answered {answers[0]}"


async def test_no_password_is_sent_without_encryption(setting: Setting) -> None:
    async with mailbox() as box:
        async with sending(setting.settings(box.port, "starttls")) as logs:
            await logged(logs, 2)
        assert (box.mails.empty(), box.recipients) == (True, [])
    assert "STARTTLS" in logs[0]["why"]
