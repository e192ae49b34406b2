# SPDX-License-Identifier: GPL-3.0-or-later
"""Placing: which host, the server or a runner, plays each bot; moves bots when hosts come, change or go."""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import structlog

from arena.application import Arena
from arena.features.runners.machines import NATIVE, ConnectedRunner
from arena.features.runners.records import Runners
from arena.features.runners.rows import Hosted
from arena.features.runners.settings import RunnerSettings
from arena.features.runners.shares import place
from arena.features.uploads.part import UploadsPart
from arena.features.uploads.rows import UploadRow
from arena.hosting.processors import allowed
from arena.protocol.hosting import KEPT_ERRORS, ErrorOutput
from arena.protocol.runner_messages import Host, HostUploads, Release, RemoteUpload
from arena.store.errors import StoreError, keep_trying

log = structlog.get_logger("arena.runners")

HERE = 0
"""The server, among the numbers of runners."""

CONNECT = 30.0
"""Seconds within which bots connect from a runner; after that they play elsewhere, and it gets no others."""

AGAIN = 1.0
"""Seconds before another attempt after an error of the database."""

REMEMBERED = 10_000
"""Versions whose error output is taken from runners: the last that were given to one."""

UNCONNECTED = "its bots do not connect to the arena; see the messages of `arena runner` there"


class Placing:
    """The hosts of all bots that the arena hosts."""

    def __init__(
        self,
        arena: Arena,
        uploads: UploadsPart,
        records: Runners,
        settings: RunnerSettings,
        runners: Mapping[int, ConnectedRunner],
    ) -> None:
        self._arena = arena
        self._uploads = uploads
        self._records = records
        self._settings = settings
        self._runners = runners
        self._changed = asyncio.Event()
        self._hosts: dict[int, int] = {}
        """The runner of each uploaded bot that is elsewhere, by bot."""
        self._orphans: set[str] = set()
        """Built-in bots whose runner is gone."""
        self._sent: dict[int, HostUploads] = {}
        """The last list of uploaded bots of each runner."""
        self._programs: dict[int, RemoteUpload] = {}
        """Uploaded bots that are elsewhere, with their tokens."""
        self.given: dict[int, None] = {}
        """Versions that runners host or hosted, the oldest first."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._since: dict[int, float] = {}
        """By bot that moved and is not connected yet: when, on the loop's clock."""
        self._lost: float | None = None
        """When, on the loop's clock, the runner was lost whose bots move; None: they move for another reason."""
        self._errors: asyncio.Queue[ErrorOutput] = asyncio.Queue(1000)
        uploads.elsewhere = self._hosts.__contains__
        uploads.on_look = arena.places.on_offer = self.wake

    # ---------------------------------------------------------------- events

    def wake(self) -> None:
        """Place the bots again: something has changed."""
        self._changed.set()

    def gone(self, runner: ConnectedRunner) -> None:
        """Place the bots of a runner elsewhere: its connection ended."""
        self._orphans |= runner.built_in
        self._sent.pop(runner.id, None)
        if runner.bots:
            self._lost = asyncio.get_running_loop().time()
        self.wake()

    def refused(self, upload: int, bot: int, why: str) -> None:
        """The arena did not let in a bot from a runner."""
        self._keep(self._uploads.left(upload, bot, why))

    def errors(self, output: ErrorOutput) -> None:
        """Store the error output of a program; it is lost where too much comes."""
        if not self._errors.full():
            self._errors.put_nowait(output)

    @property
    def moving(self) -> bool:
        """Whether bots have moved that are not connected yet."""
        return bool(self._since)

    def look(self) -> None:
        """Note which moved bots are connected. A runner whose bots do not connect gets no others."""
        now = asyncio.get_running_loop().time()
        waited = bool(self._since)
        for bot in [bot for bot in self._since if self._arena.connected(bot)]:
            del self._since[bot]
        if waited and not self._since and self._lost is not None:
            log.info("the bots of a lost runner play elsewhere", seconds=round(now - self._lost, 1))
            self._lost = None
        late = {bot for bot, since in self._since.items() if now - since > CONNECT}
        for runner in self._runners.values():
            ids = {*runner.uploaded, *(self._arena.places.bots.get(name, 0) for name in runner.built_in)}
            if late & ids and runner.fit:
                runner.fault = UNCONNECTED
                log.warning("a runner gets no bots", runner=runner.row.name, why=UNCONNECTED)
                self.wake()
        for bot in late:
            del self._since[bot]

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Do further work, and report its failure."""

        async def guarded() -> None:
            try:
                await work
            except StoreError as error:
                log.warning("a report of a runner was lost", why=str(error))

        self._tasks.add(task := asyncio.create_task(guarded()))
        task.add_done_callback(self._tasks.discard)

    # ---------------------------------------------------------------- placing

    async def run(self) -> None:
        """Place bots whenever something has changed, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._store_errors())
            while True:
                await self._changed.wait()
                self._changed.clear()
                try:
                    await self._place_built_in()
                    await self._place_uploaded()
                except StoreError as error:
                    log.warning("bots cannot be placed; trying again", why=str(error))
                    self._changed.set()
                    await asyncio.sleep(AGAIN)

    def _with_server(self, hosts: dict[int, int]) -> dict[int, int]:
        """Return the cores of hosts, with those of the server where it hosts too."""
        if not hosts or self._settings.host_beside_runners:
            return {HERE: allowed(), **hosts}
        return hosts

    async def _place_built_in(self) -> None:
        places = self._arena.places
        names = list(places.bots)
        hosts = {each.id: each.cores for each in self._runners.values() if each.fit and each.prepared}
        now = {name: HERE for name in names if not places.elsewhere(name) and name not in self._orphans}
        now |= {name: each.id for each in self._runners.values() for name in each.built_in}
        wanted = place(self._with_server(hosts), names, now)
        moves: dict[int, list[str]] = {}
        for name, host in wanted.items():
            if now.get(name) != host:
                moves.setdefault(host, []).append(name)
        for host, moved in moves.items():
            await self._move_built_in(moved, host, now)

    async def _move_built_in(self, names: Sequence[str], host: int, now: Mapping[str, int]) -> None:
        """Let a host play built-in bots from now on."""
        places = self._arena.places
        runner = self._runners.get(host)
        if host != HERE and runner is None:
            self.wake()  # it has gone meanwhile
            return
        numbers = [places.bots[name] for name in names if name in places.bots]
        for name in names:
            before = self._runners.get(now.get(name, HERE))
            if before is not None:
                before.built_in.discard(name)
                before.connection.send(Release([name]))
        if runner is None:
            await places.take_back(names)
            await self._records.moved(numbers, [])
        else:
            hosted = await places.move_out(names, runner.machine)
            if self._runners.get(host) is not runner:
                self._orphans.update(names)
                self.wake()
                return
            runner.connection.send(Host(hosted))
            runner.built_in.update(names)
        self._orphans.difference_update(names)
        self._note_moved(numbers)
        if runner is not None:
            await self._records.moved([], [self._hosted(runner, bot) for bot in numbers])
        log.info("built-in bots moved", to="the server" if runner is None else runner.row.name, bots=len(names))

    async def _place_uploaded(self) -> None:
        rows = {str(row.bot_id): row for row in await self._uploads.seats()}
        now = {str(bot): runner for bot, runner in self._hosts.items() if runner in self._runners}
        now |= {bot: HERE for bot in rows if int(bot) not in self._hosts}
        wanted: dict[str, int] = {}
        for native in (False, True):
            bots = [bot for bot, row in rows.items() if (row.language in NATIVE) == native]
            hosts = {
                each.id: each.cores
                for each in self._runners.values()
                if each.fit and each.processes and (not native or each.runs(NATIVE[0]))
            }
            if bots:
                wanted |= place(self._with_server(hosts), bots, now)
        await self._follow_uploaded(rows, {int(bot): host for bot, host in wanted.items()})

    async def _follow_uploaded(self, rows: Mapping[str, UploadRow], wanted: Mapping[int, int]) -> None:
        """Move uploaded bots to the hosts that are wanted, and send each runner its list."""
        ended: list[int] = []
        began: list[Hosted] = []
        back = [bot for bot in self._hosts if wanted.get(bot, HERE) == HERE]
        for bot in back:
            del self._hosts[bot]
            self._programs.pop(bot, None)
            ended.append(bot)
        if back:
            self._uploads.moved(back)
            self._note_moved(bot for bot in back if bot in wanted)
        for bot, host in wanted.items():
            runner = self._runners.get(host)
            if runner is None:
                continue
            row = rows[str(bot)]
            old = self._programs.get(bot)
            same = self._hosts.get(bot) == host and runner.uploaded.get(bot) is not None
            if same and old is not None and old.upload == row.id:
                continue
            self._hosts[bot] = host
            token = await self._uploads.token_elsewhere(row)
            if not token:
                del self._hosts[bot]
                continue
            self._programs[bot] = _remote(row, token)
            self._arena.processor_time.place(runner.machine, [bot])
            self._remember(row.id)
            self._note_moved([bot])
            if not same:
                began.append(self._hosted(runner, bot))
        self._tell_uploads()
        if ended or began:
            await self._records.moved(ended, began)

    def _tell_uploads(self) -> None:
        """Send each runner the list of its uploaded bots, if that has changed."""
        for runner in list(self._runners.values()):
            bots = [self._programs[bot] for bot, host in self._hosts.items() if host == runner.id]
            runner.uploaded = {each.bot: each.upload for each in bots}
            message = HostUploads(bots)
            if message != self._sent.get(runner.id, HostUploads([])):
                self._sent[runner.id] = message
                runner.connection.send(message)
        self._uploads.moved(())

    # ---------------------------------------------------------------- details

    def _note_moved(self, bots: Iterable[int]) -> None:
        now = asyncio.get_running_loop().time()
        self._since |= dict.fromkeys(bots, now)

    def _remember(self, upload: int) -> None:
        self.given[upload] = None
        while len(self.given) > REMEMBERED:
            del self.given[next(iter(self.given))]

    @staticmethod
    def _hosted(runner: ConnectedRunner, bot: int) -> Hosted:
        offer = runner.offer
        return Hosted(runner.id, bot, offer.version, offer.platform, offer.speed, runner.cores)

    async def _store_errors(self) -> None:
        while True:
            output = await self._errors.get()
            add = partial(self._uploads.records.add_errors, output.upload, output.match, output.text[-KEPT_ERRORS:])
            try:
                await keep_trying(add)
            except StoreError as error:
                log.warning("the error output of a match was lost", why=str(error))


def _remote(row: UploadRow, token: str) -> RemoteUpload:
    return RemoteUpload(
        upload=row.id,
        bot=row.bot_id,
        name=row.bot,
        token=token,
        label=row.label,
        games=list(row.games),
        entry=row.entry,
        language=row.language,
        file=row.file,
        digest=row.digest,
    )
