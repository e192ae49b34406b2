# SPDX-License-Identifier: MIT
"""The contract test for bots: a miniature arena that plays one bot through a real socket and reports its faults.

``check_bot`` tests a Bot, ``check_program`` a program in any language. The miniature arena referees tic-tac-toe itself;
for another game pass recorded ``Positions``, or rules of your own. It checks correctness, not strength: legal moves, in
time, under all events.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from bots.bot import Bot
from bots.client import BotMaker, Client
from bots.testing.arena import TOKEN, BotFault, CheckedMatch, MiniArena
from bots.testing.rules import Positions, Recorded, Rules, TicTacToe

__all__ = [
    "CHECKS",
    "TOKEN",
    "BotFault",
    "MiniArena",
    "Positions",
    "Recorded",
    "Rules",
    "TicTacToe",
    "check_bot",
    "check_program",
]


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


async def _to_move(arena: MiniArena, *, bot: bool) -> CheckedMatch:
    """Start a match in which the bot, or its opponent, is to move."""
    seat = arena.rules.to_move(arena.rules.start(0))
    return await arena.begin(seat if bot else 1 - seat)


Enter: TypeAlias = Callable[[MiniArena], AbstractAsyncContextManager[None]]
"""Lets a bot play in an arena for as long as the context lasts."""


def check_bot(bot: Bot | BotMaker, rules: Rules | None = None, *, seconds: float = 30.0) -> None:
    """Run a bot, or a factory of bots, through every check; raises BotFault at the first fault.

    ``rules``: a game that it plays; by default tic-tac-toe. ``seconds``: time for each answer.
    """

    @contextlib.asynccontextmanager
    async def enter(arena: MiniArena) -> AsyncIterator[None]:
        client = Client(bot, url=arena.url, token=TOKEN, on_crash="raise")
        running = asyncio.create_task(client.run())
        running.add_done_callback(lambda _: arena.blame("its client ended"))
        try:
            yield
        finally:
            await client.close()
            await running

    asyncio.run(_check(enter, rules or TicTacToe(), seconds, CHECKS))


def check_program(
    command: Sequence[str], rules: Rules | None = None, *, seconds: float = 30.0, comes_back: bool = True
) -> None:
    """Run a program in any language through every check; raises BotFault at the first fault.

    The program is started again for each check, and ended afterwards; the environment variables ARENA_URL and
    ARENA_TOKEN give the address and the token. ``comes_back``: whether it reconnects after a lost connection; otherwise
    that is not checked.
    """

    @contextlib.asynccontextmanager
    async def enter(arena: MiniArena) -> AsyncIterator[None]:
        environment = {**os.environ, "ARENA_URL": arena.url, "ARENA_TOKEN": TOKEN}
        process = await asyncio.create_subprocess_exec(*command, env=environment)

        async def watch() -> None:
            arena.blame(f"the program ended with exit code {await process.wait()}")

        watching = asyncio.create_task(watch())
        try:
            yield
        finally:
            watching.cancel()
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    checks = [check for check in CHECKS if comes_back or check is not lost_connection]
    asyncio.run(_check(enter, rules or TicTacToe(), seconds, checks))


async def _check(enter: Enter, rules: Rules, seconds: float, checks: Sequence[Check]) -> None:
    for check in checks:
        async with MiniArena(rules, seconds=seconds) as arena:
            try:
                async with enter(arena):
                    await arena.welcome()
                    await check(arena)
            except BotFault as fault:
                raise BotFault(f"{check.__name__.replace('_', ' ')}: {fault}") from fault
