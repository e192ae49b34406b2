# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of accounts."""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from arena.features.accounts import tables
from arena.features.accounts.roles import Role, check_name, skeleton
from arena.features.accounts.rows import AccountRow, BadCode, LastAdministrator, UnknownAccount
from arena.store import tables as core
from arena.store.bots import revoke
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.errors import NameTaken
from arena.store.rows import Page, read_id, write_cursor
from arena.store.tables import storable

DELETED = "deleted account"
"""The name of a deleted account begins with this; the account's number follows. It is the owner of its bots too."""

INVALID = "this code is not valid: it does not exist, was used, or is too old"

_account = tables.accounts.c
_COLUMNS = [_account[name] for name in AccountRow._fields]
_ADMINISTRATES = _account.role == "administrator", _account.disabled.is_(None), _account.deleted.is_(None)
_REMOVED = (
    select(func.count())
    .select_from(tables.owned_bots)
    .join(core.bots, core.bots.c.id == tables.owned_bots.c.bot_id)
    .where(core.bots.c.removed.is_not(None))
)
_STATE = select(
    func.count().filter(*_ADMINISTRATES),
    func.count(_account.disabled),
    func.coalesce(func.max(_account.disabled), 0.0),
    func.count(_account.deleted),
    _REMOVED.scalar_subquery(),
)


class AccountsState(NamedTuple):
    """What changes whenever somebody disables, enables or deletes an account, or removes a bot of one."""

    administrators: int
    """Those that may act."""
    disabled: int
    last_disabled: float
    deleted: int
    removed_bots: int


class Accounts:
    """The accounts."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(
        self,
        name: str,
        role: Role,
        *,
        password_hash: str | None = None,
        email: str = "",
        confirmed: bool = False,
        code_hash: str = "",
        owner: bool = False,
    ) -> AccountRow:
        """Make an account. ``code_hash``: of an invitation, which is used up and names the role; ``owner``: also where
        bots have an owner of that name already, who has no account; ``confirmed``: the owner need not
        confirm the e-mail address.

        Raises BadName, NameTaken and BadCode.
        """
        check_name(name)
        values: dict[str, Any] = {"name": name, "skeleton": skeleton(name), "password_hash": password_hash}
        values |= {"email": storable(email), "email_confirmed": time.time() if email and confirmed else None}

        def work(connection: Connection) -> AccountRow:
            _check_free(connection, name, owner=owner)
            given = use_code(connection, code_hash, "invitation").role if code_hash else role
            row = {**values, "role": given, "created": time.time()}
            (number,) = connection.execute(insert(tables.accounts).returning(_account.id), row).one()
            return get_account(connection, number)

        return await self._writer.run(work)

    async def add_first(self, name: str, password_hash: str, email: str = "") -> AccountRow:
        """Make the first administrator. Raises BadName, NameTaken, and BadCode where there is one."""
        check_name(name)

        def work(connection: Connection) -> AccountRow:
            if _administrators(connection):
                raise BadCode("this arena has an administrator already; ask for an invitation")
            _check_free(connection, name)
            row: dict[str, Any] = {"name": name, "skeleton": skeleton(name), "password_hash": password_hash}
            row |= {"email": storable(email), "role": "administrator", "created": time.time()}
            (number,) = connection.execute(insert(tables.accounts).returning(_account.id), row).one()
            return get_account(connection, number)

        return await self._writer.run(work)

    async def get(self, number: int) -> AccountRow:
        """Return an account. Raises UnknownAccount."""
        return await self._reader.run(lambda connection: get_account(connection, number))

    async def named(self, name: str) -> AccountRow | None:
        """Return the account of a name, ignoring case."""
        query = select(*_COLUMNS).where(func.lower(_account.name) == name.lower(), _account.deleted.is_(None))
        return await self._reader.run(lambda connection: _row(connection.execute(query).one_or_none()))

    async def find(self, name: str) -> AccountRow:
        """Return the account of a name, ignoring case. Raises UnknownAccount."""
        found = await self.named(name)
        if found is None:
            raise UnknownAccount(f"no account is called {name}")
        return found

    async def page(self, *, after: str | None = None, limit: int = 100) -> Page[AccountRow]:
        """Return the accounts in the order they came, without deleted ones. Raises BadCursor."""
        query = select(*_COLUMNS).where(_account.deleted.is_(None)).order_by(_account.id).limit(limit + 1)
        if after is not None:
            query = query.where(_account.id > read_id(after))
        rows = await self._reader.run(lambda connection: [AccountRow(*row) for row in connection.execute(query)])
        return Page(rows[:limit], write_cursor(rows[limit - 1].id) if len(rows) > limit else None)

    async def all(self) -> list[AccountRow]:
        """Return all accounts in the order they came, without deleted ones."""
        query = select(*_COLUMNS).where(_account.deleted.is_(None)).order_by(_account.id)
        return await self._reader.run(lambda connection: [AccountRow(*row) for row in connection.execute(query)])

    async def has_administrator(self) -> bool:
        """Tell whether an administrator can act."""
        return await self._reader.run(_administrators) > 0

    async def state(self) -> AccountsState:
        """Return the state of all accounts, by which a server notices what other programs changed."""
        [row] = await self._reader.rows(_STATE)
        return AccountsState(*row)

    async def set_password(
        self, number: int, password_hash: str, *, keep: int | None = None, was: str | None = None
    ) -> None:
        """Replace a password, and end all sessions but one. ``was``: the hash of the password that was checked.

        Raises UnknownAccount, and BadCode where the account has another password by now.
        """

        def work(connection: Connection) -> None:
            if was is not None and get_account(connection, number).password_hash != was:
                raise BadCode("the password was changed meanwhile; sign in again")
            _change(connection, number, password_hash=password_hash)
            end_sessions(connection, number, keep=keep)

        await self._writer.run(work)

    async def reset_password(self, code_hash: str, password_hash: str) -> AccountRow:
        """Use a one-time code up: set the password of its account, and end all sessions. Raises BadCode."""

        def work(connection: Connection) -> AccountRow:
            code = use_code(connection, code_hash, "reset")
            assert code.account_id is not None
            found = get_account(connection, code.account_id)
            if not found.active:
                raise BadCode("this account is disabled")
            _change(connection, found.id, password_hash=password_hash)
            end_sessions(connection, found.id)
            return found

        return await self._writer.run(work)

    async def set_email(self, number: int, email: str) -> AccountRow:
        """Replace the e-mail address by one that is not confirmed; "": by none. Codes for other addresses are invalid
        from now on. Raises UnknownAccount.
        """

        def work(connection: Connection) -> AccountRow:
            use_up(connection, number, "email")
            return _change(connection, number, email=storable(email), email_confirmed=None)

        return await self._writer.run(work)

    async def confirm_email(self, code_hash: str) -> tuple[AccountRow, AccountRow]:
        """Use a one-time code up: give its account the address to which it was sent. Returns the account before and
        after. Raises BadCode.
        """

        def work(connection: Connection) -> tuple[AccountRow, AccountRow]:
            code = use_code(connection, code_hash, "email")
            before = get_account(connection, code.account_id)
            return before, _change(connection, before.id, email=code.email, email_confirmed=time.time())

        return await self._writer.run(work)

    async def set_role(self, number: int, role: Role) -> AccountRow:
        """Give an account another role. Raises UnknownAccount, and LastAdministrator for the only one."""

        def work(connection: Connection) -> AccountRow:
            _keep_an_administrator(connection, number, loses=role != "administrator")
            return _change(connection, number, role=role)

        return await self._writer.run(work)

    async def set_disabled(self, number: int, disabled: bool) -> AccountRow:
        """Disable an account, which ends its sessions and revokes the tokens of its bots; or enable it again.

        Its own tokens work again then; its bots get new ones. Raises UnknownAccount, and LastAdministrator for the only
        administrator.
        """

        def work(connection: Connection) -> AccountRow:
            _keep_an_administrator(connection, number, loses=disabled)
            if disabled:
                end_sessions(connection, number)
                revoke(connection, _bots_of(connection, number), remove=False)
            return _change(connection, number, disabled=time.time() if disabled else None)

        return await self._writer.run(work)

    async def delete(self, number: int) -> None:
        """Delete an account: its name, address, password, sessions, tokens and codes. Its bots are removed; their
        matches and ratings stay, without the owner's name. Raises UnknownAccount, and LastAdministrator for the only
        administrator.
        """

        def work(connection: Connection) -> None:
            _keep_an_administrator(connection, number, loses=True)
            bots, name = _bots_of(connection, number), f"{DELETED} {number}"
            revoke(connection, bots, remove=True)
            connection.execute(update(core.bots).where(core.bots.c.id.in_(bots)).values(owner=name))
            end_sessions(connection, number)
            connection.execute(delete(tables.tokens).where(tables.tokens.c.account_id == number))
            connection.execute(delete(tables.codes).where(tables.codes.c.account_id == number))
            connection.execute(delete(tables.second_factors).where(tables.second_factors.c.account_id == number))
            gone: Mapping[str, Any] = {
                "name": name,
                "skeleton": name,
                "password_hash": None,
                "email": "",
                "email_confirmed": None,
            }
            _change(connection, number, **gone, deleted=time.time())

        await self._writer.run(work)


def get_account(connection: Connection, number: int) -> AccountRow:
    """Return an account that is not deleted. Raises UnknownAccount."""
    query = select(*_COLUMNS).where(_account.id == number, _account.deleted.is_(None))
    found = _row(connection.execute(query).one_or_none())
    if found is None:
        raise UnknownAccount(f"no account has the number {number}")
    return found


def end_sessions(connection: Connection, account: int, *, keep: int | None = None) -> None:
    """End the sessions of an account, but one."""
    session = tables.sessions.c
    ended = delete(tables.sessions).where(session.account_id == account)
    connection.execute(ended if keep is None else ended.where(session.id != keep))


def use_code(connection: Connection, code_hash: str, kind: str) -> Any:
    """Mark a one-time code as used and return its row. Raises BadCode."""
    code, now = tables.codes.c, time.time()
    good = code.code_hash == code_hash, *usable(kind, now)
    found = connection.execute(
        update(tables.codes).where(*good).values(used=now).returning(code.account_id, code.role, code.email)
    ).one_or_none()
    if found is None:
        raise BadCode(INVALID)
    return found


def use_up(connection: Connection, account: int, kind: str) -> None:
    """Make the one-time codes of an account and a kind invalid."""
    code, now = tables.codes.c, time.time()
    connection.execute(update(tables.codes).where(code.account_id == account, *usable(kind, now)).values(used=now))


def usable(kind: str, now: float) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for one-time codes of a kind that can be used.

    An invitation of somebody who administers the arena no more is invalid: it could give the right back.
    """
    code = tables.codes.c
    conditions = code.kind == kind, code.used.is_(None), code.expires > now
    if kind != "invitation":
        return conditions
    acting = select(_account.id).where(*_ADMINISTRATES)
    return *conditions, code.account_id.is_(None) | code.account_id.in_(acting)


def _row(row: Any) -> AccountRow | None:
    return None if row is None else AccountRow(*row)


def _check_free(connection: Connection, name: str, *, owner: bool = False) -> None:
    """Raise NameTaken if the name looks like another account's, or like an owner's that has no account."""
    query = select(_account.name).where(_account.skeleton == skeleton(name))
    known = connection.scalar(query)
    if known is not None:
        raise NameTaken(f"the name {name} is taken, or looks like another account's")
    owned = core.bots.c
    query = select(owned.id).where(func.lower(owned.owner) == name.lower()).limit(1)
    if not owner and connection.scalar(query) is not None:
        raise NameTaken(f"the name {name} is taken by the owner of a bot")


def _change(connection: Connection, number: int, **values: Any) -> AccountRow:
    get_account(connection, number)
    connection.execute(update(tables.accounts).where(_account.id == number).values(**values))
    return AccountRow(*connection.execute(select(*_COLUMNS).where(_account.id == number)).one())


def _bots_of(connection: Connection, account: int) -> list[int]:
    owned = tables.owned_bots.c
    return list(connection.scalars(select(owned.bot_id).where(owned.account_id == account)))


def _administrators(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(tables.accounts).where(*_ADMINISTRATES)) or 0


def _keep_an_administrator(connection: Connection, number: int, *, loses: bool) -> None:
    """Raise LastAdministrator if no administrator would be left."""
    found = get_account(connection, number)
    if loses and found.role == "administrator" and found.active and _administrators(connection) == 1:
        raise LastAdministrator("this is the only administrator; make another one first")
