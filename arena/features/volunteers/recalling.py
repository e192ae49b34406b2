# SPDX-License-Identifier: GPL-3.0-or-later
"""Load the islands from the database when a server starts."""

from collections.abc import Callable

from arena.features.volunteers.deme import POINTS, Candidate, Deme, mate, proven
from arena.features.volunteers.records import DemeRecords


async def recalled(records: DemeRecords, read: Callable[[Deme], Candidate | None]) -> dict[int, Deme]:
    """Return all islands by number; ``read`` parses the best genome of one."""
    demes = {row.id: Deme.stored(row) for row in await records.all()}
    for row in await records.last_exams():
        deme, found = demes[row.deme_id], proven(row)
        if (
            row.verdict != "refuted" or deme.quarantined is not None
        ):  # after a lifted quarantine the island is verified again
            deme.examined = row.digest, found.trial.level
        if row.verdict == "confirmed":
            deme.proven = found
    for gift in await records.gifts():
        giver, taker = demes[gift.giver], demes[gift.taker]
        giver.given += 1
        taker.taken += gift.arrived
        taker.had.add(gift.digest)
        if not gift.arrived and giver.quarantined is None:
            taker.offers[gift.id] = mate(gift.id, giver, proven(await records.exam(gift.exam)).trial)
    for deme in demes.values():
        if deme.report is None:
            continue
        deme.best = read(deme)
        generations = [point.generation for point in await records.course(deme.id)]
        deme.drawn = len(generations)
        while deme.drawn >= POINTS and all(each % (2 * deme.stride) == 0 for each in generations):
            deme.stride *= 2
    return demes
