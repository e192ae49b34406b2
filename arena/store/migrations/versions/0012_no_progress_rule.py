# SPDX-License-Identifier: GPL-3.0-or-later
"""The termination "quiet plies" is "no-progress rule", and an expected answer has a probability, not a belief."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Go one step on: rename both in the events of matches, and the termination in the matches."""
    # ``\\:`` is no parameter
    _rename(
        '"termination"\\:"quiet plies"',
        '"termination"\\:"no-progress rule"',
        """match_id IN (SELECT id FROM "match" WHERE termination = 'quiet plies')""",
    )
    _rename('"belief"\\:', '"probability"\\:', """replace(body, '"belief"\\:', '') <> body""")
    op.execute("""UPDATE "match" SET termination = 'no-progress rule' WHERE termination = 'quiet plies'""")


def _rename(old: str, new: str, where: str) -> None:
    """Replace a part of the JSON of events; in texts of players the quotes would be escaped."""
    op.execute(f"UPDATE event SET body = replace(body, '{old}', '{new}') WHERE {where}")
