# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of uploaded versions: for the owner of the bot, and for administrators."""

import asyncio
import errno
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import Annotated

import structlog
from msgspec import Meta, Struct

from arena.application import Arena
from arena.features.accounts.access import ADMINISTRATOR, SIGNED_IN, SUBMIT, changeable
from arena.features.accounts.rows import Account
from arena.features.uploads.data_bots import data_options
from arena.features.uploads.part import UploadsPart
from arena.features.uploads.rows import State, TooManyUploads, UploadRow, WrongState
from arena.features.uploads.unpacking import BadFile
from arena.protocol.data_bots import DataBotOptions
from arena.store.rows import BotRow
from web.api.endpoint import Answer, Download, Endpoint, Number, OnePage, Query, RawBody
from web.errors import BadRequest, Conflicting, NotFound, RequestError, TooManyRequests

log = structlog.get_logger("arena.uploads")

UPLOAD_TIME = 120.0
"""Seconds within which an uploaded file must arrive."""

ERRORS = {403: "The bot belongs to another account, or the token lacks a scope."}
UPLOAD_ERRORS = ERRORS | {
    429: "A limit on uploads is reached; the header Retry-After names the seconds to wait.",
    507: "The server has no room on its disk.",
}


class OneUpload(Query, frozen=True):
    """Parameters: the number of a bot, and of one of its uploaded versions."""

    id: Number
    """Number of the bot."""
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    """Number of the upload among the uploads of the bot, from 1."""


class PageOfBot(OnePage, frozen=True, kw_only=True):
    """Parameters: the number of a bot, and a page of a list."""

    id: Number
    """Number of the bot."""


class NewVersion(Query, frozen=True):
    """Parameters of an upload."""

    id: Number
    """Number of the bot."""
    file: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            description="Name of the file. The server recognises Python files by the file name extension `.py`.",
        ),
    ]
    games: Annotated[
        str,
        Meta(
            max_length=2000,
            description="Games of the version, separated by commas. Empty: all games that the bot names.",
        ),
    ] = ""


class PageOfUploads(OnePage, frozen=True):
    """Parameters: a page of all uploads."""

    state: State | None = None
    """Only uploads in this state; default: in all states."""


class VersionAction(Struct, frozen=True):
    """A body without fields."""


class UploadAnswer(Answer, frozen=True):
    """An uploaded version."""

    bot: int
    """Number of the bot."""
    name: str
    """Name of the bot."""
    owner: str
    """Name of the account that manages the bot; empty: none."""
    version: int
    """Number of this upload among the uploads of the bot, from 1."""
    label: str
    """The version under which it plays, to which its ratings belong; empty until it is known."""
    state: State
    """waiting (for approval), queued, validating, accepted, rejected, withdrawn or quarantined."""
    reason: str
    """Why it was rejected or is in quarantine; else empty."""
    absent: str
    """Why an accepted version is not connected although it should be; else empty."""
    language: str
    """python, executable, wasm or data."""
    file: str
    """Name of the uploaded file."""
    games: list[str]
    """The games that it plays; empty until they are known."""
    digest: str
    """SHA-256 of the uploaded file, in hexadecimal digits."""
    size: int
    """Bytes of the uploaded file."""
    created: float


class UploadDetailAnswer(UploadAnswer, frozen=True):
    """An uploaded version with the log of its validation."""

    log: list[str]
    """Lines of the log."""


class UploadsAnswer(Answer, frozen=True):
    """A page of uploaded versions, the newest first."""

    items: list[UploadAnswer]
    next: str | None


class SandboxAnswer(Answer, frozen=True):
    """The sandbox in which uploaded bots run."""

    tier: str
    """bubblewrap, namespaces or none."""
    reasons: list[str]
    """Why better tiers are not used."""


class AllUploadsAnswer(UploadsAnswer, frozen=True):
    """A page of the uploaded versions of all bots, the newest first."""

    sandbox: SandboxAnswer | None
    """null before the first upload, when the server checks which sandbox works."""


class ErrorOutputAnswer(Answer, frozen=True):
    """The end of the error output of a bot in a match."""

    match: int
    version: int
    """Number of the upload that played, among the uploads of the bot."""
    text: str
    """The last lines that the bot wrote to its standard error during the match."""
    created: float


class ErrorOutputsAnswer(Answer, frozen=True):
    """A page of the error output of a bot by match, the newest first."""

    items: list[ErrorOutputAnswer]
    next: str | None


async def upload_version(arena: Arena, account: Account, query: NewVersion, body: RawBody) -> UploadDetailAnswer:
    """Upload a new version of a bot: a Python file, a zip, a WebAssembly module, an executable or a data bot."""
    bot = await _own(arena, account, query.id)
    games = [name for name in (part.strip() for part in query.games.split(",")) if name]
    for name in games:
        if name not in arena.registry.games:
            raise BadRequest(f"this arena does not offer {name[:40]!r}; it offers {', '.join(arena.registry.games)}")
    part = arena.part(UploadsPart)

    async def read() -> bytes:
        return await body.read(part.settings.upload_bytes, UPLOAD_TIME)

    with _refusals():
        return _detail(arena, await part.submit(account, bot, query.file, games, read))


async def list_versions(arena: Arena, account: Account, query: PageOfBot) -> UploadsAnswer:
    """Return the uploaded versions of a bot, the newest first."""
    bot = await changeable(arena, account, query.id)
    page = await arena.part(UploadsPart).records.of_bot(bot.id, after=query.after, limit=query.limit)
    return UploadsAnswer(items=[_answer(arena, row) for row in page.items], next=page.next)


async def get_version(arena: Arena, account: Account, query: OneUpload) -> UploadDetailAnswer:
    """Return an uploaded version with the log of its validation."""
    return _detail(arena, await _version(arena, account, query))


async def get_version_file(arena: Arena, account: Account, query: OneUpload) -> Download:
    """Return the file of an uploaded version."""
    upload = await _version(arena, account, query)
    try:
        body = await arena.part(UploadsPart).read(upload)
    except FileNotFoundError:
        raise NotFound(f"the file of version {upload.number} was removed when the version was withdrawn") from None
    return Download(body=body, filename=re.sub(r"[^\w. +-]", "_", upload.file, flags=re.ASCII) or "bot")


async def approve_version(arena: Arena, account: Account, query: OneUpload, body: VersionAction) -> UploadDetailAnswer:
    """Approve a version that waits for approval; the server then validates it."""
    return await _changed(arena, account, query, arena.part(UploadsPart).approve)


async def validate_version(arena: Arena, account: Account, query: OneUpload, body: VersionAction) -> UploadDetailAnswer:
    """Validate a version again, whatever its result was."""
    await _own(arena, account, query.id)
    with _refusals():
        return await _changed(arena, account, query, partial(arena.part(UploadsPart).validate, account))


async def withdraw_version(arena: Arena, account: Account, query: OneUpload, body: VersionAction) -> UploadDetailAnswer:
    """Withdraw a version: the bot no longer plays with it, and its file is removed."""
    return await _changed(arena, account, query, arena.part(UploadsPart).withdraw)


async def list_error_outputs(arena: Arena, account: Account, query: PageOfBot) -> ErrorOutputsAnswer:
    """Return the error output of an uploaded bot by match, the newest first."""
    bot = await changeable(arena, account, query.id)
    page = await arena.part(UploadsPart).records.errors(bot.id, after=query.after, limit=query.limit)
    return ErrorOutputsAnswer(items=[ErrorOutputAnswer.of(row) for row in page.items], next=page.next)


async def list_uploads(arena: Arena, query: PageOfUploads) -> AllUploadsAnswer:
    """Return the uploaded versions of all bots, the newest first."""
    part = arena.part(UploadsPart)
    states = () if query.state is None else (query.state,)
    page = await part.records.all(states=states, after=query.after, limit=query.limit)
    return AllUploadsAnswer(
        items=[_answer(arena, row) for row in page.items],
        next=page.next,
        sandbox=None if part.sandbox is None else SandboxAnswer.of(part.sandbox),
    )


async def list_data_bot_options(arena: Arena) -> DataBotOptions:
    """Return the allowed contents of a data bot: searches, switches, limits, parameters and evaluations, documented."""
    return await asyncio.to_thread(data_options, list(arena.registry.games.values()))


async def _own(arena: Arena, account: Account, bot_id: int) -> BotRow:
    """Return a bot of which an account may upload versions. Raises RequestError."""
    bot = await changeable(arena, account, bot_id)
    if bot.kind != "own":
        raise Conflicting(f"{bot.name} is a built-in bot, which has no uploads")
    return bot


async def _version(arena: Arena, account: Account, query: OneUpload) -> UploadRow:
    bot = await changeable(arena, account, query.id)
    return await arena.part(UploadsPart).records.get(bot.id, query.version)


async def _changed(
    arena: Arena, account: Account, query: OneUpload, change: Callable[[UploadRow], Awaitable[UploadRow]]
) -> UploadDetailAnswer:
    try:
        return _detail(arena, await change(await _version(arena, account, query)))
    except WrongState as error:
        raise Conflicting(str(error)) from None


@contextmanager
def _refusals() -> Iterator[None]:
    """Convert the errors of an upload to answers."""
    try:
        yield
    except BadFile as error:
        raise RequestError(HTTPStatus.BAD_REQUEST, "bad-file", str(error)) from None
    except TooManyUploads as error:
        raise TooManyRequests(str(error), error.retry_after) from None
    except OSError as error:
        log.error("an upload could not be stored", why=str(error))
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        status, why = (507, "the disk is full") if full else (503, "its disk failed")
        raise RequestError(status, "not-stored", f"the server could not store the file: {why}") from None


def _answer(arena: Arena, row: UploadRow) -> UploadAnswer:
    return UploadAnswer.of(row, bot=row.bot_id, name=row.bot, version=row.number, absent=_absent(arena, row))


def _detail(arena: Arena, row: UploadRow) -> UploadDetailAnswer:
    lines = row.log.splitlines()
    return UploadDetailAnswer.of(
        row, bot=row.bot_id, name=row.bot, version=row.number, absent=_absent(arena, row), log=lines
    )


def _absent(arena: Arena, row: UploadRow) -> str:
    return arena.part(UploadsPart).absent(row)


_VERSIONS = "/api/v1/bots/{id}/versions"
_VERSION = f"{_VERSIONS}/{{version}}"
ENDPOINTS: Sequence[Endpoint] = (
    Endpoint("POST", _VERSIONS, upload_version, access=SUBMIT, errors=UPLOAD_ERRORS),
    Endpoint("GET", _VERSIONS, list_versions, access=SIGNED_IN, errors=ERRORS),
    Endpoint("GET", _VERSION, get_version, access=SIGNED_IN, errors=ERRORS),
    Endpoint("GET", f"{_VERSION}/file", get_version_file, access=SUBMIT, errors=ERRORS),
    Endpoint("POST", f"{_VERSION}/approve", approve_version, access=ADMINISTRATOR, errors=ERRORS),
    Endpoint("POST", f"{_VERSION}/validate", validate_version, access=SUBMIT, errors=UPLOAD_ERRORS),
    Endpoint("POST", f"{_VERSION}/withdraw", withdraw_version, access=SUBMIT, errors=ERRORS),
    Endpoint("GET", "/api/v1/bots/{id}/logs", list_error_outputs, access=SIGNED_IN, errors=ERRORS),
    Endpoint("GET", "/api/v1/data-bots/options", list_data_bot_options, cache="max-age=60"),
    Endpoint("GET", "/api/v1/uploads", list_uploads, access=ADMINISTRATOR, errors=ERRORS),
)
