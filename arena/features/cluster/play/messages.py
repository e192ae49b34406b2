# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages between nodes. A bot's connection is known by its number, which no other connection ever has."""

import msgspec

from arena import tracing
from arena.protocol.messages import Info, Module
from arena.protocol.watching import Ending
from arena.store.rows import BotRow, VersionRow


class Message(msgspec.Struct, array_like=True, tag=True, frozen=True):
    """A message of one node to another."""


class Traced(Message, frozen=True):
    """A message that belongs to a trace."""

    parent: str
    """The trace context of the sender."""
    body: bytes
    """The message."""


class Node(Message, frozen=True):
    """What the sender does."""

    referees: bool
    """Whether it referees matches."""


# ---------------------------------------------------------------- bots


class Entered(Message, frozen=True):
    """A bot is connected to the sender."""

    number: int
    bot: BotRow
    version: VersionRow
    games: tuple[str, ...]
    capacity: int
    legal_moves: bool
    ladder: bool
    challenges: bool
    open_info: bool
    people: bool
    ratings: dict[str, float]
    module: Module | None
    hosted: bool
    """Whether a process of the sender runs it."""
    trip: float
    """Round-trip time between the sender and the bot, in seconds."""


class Departed(Message, frozen=True):
    """A bot's connection to the sender is gone."""

    number: int
    forfeit: str
    """Why it loses its matches, or ""."""


class Available(Message, frozen=True):
    """A bot that is connected to the sender has changed its availability."""

    number: int
    ladder: bool
    challenges: bool


class Heard(Message, frozen=True):
    """A bot that is connected to the sender sent a message, for the receiver to handle."""

    number: int
    text: str
    """The message as the bot protocol has it."""
    thought: float | None
    """Seconds between the turn and its move, as the sender measured them."""
    trip: float
    """As in Entered."""


class Told(Message, frozen=True):
    """A message for a bot that is connected to the receiver."""

    number: int
    text: str
    """The message as the bot protocol has it."""


class Confirm(Message, frozen=True):
    """Ask the receiver to answer, after all that its bots sent before."""

    ticket: int


class Confirmed(Message, frozen=True):
    """The answer to Confirm."""

    ticket: int


# ---------------------------------------------------------------- matches


class Referee(Message, frozen=True):
    """The receiver is to referee matches, as the database says."""

    matches: list[int]


class Over(Message, frozen=True):
    """A match that the sender refereed is over, or the sender referees it no more."""

    match: int
    following: int | None
    """The match of the same bots that the sender referees next, if any."""


class HandedOver(Message, frozen=True):
    """The sender referees no match any more; its matches need other referees."""


class Abort(Message, frozen=True):
    """Ask the receiver to void a match that it referees."""

    match: int
    reason: str


class Counted(Message, frozen=True):
    """What the sender counted for a limit of the arena."""

    limit: str
    """Its name."""
    left: dict[str, float]
    """Seconds until nothing of an address or account is counted any more."""


class TournamentNews(Message, frozen=True):
    """A tournament has changed."""

    tournament: int


# ---------------------------------------------------------------- spectators


class Watch(Message, frozen=True):
    """Ask the receiver to show the sender a match that it referees."""

    match: int


class Watching(Message, frozen=True):
    """The answer to Watch: from here on the receiver is shown the match, or it is not refereed here."""

    match: int
    found: bool


class Unwatch(Message, frozen=True):
    """Show the sender a match no more."""

    match: int


class ShownMove(Message, frozen=True):
    """A move in a match that the receiver watches."""

    match: int
    event: str
    """The event as the record has it."""


class ShownTurn(Message, frozen=True):
    """A clock runs in a match that the receiver watches."""

    match: int
    to_move: int
    clocks: tuple[int, int] | None


class ShownEnd(Message, frozen=True):
    """A match that the receiver watches is over."""

    match: int
    ending: Ending
    clocks: tuple[int, int] | None


class ShownThought(Message, frozen=True):
    """Search info of the side to move in a match that the receiver watches."""

    match: int
    bot: int
    ply: int
    info: Info


AnyMessage = (
    Node
    | Entered
    | Departed
    | Available
    | Heard
    | Told
    | Confirm
    | Confirmed
    | Referee
    | Over
    | HandedOver
    | Abort
    | Counted
    | TournamentNews
    | Watch
    | Watching
    | Unwatch
    | ShownMove
    | ShownTurn
    | ShownEnd
    | ShownThought
)

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[AnyMessage | Traced] = msgspec.msgpack.Decoder(AnyMessage | Traced)
_untraced: msgspec.msgpack.Decoder[AnyMessage] = msgspec.msgpack.Decoder(AnyMessage)


def encode(message: AnyMessage) -> bytes:
    """Write a message; while a span is recorded, the message belongs to its trace."""
    body = _encoder.encode(message)
    parent = tracing.traceparent()
    return _encoder.encode(Traced(parent, body)) if parent else body


def decode(body: bytes) -> tuple[AnyMessage, str]:
    """Read a message, and the trace context of its sender; "" if it belongs to no trace. Raises ValueError."""
    message = _decoder.decode(body)
    return (_untraced.decode(message.body), message.parent) if isinstance(message, Traced) else (message, "")
