# SPDX-License-Identifier: GPL-3.0-or-later
"""How many live matches each node referees."""

from sqlalchemy import func, select

from arena.store import tables
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer

_match = tables.matches.c


class Owned:
    """The owners of live matches in the database."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader

    async def counts(self) -> dict[int, int]:
        """Return the numbers of live matches by the numbers of the nodes that referee them. Raises StoreError."""
        query = select(_match.owner, func.count()).where(_match.status == "live", _match.owner.is_not(None))
        query = query.group_by(_match.owner)
        return await self._reader.run(lambda connection: {row[0]: row[1] for row in connection.execute(query)})
