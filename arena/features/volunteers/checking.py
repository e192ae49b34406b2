# SPDX-License-Identifier: GPL-3.0-or-later
"""Validate islands' reports: their order and their plausibility. Pure functions."""

from typing import Literal

import msgspec

from arena.features.genomes.reading import Genomes, ReadGenome
from arena.protocol.codec import EXCHANGE
from arena.protocol.island_messages import Best, IslandReport, IslandTerms, Spoken

Reason = Literal[
    "malformed", "too-large", "too-soon", "version", "genome", "game", "order", "forged", "statistics", "run"
]
"""Why something is refused; each is counted."""


class Unacceptable(Exception):
    """Something that is refused: ``reason`` for programs and for counting, the message for people."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def check_version(body: bytes) -> None:
    """Raises Unacceptable for a client of another version, before anything else of it is looked at."""
    try:
        spoken = msgspec.json.decode(body, type=Spoken).exchange
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Unacceptable("malformed", f"this is not a message of an island: {error}") from None
    if spoken != EXCHANGE:
        other = "is older: upgrade it" if spoken < EXCHANGE else "is newer: the arena must be upgraded first"
        raise Unacceptable(
            "version", f"this arena exchanges genomes by version {EXCHANGE}; the client speaks {spoken}, which {other}"
        )


def read_best(genomes: Genomes, terms: IslandTerms, best: Best) -> ReadGenome:
    """Parse a reported genome. Raises Unacceptable if it is invalid, or breaks the terms."""
    try:
        found = genomes.read(msgspec.json.encode(best.genome))
    except (ValueError, TypeError) as error:
        raise Unacceptable("genome", f"the best member is not a valid genome: {error}") from None
    if found.game != terms.game:
        raise Unacceptable("game", f"the genome is for {found.game}; the island evolves {terms.game}")
    if found.nodes != terms.nodes:
        raise Unacceptable(
            "genome", f"the genome is for {found.nodes:,} nodes a move; this arena requires {terms.nodes:,}"
        )
    return found


def check_order(report: IslandReport, last: int) -> None:
    """Raises Unacceptable when a report is not the next one."""
    if report.sequence != last + 1:
        raise Unacceptable("order", f"the island's next report has number {last + 1} (got {report.sequence})")


def check_statistics(report: IslandReport, before: IslandReport | None, terms: IslandTerms) -> None:
    """Raises Unacceptable when a report cannot be true, by itself or after the one before it in its run."""
    best = report.best
    if best.points > best.games or best.games > report.games:
        raise Unacceptable(
            "statistics",
            f"{best.points:g} points in {best.games} games are not possible (the island played {report.games} games)",
        )
    if (best.games or best.points) and not best.moves:
        raise Unacceptable("statistics", "the best member has games or points but no moves")
    if report.level > terms.highest:
        raise Unacceptable(
            "statistics", f"the opponent's search depth must be at most {terms.highest} plies (got {report.level})"
        )
    if before is None:
        return
    for what in ("generation", "games", "nodes", "level"):
        was, now = getattr(before, what), getattr(report, what)
        if now < was:
            raise Unacceptable("statistics", f"the {what} was {was} before; it cannot be {now} now")
    if report.level - before.level > report.generation - before.generation:
        raise Unacceptable(
            "statistics",
            f"the opponent's depth may rise by at most 1 per generation (reported: from {before.level} to "
            f"{report.level} in {report.generation - before.generation})",
        )
