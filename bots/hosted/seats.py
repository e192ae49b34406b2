# SPDX-License-Identifier: GPL-3.0-or-later
"""The connections of uploaded bots: one client each, as many at once as there may be processes.

A bot whose version changes, or that is not wanted any more, first finishes its match. Where more bots than places are
wanted, a bot without a match leaves after its turn, and the one that has waited longest comes.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from arena.protocol.hosting import ErrorOutput, HostingOrders, HostingReport, SeatLeft, UploadSeat
from bots.client import ArenaError, Client
from bots.hosted.files import FilesInUse
from bots.hosted.forks import ForkServer
from bots.hosted.programs import NoSandbox, maker_for, wasm_module
from bots.sandbox import Found

log = logging.getLogger(__name__)

LOOK = 0.25
"""Seconds between two looks whether the match of a bot that is to leave has ended."""
SLOW_LOOK = 2.0
"""Seconds between two looks whether others wait for the place of a bot."""
QUIET = 2.0
"""Seconds without a match before a bot leaves: the second match of a pair follows the first."""


class Seats:
    """All bots that are to be connected."""

    def __init__(
        self,
        orders: HostingOrders,
        found: Found,
        group: asyncio.TaskGroup,
        tell: Callable[[HostingReport], None],
        files: FilesInUse,
        forks: ForkServer,
    ) -> None:
        self._orders = orders
        self._found = found
        self._group = group
        self._tell = tell
        self._files = files
        self._forks = forks
        self._wanted: dict[int, UploadSeat] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._refused: dict[int, UploadSeat] = {}
        """By bot: the seat that the arena refused."""
        self._places = asyncio.Semaphore(orders.processes)
        self._waiting = 0
        """Bots without a place."""
        self._changed = asyncio.Event()

    def update(self, seats: Sequence[UploadSeat]) -> None:
        """Replace the bots that are wanted."""
        self._wanted = {seat.bot: seat for seat in seats}
        self._changed.set()
        self._changed = asyncio.Event()
        for bot in self._wanted:
            if bot not in self._tasks:
                self._tasks[bot] = self._group.create_task(self._keep(bot), name=f"bot {bot}")

    async def _keep(self, bot: int) -> None:
        """Connect the wanted version of a bot as long as there is one."""
        try:
            while (seat := self._wanted.get(bot)) is not None and seat != self._refused.get(bot):
                self._waiting += 1
                try:
                    await self._places.acquire()
                finally:
                    self._waiting -= 1
                try:
                    if self._wanted.get(bot) == seat:
                        with self._files.used(seat.upload):
                            await self._connect(seat)
                finally:
                    self._places.release()
        finally:
            del self._tasks[bot]

    async def _connect(self, seat: UploadSeat) -> None:
        """Connect a bot until its turn is over, another version is wanted, or the arena refuses it."""
        try:
            maker = maker_for(
                seat,
                self._orders.memory,
                self._found,
                lambda match, text: self._tell_errors(seat, match, text),
                self._forks,
            )
        except NoSandbox as error:
            self._refuse(seat, str(error))
            return
        client = Client(
            maker,
            url=self._orders.url,
            token=seat.token,
            games=seat.games,
            capacity=1,
            module=wasm_module(seat.program),
        )
        running = asyncio.create_task(client.run())
        leaving = asyncio.create_task(self._until_over(seat, client))
        try:
            await asyncio.wait({running, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if leaving.done():
                await client.close()
            await running
        except ArenaError as error:
            self._refuse(seat, str(error))
        except Exception as error:
            # the other bots play on
            log.exception("%s cannot play", seat.name)
            self._refuse(seat, f"its connection failed: {type(error).__name__}")
        finally:
            for task in (leaving, running):
                task.cancel()
            await asyncio.wait({leaving, running})

    def _tell_errors(self, seat: UploadSeat, match: int | None, text: str) -> None:
        if match is not None:
            self._tell(ErrorOutput(seat.upload, match, text))

    def _refuse(self, seat: UploadSeat, why: str) -> None:
        log.warning("%s leaves: %s", seat.name, why)
        self._refused[seat.bot] = seat
        self._tell(SeatLeft(seat.upload, seat.bot, why))

    async def _until_over(self, seat: UploadSeat, client: Client) -> None:
        """Wait until the bot is to leave and plays no match."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._orders.turn
        while self._wanted.get(seat.bot) == seat and not (self._waiting and loop.time() >= until):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SLOW_LOOK):
                    await self._changed.wait()
        await client.be_available(ladder=False, challenges=False)
        free_since = loop.time()
        while client.matches or loop.time() < free_since + QUIET:
            if client.matches:
                free_since = loop.time()
            await asyncio.sleep(LOOK)
