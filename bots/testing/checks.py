# SPDX-License-Identifier: MIT
"""The checks of the bot contract, one function each, on the miniature arena."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bots.testing.arena import MiniArena
from bots.testing.table import Table

Check: TypeAlias = Callable[[MiniArena], Awaitable[None]]
"""Raises BotFault."""


async def whole_matches(arena: MiniArena) -> None:
    """Whole matches from both seats, from the start and after an opening."""
    for seed, (seat, opening) in enumerate([(0, 0), (1, 0), (0, 2), (1, 1)]):
        await arena.play(await arena.begin(seat, seed, opening))


async def several_at_once(arena: MiniArena) -> None:
    """As many matches at once as the bot said it can play, though no more than eight."""
    hello = await arena.welcome()
    tables = [await arena.begin(number % 2, number) for number in range(min(hello.capacity, 8))]
    await asyncio.gather(*(arena.play(table) for table in tables))


async def unknown_things(arena: MiniArena) -> None:
    """Fields and messages of a later version of the protocol are passed over."""
    arena.noise = True
    await arena.play(await arena.begin(0))


async def middle_of_a_match(arena: MiniArena) -> None:
    """A restarted bot receives a match that is under way."""
    await arena.play(await arena.begin(0, seed=3, opening=1, moves=3))


async def draw_offers(arena: MiniArena) -> None:
    """An offer is answered, while the opponent is to move and together with a turn."""
    table = await _to_move(arena, bot=False)
    if not await arena.offer_draw(table):
        await arena.play(table)
    table = await _to_move(arena, bot=True)
    table.offered = True
    await arena.play(table)


async def ended_while_thinking(arena: MiniArena) -> None:
    """The opponent resigns while the bot thinks; the next match is played normally."""
    table = await _to_move(arena, bot=True)
    await arena.ask(table)
    await arena.over(table, "1-0" if table.seat == 0 else "0-1", "resignation")
    await arena.play(await arena.begin(0))


async def challenges(arena: MiniArena) -> None:
    """A challenge is answered, one way or the other."""
    await arena.challenge()


async def lost_connection(arena: MiniArena) -> None:
    """The connection is lost while the bot thinks, and again before its move was accepted: it comes back."""
    table = await _to_move(arena, bot=True)
    await arena.ask(table)
    await arena.drop()
    if await arena.answer(table) is None:
        return
    await arena.drop()
    move = await arena.answer(table)
    if move is not None:
        await arena.accept(table, move)
        await arena.play(table)


CHECKS = (
    whole_matches,
    several_at_once,
    unknown_things,
    middle_of_a_match,
    draw_offers,
    ended_while_thinking,
    challenges,
    lost_connection,
)


async def _to_move(arena: MiniArena, *, bot: bool) -> Table:
    """Start a match in which the bot, or its opponent, is to move."""
    seat = arena.rules.to_move(arena.rules.start(0))
    return await arena.begin(seat if bot else 1 - seat)
