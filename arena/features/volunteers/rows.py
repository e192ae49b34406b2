# SPDX-License-Identifier: GPL-3.0-or-later
"""What the records of islands on volunteers' machines answer: plain rows."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class DemeRow:
    """A deme that a volunteer breeds."""

    id: int
    name: str
    token_hash: str | None
    """None: it is let in no more."""
    created: float
    game: str | None
    """None until it joined."""
    joined: str
    """What it said when it joined, as JSON."""
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
    """How many were refused for which reason, as JSON."""
    quarantined: float | None
    why: str
    pardons: int


class PointRow(NamedTuple):
    """A point of a deme's course."""

    generation: int
    body: bytes


@dataclass(frozen=True, slots=True)
class ExamRow:
    """What a deme's best proved worth."""

    id: int
    deme_id: int
    deme: str
    game: str
    digest: str
    verdict: str
    body: bytes
    created: float


@dataclass(frozen=True, slots=True)
class MatingRow:
    """A genome that went from one deme to another, and what it proved worth before."""

    id: int
    giver_id: int
    giver: str
    taker_id: int
    taker: str
    exam: ExamRow
    offered: float
    arrived: float | None
