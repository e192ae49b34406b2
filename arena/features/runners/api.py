# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of runners: their administration, the files that they fetch, their socket, and the runners of a match."""

from collections.abc import Sequence
from typing import Literal

from aiohttp import web
from msgspec import Struct

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.features.accounts.access import ADMINISTRATOR
from arena.features.accounts.rows import Account
from arena.features.runners.machines import ConnectedRunner
from arena.features.runners.part import RunnersPart
from arena.features.runners.rows import HostedRow, RunnerRow, UnknownRunner
from arena.features.uploads.part import UploadsPart
from arena.protocol.runner_messages import RUNNER_PATH, UPLOADS_PATH
from arena.store.errors import BadName, NameTaken
from web.api.access import OPERATOR, Access, token_of
from web.api.endpoint import Answer, Download, Endpoint, One
from web.clients import client_of
from web.errors import BadRequest, Conflicting, NotAllowed, NotFound
from web.keys import ARENA
from web.sockets import carry, opened

State = Literal["playing", "preparing", "stopping", "unconnected"]


class ConnectionAnswer(Answer, frozen=True):
    """A runner's connection."""

    address: str
    """Network address from which the runner is connected."""
    since: float
    """Unix time in seconds at which it connected."""
    version: str
    """Version of bot-arena on the runner."""
    platform: str
    """Operating system and processor of the runner, as it says."""
    cores: int
    """Cores that count."""
    free: int
    """Cores that are free for turns now."""
    memory: int
    """Bytes that it offers for the processes of uploaded bots."""
    speed: float
    """Nodes per second of a fixed search on one core of the runner."""
    sandbox: str
    """Sandbox for uploaded Python files and executables; "none": it runs only WebAssembly and data bots."""
    built_in: list[str]
    """Names of the built-in bots that it hosts."""
    uploaded: list[str]
    """Names of the uploaded bots that it hosts."""
    state: State
    """playing: it hosts its share of bots; preparing: it compiles the built-in bots, and hosts uploaded ones already;
    stopping: its bots move elsewhere; unconnected: it gets no bots, because those that it had did not connect to the
    arena.
    """
    compiling: str
    """While it prepares: what it compiles, such as "play for chess"; empty: nothing is known."""


class RunnerAnswer(Answer, frozen=True):
    """A runner that operators registered."""

    id: int
    """Number of the runner."""
    name: str
    """Name of the runner."""
    created: float
    """Unix time in seconds at which it was registered."""
    seen: float | None
    """Unix time in seconds at which the runner was connected last; null: never."""
    connection: ConnectionAnswer | None
    """null: the runner is not connected."""


class RunnersAnswer(Answer, frozen=True):
    """All runners, in the order of registration."""

    items: list[RunnerAnswer]


class RunnerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A new runner."""

    name: str
    """1 to 40 printable letters."""


class RemoveRunnerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The runner whose token is revoked."""

    name: str
    """Name of the runner."""


class RunnerRemoved(Answer, frozen=True):
    """A runner that was removed."""

    removed: str
    """Name of the runner."""


class NewRunnerAnswer(Answer, frozen=True):
    """A new runner with its token."""

    id: int
    """Number of the runner."""
    name: str
    """Name of the runner."""
    token: str
    """The token for `arena runner`. It is not shown again."""


class MatchRunnerAnswer(Answer, frozen=True):
    """A time during which a bot of a match was hosted by a runner."""

    bot: int
    """Number of the bot."""
    runner: str
    """Name of the runner."""
    version: str
    """Version of bot-arena on the runner."""
    platform: str
    """Operating system and processor of the runner, as it says."""
    speed: float
    """Nodes per second of a fixed search on one core of the runner."""
    cores: int
    """Cores of the runner that counted."""
    began: float
    """Unix time in seconds at which the runner began to host the bot; it may be before the match."""
    ended: float | None
    """When it ceased to host the bot; null while it lasts."""


class MatchRunnersAnswer(Answer, frozen=True):
    """The runners on which the bots of a match computed, in the order of time. Empty: the server, or the authors'
    machines.
    """

    items: list[MatchRunnerAnswer]


async def find_runner(request: web.Request) -> RunnerRow:
    """Return the runner that sent a request, by its token. Raises NotAllowed."""
    row = await request.app[ARENA].part(RunnersPart).identify(token_of(request, "a runner's"))
    if row is None:
        raise NotAllowed("this token does not belong to a runner; `arena runners add` creates one")
    return row


RUNNER = Access("runner", find_runner)


async def list_runners(arena: Arena) -> RunnersAnswer:
    """List the runners: machines that host bots for the arena."""
    part = arena.part(RunnersPart)
    uploads = {row.bot_id: row.bot for row in await arena.part(UploadsPart).records.hosted()}
    rows = await part.records.all()
    return RunnersAnswer(items=[_answer(arena, row, part.connected.get(row.id), uploads) for row in rows])


async def add_runner(arena: Arena, account: Account, body: RunnerRequest) -> NewRunnerAnswer:
    """Register a runner; the answer has its token, once."""
    token = make_token()
    try:
        row = await arena.part(RunnersPart).records.add(body.name, hash_token(token))
    except BadName as error:
        raise BadRequest(str(error), "name") from None
    except NameTaken as error:
        raise Conflicting(str(error)) from None
    return NewRunnerAnswer(id=row.id, name=row.name, token=token)


async def remove_runner(arena: Arena, account: Account, body: RemoveRunnerRequest) -> RunnerRemoved:
    """Revoke the token of a runner; its bots are hosted elsewhere."""
    try:
        await arena.part(RunnersPart).remove(body.name)
    except UnknownRunner as error:
        raise NotFound(str(error)) from None
    return RunnerRemoved(removed=body.name)


async def list_match_runners(arena: Arena, query: One) -> MatchRunnersAnswer:
    """List the runners on which the bots of a match computed, with their measured speed.

    A live anonymous match shows none: they would tell its bots.
    """
    found = await _runners_of(arena, query.id)
    if found is None:
        raise NotFound(f"no match has the number {query.id}")
    return MatchRunnersAnswer(items=[MatchRunnerAnswer.of(each, bot=each.bot_id) for each in found])


async def has_runners(arena: Arena, match: int) -> bool:
    """Return whether the page of a match has a section of its runners."""
    return bool(await _runners_of(arena, match))


async def _runners_of(arena: Arena, match: int) -> Sequence[HostedRow] | None:
    """Return the runners that a match shows; None if there is no such match."""
    row = await arena.store.matches.row(match)
    if row is None:
        return None
    if row.anonymous and row.status == "live":
        return []
    bots = {side.bot_id for side in row.players}
    return await arena.part(RunnersPart).records.during(bots, row.started, row.finished)


async def get_runner_upload(arena: Arena, row: RunnerRow, query: One) -> Download:
    """Send a runner the file of an upload that it hosts."""
    part, uploads = arena.part(RunnersPart), arena.part(UploadsPart)
    runner = part.connected.get(row.id)
    upload = await uploads.records.find(query.id)
    if runner is None or upload is None or query.id not in runner.uploaded.values():
        raise NotFound("this runner does not host such an upload")
    try:
        return Download(body=await uploads.read(upload), filename="upload")
    except OSError:
        raise NotFound("the file of this upload is gone") from None


async def connect_runner(arena: Arena, request: web.Request, row: RunnerRow) -> web.WebSocketResponse:
    """Serve the socket of a runner."""
    socket = await opened(request)
    connection = arena.part(RunnersPart).accept(row, client_of(request).address)
    return await carry(request, socket, connection)


def _answer(arena: Arena, row: RunnerRow, runner: ConnectedRunner | None, uploads: dict[int, str]) -> RunnerAnswer:
    return RunnerAnswer(
        id=row.id,
        name=row.name,
        created=row.created,
        seen=row.seen,
        connection=None if runner is None else _connection(arena, runner, uploads),
    )


def _connection(arena: Arena, runner: ConnectedRunner, uploads: dict[int, str]) -> ConnectionAnswer:
    offer = runner.offer
    return ConnectionAnswer(
        address=runner.connection.address,
        since=runner.since,
        version=offer.version,
        platform=offer.platform,
        cores=runner.cores,
        free=max(0, runner.usable - arena.processor_time.held(runner.machine)),
        memory=offer.memory,
        speed=offer.speed,
        sandbox=offer.sandbox,
        built_in=sorted(runner.built_in),
        uploaded=sorted(uploads.get(bot, str(bot)) for bot in runner.uploaded),
        state=_state(runner),
        compiling="" if runner.prepared else runner.preparing,
    )


def _state(runner: ConnectedRunner) -> State:
    if runner.leaving:
        return "stopping"
    if runner.fault:
        return "unconnected"
    return "playing" if runner.prepared else "preparing"


ENDPOINTS = (
    Endpoint("GET", "/api/v1/runners", list_runners, access=OPERATOR),
    Endpoint("POST", "/api/v1/runners", add_runner, access=ADMINISTRATOR),
    Endpoint("POST", "/api/v1/runners/remove", remove_runner, access=ADMINISTRATOR),
    Endpoint("GET", "/api/v1/matches/{id}/runners", list_match_runners),
    Endpoint("GET", f"{UPLOADS_PATH}/{{id}}", get_runner_upload, access=RUNNER),
    Endpoint("GET", RUNNER_PATH, connect_runner, access=RUNNER),
)
