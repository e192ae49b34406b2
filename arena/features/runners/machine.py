# SPDX-License-Identifier: GPL-3.0-or-later
"""A runner: keeps the processes that play bots on this machine, as the arena orders."""

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import structlog

from arena.features.runners.link import RunnerLink
from arena.features.uploads.storage import Storage
from arena.features.uploads.unpacking import BadFile, Caps
from arena.hosting.supervisor import Supervisor
from arena.protocol.hosting import (
    ErrorOutput,
    HostingOrders,
    HostingReport,
    HostingState,
    SeatLeft,
    UploadedProgram,
    UploadSeat,
)
from arena.protocol.orders import FurtherOrders, HostedBot, HostOrders, HostProgress
from arena.protocol.runner_messages import (
    Dismissed,
    Ended,
    Host,
    HostUploads,
    Offer,
    Prepared,
    Preparing,
    Refused,
    Release,
    RemoteUpload,
    Taken,
    ToRunner,
)
from engine.native import child

log = structlog.get_logger("arena.runner")

UPLOADS = partial(child.command, "bots.hosted.process")

LARGEST = 1 << 30
"""Bytes of a file that a runner fetches at most; the arena has a limit of its own."""
AGAIN = 3.0
"""Seconds before another attempt to fetch a file."""
STOP = 20.0
"""Seconds that a runner that stops waits until its bots play elsewhere."""


class Machine:
    """A machine that hosts bots for an arena."""

    def __init__(
        self,
        base: str,
        play_url: str,
        token: str,
        offer: Offer,
        folder: Path,
        tell: Callable[[str], None],
        *,
        proxied: bool,
        patience: float | None = None,
    ) -> None:
        """``play_url``: the address of the play socket; ``folder``: for the files of uploads; ``tell``: called with the
        name of the runner whenever the arena has taken it on. See ``RunnerLink`` for the others.
        """
        self._play_url = play_url
        self._folder = folder
        self._tell = tell
        self._offer = offer
        self._link = RunnerLink(base, token, offer, self._heard, self._lost, proxied=proxied, patience=patience)
        self._taken: Taken | None = None
        self._storage: Storage | None = None
        self._tokens: dict[str, str] = {}
        """Tokens of the built-in bots that play here, by name."""
        self._prepared = False
        self._processes: dict[str, tuple[Supervisor, asyncio.Task[None]]] = {}
        self._uploads: list[RemoteUpload] = []
        """The uploaded bots that are to play here."""
        self._changed = asyncio.Event()
        self._dismissed = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Host bots until ``stop`` is set and they play elsewhere. Raises RunnerRefused."""
        linked = asyncio.create_task(self._link.run())
        stopping = asyncio.create_task(stop.wait())
        fetching = asyncio.create_task(self._follow_uploads())
        try:
            await asyncio.wait({linked, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if stopping.done() and self._link.connected:
                self._link.leave()
                gone = asyncio.create_task(self._dismissed.wait())
                await asyncio.wait({linked, gone}, timeout=STOP, return_when=asyncio.FIRST_COMPLETED)
                gone.cancel()
            await self._link.close()
            if linked.done():
                await linked
        finally:
            for task in (linked, stopping, fetching):
                task.cancel()
            await asyncio.wait({linked, stopping, fetching})
            await self._end_processes()

    # ---------------------------------------------------------------- messages

    def _heard(self, message: ToRunner) -> None:
        match message:
            case Taken():
                self._begin(message)
            case Host(bots=bots):
                self._tokens |= {bot.name: bot.token for bot in bots}
                self._built_in(FurtherOrders(enter=bots))
            case Release(bots=names):
                for name in names:
                    self._tokens.pop(name, None)
                self._built_in(FurtherOrders(leave=names))
            case HostUploads(bots=bots):
                self._uploads = bots
                self._changed.set()
            case Dismissed():
                self._dismissed.set()

    def _begin(self, taken: Taken) -> None:
        """Start the process of built-in bots, or let a running one wait for orders."""
        before, self._taken = self._taken, taken
        log.info("the arena has taken the runner on", runner=taken.runner)
        self._tell(taken.runner)
        if before is not None and msgspec.structs.replace(before, runner=taken.runner) == taken:
            if self._prepared:
                self._link.send(Prepared())
            return
        unpacked, files = taken.caps
        self._storage = Storage(self._folder, Caps(unpacked=unpacked, files=files))
        for name in list(self._processes):
            # the orders have changed with the arena
            self._processes.pop(name)[1].cancel()
        self._prepared = False
        if taken.bots:
            self._start("built-in bots", Supervisor(self._orders, self._progressed))

    def _lost(self) -> None:
        """Let the bots leave: the arena has them play elsewhere now."""
        names, self._tokens = list(self._tokens), {}
        if names:
            self._built_in(FurtherOrders(leave=names))
        self._uploads = []
        self._changed.set()

    # ---------------------------------------------------------------- processes

    def _start(self, name: str, supervisor: Supervisor) -> None:
        self._processes[name] = supervisor, asyncio.create_task(supervisor.run(), name=name)

    async def _end_processes(self) -> None:
        tasks = [task for _, task in self._processes.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _built_in(self, further: FurtherOrders) -> None:
        if "built-in bots" in self._processes:
            self._processes["built-in bots"][0].add(further)

    async def _orders(self, pid: int) -> HostOrders:
        assert self._taken is not None, "the process starts with it"
        bots = [HostedBot(bot.kind, bot.name, self._tokens.get(bot.name, "")) for bot in self._taken.bots]
        return HostOrders(self._play_url, bots, self._taken.games)

    def _progressed(self, progress: HostProgress) -> None:
        if progress.left:
            if self._tokens.pop(progress.left, ""):
                self._link.send(Refused(progress.left))
        elif progress.ended:
            self._prepared = False
            self._link.send(Ended())
        elif progress.settled:
            self._prepared = True
            log.info("the built-in bots are ready")
            self._link.send(Prepared())
        elif progress.warming and not progress.again:
            log.info("compiling", what=progress.warming)
            self._link.send(Preparing(progress.warming))

    # ---------------------------------------------------------------- uploads

    async def _upload_orders(self, pid: int) -> HostingOrders:
        assert self._taken is not None, "the process starts after it"
        self._changed.set()  # its seats follow
        return msgspec.structs.replace(self._taken.uploads, url=self._play_url)

    def _reported(self, line: bytes) -> bool:
        """Take a line of the process of uploaded bots; return whether it is a report."""
        try:
            report = msgspec.json.decode(line, type=HostingReport)
        except msgspec.DecodeError:
            return False
        if isinstance(report, SeatLeft | ErrorOutput):
            self._link.send(report)
        return True

    async def _follow_uploads(self) -> None:
        """Host the uploads of the newest list, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            wanted = self._uploads
            if wanted and "uploaded bots" not in self._processes:
                hear = Supervisor(
                    self._upload_orders, lambda progress: None, UPLOADS, name="uploaded bots", hear=self._reported
                )
                self._start("uploaded bots", hear)
            if "uploaded bots" not in self._processes:
                continue
            seats = [seat for each in wanted if (seat := await self._seat(each)) is not None]
            self._processes["uploaded bots"][0].add(HostingState([], seats))
            if len(seats) < len(wanted):
                self._later(self._try_again())

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        self._retry = asyncio.create_task(work)

    async def _try_again(self) -> None:
        await asyncio.sleep(AGAIN)
        self._changed.set()

    async def _seat(self, remote: RemoteUpload) -> UploadSeat | None:
        """Return the seat of an uploaded bot, whose file was fetched; None if that failed."""
        storage = self._storage
        assert storage is not None, "the arena has taken the runner on"
        try:
            if not await asyncio.to_thread(storage.place(remote.digest, remote.language).is_dir):
                body = await self._link.fetch(remote.upload, LARGEST)
                if hashlib.sha256(body).hexdigest() != remote.digest:
                    raise OSError("it is not the file that the arena named")
                kept = await asyncio.to_thread(storage.keep, body, remote.file)
                if kept.contents.language != remote.language:
                    raise OSError(f"it is not {remote.language}")
        except (OSError, BadFile) as error:
            log.warning("the file of an upload cannot be fetched", bot=remote.name, why=str(error))
            return None
        program = UploadedProgram(str(storage.files(remote.digest, remote.language)), remote.entry, remote.language)
        return UploadSeat(remote.upload, remote.bot, remote.name, remote.token, remote.label, remote.games, program)
