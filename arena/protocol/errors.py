# SPDX-License-Identifier: MIT
"""What can go wrong on a socket: the codes of ``error`` messages and the codes sockets are closed with."""

from enum import IntEnum, StrEnum


class ErrorCode(StrEnum):
    """Why a message was refused. The match, if any, goes on unless the member says otherwise."""

    MALFORMED = "malformed"
    """Not a JSON object, a wrong type, an unknown or a missing field."""
    UNKNOWN_TYPE = "unknown-type"
    """No message is called that."""
    UNEXPECTED = "unexpected"
    """The message does not fit the state of the connection: a second hello, or anything before the first."""
    UNSUPPORTED_PROTOCOL = "unsupported-protocol"
    UNKNOWN_TOKEN = "unknown-token"
    UNKNOWN_GAME = "unknown-game"
    UNKNOWN_MATCH = "unknown-match"
    """No running match of this bot has that number."""
    NOT_YOUR_TURN = "not-your-turn"
    """A move out of turn, or for another ply than the one asked for."""
    ILLEGAL_MOVE = "illegal-move"
    """The rules do not allow the move; the match is lost and ``over`` follows."""
    NO_OFFER = "no-offer"
    """There is no draw offer to answer."""
    UNKNOWN_BOT = "unknown-bot"
    UNKNOWN_CHALLENGE = "unknown-challenge"
    CHALLENGE_REFUSED = "challenge-refused"
    """The opponent is away, full or takes no challenges, or the terms do not fit the arena's."""
    TOO_MANY = "too-many-messages"
    """More messages than a bot can need; slow down."""


class CloseCode(IntEnum):
    """WebSocket close codes; those from 4000 on are the arena's own."""

    NORMAL = 1000
    GOING_AWAY = 1001
    """The arena stops; come back later."""
    UNSUPPORTED_DATA = 1003
    """A binary frame."""
    TOO_BIG = 1009
    INTERNAL_ERROR = 1011
    BAD_MESSAGES = 4400
    """Too many messages that could not be understood."""
    UNKNOWN_TOKEN = 4401
    REMOVED = 4403
    """The bot was removed, or its token rotated."""
    NO_HELLO = 4408
    """No hello in time."""
    REPLACED = 4409
    """The same bot connected again; the newer socket plays on."""
    UNSUPPORTED_PROTOCOL = 4426
    FLOODING = 4429
    TOO_SLOW = 4430
    """The bot did not read what it was sent."""
    FULL = 4503
    """The arena takes no more connections."""
