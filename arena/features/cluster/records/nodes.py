# SPDX-License-Identifier: GPL-3.0-or-later
"""Statements on nodes, leases and the leader."""

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, text

from arena.features.cluster.records.line import Line
from arena.features.cluster.rows import ClusterState, NodeRow
from arena.store.database.engines import Reader
from arena.store.database.tenure import Guard
from arena.store.database.writer import Writer
from arena.store.errors import Superseded

TAKEN = "another node took the lease of this one, which did not renew it for 5 s"

IDLE = 5
"""Seconds after which PostgreSQL ends a transaction of a node that does nothing in it. A process that was stopped in a
transaction would keep its row from being deleted.
"""

_GUARD = (
    f"SELECT set_config('idle_in_transaction_session_timeout', '{IDLE}s', true) FROM node WHERE id = %(id)s"
    " FOR KEY SHARE"
)
"""FOR KEY SHARE keeps the row from being deleted until the transaction ends, and lets it be renewed."""

_STATE = """
SELECT node.id, node.name, node.url, node.host, node.pid, node.version, node.key, node.counter, node.started,
       leadership.node_id, leadership.term
FROM leadership LEFT JOIN node ON true ORDER BY node.id
"""

_JOIN = """
INSERT INTO node (name, url, host, pid, version, key, counter, started)
VALUES (%(name)s, %(url)s, %(host)s, %(pid)s, %(version)s, %(key)s, 0, extract(epoch FROM clock_timestamp()))
ON CONFLICT (name) DO NOTHING RETURNING id
"""

_LEAD = """
UPDATE leadership SET node_id = %(id)s, term = term + 1
WHERE (node_id IS NULL OR node_id NOT IN (SELECT id FROM node)) AND EXISTS (SELECT 1 FROM node WHERE id = %(id)s)
"""

_TAKE = """
DELETE FROM node WHERE id = %(id)s AND counter = %(counter)s RETURNING id
"""


def found(line: Line) -> str:
    """Make the rows that every cluster has where they are missing, and return the cluster's random name."""
    line.run("INSERT INTO leadership (id, node_id, term) VALUES (1, NULL, 0) ON CONFLICT (id) DO NOTHING")
    values = {"name": secrets.token_hex(8)}
    line.run("INSERT INTO cluster (id, name) VALUES (1, %(name)s) ON CONFLICT (id) DO NOTHING", values)
    return str(line.run("SELECT name FROM cluster")[0][0])


def state(line: Line) -> ClusterState:
    """Return all nodes and the leader."""
    return _state(line.run(_STATE))


def _state(rows: Sequence[Sequence[Any]]) -> ClusterState:
    nodes = tuple(NodeRow(*row[:9]) for row in rows if row[0] is not None)
    return ClusterState(nodes, *(rows[0][9:11] if rows else (None, 0)))


def join(line: Line, name: str, url: str, host: str, pid: int, version: str) -> int | None:
    """Insert a node and return its number; None while another one has its name."""
    values = {"name": name, "url": url, "host": host, "pid": pid, "version": version, "key": secrets.randbits(62)}
    rows = line.run(_JOIN, values)
    return int(rows[0][0]) if rows else None


def renew(line: Line, node: int) -> bool:
    """Renew the lease of a node; return False when it has none any more."""
    return bool(line.run("UPDATE node SET counter = counter + 1 WHERE id = %(id)s RETURNING id", {"id": node}))


def take(line: Line, node: int, counter: int) -> bool:
    """Take the lease of a node that has not renewed it; return False if it has, or another node was faster.

    Waits for a transaction of that node at most a second; then raises StoreError.
    """
    return bool(line.run(_TAKE, {"id": node, "counter": counter}))


def lead(line: Line, node: int) -> None:
    """Make a node the leader if there is none."""
    line.run(_LEAD, {"id": node})


def leave(line: Line, node: int) -> None:
    """Give up the leadership and the lease of a node."""
    line.run("UPDATE leadership SET node_id = NULL WHERE node_id = %(id)s", {"id": node})
    line.run("DELETE FROM node WHERE id = %(id)s", {"id": node})


def clock(line: Line) -> float:
    """Return the database's time, as Unix time in seconds."""
    return float(line.run("SELECT extract(epoch FROM clock_timestamp())")[0][0])


def holding(node: int) -> Guard:
    """Return the guard of a node's transactions: it keeps the node's lease from being taken before the end of the
    transaction, and raises Superseded if the node has none.
    """
    return lambda connection: _hold(connection, node)


def _hold(connection: Connection, node: int) -> None:
    cursor = connection.connection.cursor()
    try:  # through the driver itself, as it runs in every transaction
        cursor.execute(_GUARD, {"id": node})
        row = cursor.fetchone()
    except Exception:
        # translates driver errors into the exceptions that the writer handles
        row = connection.exec_driver_sql(_GUARD, {"id": node}).one_or_none()
    finally:
        cursor.close()
    if row is None:
        raise Superseded(TAKEN)


def remove_all(connection: Connection) -> None:
    """Take the leases of all nodes, for a server that has the database for itself."""
    connection.execute(text("DELETE FROM node"))


class NodeRecords:
    """The nodes in the database, for reports about them; without a cluster there are none."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader

    async def state(self) -> ClusterState:
        """Return all nodes and the leader. Raises StoreError."""
        return await self._reader.run(lambda connection: _state(connection.execute(text(_STATE)).all()))


class Hellos:
    """The sequence that numbers hellos."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader

    async def next(self) -> int:
        """Return the next number; it only grows. Raises StoreError."""
        query = text("SELECT nextval('hello_number')")
        return await self._reader.run(lambda connection: int(connection.execute(query).scalar_one()))
