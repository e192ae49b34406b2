# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that keeps uploads, and tells the process beside it what to validate and to host."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

import msgspec
import structlog

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.feature import Part
from arena.features.accounts.part import AccountsPart, Quota
from arena.features.accounts.rows import Account
from arena.features.uploads.contents import NATIVE
from arena.features.uploads.files import files_of
from arena.features.uploads.records.versions import Uploads
from arena.features.uploads.rows import (
    IN_WORDS,
    PENDING,
    Allowance,
    NewUpload,
    State,
    TooManyUploads,
    UploadRow,
    WrongState,
)
from arena.features.uploads.settings import UploadSettings, folder_of
from arena.features.uploads.storage import Kept
from arena.features.uploads.unpacking import BadFile, Caps
from arena.protocol.hosting import (
    ErrorOutput,
    FilesFree,
    HostingOrders,
    HostingReport,
    HostingState,
    SandboxFound,
    SeatLeft,
    UploadedProgram,
    UploadSeat,
    Validated,
    Validation,
    ValidationEnded,
    ValidationLine,
    ValidationStarted,
)
from arena.protocol.terminal import plain_line
from arena.store.errors import StoreError, UnknownBot, keep_trying
from arena.store.rows import BotRow
from web.language import Text

log = structlog.get_logger("arena.uploads")

READING = 8
"""Uploads whose bodies are received at once: each is in memory."""
AGAIN = 2.0
"""Seconds until a client should try again while another upload of its account is received."""
UNPACK_AGAIN = 30.0
"""Seconds until a file that could not be unpacked is tried again."""
LONGEST_NAME = 100
"""Letters of the name of an uploaded file that are kept."""


class UploadsPart(Part):
    """Uploads, their validations, and the bots that play from them."""

    everywhere = True

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self.settings = settings = arena.settings.of(UploadSettings)
        self.records = arena.store.records(Uploads)
        caps = Caps(unpacked=settings.upload_unpacked, files=settings.upload_files)
        self.files = files_of(arena.store, folder_of(settings, arena.store.file), caps)
        self.needed = asyncio.Event()
        """Set once there is an upload to validate or to host."""
        self.sandbox: SandboxFound | None = None
        """The sandbox of this machine, once the process beside the server has looked."""
        self._changed = asyncio.Event()
        self._reports: asyncio.Queue[HostingReport] = asyncio.Queue()
        self._storing = asyncio.Lock()
        self._reading = asyncio.Semaphore(READING)
        self._uploading: set[int] = set()
        """Accounts whose uploads are being received."""
        self._pause: float | None = None
        """Seconds until a validation is due that ended without a result; None: none waits."""
        self._pid = 0
        """The process beside the server."""
        self._tokens: dict[int, str] = {}
        """Token by bot, for this run of the server."""
        self._left: dict[int, tuple[int, str]] = {}
        """Upload that a bot no more plays, and why: the arena did not let it in."""
        self._files: dict[int, tuple[str, str]] = {}
        """Uploads whose programs may run in the process: digest and language of their files, which stay."""
        self._wanted: set[int] = set()
        """Those of them that the process is to validate or to connect."""
        self.elsewhere: Callable[[int], bool] = lambda bot: False
        """Set by a feature that hosts bots on other machines: returns whether it hosts a bot, by number."""
        self.on_look: Callable[[], None] = lambda: None
        """Called when the bots that are to be hosted may have changed."""
        self.accepted: list[Callable[[UploadRow], Awaitable[None]]] = []
        """What other features do when a version was accepted that the bot plays now."""
        self.decided: list[Callable[[UploadRow], Awaitable[None]]] = []
        """What other features do when a validation accepted or rejected a version."""
        accounts = arena.part(AccountsPart)
        accounts.quotas.append(self._quota)
        accounts.states.append(self._states)
        accounts.changes.append(self._follow)

    async def run(self) -> None:
        """Take in files that are not where this server keeps them. Then, once it leads the arena, take up what a stop
        of a server interrupted, and remove files that no version has.
        """
        try:
            await self.files.take_in(await keep_trying(self.records.file_names))
        except (OSError, StoreError) as error:
            log.error("uploaded files could not be taken in; the next start tries it again", why=str(error))
        await self._arena.peers.leads.wait()
        await self._tidy()
        await keep_trying(self.records.interrupted)
        await self._look()

    async def _tidy(self) -> None:
        """Remove files that no version of a bot has, and no running program."""
        async with self._storing:
            known = await keep_trying(self.records.files)
            in_use = known | set(self._files.values())
            gone = await keep_trying(lambda: self.files.tidy(in_use))
        if gone:
            log.info("removed files that no version has", folders=gone)

    async def _follow(self) -> None:
        """Follow a change of accounts or bots: hosted bots come or leave, and files of removed bots go."""
        await self._tidy()
        await self._look()

    async def _look(self) -> None:
        """Tell the process of a change, and have it started when it is needed first."""
        if not self.needed.is_set():
            waiting, hosted = await keep_trying(self.records.waiting), await keep_trying(self.records.hosted)
            if waiting or hosted:
                self.needed.set()
        self._changed.set()
        self.on_look()

    # ---------------------------------------------------------------- owners and administrators

    @property
    def approval(self) -> bool:
        """Whether an administrator must approve Python files and executables."""
        return self._native == "approved"

    @property
    def refusal(self) -> str:
        """Why Python files and executables are refused; "" where they are not."""
        if self._native == "closed":
            return "this server accepts WebAssembly and data bots only"
        if self.sandbox is not None and self.sandbox.tier == "none":
            reasons = "; ".join(self.sandbox.reasons)
            return f"this server has no sandbox, so it runs no Python and no executables: {reasons}"
        return ""

    @property
    def _native(self) -> str:
        return self.settings.native_uploads or ("open" if self._arena.local else "approved")

    async def submit(
        self, account: Account, bot: BotRow, name: str, games: list[str], read: Callable[[], Awaitable[bytes]]
    ) -> UploadRow:
        """Store an upload as a new version of a bot. ``read`` returns the file.

        Raises BadFile, TooManyUploads, OSError, and what ``read`` raises.
        """
        name = plain_line(name).rpartition("/")[2][:LONGEST_NAME]
        if account.id in self._uploading:
            raise TooManyUploads("another upload of your account is going on; wait until it has ended", AGAIN)
        self._uploading.add(account.id)
        try:
            # a request that would be refused must not send its body first
            await self.records.check(account.id, self._allowance(account))
            async with self._reading:
                body = await read()
                async with self._storing:
                    return await self._store(account, bot, name, games, body)
        finally:
            self._uploading.discard(account.id)
            await self._look()

    async def _store(self, account: Account, bot: BotRow, name: str, games: list[str], body: bytes) -> UploadRow:
        kept = await self.files.keep(body, name)
        contents = kept.contents
        try:
            native = contents.language in NATIVE
            if native and self.refusal:
                raise BadFile(self.refusal)
            state: State = "waiting" if native and self.approval else "queued"
            new = NewUpload(
                bot.id,
                account.id,
                kept.digest,
                contents.language,
                name,
                contents.entry,
                games or contents.games,
                contents.version,
                len(body),
                len(body) + contents.unpacked,
                state,
            )
            return await self.records.add(new, self._allowance(account))
        except BaseException:
            await asyncio.shield(self._drop_unused(kept))
            raise

    async def _drop_unused(self, kept: Kept) -> None:
        """Remove a file that no version has; the next start does so if the database fails now."""
        with contextlib.suppress(StoreError):
            if not await self.records.in_use(kept.digest, kept.contents.language):
                await self.files.drop((kept.digest, kept.contents.language))

    def _allowance(self, account: Account) -> Allowance:
        settings, all_ = self.settings, account.role == "administrator"
        return Allowance(
            None if all_ else settings.uploads_per_day,
            None if all_ else settings.upload_storage,
            settings.upload_storage_all,
            settings.validation_queue,
        )

    async def _quota(self, account: Account) -> dict[str, Quota]:
        allowance = self._allowance(account)
        stored, today = await self.records.usage(account.id)
        return {"uploads a day": Quota(allowance.per_day, today), "storage": Quota(allowance.storage, stored)}

    async def _states(self, account: Account) -> dict[int, str]:
        """Return the state of the newest version of each bot of an account, in words."""
        bots = await self._arena.part(AccountsPart).ownership.bots(account.id)
        newest = await self.records.newest([bot.id for bot in bots])
        return {row.bot_id: Text("version {0} {1}", row.number, IN_WORDS[row.state]) for row in newest}

    async def approve(self, upload: UploadRow) -> UploadRow:
        """Let an upload be validated that waits for it. Raises WrongState."""
        changed = await self.records.change(upload, ("waiting",), "queued")
        await self._look()
        return changed

    async def validate(self, account: Account, upload: UploadRow) -> UploadRow:
        """Validate a version again. Raises WrongState, and TooManyUploads where too many wait."""
        await self.records.check_queue(account.id, self._allowance(account))
        changed = await self.records.change(upload, ("accepted", "rejected", "quarantined"), "queued")
        self._left.pop(upload.bot_id, None)
        await self._look()
        return changed

    async def withdraw(self, upload: UploadRow) -> UploadRow:
        """Withdraw a version: its file is removed once its match or its validation has ended. Raises WrongState."""
        changed = await self.records.change(upload, (*PENDING, "accepted", "rejected", "quarantined"), "withdrawn")
        await self._follow()
        return changed

    async def quarantine(self, bot_id: int, label: str, reason: str) -> None:
        """Take a version out of play that failed in its matches; nothing where the arena does not host it."""
        for row in await keep_trying(self.records.hosted):
            if (row.bot_id, row.label) == (bot_id, label):
                with contextlib.suppress(WrongState):
                    await self.records.change(row, ("accepted",), "quarantined", reason)
                await self._look()

    async def read(self, upload: UploadRow) -> bytes:
        """Return the uploaded file. Raises OSError and StoreError."""
        if upload.state == "withdrawn":
            raise FileNotFoundError
        return await self.files.read((upload.digest, upload.language))

    def absent(self, upload: UploadRow) -> str:
        """Return why an accepted version is not connected, where the arena did not let it in; else ""."""
        left, why = self._left.get(upload.bot_id, (0, ""))
        return why if left == upload.id else ""

    # ---------------------------------------------------------------- the process beside the server

    async def orders(self, url: str, pid: int) -> HostingOrders:
        """Return the first line for the process, which has just started."""
        self._pid = pid
        # the programs of the process before have ended with it
        self._files.clear()
        rejected = await keep_trying(self.records.interrupted)
        for upload in rejected:
            log.warning("an upload was rejected: its validation never ended", upload=upload)
            await self._tell_decided(upload)
        settings = self.settings
        return HostingOrders(
            url=url,
            games=list(self._arena.registry.games),
            processes=settings.hosted_processes,
            turn=settings.hosted_turn,
            memory=settings.hosted_memory,
            time_control=settings.validation_time_control,
            validation_time=settings.validation_time,
        )

    async def states(self, tell: Callable[[HostingState], None]) -> None:
        """Call ``tell`` with the state for the process whenever it has changed, until cancelled."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._changed.wait()
            self._changed.clear()
            try:
                tell(await self._state())
            except StoreError as error:
                log.warning("the uploads cannot be read; trying again", why=str(error))
                self._changed.set()
                await asyncio.sleep(1.0)

    async def _state(self) -> HostingState:
        # no version may be withdrawn, and its file removed, before its validation or seat is noted
        async with self._storing:
            waiting, hosted = await self.records.waiting(), await self.records.hosted()
            self._files |= {row.id: (row.digest, row.language) for row in (*waiting, *hosted)}
        due, self._pause = due_now(waiting, time.time())
        validations = [
            Validation(row.id, row.queued, program, list(row.games))
            for row in due
            if (program := await self._program(row)) is not None
        ]
        seats = []
        # a bot whose account was disabled meanwhile comes back with it
        bots = {row.bot_id for row in hosted}
        self._left = {bot: left for bot, left in self._left.items() if bot in bots}
        for row in hosted:
            if self._left.get(row.bot_id, (0, ""))[0] == row.id or self.elsewhere(row.bot_id):
                continue
            program = await self._program(row)
            if program is not None and (token := await self._token(row)):
                seats.append(UploadSeat(row.id, row.bot_id, row.bot, token, row.label, list(row.games), program))
        self._arena.processor_time.settle(self._pid, [seat.bot for seat in seats])
        self._wanted = {each.upload for each in validations} | {seat.upload for seat in seats}
        return HostingState(validations, seats, sorted(self._files.keys() - self._wanted))

    async def seats(self) -> list[UploadRow]:
        """Return the versions that are to be hosted, here or elsewhere, without those that the arena did not let in."""
        return [row for row in await self.records.hosted() if not self.absent(row)]

    async def token_elsewhere(self, row: UploadRow) -> str:
        """Return a fresh token for a bot that is hosted elsewhere from now on; "" for one that was removed."""
        self._tokens.pop(row.bot_id, None)
        return await self._token(row)

    def moved(self, bots: Iterable[int]) -> None:
        """Note that bots are not hosted any more where they were: here they get fresh tokens."""
        for bot in bots:
            self._tokens.pop(bot, None)
        self._changed.set()

    async def left(self, upload: int, bot: int, why: str) -> None:
        """Note that the arena did not let in a bot as a version, wherever it was hosted."""
        log.warning("the gateway refused an uploaded bot", bot=bot, why=why)
        self._left[bot] = upload, why
        self._tokens.pop(bot, None)
        self._arena.processor_time.leave(bot)
        await self._look()

    async def _token(self, row: UploadRow) -> str:
        """Return the token of a bot for this run of the server; "" for one that was removed."""
        token = self._tokens.get(row.bot_id)
        if token is None:
            token = make_token()
            try:
                await self._arena.store.bots.rotate(row.bot, hash_token(token))
            except UnknownBot:
                return ""
            self._tokens[row.bot_id] = token
            self._arena.hosted_tokens.add(hash_token(token))
        return token

    async def _program(self, row: UploadRow) -> UploadedProgram | None:
        """Return the program of an upload; None if its files cannot be unpacked here now. Raises StoreError."""
        try:
            folder = await self.files.program((row.digest, row.language), row.file)
        except OSError as error:
            log.warning("the file of an upload cannot be unpacked; trying again", upload=row.id, why=str(error))
            self._pause = UNPACK_AGAIN if self._pause is None else min(self._pause, UNPACK_AGAIN)
            return None
        return UploadedProgram(str(folder), row.entry, row.language)

    def hear(self, line: bytes) -> bool:
        """Take a line of the process; return whether it is a report."""
        try:
            self._reports.put_nowait(msgspec.json.decode(line, type=HostingReport))
        except msgspec.DecodeError:
            return False
        return True

    async def handle(self) -> None:
        """Work on the reports of the process until cancelled."""
        while True:
            report = await self._reports.get()
            try:
                await self._handle(report)
            except StoreError as error:
                log.warning("a report of a validation was lost", why=str(error))
            except Exception:
                log.exception("a report of a validation could not be handled")

    async def _handle(self, report: HostingReport) -> None:
        match report:
            case SandboxFound():
                self.sandbox = report
                log.info("uploaded bots run in a sandbox", tier=report.tier, reasons=report.reasons)
                await self._follow()
            case ValidationStarted(upload=upload):
                await keep_trying(lambda: self.records.started(upload))
            case ValidationLine(upload=upload, text=text):
                await keep_trying(lambda: self.records.log(upload, text))
            case Validated(upload=upload, accepted=True):
                accept = partial(self.records.accept, upload, report.games, report.version, report.description)
                if await keep_trying(accept):
                    await self._accepted(upload)
                    await self._tell_decided(upload)
            case Validated(upload=upload):
                await keep_trying(lambda: self.records.reject(upload, report.reason))
                await self._tell_decided(upload)
            case ValidationEnded(upload=upload, why=why):
                log.warning("a validation ended without a result", upload=upload, why=why)
                for rejected in await keep_trying(lambda: self.records.interrupted(why)):
                    await self._tell_decided(rejected)
                await self._look()
            case ErrorOutput(upload=upload, match=match, text=text):
                await keep_trying(lambda: self.records.add_errors(upload, match, text))
            case FilesFree(upload=upload):
                if upload not in self._wanted:
                    self._files.pop(upload, None)
                    await self._tidy()
            case SeatLeft(bot=bot) if self.elsewhere(bot):
                pass  # its token went to another machine
            case SeatLeft(upload=upload, bot=bot, why=why):
                await self.left(upload, bot, why)

    async def _tell_decided(self, upload: int) -> None:
        """Tell other features of a version that was accepted or rejected just now."""
        row = await keep_trying(lambda: self.records.find(upload))
        if row is not None and row.state in ("accepted", "rejected"):
            for follow in self.decided:
                await follow(row)

    async def _accepted(self, upload: int) -> None:
        """Let a version play that was accepted just now."""
        row = next((row for row in await keep_trying(self.records.hosted) if row.id == upload), None)
        if row is not None:
            self._left.pop(row.bot_id, None)
            for follow in self.accepted:
                await follow(row)
        await self._look()


def due_now(waiting: Sequence[UploadRow], now: float) -> tuple[list[UploadRow], float | None]:
    """Return the uploads whose validation is due, and the seconds until another one is; None: none waits."""
    # only those with attempts pause: a clock that was set back must not delay others
    later = [row for row in waiting if row.attempts and row.state == "queued" and row.queued > now]
    due = [row for row in waiting if row not in later]
    return due, min((row.queued - now for row in later), default=None)
