# SPDX-License-Identifier: MIT
"""Messages between the server and the process that validates and hosts uploaded bots: lines of JSON.

The server writes one line of ``HostingOrders``, and then a line of ``HostingState`` whenever it has changed. The
process writes lines of ``HostingReport``. Tokens go through this pipe only, and into no program of an uploaded bot.
"""

from typing import Literal, TypeAlias

from msgspec import Struct


class UploadedProgram(Struct, frozen=True):
    """The program of an upload."""

    folder: str
    """The folder with its files, which a sandbox shows read-only."""
    entry: str
    """Path of the program in the folder."""
    language: Literal["python", "executable", "wasm", "data"]


class Validation(Struct, frozen=True):
    """An upload that is to be validated."""

    upload: int
    queued: float
    """When it was queued; an upload may be validated again."""
    program: UploadedProgram
    games: list[str]
    """The games that its owner or its manifest names; empty: all games of its hello that the arena offers."""


class UploadSeat(Struct, frozen=True):
    """A bot that is to be connected to the arena."""

    upload: int
    bot: int
    name: str
    token: str
    label: str
    """The version under which it plays."""
    games: list[str]
    program: UploadedProgram


class HostingOrders(Struct, frozen=True):
    """The first line for the process."""

    url: str
    """The address of the play socket."""
    games: list[str]
    """The games of the arena."""
    processes: int
    """Maximum number of bots that are connected at once: each has one process for its match."""
    turn: float
    """Seconds after which a connected bot without a match makes room for one that waits."""
    memory: int
    """Bytes of memory of one program, temporary files included."""
    time_control: str
    """Of the matches of validations."""
    validation_time: float
    """Maximum seconds of a validation, without the time for which the machine keeps the program waiting."""


class HostingState(Struct, frozen=True):
    """All uploads that the process shall work for; replaces the previous state."""

    validations: list[Validation]
    """In order."""
    seats: list[UploadSeat]
    leaving: list[int] = []
    """Uploads that were in ``seats`` or ``validations`` and are not any more: the process reports each of them whose
    files nothing uses.
    """


class ValidationOrders(Struct, frozen=True):
    """The order for a process that validates one upload."""

    orders: HostingOrders
    validation: Validation
    sandboxed: bool = False
    """Whether the machine has a sandbox: where a validation finds none, it cannot decide."""


class SandboxFound(Struct, frozen=True, tag="sandbox"):
    """Which sandbox the machine offers."""

    tier: str
    reasons: list[str]


class ValidationStarted(Struct, frozen=True, tag="started"):
    """A validation has started."""

    upload: int


class ValidationLine(Struct, frozen=True, tag="line"):
    """A line of the log of a validation."""

    upload: int
    text: str


class Validated(Struct, frozen=True, tag="validated"):
    """The result of a validation."""

    upload: int
    accepted: bool
    reason: str = ""
    """Why it was rejected."""
    games: list[str] = []
    """The games that it plays here."""
    version: str = ""
    description: str = ""


class ValidationEnded(Struct, frozen=True, tag="ended"):
    """A validation has ended without a result; the machine may be the cause."""

    upload: int
    why: str


class ErrorOutput(Struct, frozen=True, tag="errors"):
    """The end of the error output of a program in a match."""

    upload: int
    match: int
    text: str


class SeatLeft(Struct, frozen=True, tag="left"):
    """The arena did not let a bot in, or ended its connection for good."""

    upload: int
    bot: int
    why: str


class FilesFree(Struct, frozen=True, tag="free"):
    """No program of an upload runs any more, and none will start: its files may be removed."""

    upload: int


HostingReport: TypeAlias = (
    SandboxFound
    | ValidationStarted
    | ValidationLine
    | Validated
    | ValidationEnded
    | ErrorOutput
    | SeatLeft
    | FilesFree
)  # fmt: skip

KEPT_ERRORS = 16_384
"""Bytes of the error output of a match that a report holds: the last ones."""
LONGEST_LINE = 500
"""Letters of a line of the log of a validation."""
