# SPDX-License-Identifier: MIT
"""Messages between volunteers' islands (demes of the island model) and the arena, as bodies of HTTP requests and
answers.

An island joins, then reports repeatedly: its status and its best genome. Answers offer mates: verified genomes of other
islands. Reports are numbered; a repeated report gets the same answer and has no further effect. Every answer offers a
mate until a report acknowledges it.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from arena.protocol.genome_views import SearchTraces

MAX_REPORT = 16_384
"""Bytes in one report."""

Count = Annotated[int, Meta(ge=0, le=2**53)]
Score = Annotated[float, Meta(ge=0, le=1)]
Level = Annotated[int, Meta(ge=1, le=100)]
Run = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Genome = Annotated[dict[str, Any], Meta(max_length=40)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Spoken(Struct, frozen=True):
    """The protocol version of a client; the arena checks it before all other fields."""

    exchange: Count


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """An island joins, or joins again."""

    exchange: Count
    """Version of the exchange that the island's program speaks."""
    client: Annotated[str, Meta(max_length=80)]
    """Name and version of the program that evolves the island, for people."""
    game: Annotated[str, Meta(min_length=1, max_length=80)]
    run: Run
    """Random number of each run: a new run with the same token replaces the earlier one."""
    seed: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
    """Seed of the run; with it the generations can be reproduced."""
    size: Annotated[int, Meta(ge=2, le=10_000)]
    """Number of members."""


class IslandTerms(Struct, frozen=True):
    """The evolution settings of a game, so that the claims of all islands are comparable."""

    game: str
    nodes: int
    """Average number of nodes per move of a member."""
    plies: int
    """Number of plies after which a game is a draw."""
    highest: int
    """The depth of the deepest rival."""
    interval: float
    """Minimum time between two reports, in seconds."""


class Joined(Struct, frozen=True):
    """The island has joined."""

    island: int
    """Number of the island."""
    name: str
    """Name of the island, from its registration."""
    next: int
    """Number of the island's next report."""
    terms: IslandTerms
    """The settings that the island must evolve with."""


class Best(Struct, frozen=True, forbid_unknown_fields=True):
    """An island's best member, and its claimed score against the rival of the island's level."""

    genome: Genome
    """The genome, as in its file."""
    member: Count
    """Number of the member."""
    games: Count
    """Number of its games at this level."""
    points: Annotated[float, Meta(ge=0, le=2**53)]
    """Points of these games: 1, 0.5 or 0 each."""
    moves: Count
    """Number of its moves in these games."""
    nodes: Count
    """Number of nodes of these moves."""


class IslandReport(Struct, frozen=True, forbid_unknown_fields=True):
    """The status of an island after a generation."""

    exchange: Count
    """Version of the exchange."""
    run: Run
    """Random identifier of the run."""
    sequence: Annotated[int, Meta(ge=1, le=2**53)]
    """1, 2, 3, ... over all runs of the island."""
    generation: Count
    """Number of the generation."""
    level: Level
    """Search depth of the rival, in plies."""
    members: Annotated[int, Meta(ge=2, le=10_000)]
    """Number of members."""
    games: Count
    """Number of games in this run."""
    nodes: Count
    """Number of nodes in this run."""
    mean: Score
    """Mean score of all members."""
    best: Best
    """The best member."""
    received: Annotated[list[Count], Meta(max_length=20)] = []
    """Numbers of the migrations that the island has received."""


class Mate(Struct, frozen=True):
    """A genome for another island."""

    number: int
    """Number of the migration."""
    giver: int
    """Number of the island that it comes from."""
    giver_name: str
    """Name of this island."""
    level: int
    """Search depth of this island's rival, in plies."""
    score: float
    """The genome's score in the arena's own games against the rival of its level."""
    genome: Genome
    """The genome, as in its file."""


class Receipt(Struct, frozen=True):
    """The answer to a report that is stored."""

    sequence: int
    """Number of the stored report."""
    mates: list[Mate]
    """Genomes of other islands that the island has not acknowledged yet."""
    quarantined: str = ""
    """Why the island's genomes do not spread; empty: they may."""


class Task(Struct, frozen=True):
    """A claim to verify."""

    island: int
    """Number of the island whose claim it is."""
    digest: Digest
    """SHA-256 of the genome without its lineage."""
    game: str
    level: int
    """Search depth of the rival in the claim, in plies."""
    nodes: int
    """Average number of nodes per move that a member may search."""
    plies: int
    """Number of plies after which a game is a draw."""
    members: int
    """Number of members of the population, the best of which is claimed."""
    games: int
    """Number of games behind the claim."""
    points: float
    """Points that the genome scored in them, as the island says."""
    genome: Genome
    """The genome, as in its file."""


class Tasks(Struct, frozen=True):
    """The next claim to verify, if there is one."""

    task: Task | None
    """The claim; null: none waits."""


class Tried(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a claimed genome in pairs of games, each from its own opening, against the rival of its level."""

    digest: Digest
    """SHA-256 of the genome without its lineage, from the task."""
    level: Level
    """Search depth of the rival, in plies."""
    pairs: Annotated[int, Meta(ge=1, le=10_000)]
    """Number of pairs of games, with swapped seats in each pair."""
    points: Annotated[float, Meta(ge=0, le=20_000)]
    """Points in all pairs; a pair of games has two points."""
    moves: Count
    """Number of moves that the genome played in all games."""
    nodes: Count
    """Number of positions that it searched for these moves."""
    rival_moves: Count
    """Number of moves that the rival played in all games."""
    rival_nodes: Count
    """Number of positions that the rival searched for these moves."""
    search_traces: SearchTraces = []
    """Search traces of the genome on the positions that pages show."""


class Judged(Struct, frozen=True):
    """The outcome of a verification."""

    verification: int
    """Number of the verification."""
    verdict: str
    """confirmed: the genome spreads; doubtful: it does not; refuted: the island is quarantined."""
    likelihood: float
    """Upper bound of the probability of a difference at least as large as the measured one, if the claim is true."""
