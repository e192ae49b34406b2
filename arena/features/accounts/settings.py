# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of accounts."""

from dataclasses import dataclass

from arena.features.accounts.roles import SIGN_UP
from arena.settings import check_values, setting

ENCRYPTION = ("starttls", "tls", "none")
"""Ways of the connection to the SMTP server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSettings:
    """The settings of accounts. Durations are in seconds."""

    sign_up: str = setting(
        "",
        "People who may create an account: `open` (everybody), `invited` (people with an invitation) or `closed` "
        "(nobody; `arena accounts add` creates accounts). Empty: `open` if only this machine can reach the server, "
        "otherwise `invited`.",
        choices=(*SIGN_UP, ""),
    )
    sign_ups_per_hour: int = setting(10, "Maximum number of new accounts from one address in an hour.", least=1)
    sign_in_attempts: int = setting(
        10,
        "Maximum number of wrong passwords in quick succession, for each address and for each account. After that the "
        "server allows one more attempt every minute.",
        least=1,
    )
    session_idle: float = setting(2 * 3600.0, "Time without a request after which a session ends.")
    session_time: float = setting(12 * 3600.0, "Time after which a session ends in any case.")
    bots_per_account: int = setting(10, "Maximum number of bots of an account. Administrators have no limit.")
    tokens_per_account: int = setting(20, "Maximum number of tokens of an account that are not revoked.")

    require_second_factor: bool = setting(
        False,
        "Sessions of organisers and administrators have the rights of owners only, until the account has a second "
        "factor. Tokens keep their scopes.",
    )

    smtp_host: str = setting(
        "",
        "Name or address of the SMTP server by which the arena sends mails: links for forgotten passwords, and notes "
        "about changes of an account. Empty: the arena sends no mail.",
    )
    smtp_port: int = setting(587, "Port of the SMTP server.", least=1, most=65_535)
    smtp_encryption: str = setting(
        "starttls",
        "Encryption of the connection to the SMTP server: `starttls`, `tls` (from the first byte) or `none`.",
        choices=ENCRYPTION,
    )
    smtp_user: str = setting("", "Account on the SMTP server. Empty: the server needs none.")
    smtp_password_file: str = setting("", "File with the password of `smtp_user`.")
    mail_from: str = setting("", "Sender of the mails, such as arena@example.org. Needed with `smtp_host`.")
    mail_url: str = setting(
        "", "Address of the arena in the links of mails, such as https://arena.example.org. Needed with `smtp_host`."
    )

    def __post_init__(self) -> None:
        check_values(self)
        if self.smtp_user and not self.smtp_password_file:
            raise ValueError("smtp_user needs smtp_password_file")
        if self.smtp_host and ("@" not in self.mail_from or "\n" in self.mail_from):
            raise ValueError(f"smtp_host needs mail_from, an e-mail address (got {self.mail_from!r})")
        if self.smtp_host and not self.mail_url.startswith(("https://", "http://")):
            raise ValueError(f"smtp_host needs mail_url, such as https://arena.example.org (got {self.mail_url!r})")
