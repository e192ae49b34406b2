# SPDX-License-Identifier: GPL-3.0-or-later
"""The format "meetings" is "fixed-pairings"; a ladder ends by its options "misordered" and "pairings"."""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Rename the format and the options in the descriptions of tournaments."""
    # ``\\:`` is no parameter; in texts of people the quotes would be escaped
    _rename('"kind"\\:"meetings"', '"kind"\\:"fixed-pairings"', "")
    for old, new in (("wrong", "misordered"), ("meetings", "pairings")):
        _rename(f'"{old}"\\:', f'"{new}"\\:', """ WHERE replace(config, '"kind"\\:"ladder"', '') <> config""")


def _rename(old: str, new: str, where: str) -> None:
    op.execute(f"UPDATE tournament SET config = replace(config, '{old}', '{new}'){where}")
