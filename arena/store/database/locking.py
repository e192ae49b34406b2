# SPDX-License-Identifier: GPL-3.0-or-later
"""The order in which transactions of several servers lock rows that they share, so that none waits in a circle.

A group of commands is one transaction, whose commands need rows in any order. So each command names the shared rows
that it changes, and the transaction locks those of all its commands at its start: first tournaments, then versions of
bots, each by ascending number. A lock on a version stands for all its ratings, those included that have no row yet. No
other rows are changed by two servers at once: a match has one referee.

SQLite has one writer at a time and needs no locks.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

# NO KEY: matches that start refer to these rows, and need not wait for these locks
_TOURNAMENTS = "SELECT id FROM tournament WHERE id = ANY(%(numbers)s::bigint[]) ORDER BY id FOR NO KEY UPDATE"
_VERSIONS = """
SELECT id FROM version WHERE id IN (
    SELECT version_id FROM player JOIN match ON match.id = match_id
    WHERE match_id = ANY(%(numbers)s::bigint[]) AND rated
)
ORDER BY id FOR NO KEY UPDATE
"""


@dataclass(frozen=True, slots=True)
class Locks:
    """The shared rows that a command changes."""

    tournament: int | None = None
    """Number of a tournament."""
    players_of: int | None = None
    """Number of a match: the ratings of the versions that play it, if it is rated."""


def lock(connection: Connection, needed: Iterable[Locks]) -> None:
    """Lock the rows that the commands of a transaction need until its end."""
    if connection.dialect.name == "sqlite":
        return
    found = list(needed)
    tournaments = {each.tournament for each in found if each.tournament is not None}
    matches = {each.players_of for each in found if each.players_of is not None}
    for statement, numbers in ((_TOURNAMENTS, tournaments), (_VERSIONS, matches)):
        if numbers:
            connection.exec_driver_sql(statement, {"numbers": list(numbers)})
