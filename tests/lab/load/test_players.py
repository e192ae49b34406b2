# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots of the load clients count each move once, in whatever order the arena's messages come."""

import pytest
from aiohttp import ClientSession

from arena.protocol import messages as m
from lab.load.jobs import LoadBot, PlayersJob
from lab.load.players import Players, Table


@pytest.mark.parametrize("turn_first", [False, True], ids=["accepted first", "turn first"])
async def test_a_move_counts_once_whether_its_turn_comes_first_or_not(turn_first: bool) -> None:
    job = PlayersJob([], "checkers", 100.0, [(LoadBot("one", ""), LoadBot("other", ""))])
    async with ClientSession() as http:
        players = Players(job, http)
        table = Table(players, job, *job.tables[0])
        one, other = table.players
        table._move(one, 7, 0, "1-2")
        accepted = m.Accepted(match=7, ply=0)
        turn = m.Turn(match=7, game="checkers", ply=1, position="", seat=1, legal_moves=[])
        if turn_first:
            table.heard(other, turn, 1e9)
        table.heard(one, accepted, 1e9)
        if not turn_first:
            table.heard(other, turn, 1e9)
    assert (players.report.moves, players.report.accepted.count, players.report.relay.count) == (1, 1, 1)
