# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of islands on volunteers' machines.

Tables and columns have the names of the first version (an island was a deme, a verification an exam): renaming them
would change all databases for nothing that a user sees.
"""

from sqlalchemy import BigInteger, Double, Index, Text
from sqlmodel import Field

from arena.store.tables import Base, key, plain, reference


class Island(Base, table=True):
    """A volunteer's island; ``joined``, ``report`` and ``refusals`` are JSON that the store does not interpret.

    ``joined`` is empty until the island joined, ``report`` until it reported.
    """

    __tablename__ = "deme"

    id: int | None = Field(default=None, sa_column=key())
    name: str = Field(sa_type=Text, unique=True)
    token_hash: str | None = Field(default=None, sa_type=Text, unique=True)
    created: float = Field(sa_type=Double)
    game: str | None = Field(default=None, sa_type=Text)
    joined: str = Field(default="", sa_type=Text)
    sequence: int = Field(default=0, sa_type=BigInteger)
    report: str = Field(default="", sa_type=Text)
    seen: float | None = Field(default=None, sa_type=Double)
    reports: int = Field(default=0, sa_type=BigInteger)
    repeated: int = Field(default=0, sa_type=BigInteger)
    refusals: str = Field(default="{}", sa_type=Text)
    quarantined: float | None = Field(default=None, sa_type=Double)
    why: str = Field(default="", sa_type=Text)
    pardons: int = 0


class IslandPoint(Base, table=True):
    """A point of an island's history; ``body`` is JSON that the store does not interpret."""

    __tablename__ = "deme_point"

    deme_id: int = Field(sa_column=reference("deme.id", primary_key=True))
    generation: int = Field(sa_type=BigInteger, primary_key=True)
    body: str = Field(sa_type=Text)


class Verification(Base, table=True):
    """A verification of an island's best in the arena's own games; ``body`` is JSON that the store does not
    interpret.
    """

    __tablename__ = "exam"
    __table_args__ = (Index("ix_exam_deme_id_id", "deme_id", "id"),)

    id: int | None = Field(default=None, sa_column=key())
    deme_id: int = Field(sa_column=reference("deme.id"))
    game: str = Field(sa_type=Text)
    digest: str = Field(sa_type=Text)
    verdict: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)


class Mating(Base, table=True):
    """A verified genome that went from one island to another."""

    __table_args__ = (
        Index("ix_mating_taker_id_id", "taker_id", "id"),
        Index("ix_mating_giver_id_id", "giver_id", "id"),
    )

    id: int | None = Field(default=None, sa_column=key())
    exam_id: int = Field(sa_column=reference("exam.id"))
    giver_id: int = Field(sa_column=reference("deme.id"))
    taker_id: int = Field(sa_column=reference("deme.id"))
    game: str = Field(sa_type=Text)
    offered: float = Field(sa_type=Double)
    arrived: float | None = Field(default=None, sa_type=Double)


islands = plain(Island)
island_points = plain(IslandPoint)
verifications = plain(Verification)
matings = plain(Mating)

TABLES = (islands, island_points, verifications, matings)
