# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of accounts."""

from dataclasses import dataclass

from arena.features.accounts.roles import SIGN_UP
from arena.settings import check_values, setting


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
        "Maximum number of wrong passwords at once, for each address and for each account. After that the "
        "server allows one more attempt every minute.",
        least=1,
    )
    session_idle: float = setting(2 * 3600.0, "Time without a request after which a session ends.")
    session_time: float = setting(12 * 3600.0, "Time after which a session ends in any case.")
    bots_per_account: int = setting(10, "Maximum number of bots of an account. Administrators have no limit.")
    tokens_per_account: int = setting(20, "Maximum number of tokens of an account that are not revoked.")

    def __post_init__(self) -> None:
        check_values(self)
