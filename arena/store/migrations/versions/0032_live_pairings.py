# SPDX-License-Identifier: GPL-3.0-or-later
"""A unique index: a game of a tournament has at most one live match.

Where there are several, the oldest one stays live, and the others are void.
"""

import json
import time

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"

_LIVE = sa.text("status = 'live' AND tournament IS NOT NULL")
_DETAIL = "the same game of the tournament was live in match {0}, which began earlier"

_LATER = """
SELECT m.id, m.opening, (
    SELECT min(o.id) FROM match AS o
    WHERE o.status = 'live' AND o.tournament = m.tournament AND o.round = m.round
) AS kept
FROM match AS m WHERE m.status = 'live' AND m.tournament IS NOT NULL AND m.round IS NOT NULL ORDER BY m.id
"""
_END = """
UPDATE match SET status = 'finished', finished = :finished, result = '*', termination = 'void', detail = :detail,
plies = :plies WHERE id = :id
"""


def upgrade() -> None:
    """End the later matches, and create the index."""
    connection = op.get_bind()
    for match, opening, kept in connection.execute(sa.text(_LATER)).all():
        if match != kept:
            plies = len(json.loads(opening)) + _moves(connection, match)
            values = {"id": match, "finished": time.time(), "detail": _DETAIL.format(kept), "plies": plies}
            connection.execute(sa.text(_END), values)
            connection.execute(sa.text("UPDATE player SET live = :live WHERE match_id = :id"), values | {"live": False})
    op.create_index(
        "ix_match_live_pairing",
        "match",
        ["tournament", "round"],
        unique=True,
        sqlite_where=_LIVE,
        postgresql_where=_LIVE,
    )


def _moves(connection: sa.Connection, match: int) -> int:
    """Return the number of moves that a match has."""
    bodies = connection.scalars(sa.text("SELECT body FROM event WHERE match_id = :id"), {"id": match})
    return sum(json.loads(body).get("type") == "moved" for body in bodies)
