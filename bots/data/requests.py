# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages between the server that starts programs of data bots and its client. Imported without the engine."""

from typing import TypeAlias

from msgspec import Struct

READY = b"ready"
"""The server's first message."""


class Request(Struct, frozen=True):
    """A program that is to be started."""

    file: str
    game: str


class Started(Struct, frozen=True, tag="started"):
    """The program runs."""

    pid: int


class Ended(Struct, frozen=True, tag="ended"):
    """The program has ended; a negative status is the signal that ended it."""

    status: int


Report: TypeAlias = Started | Ended
