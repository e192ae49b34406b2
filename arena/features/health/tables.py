# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of quarantines."""

from sqlalchemy import Double, Text
from sqlmodel import Field

from arena.store.tables import Base, key, plain, reference


class Quarantine(Base, table=True):
    """A quarantine of a bot: the version that failed, the reason, and the matches as a JSON list.

    ``lifted``: when it ended; failures in matches that started before then do not count any more. ``how`` it ended: a
    text for people.
    """

    id: int | None = Field(default=None, sa_column=key())
    bot_id: int = Field(sa_column=reference("bot.id", index=True))
    version_id: int = Field(sa_column=reference("version.id"))
    reason: str = Field(sa_type=Text)
    matches: str = Field(sa_type=Text)
    began: float = Field(sa_type=Double)
    lifted: float | None = Field(default=None, sa_type=Double, index=True)
    how: str = Field(default="", sa_type=Text)


quarantines = plain(Quarantine)

TABLES = (quarantines,)
