# SPDX-License-Identifier: GPL-3.0-or-later
"""Network lag over real sockets: distant bots are charged less time; misuse gains almost nothing."""

import asyncio
from itertools import pairwise

import pytest

from arena.connections.sessions import DRIP, JITTER, RESERVE
from arena.matches.replay import rebuild
from lab.proofs.attacks.abusive_bots import LagUser
from lab.proofs.attacks.bad_connections import Fault, Proxy
from tests.web.door import Door
from tests.web.players import RawBot, connected, first_move, start_match

pytestmark = pytest.mark.asyncio(loop_scope="session")

GRACE = 100
"""Milliseconds, the setting's default."""


async def met(door: Door, one: RawBot, other: RawBot) -> tuple[int, str]:
    """Let two bots say hello and start a match; returns it, and the name of the first."""
    (name, token), (opponent, secret) = await door.register(), await door.register()
    await one.hello(token, ["tictactoe"], ladder=False)
    await other.hello(secret, ["tictactoe"], ladder=False)
    match, *_ = await start_match(one, other, opponent)
    return match, name


async def test_a_bot_that_always_uses_the_lag_allowance_gains_almost_no_time(door: Door) -> None:
    # the clock of matches, which stands still while the whole process does
    user = LagUser(pause=GRACE / 1000, now=door.arena._clock.now)
    async with connected(door.play_url) as one, connected(door.play_url) as other:
        _, name = await met(door, one, other)
        entrant = door.arena.roster.named(name)
        assert entrant is not None
        assert entrant.connection.trips.shortest > 0, "its connection was measured"
        await asyncio.gather(user.play(one), other.play(first_move))
        trip = 1000 * max(entrant.connection.trips._last)
    moves = len(user.gained)
    assert moves >= 2
    rounding = moves
    assert sum(user.gained) <= RESERVE + moves * (DRIP + JITTER * trip) + rounding


async def test_only_the_lag_above_lag_grace_is_charged(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    # the clock of matches would leave out the lag of a moment in which the whole process stands still
    monkeypatch.setattr(door.arena._clock, "_watch", None)
    port = int(door.address.rpartition(":")[2])
    async with Proxy(port, lambda _: Fault(delay=0.075)) as proxy:
        url = door.play_url.replace(str(port), str(proxy.port))
        async with connected(url) as far, connected(door.play_url) as near:
            match, name = await met(door, far, near)
            await asyncio.gather(far.play(first_move), near.play(first_move))
    stored = await door.arena.store.matches.get(match)
    assert stored is not None
    seat = [player.bot for player in stored.row.players].index(name)
    record = rebuild(stored, door.arena.registry.games["tictactoe"])
    assert record.time_control is not None
    assert record.clocks is not None
    control = record.time_control.of(seat)
    mine = [move for move in record.moves if move.seat == seat]
    assert len(mine) >= 3
    for before, move in pairwise([None, *mine]):
        assert move is not None
        left = control.initial if before is None or before.clock is None else before.clock
        assert move.elapsed >= 150
        assert move.clock == left + control.increment - (move.elapsed - GRACE)
