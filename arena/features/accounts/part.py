# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that knows its accounts."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import structlog
from msgspec import Struct

from arena.application import Arena
from arena.feature import Part
from arena.features.accounts.codes import hash_code, make_code
from arena.features.accounts.limits import Estimates, Guesses, Mails, SignUps
from arena.features.accounts.mail import Mail, Mailer
from arena.features.accounts.passwords import Passwords
from arena.features.accounts.records import (
    Accounts,
    AccountsState,
    Codes,
    Ownership,
    SecondFactors,
    SessionLifetimes,
    Sessions,
    Tokens,
)
from arena.features.accounts.roles import scopes_of
from arena.features.accounts.rows import Account, AccountRow
from arena.features.accounts.settings import AccountSettings
from arena.seconds import until_next_second
from arena.store.errors import StoreError, keep_trying

CONFIRMED_WITHIN = 86_400.0
"""Seconds for which the link that confirms an e-mail address is valid."""
RESET_WITHIN = 600.0
"""Seconds for which a mailed link for a new password is valid."""

log = structlog.get_logger("arena.accounts")


class Quota(NamedTuple):
    """A limit of an account and how much of it is used; None: no limit."""

    limit: float | None
    used: float


class Notice(Struct, frozen=True):
    """A message to the owner of a bot, or of an account."""

    time: float
    """When it happened, as Unix time in seconds."""
    bot: int | None
    """The bot that it concerns; null: none."""
    text: str
    """What happened: to a bot, after its name; otherwise a sentence without a full stop."""
    matches: tuple[int, ...]
    """Matches that show why."""
    page: str = ""
    """The page where the owner can mend it; empty: none."""


Notices = Callable[[Account], Awaitable[Sequence[Notice]]]
States = Callable[[Account], Awaitable[Mapping[int, str]]]
Quotas = Callable[[Account], Awaitable[Mapping[str, Quota]]]


class AccountsPart(Part):
    """The records of accounts, with the limits of this run of the server."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self.settings = arena.settings.of(AccountSettings)
        self.local = arena.local
        records = arena.store.records
        self.accounts = records(Accounts)
        self.tokens = records(Tokens)
        self.sessions = records(Sessions)
        self.codes = records(Codes)
        self.ownership = records(Ownership)
        self.second_factors = records(SecondFactors)
        self.now: Callable[[], float] = time.time
        """The clock of the codes of authenticator apps."""
        self.passwords = Passwords()
        self.estimated = Passwords(at_once=1, waiting=5)
        """For strength estimates in forms; separate from ``passwords``, so that estimates do not delay sign-ins."""
        self.estimates = Estimates(time.monotonic)
        self.guesses = Guesses(self.settings.sign_in_attempts, time.monotonic)
        self.sign_ups = SignUps(self.settings.sign_ups_per_hour, time.monotonic)
        self.session_limits = SessionLifetimes(self.settings.session_idle, self.settings.session_time)
        self.mailer = Mailer(self.settings)
        self.mails = Mails(time.monotonic)
        arena.limits |= {
            "sign-ups": self.sign_ups.limits,
            "wrong passwords": self.guesses.limits,
            "mails": self.mails.limits,
        }
        self.first_code = ""
        """The one-time code of the first administrator; "" where there is an administrator."""
        self.looked = asyncio.Event()
        """Set once it is known whether there is an administrator."""
        self.quotas: list[Quotas] = [self._bots]
        """What the page of an account shows; other features add theirs."""
        self.notices: list[Notices] = []
        """Other features add notices for the owners of bots here."""
        self.changes: list[Callable[[], Awaitable[None]]] = []
        """What other features do when accounts are disabled, enabled or deleted, or bots removed."""
        self.states: list[States] = []
        """Where other features add the states of bots, which their owners see."""

    async def run(self) -> None:
        """Make the one-time code of the first administrator where there is none; then follow changes of accounts that
        other programs make, such as `arena accounts disable`.
        """
        if not await keep_trying(self.accounts.has_administrator):
            self.first_code = make_code()
        known = await keep_trying(self.accounts.state)
        self.looked.set()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.mailer.run())
            tasks.create_task(self._watch(known))

    async def _watch(self, known: AccountsState) -> None:
        while True:
            await asyncio.sleep(until_next_second())
            try:
                found = await self.accounts.state()
                if found != known:
                    await self._follow(found)
            except StoreError as error:
                log.warning("accounts cannot be read; trying again", why=str(error))
            else:
                known = found

    async def _follow(self, state: AccountsState) -> None:
        if state.administrators:
            self.first_code = ""
        await self.tell_change()

    @property
    def sign_up(self) -> str:
        """Who may make an account: open, invited or closed."""
        return self.settings.sign_up or ("open" if self.local else "invited")

    def is_first_code(self, code: str) -> bool:
        """Tell whether a code is the first administrator's."""
        return bool(self.first_code) and secrets.compare_digest(hash_code(code), hash_code(self.first_code))

    def most_bots(self, account: Account) -> int | None:
        """Return how many bots an account may have; None: no limit."""
        return None if account.role == "administrator" else self.settings.bots_per_account

    def rights(self, account: Account) -> Account:
        """Return an account without the rights that need a second factor which it does not have."""
        if not self.lacks_second_factor(account):
            return account
        return msgspec.structs.replace(account, scopes=scopes_of("owner"))

    def lacks_second_factor(self, account: Account) -> bool:
        """Tell whether the account of a session needs a second factor for the rights of its role, and has none."""
        needs = self.settings.require_second_factor and account.session is not None and account.role != "owner"
        return needs and not account.second_factor

    # ---------------------------------------------------------------- mail

    async def change_email(self, row: AccountRow, email: str) -> None:
        """Change the e-mail address of an account, or mail a link that does. Raises UnknownAccount."""
        if email and self.mailer.on:
            code = make_code()
            await self.codes.confirm_email(hash_code(code), row.id, email, CONFIRMED_WITHIN)
            link = self.mailer.link(f"/confirm-email?code={code}")
            text = f"Somebody gave this address for the account {row.name}. To confirm the address, open this page:"
            self._send(Mail(email, "Confirm your e-mail address", f"{text}\n\n{link}\n"))
        else:
            await self.accounts.set_email(row.id, email)
            self.tell_owner(row, "The e-mail address of your account has changed")

    def mail_reset_link(self, name: str) -> None:
        """Mail a link for a new password to the owner of an account, if there is one, with a confirmed address."""
        self.mailer.put(lambda: self._reset_link(name))

    async def _reset_link(self, name: str) -> Mail | None:
        row = await self.accounts.named(name)
        if row is None or not row.active or not row.mail_address:
            return None
        code = make_code()
        await self.codes.reset(hash_code(code), row.id, RESET_WITHIN)
        link = self.mailer.link(f"/reset-password?code={code}")
        text = (
            f"To set a new password of the account {row.name}, open this page within {RESET_WITHIN / 60:.0f} minutes:"
        )
        more = "If you did not ask for this mail, do nothing: the password stays."
        return Mail(row.mail_address, "Set a new password", f"{text}\n\n{link}\n\n{more}\n")

    def tell_owner(self, row: AccountRow, what: str) -> None:
        """Mail a note about a change to the owner of an account."""
        text = f"{what} ({row.name}). If this was not you, tell an administrator of the arena:"
        self._send(Mail(row.mail_address, what, f"{text}\n\n{self.mailer.link('/')}\n"))

    def _send(self, mail: Mail) -> None:
        async def write() -> Mail:
            return mail

        self.mailer.put(write)

    # ---------------------------------------------------------------- what pages show

    async def quota(self, account: Account) -> dict[str, Quota]:
        """Return the limits of an account and how much of each is used."""
        found: dict[str, Quota] = {}
        for ask in self.quotas:
            found |= await ask(account)
        return found

    async def notices_of(self, account: Account) -> list[Notice]:
        """Return the notices to an account, the newest first."""
        found = [notice for ask in self.notices for notice in await ask(account)]
        return sorted(found, key=lambda notice: -notice.time)

    async def states_of(self, account: Account) -> dict[int, str]:
        """Return the states of an account's bots, by number, where a feature knows more than whether they connect."""
        found: dict[int, str] = {}
        for ask in self.states:
            found |= await ask(account)
        return found

    async def tell_change(self) -> None:
        """Let other features follow a change of accounts, or the removal of bots."""
        for follow in self.changes:
            await follow()

    async def _bots(self, account: Account) -> dict[str, Quota]:
        return {"bots": Quota(self.most_bots(account), await self.ownership.count(account.id)), **self._play(account)}

    def _play(self, account: Account) -> dict[str, Quota]:
        """Return the limits of the arena itself for each owner, where there are such limits."""
        settings, found = self._arena.settings, dict[str, Quota]()
        if settings.owner_connections:
            found["connections"] = Quota(settings.owner_connections, self._arena.connections_of(account.name))
        if settings.owner_matches_per_day:
            found["matches a day"] = Quota(settings.owner_matches_per_day, self._arena.matches_today(account.name))
        return found
