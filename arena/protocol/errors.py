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
    """The arena speaks another version of the protocol; the connection is closed."""
    UNKNOWN_TOKEN = "unknown-token"
    """No bot has that token; the connection is closed."""
    TOO_MANY_VERSIONS = "too-many-versions"
    """The version is new, and the bot had as many new ones as it may have in 24 hours; known versions are let in.
    The connection is closed; the text says when another is allowed."""
    UNKNOWN_GAME = "unknown-game"
    """That game is not played here."""
    UNKNOWN_MATCH = "unknown-match"
    """No running match of this bot has that number."""
    ABSENT = "absent"
    """The second match of a pair waits for this bot, which said hello as another version than in the first match, or
    without the game. It loses the match after the grace unless it comes back as before."""
    NOT_YOUR_TURN = "not-your-turn"
    """A move out of turn, or for another ply than the one asked for."""
    ILLEGAL_MOVE = "illegal-move"
    """The rules do not allow the move; the match is lost and ``over`` follows."""
    NO_OFFER = "no-offer"
    """There is no draw offer to answer."""
    UNKNOWN_BOT = "unknown-bot"
    """No bot of that name is connected."""
    UNKNOWN_CHALLENGE = "unknown-challenge"
    """No challenge of that number waits for this bot."""
    CHALLENGE_REFUSED = "challenge-refused"
    """The opponent is away, full or takes no challenges, the terms do not fit the arena's, or a limit
    of matches or of places of built-in bots is reached; the message says which."""
    NOT_READY = "not-ready"
    """The game, or the built-in bot that was challenged, is still being compiled; the message says about how long.
    Challenge again then."""
    TOO_MANY = "too-many-messages"
    """More messages than a bot can need; slow down."""


class CloseCode(IntEnum):
    """WebSocket close codes; those from 4000 on are the arena's own."""

    NORMAL = 1000
    """Nothing is wrong."""
    GOING_AWAY = 1001
    """The arena stops; come back later."""
    UNSUPPORTED_DATA = 1003
    """A binary frame."""
    TOO_BIG = 1009
    """A message with too many bytes."""
    INTERNAL_ERROR = 1011
    """The arena failed; connect again."""
    BAD_MESSAGES = 4400
    """Too many messages that could not be understood; the bot's running matches are lost."""
    UNKNOWN_TOKEN = 4401
    """No bot has that token."""
    REMOVED = 4403
    """The bot was removed, or its token rotated."""
    NO_HELLO = 4408
    """No hello in time."""
    REPLACED = 4409
    """The same bot connected again; the newer socket plays on."""
    TOO_MANY_VERSIONS = 4423
    """The bot had as many new versions as it may have in 24 hours; known versions are let in."""
    UNSUPPORTED_PROTOCOL = 4426
    """The arena speaks another version of the protocol."""
    FLOODING = 4429
    """Too many messages, other frames or bytes in too little time; the bot's running matches are lost."""
    TOO_SLOW = 4430
    """The bot did not read what it was sent."""
    FULL = 4503
    """The arena takes no more connections."""
