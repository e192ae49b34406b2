# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of second factors: secrets of authenticator apps, and recovery codes as hashes."""

import time
from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from arena.features.accounts import tables
from arena.features.accounts.records.accounts import get_account, use_code, use_up
from arena.features.accounts.rows import BadCode, SecondFactorOn
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer

FOREVER = 1e11
"""When recovery codes expire: never."""

_factor = tables.second_factors.c


class SecondFactorRow(NamedTuple):
    """The second factor of an account."""

    secret: str
    confirmed: float | None
    """When the owner confirmed it by a code; before that it is not asked for."""
    last_step: int
    """The newest step whose code was used; earlier codes count no more."""


class SecondFactors:
    """The second factors of accounts."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def get(self, account: int) -> SecondFactorRow | None:
        """Return the second factor of an account, also one that is not confirmed."""
        return await self._reader.run(lambda connection: _get(connection, account))

    async def is_on(self, account: int) -> bool:
        """Tell whether signing in to an account takes a second factor."""
        found = await self.get(account)
        return found is not None and found.confirmed is not None

    async def begin(self, account: int, secret: str) -> None:
        """Give an account a secret that its owner is to confirm. Raises UnknownAccount and SecondFactorOn."""

        def work(connection: Connection) -> None:
            get_account(connection, account)
            _check_off(connection, account)
            connection.execute(delete(tables.second_factors).where(_factor.account_id == account))
            row = {"account_id": account, "secret": secret, "confirmed": None, "last_step": 0}
            connection.execute(insert(tables.second_factors), row)

        await self._writer.run(work)

    async def confirm(self, account: int, secret: str, step: int, recovery: Collection[str]) -> None:
        """Switch the second factor on. ``step``: that of the code; ``recovery``: hashes of new recovery codes.

        Raises SecondFactorOn, and BadCode where the account has another secret by now.
        """

        def work(connection: Connection) -> None:
            _check_off(connection, account)
            own = _factor.account_id == account, _factor.secret == secret
            now = time.time()
            on = update(tables.second_factors).where(*own).values(confirmed=now, last_step=step)
            if not connection.execute(on).rowcount:
                raise BadCode("the secret was replaced meanwhile; scan the new QR code")
            row = {"kind": "recovery", "account_id": account, "role": "owner", "created": now, "expires": FOREVER}
            connection.execute(insert(tables.codes), [row | {"code_hash": each} for each in recovery])

        await self._writer.run(work)

    async def use_step(self, account: int, step: int) -> bool:
        """Use the code of a step up; False: it, or a later one, was used already."""
        newer = _factor.account_id == account, _factor.confirmed.is_not(None), _factor.last_step < step
        used = update(tables.second_factors).where(*newer).values(last_step=step)
        return await self._writer.run(lambda connection: connection.execute(used).rowcount) > 0

    async def use_recovery(self, account: int, code_hash: str) -> None:
        """Use a recovery code of an account up. Raises BadCode, also for a code of another account, which stays."""

        def work(connection: Connection) -> None:
            if use_code(connection, code_hash, "recovery").account_id != account:
                raise BadCode("this is not a code of the account")  # which undoes its use

        await self._writer.run(work)

    async def remove(self, account: int) -> None:
        """Switch the second factor of an account off."""

        def work(connection: Connection) -> None:
            connection.execute(delete(tables.second_factors).where(_factor.account_id == account))
            use_up(connection, account, "recovery")

        await self._writer.run(work)


def _get(connection: Connection, account: int) -> SecondFactorRow | None:
    query = select(_factor.secret, _factor.confirmed, _factor.last_step).where(_factor.account_id == account)
    row = connection.execute(query).one_or_none()
    return None if row is None else SecondFactorRow(*row)


def _check_off(connection: Connection, account: int) -> None:
    found = _get(connection, account)
    if found is not None and found.confirmed is not None:
        raise SecondFactorOn("the second factor is on already; switch it off first")
