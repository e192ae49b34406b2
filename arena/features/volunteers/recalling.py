# SPDX-License-Identifier: GPL-3.0-or-later
"""Load the islands from the database when a server starts."""

from collections.abc import Callable

from arena.features.volunteers.island import POINTS, Candidate, Island, mate, proven
from arena.features.volunteers.records import IslandRecords


async def recalled(records: IslandRecords, read: Callable[[Island], Candidate | None]) -> dict[int, Island]:
    """Return all islands by number; ``read`` parses the best genome of one."""
    islands = {row.id: Island.stored(row) for row in await records.all()}
    for row in await records.last_verifications():
        island, found = islands[row.deme_id], proven(row)
        if (
            row.verdict != "refuted" or island.quarantined is not None
        ):  # after a lifted quarantine the island is verified again
            island.verified = row.digest, found.trial.level
        if row.verdict == "confirmed":
            island.proven = found
    for gift in await records.gifts():
        giver, taker = islands[gift.giver], islands[gift.taker]
        giver.given += 1
        taker.taken += gift.arrived
        taker.had.add(gift.digest)
        if not gift.arrived and giver.quarantined is None:
            taker.offers[gift.id] = mate(gift.id, giver, proven(await records.verification(gift.verification)).trial)
    for island in islands.values():
        if island.report is None:
            continue
        island.best = read(island)
        generations = [point.generation for point in await records.course(island.id)]
        island.drawn = len(generations)
        while island.drawn >= POINTS and all(each % (2 * island.stride) == 0 for each in generations):
            island.stride *= 2
    return islands
