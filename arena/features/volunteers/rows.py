# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the records of islands on volunteers\' machines, and the errors for records that do not exist."""

from dataclasses import dataclass
from typing import NamedTuple

from arena.store.errors import Unknown


@dataclass(frozen=True, slots=True)
class IslandRow:
    """A volunteer's island."""

    id: int
    name: str
    token_hash: str | None
    """None: the island may not connect any more."""
    created: float
    game: str | None
    """None until it joined."""
    joined: str
    """Its message when it joined, as JSON."""
    sequence: int
    """Of its newest report; 0 before the first."""
    report: str
    """The newest, as JSON."""
    seen: float | None
    reports: int
    """That were accepted."""
    repeated: int
    """That came again."""
    refusals: str
    """Number of refused requests by reason, as JSON."""
    quarantined: float | None
    why: str
    pardons: int
    """How often its quarantine was lifted."""


class PointRow(NamedTuple):
    """A point of an island's history."""

    generation: int
    body: bytes


@dataclass(frozen=True, slots=True)
class VerificationRow:
    """A verification of an island's best."""

    id: int
    deme_id: int
    island: str
    game: str
    digest: str
    verdict: str
    body: bytes
    created: float


@dataclass(frozen=True, slots=True)
class MatingRow:
    """A genome that went from one island to another, and its verification."""

    id: int
    giver_id: int
    giver: str
    taker_id: int
    taker: str
    verification: VerificationRow
    offered: float
    arrived: float | None


class UnknownIsland(Unknown):
    """No island has that number or name."""


class UnknownVerification(Unknown):
    """No verification of an island has that number."""


class UnknownMigration(Unknown):
    """No exchanged genome has that number."""
