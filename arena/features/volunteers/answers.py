# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of the REST API about islands, verifications and migrations."""

from typing import Any

from msgspec import Struct

from arena.protocol.genome_views import GenomeView
from arena.protocol.island_messages import IslandTerms
from web.api.endpoint import Answer


class ClaimAnswer(Answer, frozen=True):
    """The claimed score of an island's best member against the rival of a level."""

    score: float
    """Mean score of a game, from 0 to 1."""
    games: int
    """Number of games behind it."""
    level: int
    """Search depth of the rival, in plies."""
    nodes_per_move: float
    """Mean number of positions that the genome searched for a move."""
    formula: str
    """The genome's program: the remaining depth after a move, as a formula."""


class ProvenAnswer(ClaimAnswer, frozen=True):
    """The score of an island's genome in the arena's own games, and the nodes that the rival searched in them."""

    rival_nodes_per_move: float
    """Mean number of positions that the rival searched for a move."""
    verification: int
    """Number of the verification."""


class QuarantineAnswer(Answer, frozen=True):
    """The start and the reason of a quarantine."""

    since: float
    """Unix time in seconds at which the quarantine began."""
    why: str
    """The reason, for people."""


class IslandAnswer(Answer, frozen=True):
    """An island in a list, as of its last report."""

    id: int
    name: str
    """Name of the island, from its registration."""
    game: str | None
    """null until it has joined."""
    created: float
    seen: float | None
    """Time of its last report, as Unix time in seconds; null: it has not reported."""
    live: bool
    """Whether the island has reported recently."""
    generation: int
    """Number of the newest generation; 0 before the first report, like all numbers of reports."""
    level: int
    """Search depth of the rival that its members play against, in plies."""
    games: int
    """Number of games of its present run."""
    nodes: int
    """Number of positions searched in these games."""
    members: int
    """Number of members of the population."""
    mean: float
    """Mean score of all members against the rival, from 0 to 1."""
    best: ClaimAnswer | None
    """The claim about its best member; null before the first report."""
    confirmed: ProvenAnswer | None
    """The genome that spreads: the newest verified one."""
    waiting: bool
    """Whether a claim of the island waits for its verification."""
    quarantined: QuarantineAnswer | None
    """Since when and why its genomes do not spread; null: they may."""
    lifts: int
    """Number of times that an operator lifted a quarantine of the island."""
    reports: int
    """Number of stored reports."""
    repeated: int
    """Number of repeated reports; the arena acknowledged them and stored nothing."""
    refusals: dict[str, int]
    """Refused requests, by reason."""
    given: int
    """Number of genomes of this island that the arena offered to other islands."""
    taken: int
    """Number of genomes that the island received from other islands."""


class IslandsAnswer(Answer, frozen=True):
    """A page of islands, in the order of registration."""

    items: list[IslandAnswer]
    next: str | None
    exchange: int
    """The version of the messages between islands and the arena."""
    terms: list[IslandTerms]
    """The games that islands may evolve here, with their settings."""
    strangers: dict[str, int]
    """Refused requests without an island's token, by reason, since the arena started."""


class IslandPointAnswer(Answer, frozen=True):
    """A point of an island's history."""

    generation: int
    """Number of the generation."""
    level: int
    """Search depth of the rival at that time, in plies."""
    mean: float
    """Mean score of all members against the rival, from 0 to 1."""
    best: float
    """Mean score of the best member against the rival, from 0 to 1."""
    games: int
    """Number of games of the run up to this generation."""
    nodes: int
    """Number of positions searched in these games."""
    at: float
    """Time of the report, as Unix time in seconds."""


class ScoreAnswer(Answer, frozen=True):
    """A mean score, and its number of games."""

    score: float
    """Mean score of a game, from 0 to 1."""
    games: int
    """Number of games behind it."""


class VerificationAnswer(Answer, frozen=True):
    """The verification of a claim."""

    id: int
    island: int
    """Number of the island whose claim it is."""
    name: str
    """Name of that island."""
    game: str
    level: int
    """Search depth of the rival in the games, in plies."""
    claimed: ScoreAnswer
    """The result that the island reported."""
    measured: ScoreAnswer
    """The result in the arena's own games."""
    likelihood: float
    """Upper bound of the probability of a difference at least as large as the measured one, if the claim is true."""
    verdict: str
    """confirmed, doubtful or refuted."""
    moves: int
    """Number of moves that the genome played in the arena's games."""
    nodes: int
    """Number of positions that the genome searched for these moves."""
    rival_moves: int
    """Number of moves that the rival played in these games."""
    rival_nodes: int
    """Number of positions that the rival searched for its moves."""
    formula: str
    """The genome's program: the remaining depth after a move, as a formula."""
    digest: str
    """SHA-256 of the genome without its lineage."""
    created: float


class VerificationDetailAnswer(VerificationAnswer, frozen=True):
    """The verification of a claim, with the genome."""

    genome: dict[str, Any]
    """The genome that played, as in its file."""


class VerificationsAnswer(Answer, frozen=True):
    """A page of verifications, the newest first."""

    items: list[VerificationAnswer]
    next: str | None


class IslandDetailAnswer(IslandAnswer, frozen=True):
    """An island: its history, its best genome, and its verifications."""

    size: int | None
    """Number of members that the island joined with; null until it has joined."""
    seed: int | None
    """Seed of the island's run; null until it has joined."""
    client: str | None
    """Name and version of the program that evolves the island."""
    course: list[IslandPointAnswer]
    """Points of its present run, oldest first; of many, some about evenly apart."""
    genome: dict[str, Any] | None
    """The best genome, as the island reported it."""
    confirmed_genome: dict[str, Any] | None
    """The genome that spreads, as in its file; null: none is confirmed."""
    genome_view: GenomeView | None
    """The view of the genome that spreads, or else of the claimed one."""
    verifications: list[VerificationAnswer]
    """Verifications of the island's genomes, the newest first."""


class MigrationAnswer(Answer, frozen=True):
    """A migration of a genome from one island to another, and the verification of the genome."""

    id: int
    giver: int
    """Number of the island that the genome comes from."""
    giver_name: str
    """Name of that island."""
    taker: int
    """Number of the island that the genome was offered to."""
    taker_name: str
    """Name of that island."""
    game: str
    level: int
    """Search depth of the rival of the verification, in plies."""
    score: float
    """Mean score of the genome against that rival in the arena's own games, from 0 to 1."""
    formula: str
    """The genome's program: the remaining depth after a move, as a formula."""
    digest: str
    """SHA-256 of the genome without its lineage."""
    verification: int
    """Number of the verification that confirmed the genome."""
    offered: float
    """Time at which the arena first offered the genome to the receiver, as Unix time in seconds."""
    arrived: float | None
    """Time at which the receiver confirmed the genome; null: not confirmed yet."""


class MigrationDetailAnswer(MigrationAnswer, frozen=True):
    """A migration of a genome from one island to another, with the genome."""

    genome: dict[str, Any]
    """The genome, as in its file."""


class MigrationsAnswer(Answer, frozen=True):
    """A page of migrations, the newest first."""

    items: list[MigrationAnswer]
    next: str | None


class QuarantineLifted(Struct, frozen=True):
    """An island after its quarantine: its genomes spread again after a new verification."""

    island: int
    """Number of the island."""
    lifts: int
    """Number of times that an operator lifted a quarantine of the island, this time included."""
