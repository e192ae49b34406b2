# SPDX-License-Identifier: GPL-3.0-or-later
"""An island in the arena's memory: its last report, its verifications, and the genomes that it received."""

import asyncio
import base64
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgspec

from arena.features.volunteers.rows import IslandRow, VerificationRow
from arena.protocol.genome_views import SearchTrace, SearchTraces
from arena.protocol.island_messages import IslandReport, Join, Mate, Task

POINTS = 256
"""Points of an island's history; at twice as many, every other one is dropped."""

Strength = tuple[int, float]
"""The strength of an island: the depth of the rival, then the score against it."""


def drawn_in(points: float, games: int) -> float:
    """Return a score drawn to 1/3 by as much as three games weigh: few games may be luck."""
    return (points + 1) / (games + 3)


class Trial(msgspec.Struct, frozen=True):
    """The stored verification of a claim."""

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
    search_traces: str = ""
    """Its searches on some positions, for pages; ``pack_traces`` packs them. Only the newest verified genome of each
    island has them.
    """

    @property
    def strength(self) -> Strength:
        """The result of the verification."""
        return self.level, drawn_in(self.points, self.games)


@dataclass(frozen=True, slots=True)
class Proven:
    """A verified genome."""

    verification: int
    island: int
    digest: str
    trial: Trial


@dataclass(frozen=True, slots=True)
class Candidate:
    """The best genome that an island reports."""

    raw: dict[str, Any]
    """As it came."""
    digest: str
    genome: dict[str, Any]
    """As it is kept."""
    formula: str


@dataclass(slots=True, eq=False)
class Island:
    """An island. A task that changes its reported state holds its lock."""

    id: int
    name: str
    token_hash: str | None
    created: float
    joined: Join | None = None
    sequence: int = 0
    report: IslandReport | None = None
    seen: float | None = None
    reports: int = 0
    repeated: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    quarantined: float | None = None
    why: str = ""
    lifts: int = 0

    best: Candidate | None = None
    proven: Proven | None = None
    verified: tuple[str, int] | None = None
    """The genome that was verified last, and the level of the rival."""
    doubts: int = 0
    """Claims in a row that did not hold, and were not refuted."""
    tried_at: float = float("-inf")
    """When that was, on the steady clock."""
    task: Task | None = None
    """The claim under verification."""
    leased: float = float("-inf")
    """Since when, on the steady clock."""

    offers: dict[int, Mate] = field(default_factory=dict)
    """Mates that have not come in yet."""
    had: set[str] = field(default_factory=set)
    """Genomes that it was given."""
    given: int = 0
    taken: int = 0
    looked: float = float("-inf")
    """Time of the last search for a mate, on the steady clock."""
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
    def stored(cls, row: IslandRow) -> "Island":
        """Return an island from its stored row."""
        return cls(
            row.id,
            row.name,
            row.token_hash,
            row.created,
            joined=msgspec.json.decode(row.joined, type=Join) if row.joined else None,
            sequence=row.sequence,
            report=msgspec.json.decode(row.report, type=IslandReport) if row.report else None,
            seen=row.seen,
            reports=row.reports,
            repeated=row.repeated,
            refusals=Counter(msgspec.json.decode(row.refusals, type=dict[str, int])),
            quarantined=row.quarantined,
            why=row.why,
            lifts=row.pardons,
        )

    @property
    def game(self) -> str | None:
        """The game that it evolves; None until it joined."""
        return None if self.joined is None else self.joined.game

    @property
    def columns(self) -> dict[str, Any]:
        """The island's stored state."""
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
        """Its strength: the verified score of its best at its level, else the claimed one; None before its first
        report.
        """
        if self.report is None:
            return None
        if self.proven is not None and self.proven.trial.level == self.report.level:
            return self.proven.trial.strength
        return self.report.level, drawn_in(self.report.best.points, self.report.best.games)

    def live(self, silence: float) -> bool:
        """Return whether the island reported within this many seconds."""
        return self.seen is not None and time.time() - self.seen <= silence


def proven(row: VerificationRow) -> Proven:
    """Return a verified genome from its stored row."""
    trial = msgspec.json.decode(row.body, type=Trial)
    return Proven(row.id, row.deme_id, row.digest, msgspec.structs.replace(trial, search_traces=""))


def point(report: IslandReport) -> bytes:
    """Return the history point of a report, as JSON."""
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


def mate(number: int, giver: Island, trial: Trial) -> Mate:
    """Return the offer of a mate to an island."""
    return Mate(number, giver.id, giver.name, trial.level, trial.points / trial.games, trial.genome)


def pack_traces(traces: list[SearchTrace]) -> str:
    """Return search traces as a text, an eighth of their JSON; "" where there are none."""
    return base64.b64encode(zlib.compress(msgspec.json.encode(traces), 9)).decode() if traces else ""


def unpack_traces(text: str) -> list[SearchTrace]:
    """Return the search traces of a text of ``pack_traces``."""
    return msgspec.json.decode(zlib.decompress(base64.b64decode(text)), type=SearchTraces) if text else []
