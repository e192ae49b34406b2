# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of islands on volunteers' machines: public reads, reports of islands, verdicts of the verifier."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from arena.application import Arena
from arena.features.genomes.reading import Genomes
from arena.features.volunteers.answers import (
    ClaimAnswer,
    IslandAnswer,
    IslandDetailAnswer,
    IslandPointAnswer,
    IslandsAnswer,
    MigrationAnswer,
    MigrationDetailAnswer,
    MigrationsAnswer,
    ProvenAnswer,
    QuarantineAnswer,
    QuarantineLifted,
    ScoreAnswer,
    VerificationAnswer,
    VerificationDetailAnswer,
    VerificationsAnswer,
)
from arena.features.volunteers.dispatch import ERRORS, ISLAND, read_report, refusals
from arena.features.volunteers.exchange import Exchange
from arena.features.volunteers.island import Island, Proven, Trial, unpack_traces
from arena.features.volunteers.rows import MatingRow, PointRow, VerificationRow
from arena.features.volunteers.trials import NoTask
from arena.protocol.codec import EXCHANGE
from arena.protocol.genome_views import GenomeView
from arena.protocol.island_messages import (
    MAX_REPORT,
    IslandReport,
    Join,
    Joined,
    Judged,
    Receipt,
    Tasks,
    Tried,
)
from arena.store.rows import read_id, write_cursor
from web.api.access import OPERATOR
from web.api.endpoint import Endpoint, GameName, One, OnePage, Unread
from web.errors import Conflicting

VERIFICATIONS = 20
"""Points, genomes or verifications that come with an island: the newest."""


class OnePageOfGame(OnePage, frozen=True):
    """Which page of a list, and of which game."""

    game: GameName | None = None


class NoBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty request."""


async def list_islands(arena: Arena, query: OnePageOfGame) -> IslandsAnswer:
    """List the islands of volunteers, in the order of their registration."""
    every = [
        island for island in (await arena.part(Exchange).islands.all()).values() if query.game in (None, island.game)
    ]
    every.sort(key=lambda island: island.id)
    if query.after is not None:
        last = read_id(query.after)
        every = [island for island in every if island.id > last]
    shown = every[: query.limit]
    return IslandsAnswer(
        items=[IslandAnswer(**_about(arena, island)) for island in shown],
        next=write_cursor(shown[-1].id) if len(every) > len(shown) else None,
        exchange=EXCHANGE,
        terms=arena.part(Exchange).islands.terms,
        strangers=dict(arena.part(Exchange).strangers),
    )


async def get_island(arena: Arena, query: One) -> IslandDetailAnswer:
    """Describe an island: its history, its best genome and its verifications."""
    island = await arena.part(Exchange).islands.get(query.id)
    course = await arena.part(Exchange).records.course(island.id)
    verifications = await arena.part(Exchange).records.verifications(island=island.id, limit=VERIFICATIONS)
    about, joined = _about(arena, island), island.joined
    proven = (
        None if island.proven is None else await arena.part(Exchange).records.verification(island.proven.verification)
    )
    points, tried, view = await asyncio.to_thread(_read, arena, island, course, verifications.items, proven)
    return IslandDetailAnswer(
        **about,
        size=joined.size if joined else None,
        seed=joined.seed if joined else None,
        client=joined.client if joined else None,
        course=points,
        genome=island.best.genome if island.best else None,
        confirmed_genome=island.proven.trial.genome if island.proven else None,
        genome_view=view,
        verifications=tried,
    )


async def list_verifications(arena: Arena, query: OnePage) -> VerificationsAnswer:
    """List the verifications of islands' claims, newest first."""
    page = await arena.part(Exchange).records.verifications(after=query.after, limit=query.limit)
    items = await asyncio.to_thread(
        lambda: [VerificationAnswer(**_verification(row, _trial(row))) for row in page.items]
    )
    return VerificationsAnswer(items=items, next=page.next)


async def get_verification(arena: Arena, query: One) -> VerificationDetailAnswer:
    """Describe a verification, with the genome."""
    row = await arena.part(Exchange).records.verification(query.id)
    trial = _trial(row)
    return VerificationDetailAnswer(**_verification(row, trial), genome=trial.genome)


async def list_migrations(arena: Arena, query: OnePageOfGame) -> MigrationsAnswer:
    """List the migrations of genomes between islands, newest first."""
    page = await arena.part(Exchange).records.matings(game=query.game, after=query.after, limit=query.limit)
    items = await asyncio.to_thread(
        lambda: [MigrationAnswer(**_migration(row, _trial(row.verification))) for row in page.items]
    )
    return MigrationsAnswer(items=items, next=page.next)


async def get_migration(arena: Arena, query: One) -> MigrationDetailAnswer:
    """Describe a migration, with the genome."""
    row = await arena.part(Exchange).records.mating(query.id)
    trial = _trial(row.verification)
    return MigrationDetailAnswer(**_migration(row, trial), genome=trial.genome)


async def join_exchange(arena: Arena, island: Island, body: Unread[Join]) -> Joined:
    """Join as an island, or rejoin; the answer has the number of the next report and the parameters of evolution."""
    with refusals():
        return await arena.part(Exchange).join(island, await read_report(arena, island, body))


async def report_island(arena: Arena, island: Island, query: One, body: Unread[IslandReport]) -> Receipt:
    """Report an island's state; repeating the request changes nothing. The answer can have genomes of other islands."""
    with refusals():
        return await arena.part(Exchange).report(island, query.id, await read_report(arena, island, body))


async def take_verification(arena: Arena, body: NoBody) -> Tasks:
    """Return the next claim to verify."""
    return Tasks(await arena.part(Exchange).trials.task())


async def report_verification(arena: Arena, query: One, body: Tried) -> Judged:
    """Store the result of a verification."""
    try:
        with refusals():
            return await arena.part(Exchange).trials.tried(query.id, body)
    except NoTask as error:
        raise Conflicting(str(error)) from None


async def lift_island(arena: Arena, query: One, body: NoBody) -> QuarantineLifted:
    """Lift the quarantine of an island; its genomes are verified again before they spread."""
    island = await arena.part(Exchange).islands.get(query.id)
    await arena.part(Exchange).islands.lift(island)
    return QuarantineLifted(island.id, island.lifts)


def _about(arena: Arena, island: Island) -> dict[str, Any]:
    report = island.report
    return {
        "id": island.id,
        "name": island.name,
        "game": island.game,
        "created": island.created,
        "seen": island.seen,
        "live": arena.part(Exchange).islands.live(island),
        "generation": report.generation if report else 0,
        "level": report.level if report else 0,
        "games": report.games if report else 0,
        "nodes": report.nodes if report else 0,
        "members": report.members if report else 0,
        "mean": report.mean if report else 0.0,
        "best": _claim(island),
        "confirmed": None if island.proven is None else _proven(island.proven),
        "waiting": arena.part(Exchange).trials.waits(island),
        "quarantined": (
            None if island.quarantined is None else QuarantineAnswer(since=island.quarantined, why=island.why)
        ),
        "lifts": island.lifts,
        "reports": island.reports,
        "repeated": island.repeated,
        "refusals": dict(island.refusals),
        "given": island.given,
        "taken": island.taken,
    }


def _claim(island: Island) -> ClaimAnswer | None:
    if island.report is None or island.best is None:
        return None
    best = island.report.best
    return ClaimAnswer(
        score=best.points / max(best.games, 1),
        games=best.games,
        level=island.report.level,
        nodes_per_move=best.nodes / max(best.moves, 1),
        formula=island.best.formula,
    )


def _proven(proven: Proven) -> ProvenAnswer:
    trial = proven.trial
    return ProvenAnswer(
        score=trial.points / trial.games,
        games=trial.games,
        level=trial.level,
        nodes_per_move=trial.nodes / max(trial.moves, 1),
        formula=trial.formula,
        rival_nodes_per_move=trial.rival_nodes / max(trial.rival_moves, 1),
        verification=proven.verification,
    )


def _read(
    arena: Arena,
    island: Island,
    course: Sequence[PointRow],
    verifications: Sequence[VerificationRow],
    proven: VerificationRow | None,
) -> tuple[list[IslandPointAnswer], list[VerificationAnswer], GenomeView | None]:
    points = [msgspec.json.decode(point.body, type=IslandPointAnswer) for point in course]
    trial = None if proven is None else _trial(proven)
    genome = trial.genome if trial is not None else island.best.genome if island.best is not None else None
    shown: GenomeView | None = None
    if genome is not None:
        # a genome that an older version of the arena stored has no view
        with suppress(ValueError):
            shown = arena.part(Genomes).view(msgspec.json.encode(genome))
        if shown is not None and trial is not None:
            shown = msgspec.structs.replace(shown, search_traces=unpack_traces(trial.search_traces))
    return points, [VerificationAnswer(**_verification(row, _trial(row))) for row in verifications], shown


def _trial(row: VerificationRow) -> Trial:
    return msgspec.json.decode(row.body, type=Trial)


def _verification(row: VerificationRow, trial: Trial) -> dict[str, Any]:
    return {
        "id": row.id,
        "island": row.deme_id,
        "name": row.island,
        "game": row.game,
        "level": trial.level,
        "claimed": ScoreAnswer(score=trial.claimed_points / trial.claimed_games, games=trial.claimed_games),
        "measured": ScoreAnswer(score=trial.points / trial.games, games=trial.games),
        "likelihood": trial.likelihood,
        "verdict": row.verdict,
        "moves": trial.moves,
        "nodes": trial.nodes,
        "rival_moves": trial.rival_moves,
        "rival_nodes": trial.rival_nodes,
        "formula": trial.formula,
        "digest": row.digest,
        "created": row.created,
    }


def _migration(row: MatingRow, trial: Trial) -> dict[str, Any]:
    return {
        "id": row.id,
        "giver": row.giver_id,
        "giver_name": row.giver,
        "taker": row.taker_id,
        "taker_name": row.taker,
        "game": row.verification.game,
        "level": trial.level,
        "score": trial.points / trial.games,
        "formula": trial.formula,
        "digest": row.verification.digest,
        "verification": row.verification.id,
        "offered": row.offered,
        "arrived": row.arrived,
    }


ENDPOINTS = (
    Endpoint("GET", "/api/v1/islands", list_islands),
    Endpoint("GET", "/api/v1/islands/{id}", get_island),
    Endpoint("GET", "/api/v1/verifications", list_verifications),
    Endpoint("GET", "/api/v1/verifications/{id}", get_verification),
    Endpoint("GET", "/api/v1/migrations", list_migrations),
    Endpoint("GET", "/api/v1/migrations/{id}", get_migration),
    Endpoint("POST", "/api/v1/islands", join_exchange, access=ISLAND, body_limit=MAX_REPORT, errors=ERRORS),
    Endpoint(
        "POST", "/api/v1/islands/{id}/reports", report_island, access=ISLAND, body_limit=MAX_REPORT, errors=ERRORS
    ),
    Endpoint("POST", "/api/v1/verifications", take_verification, access=OPERATOR, audited=False),
    Endpoint("POST", "/api/v1/islands/{id}/verifications", report_verification, access=OPERATOR, audited=False),
    Endpoint("POST", "/api/v1/islands/{id}/lift", lift_island, access=OPERATOR),
)
