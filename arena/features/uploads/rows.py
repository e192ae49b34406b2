# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the records of uploads, and the errors of these records."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from arena.features.uploads.contents import Language
from arena.store.errors import StoreRejected, Unknown
from web.language import Text

State = Literal["waiting", "queued", "validating", "accepted", "rejected", "withdrawn", "quarantined"]

IN_WORDS: Mapping[State, str] = {
    "waiting": Text("waits for approval"),
    "queued": Text("waits for validation"),
    "validating": Text("is being validated"),
    "accepted": Text("is accepted"),
    "rejected": Text("is rejected"),
    "withdrawn": Text("is withdrawn"),
    "quarantined": Text("is in quarantine"),
}
"""States as owners read them, after the version's number."""

PENDING: tuple[State, ...] = ("waiting", "queued", "validating")
"""States before the result of a validation."""


@dataclass(frozen=True, slots=True)
class UploadRow:
    """An uploaded version of a bot."""

    id: int
    bot_id: int
    number: int
    account_id: int
    digest: str
    language: Language
    file: str
    entry: str
    games: tuple[str, ...]
    label: str
    size: int
    stored: int
    state: State
    reason: str
    log: str
    created: float
    queued: float
    attempts: int
    bot: str
    """The bot's name."""
    owner: str


class NewUpload(NamedTuple):
    """An upload that is to be recorded."""

    bot_id: int
    account_id: int
    digest: str
    language: Language
    file: str
    entry: str
    games: list[str]
    label: str
    size: int
    stored: int
    state: State


class Allowance(NamedTuple):
    """The limits that a new upload must keep; None: no limit."""

    per_day: int | None
    storage: int | None
    storage_all: int
    queue: int


class ErrorOutputRow(NamedTuple):
    """The error output of a version in a match."""

    match: int
    version: int
    text: str
    created: float


class UnknownVersion(Unknown):
    """The bot has no uploaded version of that number."""


class WrongState(StoreRejected):
    """The state of the version does not allow this."""


class TooManyUploads(StoreRejected):
    """A limit on uploads is reached; ``retry_after`` in seconds."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after
