# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of tokens, sessions and one-time codes. Secrets are stored as hashes (``hash_token``)."""

import time
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from arena.features.accounts import tables
from arena.features.accounts.records.accounts import INVALID, get_account, usable, use_up
from arena.features.accounts.roles import Role, Scope, read_scopes, scopes_of, write_scopes
from arena.features.accounts.rows import Account, BadCode, CodeRow, SessionRow, TokenRow, TooMany, UnknownCredential
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.tables import storable

SEEN = 60.0
"""Seconds between two writes of the time at which a token or a session was last used."""

KEPT = 100
"""Sessions of an account that are kept: the newest."""

_account, _token, _session, _code = tables.accounts.c, tables.tokens.c, tables.sessions.c, tables.codes.c
_TOKEN = [_token[name] for name in TokenRow._fields]
_SESSION = [_session[name] for name in SessionRow._fields]
_CODE = [_code[name] for name in CodeRow._fields]
_ACTIVE = _account.disabled.is_(None), _account.deleted.is_(None)


class SessionLifetimes(NamedTuple):
    """How long sessions last, in seconds."""

    idle: float
    time: float


class Tokens:
    """The tokens of accounts."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(
        self, account: int, label: str, token_hash: str, scopes: frozenset[Scope], most: int | None = None
    ) -> TokenRow:
        """Give an account a token. Raises UnknownAccount, and TooMany where it has ``most`` already."""
        row = {"account_id": account, "label": storable(label), "token_hash": token_hash, "created": time.time()}
        row["scopes"] = write_scopes(scopes)

        def work(connection: Connection) -> TokenRow:
            get_account(connection, account)
            valid = select(func.count()).where(_token.account_id == account, _token.revoked.is_(None))
            if most is not None and (connection.scalar(valid) or 0) >= most:
                raise TooMany(f"an account has at most {most} tokens; revoke one that is not used")
            (number,) = connection.execute(insert(tables.tokens).returning(_token.id), row).one()
            return _read_token(connection.execute(select(*_TOKEN).where(_token.id == number)).one())

        return await self._writer.run(work)

    async def of(self, account: int) -> list[TokenRow]:
        """Return the tokens of an account that are not revoked, in the order they were made."""
        query = select(*_TOKEN).where(_token.account_id == account, _token.revoked.is_(None)).order_by(_token.id)
        return await self._reader.run(lambda connection: [_read_token(row) for row in connection.execute(query)])

    async def identify(self, token_hash: str) -> Account | None:
        """Return the account of a token, with what the token may do; None where it is no account's."""
        now = time.time()
        query = select(_account.id, _account.name, _account.role, _token.scopes, _token.id, _token.last_used)
        query = query.join(tables.accounts, _account.id == _token.account_id)
        query = query.where(_token.token_hash == token_hash, _token.revoked.is_(None), *_ACTIVE)
        row = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return None
        number, name, role, scopes, token, used = row
        if used is None or now - used > SEEN:
            seen = update(tables.tokens).where(_token.id == token).values(last_used=now)
            await self._writer.run(lambda connection: connection.execute(seen).rowcount, durable=False)
        return Account(number, name, role, read_scopes(scopes) & scopes_of(role))

    async def revoke(self, account: int, number: int) -> None:
        """Revoke a token of an account. Raises UnknownCredential."""
        own = _token.account_id == account, _token.id == number, _token.revoked.is_(None)
        gone = update(tables.tokens).where(*own).values(revoked=time.time())
        if not await self._writer.run(lambda connection: connection.execute(gone).rowcount):
            raise UnknownCredential(f"this account has no token with the number {number}")


class Sessions:
    """The sessions of browsers."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def begin(
        self,
        account: int,
        secret_hash: str,
        address: str,
        agent: str,
        limits: SessionLifetimes,
        *,
        password_hash: str = "",
    ) -> int:
        """Begin a session and return its number; sessions that are over are removed.

        ``password_hash``: of the password that was checked. Raises UnknownAccount, and UnknownCredential where the
        account has another one by now: who changed it wants to end the sessions that the old one began.
        """
        now = time.time()
        row = {"account_id": account, "secret_hash": secret_hash, "created": now, "last_seen": now}
        row |= {"address": storable(address)[:100], "agent": storable(agent)[:200]}

        def work(connection: Connection) -> int:
            if password_hash and get_account(connection, account).password_hash != password_hash:
                raise UnknownCredential("the password was changed meanwhile; sign in again")
            over = (_session.last_seen <= now - limits.idle) | (_session.created <= now - limits.time)
            newest = select(_session.id).where(_session.account_id == account)
            newest = newest.order_by(_session.id.desc()).limit(KEPT - 1)
            old = (_session.account_id == account) & _session.id.not_in(list(connection.scalars(newest)))
            connection.execute(delete(tables.sessions).where(over | old))
            (number,) = connection.execute(insert(tables.sessions).returning(_session.id), row).one()
            return int(number)

        return await self._writer.run(work)

    async def identify(self, secret_hash: str, limits: SessionLifetimes) -> Account | None:
        """Return the account of a session; None where there is none, or it is over."""
        now = time.time()
        factor = tables.second_factors.c
        query = select(
            _account.id, _account.name, _account.role, _session.id, _session.last_seen, factor.confirmed.is_not(None)
        )
        query = query.join(tables.accounts, _account.id == _session.account_id)
        query = query.outerjoin(tables.second_factors, factor.account_id == _account.id)
        query = query.where(_session.secret_hash == secret_hash, *_goes_on(now, limits), *_ACTIVE)
        row = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return None
        number, name, role, session, seen, second = row
        if now - seen > min(SEEN, limits.idle / 2):
            later = update(tables.sessions).where(_session.id == session).values(last_seen=now)
            await self._writer.run(lambda connection: connection.execute(later).rowcount, durable=False)
        return Account(number, name, role, scopes_of(role), session, bool(second))

    async def of(self, account: int, limits: SessionLifetimes) -> list[SessionRow]:
        """Return the sessions of an account, the newest first."""
        query = select(*_SESSION).where(_session.account_id == account, *_goes_on(time.time(), limits))
        query = query.order_by(_session.id.desc())
        return await self._reader.run(lambda connection: [SessionRow(*row) for row in connection.execute(query)])

    async def end(self, account: int, number: int) -> None:
        """End a session of an account. Raises UnknownCredential."""
        gone = delete(tables.sessions).where(_session.account_id == account, _session.id == number)
        if not await self._writer.run(lambda connection: connection.execute(gone).rowcount):
            raise UnknownCredential(f"this account has no session with the number {number}")


class Codes:
    """The one-time codes; ``Accounts`` uses them up."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def invite(self, code_hash: str, role: Role, lifetime: float, by: int | None = None) -> CodeRow:
        """Make an invitation to an account of a role; ``lifetime`` in seconds.

        ``by``: the administrator who makes it; it is valid only as long as this account administers the arena.
        """
        return await self._add(code_hash, "invitation", by, role, lifetime)

    async def reset(self, code_hash: str, account: int, lifetime: float) -> CodeRow:
        """Make a code for a new password of an account; earlier ones are invalid from now on. Raises UnknownAccount."""
        return await self._add(code_hash, "reset", account, "owner", lifetime)

    async def confirm_email(self, code_hash: str, account: int, email: str, lifetime: float) -> CodeRow:
        """Make a code that confirms an e-mail address of an account; earlier ones are invalid from now on. Raises
        UnknownAccount.
        """
        return await self._add(code_hash, "email", account, "owner", lifetime, email)

    async def invitations(self) -> list[CodeRow]:
        """Return the invitations that can be used, the newest first."""
        query = select(*_CODE).where(*_usable("invitation")).order_by(_code.id.desc())
        return await self._reader.run(lambda connection: [CodeRow(*row) for row in connection.execute(query)])

    async def check_invitation(self, code_hash: str) -> None:
        """Raise BadCode if an invitation cannot be used."""
        await self._usable_code(code_hash, "invitation")

    async def check(self, code_hash: str, kind: str) -> int:
        """Return the number of the account whose password a code can ``reset``, or whose ``email`` address it confirms.
        Raises BadCode.
        """
        account = (await self._usable_code(code_hash, kind)).account_id
        assert account is not None
        return account

    async def _usable_code(self, code_hash: str, kind: str) -> CodeRow:
        query = select(*_CODE).where(_code.code_hash == code_hash, *_usable(kind))
        row = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise BadCode(INVALID)
        return CodeRow(*row)

    async def revoke_invitation(self, number: int) -> None:
        """Revoke an invitation. Raises UnknownCredential."""
        gone = update(tables.codes).where(_code.id == number, *_usable("invitation")).values(used=time.time())
        if not await self._writer.run(lambda connection: connection.execute(gone).rowcount):
            raise UnknownCredential(f"no invitation has the number {number}")

    async def _add(
        self, code_hash: str, kind: str, account: int | None, role: Role, lifetime: float, email: str | None = None
    ) -> CodeRow:
        now = time.time()
        row = {"code_hash": code_hash, "kind": kind, "account_id": account, "role": role, "created": now}
        row |= {"expires": now + lifetime, "email": email}

        def work(connection: Connection) -> CodeRow:
            if account is not None:
                get_account(connection, account)
            if account is not None and kind != "invitation":
                use_up(connection, account, kind)
            (number,) = connection.execute(insert(tables.codes).returning(_code.id), row).one()
            return CodeRow(*connection.execute(select(*_CODE).where(_code.id == number)).one())

        return await self._writer.run(work)


def _read_token(row: Row[Any]) -> TokenRow:
    return TokenRow(**{**row._mapping, "scopes": read_scopes(row._mapping["scopes"])})


def _goes_on(now: float, limits: SessionLifetimes) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _session.last_seen > now - limits.idle, _session.created > now - limits.time


def _usable(kind: str) -> tuple[ColumnElement[bool], ...]:
    return usable(kind, time.time())
