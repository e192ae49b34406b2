# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that takes on runners, and gives each its share of the bots."""

import asyncio
import time
from importlib.metadata import version as installed_version

import structlog

from arena.application import Arena
from arena.connections.admission import hash_token
from arena.feature import Part
from arena.features.runners.connection import RunnerConnection
from arena.features.runners.machines import ConnectedRunner
from arena.features.runners.placing import Placing
from arena.features.runners.records import Runners
from arena.features.runners.rows import RunnerRow
from arena.features.runners.settings import RunnerSettings
from arena.features.uploads.part import UploadsPart
from arena.protocol.errors import CloseCode
from arena.protocol.hosting import ErrorOutput, HostingOrders, SeatLeft
from arena.protocol.orders import HostedBot, HostProgress
from arena.protocol.runner_messages import (
    RUNNERS,
    Beat,
    Declined,
    Dismissed,
    Ended,
    FromRunner,
    Leave,
    Offer,
    Prepared,
    Preparing,
    Refused,
    Taken,
)
from arena.protocol.terminal import plain_line
from arena.seconds import until_next_second
from arena.store.errors import StoreError, keep_trying

log = structlog.get_logger("arena.runners")

OFFER = 10.0
"""Seconds within which a runner says what it offers."""
MOVED = 15.0
"""Seconds that the bots of a runner that stops get to connect elsewhere."""

VERSION = installed_version("bot-arena")


class RunnersPart(Part):
    """The runners of an arena."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._uploads = arena.part(UploadsPart)
        self.settings = arena.settings.of(RunnerSettings)
        self.records = arena.store.records(Runners)
        self.connected: dict[int, ConnectedRunner] = {}
        """The runners that were taken on, by number."""
        self._strangers: set[RunnerConnection] = set()
        """Connections that have not said what they offer."""
        self.placing = Placing(arena, self._uploads, self.records, self.settings, self.connected)
        self._leaving: dict[int, float] = {}
        """When, on the loop's clock, runners that stop are dismissed at the latest."""

    async def run(self) -> None:
        """Give runners their shares whenever something has changed, until cancelled."""
        await keep_trying(self.records.interrupted)
        async with asyncio.TaskGroup() as group:
            group.create_task(self.placing.run())
            group.create_task(self._look_after())

    async def stop(self) -> None:
        """Record that no runner hosts a bot any more, and close the connections."""
        for connection in [*self._strangers, *(each.connection for each in self.connected.values())]:
            connection.end(CloseCode.GOING_AWAY, "the server is stopping")
        try:
            await self.records.interrupted()
        except StoreError as error:
            log.warning("the end of hosting was not recorded", why=str(error))

    # ---------------------------------------------------------------- connections

    async def identify(self, token: str) -> RunnerRow | None:
        """Return the runner of a token."""
        return await self.records.by_token(hash_token(token))

    def accept(self, row: RunnerRow, address: str) -> RunnerConnection:
        """Take on the socket of a runner."""
        connection = RunnerConnection(row, address, self.settings.runner_silence, self._heard, self._gone)
        self._strangers.add(connection)
        asyncio.get_running_loop().call_later(OFFER, self._expect_offer, connection)
        return connection

    def _expect_offer(self, connection: RunnerConnection) -> None:
        if connection in self._strangers:
            connection.end(CloseCode.NO_HELLO, "the offer did not arrive in time")

    def _of(self, connection: RunnerConnection) -> ConnectedRunner | None:
        runner = self.connected.get(connection.row.id)
        return runner if runner is not None and runner.connection is connection else None

    def _heard(self, connection: RunnerConnection, message: FromRunner) -> None:
        runner = self._of(connection)
        match message:
            case Offer() if runner is None:
                self._offered(connection, message)
            case _ if runner is None or isinstance(message, Offer):
                connection.end(CloseCode.BAD_MESSAGES, "the first message, and no other, must be an offer")
            case Beat(free=free):
                runner.free = free
            case Preparing(what=what):
                runner.preparing = plain_line(what)
            case Prepared():
                runner.prepared, runner.preparing = True, ""
                log.info("a runner is ready for built-in bots", runner=runner.row.name)
                self.placing.wake()
            case Ended():
                # until it is prepared again its bots play elsewhere
                runner.prepared = False
                self.placing.wake()
            case Refused(bot=bot) if bot in runner.built_in:
                self._arena.hosting.heard("built-in", HostProgress(left=bot))
            case SeatLeft(upload=upload, bot=bot, why=why) if runner.uploaded.get(bot) == upload:
                self.placing.refused(upload, bot, plain_line(why))
            case ErrorOutput(upload=upload) if upload in self.placing.given:
                self.placing.errors(message)
            case Leave():
                self._leaves(runner)

    def _offered(self, connection: RunnerConnection, offer: Offer) -> None:
        """Take a runner on, or decline it."""
        row = connection.row
        older = self.connected.get(row.id)
        if offer.protocol != RUNNERS or offer.version != VERSION:
            why = (
                f"the runner has bot-arena {plain_line(offer.version)[:40]} (protocol {offer.protocol}), this arena "
                f"{VERSION} (protocol {RUNNERS}); install version {VERSION} on the runner"
            )
            self._decline(connection, Declined("version", why))
        elif older is not None and older.offer.run != offer.run:
            why = (
                f"another runner with this token is connected from {older.connection.address}; each runner needs its "
                "own token (`arena runners add NAME`)"
            )
            self._decline(connection, Declined("taken", why, again=True))
        elif older is None and len(self.connected) >= self.settings.runners_connected:
            self._decline(connection, Declined("full", "the limit of connected runners is reached", again=True))
        else:
            if older is not None:
                older.connection.end(CloseCode.REPLACED, "the runner connected again")
            self._take(connection, offer)

    def _decline(self, connection: RunnerConnection, declined: Declined) -> None:
        log.warning("a runner was declined", runner=connection.row.name, why=declined.why)
        connection.send(declined)
        connection.end(CloseCode.NORMAL, declined.code)

    def _take(self, connection: RunnerConnection, offer: Offer) -> None:
        cores = min(offer.cores, self.settings.runner_cores)
        most = self._uploads.settings.hosted_processes
        processes = min(most, offer.memory // self._uploads.settings.hosted_memory)
        runner = ConnectedRunner(connection.row, connection, offer, cores, processes, free=cores)
        self._strangers.discard(connection)
        self.connected[runner.id] = runner
        self._arena.processor_time.add_machine(runner.machine, lambda: runner.usable)
        connection.send(self._taken(runner))
        log.info("a runner is connected", runner=runner.row.name, cores=cores, speed=round(offer.speed))
        self.placing.wake()

    def _taken(self, runner: ConnectedRunner) -> Taken:
        settings, places = self._uploads.settings, self._arena.places
        bots = [HostedBot(kind, name, "") for name, kind in places.kinds.items()]
        orders = HostingOrders(
            url="",
            games=list(self._arena.registry.games),
            processes=max(1, runner.processes),
            turn=settings.hosted_turn,
            memory=settings.hosted_memory,
            time_control=settings.validation_time_control,
            validation_time=settings.validation_time,
        )
        caps = settings.upload_unpacked, settings.upload_files
        return Taken(runner.row.name, bots, list(self._arena.registry.games), orders, caps)

    def _gone(self, connection: RunnerConnection) -> None:
        """Let the bots of a runner whose connection ended play elsewhere."""
        self._strangers.discard(connection)
        runner = self._of(connection)
        if runner is None:
            return
        del self.connected[runner.id]
        self._leaving.pop(runner.id, None)
        self._arena.processor_time.drop_machine(runner.machine)
        why = connection.close_reason or "connection lost"
        log.info("a runner is gone", runner=runner.row.name, why=why, bots=runner.bots)
        self.placing.gone(runner)

    def _leaves(self, runner: ConnectedRunner) -> None:
        """Move the bots of a runner that stops, and dismiss it when they are connected elsewhere."""
        if not runner.leaving:
            runner.leaving = True
            self._leaving[runner.id] = asyncio.get_running_loop().time() + MOVED
            log.info("a runner stops", runner=runner.row.name, bots=runner.bots)
            self.placing.wake()

    async def remove(self, name: str) -> None:
        """Revoke the token of a runner, and end its connection. Raises UnknownRunner."""
        await self.records.remove(name)
        await self._drop_removed()

    # ---------------------------------------------------------------- looking after runners

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(until_next_second())
            self._dismiss_left()
            self.placing.look()
            try:
                await self._drop_removed()
                if self.connected:
                    await self.records.seen(list(self.connected), time.time())
            except StoreError as error:
                log.warning("the records of runners failed", why=str(error))

    def _dismiss_left(self) -> None:
        """Dismiss the runners that stop, once their bots are connected elsewhere."""
        now = asyncio.get_running_loop().time()
        for number, latest in list(self._leaving.items()):
            runner = self.connected[number]
            if now >= latest or (not runner.bots and not self.placing.moving):
                del self._leaving[number]
                runner.connection.send(Dismissed())

    async def _drop_removed(self) -> None:
        """Close the connections of runners that were removed, here or by a command."""
        if self.connected or self._strangers:
            known = {row.id for row in await self.records.all()}
            connections = [*self._strangers, *(each.connection for each in self.connected.values())]
            for connection in connections:
                if connection.row.id not in known:
                    connection.end(CloseCode.REMOVED, "the runner was removed")
