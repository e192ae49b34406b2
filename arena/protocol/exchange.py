# SPDX-License-Identifier: MIT
"""What demes on volunteers' machines and the arena say to each other, in bodies of requests and answers.

A deme joins, then reports again and again: how it stands, and its best genome. It is answered with mates: genomes of
other demes that the arena has tried. Reports are numbered; one that is sent again is answered again, and does nothing
more. A mate is offered with every answer until a report says that it has come in.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from arena.protocol.exhibits import Looks

MAX_REPORT = 16_384
"""Bytes in one report."""

Count = Annotated[int, Meta(ge=0, le=2**53)]
Score = Annotated[float, Meta(ge=0, le=1)]
Level = Annotated[int, Meta(ge=1, le=100)]
Run = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Genome = Annotated[dict[str, Any], Meta(max_length=40)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Spoken(Struct, frozen=True):
    """The version of this that a client speaks, which is looked at before anything else."""

    exchange: Count


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """A deme comes in, or comes back."""

    exchange: Count
    client: Annotated[str, Meta(max_length=80)]
    """The program that it is bred by, for people."""
    game: Annotated[str, Meta(min_length=1, max_length=80)]
    run: Run
    """Drawn by lot for each run: another one with the same token takes the place of the one before."""
    seed: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
    size: Annotated[int, Meta(ge=2, le=10_000)]
    """Members."""


class Terms(Struct, frozen=True):
    """How a game is bred here, so that claims of all demes mean the same."""

    game: str
    nodes: int
    """A move of a member, on average."""
    plies: int
    """After which a game is drawn."""
    highest: int
    """The depth of the deepest rival."""
    interval: float
    """Seconds between two reports, at least."""


class Joined(Struct, frozen=True):
    """The deme is in."""

    deme: int
    name: str
    next: int
    """The number of its next report."""
    terms: Terms


class Best(Struct, frozen=True, forbid_unknown_fields=True):
    """A deme's best member, and what it is claimed to score against the rival of the deme's level."""

    genome: Genome
    member: Count
    games: Count
    points: Annotated[float, Meta(ge=0, le=2**53)]
    moves: Count
    nodes: Count


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """How a deme stands after a generation."""

    exchange: Count
    run: Run
    sequence: Annotated[int, Meta(ge=1, le=2**53)]
    """1, 2, 3, ... over all runs of the deme."""
    generation: Count
    level: Level
    """How deep the rival looks."""
    members: Annotated[int, Meta(ge=2, le=10_000)]
    games: Count
    """Played in this run."""
    nodes: Count
    """Visited in this run."""
    mean: Score
    """Of all members."""
    best: Best
    received: Annotated[list[Count], Meta(max_length=20)] = []
    """The mates that have come into the deme, by number."""


class Mate(Struct, frozen=True):
    """A genome that goes to another deme."""

    number: int
    giver: int
    giver_name: str
    level: int
    score: float
    """What it scored in the arena's own games against the rival of that level."""
    genome: Genome


class Receipt(Struct, frozen=True):
    """A report is in the records."""

    sequence: int
    mates: list[Mate]
    quarantined: str = ""
    """Why nothing of the deme spreads; empty: it may."""


class Task(Struct, frozen=True):
    """A claim that is to be tried."""

    deme: int
    digest: Digest
    game: str
    level: int
    nodes: int
    plies: int
    members: int
    games: int
    points: float
    genome: Genome


class Tasks(Struct, frozen=True):
    """The claim that is to be tried next, if there is one."""

    task: Task | None


class Tried(Struct, frozen=True, forbid_unknown_fields=True):
    """What a claimed genome did in pairs of games, each from an opening of its own, against the rival of its level."""

    digest: Digest
    level: Level
    pairs: Annotated[int, Meta(ge=1, le=10_000)]
    points: Annotated[float, Meta(ge=0, le=20_000)]
    """Of two for each pair."""
    moves: Count
    nodes: Count
    rival_moves: Count
    rival_nodes: Count
    looks: Looks = []
    """What it does on the positions that pages show."""


class Judged(Struct, frozen=True):
    """What follows from a trial."""

    exam: int
    verdict: str
    likelihood: float
    """At most: of results as far apart as these, had the claim been honest."""
