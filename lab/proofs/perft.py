# SPDX-License-Identifier: GPL-3.0-or-later
"""Every leaf counted

The rules of each game allow what they should and nothing else: the tree of legal moves has as many leaves at each depth
as is known. Of chess the six standard positions are counted, down to depths that take minutes; the tests count the
depths above.
"""

import time

from engine.perft import perft
from lab.proofs.ledger import Ledger
from tests.perft.tables import TABLES, Table

MOST = max(leaves for table in TABLES for leaves in table.longer)


async def prove(ledger: Ledger) -> None:
    """Count all depths that have no more leaves than may be counted."""
    most = ledger.times(MOST)
    for table in TABLES:
        for depth, leaves in enumerate((*table.leaves, *table.longer)):
            if len(table.leaves) <= depth + 1 and leaves <= most:
                _count(ledger, table, depth, leaves)


def _count(ledger: Ledger, table: Table, depth: int, leaves: int) -> None:
    game, state = table.root()
    perft(game, state, 2)  # compiles, or loads
    began = time.process_time()
    counted = perft(game, state, depth)
    spent = time.process_time() - began
    assert counted == leaves, (table.name, depth, counted, leaves)
    ledger.note(f"{table.name}, depth {depth}", f"{counted:,} leaves in {spent:,.1f} s")
