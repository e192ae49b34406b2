# SPDX-License-Identifier: GPL-3.0-or-later
"""Senders of requests to the API: sessions and tokens of accounts, bots and islands, which act again after their end.

A request can end its own sender: it signs out, deletes the account, revokes the token, or changes the role or the
password. ``renew`` repairs what such requests have done, in the database of the running server, as the command line
does: it restores the account, its password and its bots, signs in again, or makes a new token.
"""

import time
from typing import Any, Literal

from aiohttp import ClientSession
from msgspec import Struct, field

from arena.connections.admission import hash_token, make_token
from arena.features.accounts.access import COOKIE
from arena.features.accounts.codes import hash_code, make_code
from arena.features.accounts.passwords import hasher
from arena.features.accounts.records import (
    Accounts,
    Codes,
    Ownership,
    SecondFactors,
    SessionLifetimes,
    Sessions,
    Tokens,
)
from arena.features.accounts.roles import ROLES, Role, scopes_of
from arena.features.accounts.rows import AccountRow, LastAdministrator, UnknownAccount
from arena.features.accounts.totp import STEP, code_at
from arena.features.volunteers.records import IslandRecords
from arena.store import Store

Kind = Literal["nobody", "token", "session", "bot", "island"]
Secret = Literal["password", "name", "invitation", "reset", "email", "step"]

SENDERS: tuple[tuple[Kind, Role], ...] = (
    ("nobody", "owner"),
    ("bot", "owner"),
    ("island", "owner"),
    *(("token", role) for role in ROLES),
    *(("session", role) for role in ROLES),
)
PASSWORD = "a password for the proof"
BOTS = 3
"""Of each account, with an uploaded version each."""
BOT = b"""\
import random
from bots import Bot
class Uploaded(Bot):
    name, version, games = "uploaded", "1", ["tictactoe", "nim"]
    def move(self, turn):
        return random.choice(turn.legal_moves)
"""
LIFETIMES = SessionLifetimes(idle=7200.0, time=43_200.0)
HOUR = 3600.0


class Sender(Struct):
    """A sender, and the account that it belongs to."""

    kind: Kind
    role: Role
    """Of its account; nobody, bots and islands have an owner's beside them."""
    url: str
    secret: str = ""
    """The token, or the secret of the session."""
    account: int = 0
    bots: list[int] = field(default_factory=list)
    made: int = 0
    """Accounts, bots and islands that were made for it."""
    password_hash: str = field(default_factory=lambda: hasher().hash(PASSWORD))

    @property
    def name(self) -> str:
        """The sender in words."""
        match self.kind:
            case "token" | "session":
                return f"{self.role} by {self.kind}"
            case _:
                return self.kind

    @property
    def headers(self) -> dict[str, str]:
        """The headers of its requests."""
        match self.kind:
            case "nobody":
                return {}
            case "session":
                return {"Cookie": f"{COOKIE}={self.secret}", "Origin": self.url}
            case _:
                return {"Authorization": f"Bearer {self.secret}"}

    def new_name(self) -> str:
        """Return a name that nothing has."""
        self.made += 1
        return f"{self.kind}-{self.role}-{self.made}"


async def renew(store: Store, sender: Sender) -> bool:
    """Let a sender act again, with all rights of its role and with its bots; return whether it has a new secret."""
    row = await _account(store, sender)
    sender.account = row.id
    await _keep_bots(store, sender)
    if await _acts(store, sender):
        return False
    sender.secret = await _enter(store, sender, row)
    return True


async def _account(store: Store, sender: Sender) -> AccountRow:
    """Return the account of a sender: with its role and its password, neither disabled nor with a second factor."""
    accounts = store.records(Accounts)
    try:
        row = await accounts.get(sender.account)
        if row.role != sender.role:
            row = await accounts.set_role(row.id, sender.role)
    except (UnknownAccount, LastAdministrator):
        return await accounts.add(sender.new_name(), sender.role, password_hash=sender.password_hash)
    if row.disabled is not None:
        row = await accounts.set_disabled(row.id, False)
    if await store.records(SecondFactors).get(row.id) is not None:
        await store.records(SecondFactors).remove(row.id)
    if row.password_hash != sender.password_hash:
        await accounts.set_password(row.id, sender.password_hash)
    return row


async def _keep_bots(store: Store, sender: Sender) -> None:
    """Replace bots of the account that were removed, each in its place in the list."""
    ownership = store.records(Ownership)
    there = {bot.id for bot in await ownership.bots(sender.account)}
    sender.bots += [0] * (BOTS - len(sender.bots))
    for place, bot in enumerate(sender.bots):
        if bot not in there:
            made = await ownership.register(sender.account, sender.new_name(), hash_token(make_token()))
            sender.bots[place] = made.id
            await _upload(store, sender, made.id)


async def _upload(store: Store, sender: Sender, bot: int) -> None:
    shown = {"Authorization": f"Bearer {await _token(store, sender)}"}
    async with (
        ClientSession(sender.url, headers=shown) as http,
        http.post(f"/api/v1/bots/{bot}/versions?file=uploaded.py", data=BOT) as response,
    ):
        assert response.status == 200, await response.text()


async def _acts(store: Store, sender: Sender) -> bool:
    """Return whether the secret of a sender counts, and has all rights."""
    secret_hash = hash_token(sender.secret)
    match sender.kind:
        case "nobody":
            return True
        case "token":
            found = await store.records(Tokens).identify(secret_hash)
            return found is not None and found.id == sender.account and found.scopes == scopes_of(sender.role)
        case "session":
            found = await store.records(Sessions).identify(secret_hash, LIFETIMES)
            return found is not None and found.id == sender.account
        case "bot":
            bot = await store.bots.by_token(secret_hash)
            return bot is not None and bot.id == sender.bots[0]
        case "island":
            return await store.records(IslandRecords).by_token(secret_hash) is not None


async def _enter(store: Store, sender: Sender, row: AccountRow) -> str:
    """Return a new secret."""
    match sender.kind:
        case "nobody":
            return ""
        case "token":
            return await _token(store, sender)
        case "session":
            return await _sign_in(sender, row)
        case "bot":
            bot, token = await store.bots.get(sender.bots[0]), make_token()
            assert bot is not None
            await store.bots.rotate(bot.name, hash_token(token))
            return token
        case "island":
            token = make_token()
            await store.records(IslandRecords).add(sender.new_name(), hash_token(token))
            return token


async def _token(store: Store, sender: Sender) -> str:
    token = make_token()
    await store.records(Tokens).add(sender.account, "proof", hash_token(token), scopes_of(sender.role))
    return token


async def _sign_in(sender: Sender, row: AccountRow) -> str:
    body = {"name": row.name, "password": PASSWORD}
    async with (
        ClientSession(sender.url) as http,
        http.post("/api/v1/sessions", json=body, headers={"Origin": sender.url}) as response,
    ):
        assert response.status == 200, await response.text()
        return response.cookies[COOKIE].value


async def secret_for(store: Store, sender: Sender, kind: Secret) -> Any:
    """Return a text that only the right person knows, such as a one-time code; None where there is none now."""
    codes, code = store.records(Codes), make_code()
    match kind:
        case "password":
            return PASSWORD
        case "name":
            return (await store.records(Accounts).get(sender.account)).name
        case "invitation":
            await codes.invite(hash_code(code), "owner", HOUR)
        case "reset":
            await codes.reset(hash_code(code), sender.account, HOUR)
        case "email":
            await codes.confirm_email(hash_code(code), sender.account, "proof@example.org", HOUR)
        case "step":
            return await _step(store, sender)
    return code


async def _step(store: Store, sender: Sender) -> str | None:
    found = await store.records(SecondFactors).get(sender.account)
    return None if found is None else code_at(found.secret, int(time.time() // STEP))
