# SPDX-License-Identifier: MIT
"""Encode and decode messages as JSON text, and the versions, paths and size limit of the protocol.

Errors name the protocol rule that a text breaks.
"""

import contextlib
from collections.abc import Iterator
from typing import TypeVar
from weakref import WeakSet

import msgspec

from arena.protocol.errors import ErrorCode
from arena.protocol.messages import ArenaMessage, BotMessage, FromBot
from arena.protocol.watching import SpectatorMessage, WatchMessage

# the version is raised when an old client could no longer play
PROTOCOL = 1

MAX_MESSAGE = 65_536
"""Bytes in one message; a longer one closes the socket with code 1009."""

PLAY_PATH = "/api/v1/play"
WATCH_PATH = "/api/v1/watch"

EXCHANGE = 6
"""The version of the messages between volunteers' islands and the arena; increased when old clients become
incompatible.
"""


class Refusal(Exception):
    """A text that is no message; ``code`` is for programs, ``message`` for people."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


Message = TypeVar("Message")

_encoder = msgspec.json.Encoder()
_bots: msgspec.json.Decoder[BotMessage] = msgspec.json.Decoder(BotMessage)
_arenas: msgspec.json.Decoder[ArenaMessage] = msgspec.json.Decoder(ArenaMessage)
_spectators: msgspec.json.Decoder[SpectatorMessage] = msgspec.json.Decoder(SpectatorMessage)
_watches: msgspec.json.Decoder[WatchMessage] = msgspec.json.Decoder(WatchMessage)


_examined: WeakSet[type] = WeakSet()
"""The classes that msgspec knows."""


def examine_classes() -> None:
    """Let msgspec examine all loaded subclasses of ``Struct`` in this thread: some milliseconds, once.

    Call it before threads decode. msgspec (0.22) examines a class when it is decoded for the first time, and other
    threads see the unfinished result: two that decode a new class at the same time crash the process.
    """
    for kind in _subclasses(msgspec.Struct):
        if kind not in _examined:
            _examined.add(kind)
            # a class with fields of unknown types is never decoded
            with contextlib.suppress(TypeError, NameError):
                msgspec.json.Decoder(kind)


def _subclasses(kind: type) -> Iterator[type]:
    subclasses: list[type] = kind.__subclasses__()
    for each in subclasses:
        yield each
        yield from _subclasses(each)


def encode(message: FromBot | ArenaMessage | SpectatorMessage | WatchMessage) -> str:
    """Write a message as the text of one frame."""
    return _encoder.encode(message).decode()


def too_big(frame: str | bytes) -> bool:
    """Tell whether a frame has more bytes than MAX_MESSAGE."""
    if len(frame) * 4 <= MAX_MESSAGE:
        return False
    return len(frame if isinstance(frame, bytes) else frame.encode(errors="replace")) > MAX_MESSAGE


def from_bot(text: str) -> BotMessage:
    """Decode a bot's message. Raises Refusal."""
    return _decode(_bots, text)


def from_arena(text: str) -> ArenaMessage:
    """Decode the arena's message to a bot; ignores unknown fields.

    Raises Refusal, with UNKNOWN_TYPE for a message that only a later version of the protocol has.
    """
    return _decode(_arenas, text)


def from_spectator(text: str) -> SpectatorMessage:
    """Decode a spectator's message. Raises Refusal."""
    return _decode(_spectators, text)


def to_spectator(text: str) -> WatchMessage:
    """Decode the arena's message to a spectator. Raises Refusal."""
    return _decode(_watches, text)


def _decode(decoder: msgspec.json.Decoder[Message], text: str) -> Message:
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        known = ErrorCode.UNKNOWN_TYPE if str(error).endswith("at `$.type`") else ErrorCode.MALFORMED
        raise Refusal(known, str(error)[:200]) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Refusal(ErrorCode.MALFORMED, f"not JSON: {error}"[:200]) from None
    except RecursionError:
        raise Refusal(ErrorCode.MALFORMED, "not JSON: nested too deeply") from None
