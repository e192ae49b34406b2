# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the records of islands: reports against their numbers, gifts against the trials that allowed them."""

from collections.abc import Iterator

from arena.features.volunteers.records import miscounted, untried
from arena.records.verification import Finding
from arena.store.audit import Audit


def check_islands(audit: Audit) -> Iterator[Finding]:
    """Yield the problems in the records of islands."""
    for island, number, reports in miscounted(audit):
        yield Finding(
            "no report of an island is lost or accepted twice", f"island {island}", f"{reports} up to {number}"
        )
    for migration, why in untried(audit):
        yield Finding("only verified genomes go from island to island", f"migration {migration}", why)
