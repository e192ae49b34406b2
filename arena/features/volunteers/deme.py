# SPDX-License-Identifier: GPL-3.0-or-later
"""A deme as the arena knows it: what it said last, what was tried of it, and what it was given."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgspec

from arena.features.volunteers.rows import DemeRow, ExamRow
from arena.protocol.exchange import Join, Mate, Report, Task

POINTS = 256
"""Points of a deme's course; when there are twice as many, every other one is dropped."""

Strength = tuple[int, float]
"""The depth of the rival, and the score against it: what a stronger deme has more of."""


def drawn_in(points: float, games: int) -> float:
    """Return a score drawn to 1/3 by as much as three games weigh: few games may be luck."""
    return (points + 1) / (games + 3)


class Trial(msgspec.Struct, frozen=True):
    """What a claim proved worth, as the records keep it."""

    level: int
    members: int
    claimed_games: int
    claimed_points: float
    games: int
    points: float
    likelihood: float
    moves: int
    nodes: int
    rival_moves: int
    rival_nodes: int
    formula: str
    genome: dict[str, Any]
    looks: str = ""
    """What it does on some positions, packed: for pages alone, of the newest that held of each deme."""

    @property
    def strength(self) -> Strength:
        """What it proved worth."""
        return self.level, drawn_in(self.points, self.games)


@dataclass(frozen=True, slots=True)
class Proven:
    """A genome whose claim held."""

    exam: int
    deme: int
    digest: str
    trial: Trial


@dataclass(frozen=True, slots=True)
class Candidate:
    """The best genome that a deme reports."""

    raw: dict[str, Any]
    """As it came."""
    digest: str
    genome: dict[str, Any]
    """As it is kept."""
    formula: str


@dataclass(slots=True, eq=False)
class Deme:
    """A deme. Whoever changes what it said holds its lock."""

    id: int
    name: str
    token_hash: str | None
    created: float
    joined: Join | None = None
    sequence: int = 0
    report: Report | None = None
    seen: float | None = None
    reports: int = 0
    repeated: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    quarantined: float | None = None
    why: str = ""
    pardons: int = 0

    best: Candidate | None = None
    proven: Proven | None = None
    examined: tuple[str, int] | None = None
    """The genome that was tried last, and against the rival of which level."""
    doubts: int = 0
    """Claims in a row that did not hold, and were not refuted."""
    tried_at: float = float("-inf")
    """When that was, on the steady clock."""
    task: Task | None = None
    """What is being tried."""
    leased: float = float("-inf")
    """Since when, on the steady clock."""

    offers: dict[int, Mate] = field(default_factory=dict)
    """Mates that have not come in yet."""
    had: set[str] = field(default_factory=set)
    """Genomes that it was given."""
    given: int = 0
    taken: int = 0
    looked: float = float("-inf")
    """When a mate was looked for last, on the steady clock."""
    reported: float = float("-inf")
    """When its newest report came, on the steady clock."""

    stride: int = 1
    """Its course has the generations that this divides."""
    drawn: int = 0
    """Points of its course."""
    unsaved: bool = False
    """Whether refusals were counted that are not in the records."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def stored(cls, row: DemeRow) -> "Deme":
        """Return a deme as the records have it."""
        return cls(
            row.id,
            row.name,
            row.token_hash,
            row.created,
            joined=msgspec.json.decode(row.joined, type=Join) if row.joined else None,
            sequence=row.sequence,
            report=msgspec.json.decode(row.report, type=Report) if row.report else None,
            seen=row.seen,
            reports=row.reports,
            repeated=row.repeated,
            refusals=Counter(msgspec.json.decode(row.refusals, type=dict[str, int])),
            quarantined=row.quarantined,
            why=row.why,
            pardons=row.pardons,
        )

    @property
    def game(self) -> str | None:
        """What it breeds; None until it joined."""
        return None if self.joined is None else self.joined.game

    @property
    def columns(self) -> dict[str, Any]:
        """How it stands, as the records keep it."""
        return {
            "game": self.game,
            "joined": "" if self.joined is None else msgspec.json.encode(self.joined).decode(),
            "sequence": self.sequence,
            "report": "" if self.report is None else msgspec.json.encode(self.report).decode(),
            "seen": self.seen,
            "reports": self.reports,
            "repeated": self.repeated,
            "refusals": msgspec.json.encode(self.refusals).decode(),
        }

    @property
    def strength(self) -> Strength | None:
        """What it is worth: what its best proved at its level, else what is claimed; None before its first report."""
        if self.report is None:
            return None
        if self.proven is not None and self.proven.trial.level == self.report.level:
            return self.proven.trial.strength
        return self.report.level, drawn_in(self.report.best.points, self.report.best.games)

    def live(self, silence: float) -> bool:
        """Return whether it was heard of in so many seconds."""
        return self.seen is not None and time.time() - self.seen <= silence


def proven(row: ExamRow) -> Proven:
    """Return a genome whose claim held as the records have it."""
    trial = msgspec.json.decode(row.body, type=Trial)
    return Proven(row.id, row.deme_id, row.digest, msgspec.structs.replace(trial, looks=""))


def point(report: Report) -> bytes:
    """Return the point of a deme's course that a report makes, as JSON."""
    return msgspec.json.encode(
        {
            "generation": report.generation,
            "level": report.level,
            "mean": report.mean,
            "best": report.best.points / max(report.best.games, 1),
            "games": report.games,
            "nodes": report.nodes,
            "at": time.time(),
        }
    )


def mate(number: int, giver: Deme, trial: Trial) -> Mate:
    """Return what a deme is given."""
    return Mate(number, giver.id, giver.name, trial.level, trial.points / trial.games, trial.genome)
