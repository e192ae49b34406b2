# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the rating of a version started, its wins by an opponent's failure, and an index of rated challenges."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_RATED_CHALLENGE = sa.text("kind = 'challenge' AND rated AND pair IS NULL")

_WINS = """
SELECT count(*) AS wins, p.version_id AS version, m.game AS game, m.time_class AS class
FROM match AS m JOIN player AS p ON p.match_id = m.id AND p.seat = (CASE m.result WHEN '1-0' THEN 0 ELSE 1 END)
WHERE m.result IN ('1-0', '0-1') AND p.rating_after IS NOT NULL
AND m.termination IN ('illegal move', 'bad message', 'crash', 'disconnect')
GROUP BY p.version_id, m.game, m.time_class
"""
_COUNT = (
    "UPDATE rating SET wins_by_failure = :wins WHERE version_id = :version AND game = :game AND time_class = :class"
)


def upgrade() -> None:
    """Go one step on: ratings so far started at 1500, and wins are counted from the matches."""
    op.add_column("rating", sa.Column("initial", sa.Double(), nullable=False, server_default="1500"))
    op.add_column("rating", sa.Column("wins_by_failure", sa.Integer(), nullable=False, server_default="0"))
    connection = op.get_bind()
    if counted := [dict(row._mapping) for row in connection.execute(sa.text(_WINS))]:
        connection.execute(sa.text(_COUNT), counted)
    op.create_index(
        "ix_match_rated_challenge_started",
        "match",
        ["started"],
        sqlite_where=_RATED_CHALLENGE,
        postgresql_where=_RATED_CHALLENGE,
    )
