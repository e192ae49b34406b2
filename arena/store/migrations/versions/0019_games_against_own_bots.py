# SPDX-License-Identifier: GPL-3.0-or-later
"""The number of a version's games against bots of the same owner."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

_GAMES = """
SELECT count(*) AS games, own.version_id AS version, m.game AS game, m.time_class AS class
FROM player AS own
JOIN bot ON bot.id = own.bot_id
JOIN bot AS twin ON lower(trim(twin.owner)) = lower(trim(bot.owner)) AND twin.id <> bot.id
JOIN player AS other ON other.match_id = own.match_id AND other.bot_id = twin.id
JOIN match AS m ON m.id = own.match_id
WHERE own.rating_after IS NOT NULL AND trim(bot.owner) <> '' AND bot.owner <> 'deleted account'
GROUP BY own.version_id, m.game, m.time_class
"""
_COUNT = "UPDATE rating SET own_games = :games WHERE version_id = :version AND game = :game AND time_class = :class"


def upgrade() -> None:
    """Go one step on: the games so far are counted by the present owners."""
    op.add_column("rating", sa.Column("own_games", sa.Integer(), nullable=False, server_default="0"))
    connection = op.get_bind()
    if counted := [dict(row._mapping) for row in connection.execute(sa.text(_GAMES))]:
        connection.execute(sa.text(_COUNT), counted)
