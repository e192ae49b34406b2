# SPDX-License-Identifier: MIT
"""Messages between runners (machines that host bots for an arena) and the arena: frames of JSON on a WebSocket.

The runner opens the socket with its token in the header Authorization and says ``Offer``. The arena answers ``Taken``
or ``Declined``. From then on the runner sends ``Beat`` every second, and the arena sends bots to host: built-in bots by
``Host`` and ``Release``, uploaded bots by ``HostUploads``, which replaces the list before. Bots connect to the arena's
play socket, each with the token that came with it. A runner that stops says ``Leave``, and ends once the arena says
``Dismissed``.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from arena.protocol.hosting import ErrorOutput, HostingOrders, SeatLeft
from arena.protocol.orders import HostedBot

RUNNERS = 1
"""Version of these messages."""

RUNNER_PATH = "/api/v1/runner"
"""Path of the socket."""
UPLOADS_PATH = "/api/v1/runner/uploads"
"""Path of the files of uploads: the number of a version follows."""

BEAT = 1.0
"""Seconds between two beats of a runner."""

Count = Annotated[int, Meta(ge=0, le=2**53)]
Name = Annotated[str, Meta(max_length=120)]
Why = Annotated[str, Meta(max_length=2000)]


class Offer(Struct, frozen=True, tag="offer"):
    """What a runner offers; its first message."""

    protocol: Count
    """``RUNNERS`` of the runner."""
    version: Name
    """The version of bot-arena on the runner."""
    run: Annotated[str, Meta(min_length=8, max_length=64)]
    """Chosen at random by each process: the same process connects again after its connection was lost."""
    platform: Name
    cores: Annotated[int, Meta(ge=1, le=65_536)]
    memory: Count
    """Bytes for the processes of uploaded bots."""
    speed: Annotated[float, Meta(ge=0, le=1e15)]
    """Nodes per second of a fixed search on one core."""
    sandbox: Annotated[str, Meta(max_length=40)]
    """The sandbox's tier; "none": it runs no Python files and no executables of others."""


class Beat(Struct, frozen=True, tag="beat"):
    """The runner works."""

    free: Annotated[int, Meta(ge=0, le=65_536)]
    """Cores that are free for searches, by the load of the machine."""


class Preparing(Struct, frozen=True, tag="preparing"):
    """What the process of built-in bots compiles."""

    what: Why


class Prepared(Struct, frozen=True, tag="prepared"):
    """The process of built-in bots can play: bots that come enter at once."""


class Ended(Struct, frozen=True, tag="ended"):
    """The process of built-in bots has ended; it starts again, and prepares again."""


class Refused(Struct, frozen=True, tag="refused"):
    """The arena did not let in a built-in bot with its token."""

    bot: Name


class Leave(Struct, frozen=True, tag="leave"):
    """The runner stops: its bots shall move first."""


class Taken(Struct, frozen=True, tag="taken"):
    """The arena takes the runner on."""

    runner: str
    """The name of the runner."""
    bots: list[HostedBot]
    """The built-in bots to prepare; none has a token."""
    games: list[str]
    uploads: HostingOrders
    """For the process of uploaded bots; the runner fills in the address, and the number of processes at most."""
    caps: tuple[int, int]
    """Of the files of an upload: bytes together, and number."""


class Declined(Struct, frozen=True, tag="declined"):
    """The arena does not take the runner on."""

    code: Literal["version", "taken", "full", "invalid"]
    why: str
    again: bool = False
    """Whether a later attempt may succeed."""


class Host(Struct, frozen=True, tag="host"):
    """Built-in bots that play on the runner from now on, with fresh tokens."""

    bots: list[HostedBot]


class Release(Struct, frozen=True, tag="release"):
    """Built-in bots that play elsewhere from now on; their tokens are void."""

    bots: list[str]


class RemoteUpload(Struct, frozen=True):
    """An uploaded bot that plays on the runner; its file is at ``UPLOADS_PATH``."""

    upload: int
    bot: int
    name: str
    token: str
    label: str
    games: list[str]
    entry: str
    language: Literal["python", "executable", "wasm", "data"]
    file: str
    """Name of the uploaded file, for its ending."""
    digest: str
    """SHA-256 of the uploaded file."""


class HostUploads(Struct, frozen=True, tag="uploads"):
    """All uploaded bots that play on the runner; replaces the list before."""

    bots: list[RemoteUpload]


class Dismissed(Struct, frozen=True, tag="dismissed"):
    """None of the runner's bots plays there any more; it may end."""


FromRunner: TypeAlias = (
    Offer | Beat | Preparing | Prepared | Ended | Refused | ErrorOutput | SeatLeft | Leave
)  # fmt: skip
ToRunner: TypeAlias = Taken | Declined | Host | Release | HostUploads | Dismissed
