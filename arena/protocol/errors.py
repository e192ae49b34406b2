# SPDX-License-Identifier: MIT
"""Errors on a socket: codes of ``error`` messages, and close codes."""

from enum import IntEnum, StrEnum


class ErrorCode(StrEnum):
    """The reason of a refused message. The match continues unless the member says otherwise."""

    MALFORMED = "malformed"
    """Not a JSON object, a wrong type, an unknown or a missing field."""
    UNKNOWN_TYPE = "unknown-type"
    """There is no message of this type."""
    UNEXPECTED = "unexpected"
    """The message does not fit the state of the connection: a second hello, or any message before the first."""
    UNSUPPORTED_PROTOCOL = "unsupported-protocol"
    """The arena speaks another version of the protocol; the connection is closed."""
    UNKNOWN_TOKEN = "unknown-token"
    """The token is unknown; the connection is closed."""
    TOO_MANY_VERSIONS = "too-many-versions"
    """The version is new, and the bot has reached its limit of new versions in 24 hours; known versions are accepted.
    The connection is closed; the text has the time of the next possible version.
    """
    UNKNOWN_GAME = "unknown-game"
    """The arena does not offer this game."""
    UNKNOWN_MATCH = "unknown-match"
    """No running match of this bot has that number."""
    ABSENT = "absent"
    """The second match of a pair waits for this bot, but its hello has another version than in the first match, or
    lacks the game. The bot loses the match after the reconnection time, unless it returns with that version and game.
    """
    NOT_YOUR_TURN = "not-your-turn"
    """A move out of turn, or for another ply than the one asked for."""
    ILLEGAL_MOVE = "illegal-move"
    """The move is illegal. A bot that plays it loses the match, and ``over`` follows; a person may play another
    move.
    """
    NO_OFFER = "no-offer"
    """There is no draw offer to answer."""
    UNKNOWN_BOT = "unknown-bot"
    """No bot of that name is connected."""
    UNKNOWN_CHALLENGE = "unknown-challenge"
    """No challenge of that number waits for this bot."""
    CHALLENGE_REFUSED = "challenge-refused"
    """The opponent is absent, busy or accepts no challenges, the arena does not allow the conditions, or a limit of
    matches is reached; the message names the reason.
    """
    NOT_READY = "not-ready"
    """The game or the challenged built-in bot is still being compiled; the message estimates the time. Challenge again
    later.
    """
    TOO_MANY = "too-many-messages"
    """Too many messages per second; send fewer."""


class CloseCode(IntEnum):
    """WebSocket close codes; those from 4000 on are the arena's own."""

    NORMAL = 1000
    """Normal closure."""
    GOING_AWAY = 1001
    """The arena stops; reconnect later."""
    UNSUPPORTED_DATA = 1003
    """A binary frame."""
    TOO_BIG = 1009
    """The message is too long."""
    INTERNAL_ERROR = 1011
    """Internal error; reconnect."""
    BAD_MESSAGES = 4400
    """Too many invalid messages; the bot's running matches are lost."""
    UNKNOWN_TOKEN = 4401
    """The token is unknown."""
    REMOVED = 4403
    """The bot was removed, or its token rotated."""
    NO_HELLO = 4408
    """No hello within the time limit."""
    REPLACED = 4409
    """The same bot connected again; the newer socket continues."""
    TOO_MANY_VERSIONS = 4423
    """The bot has reached its limit of new versions in 24 hours; known versions are accepted."""
    UNSUPPORTED_PROTOCOL = 4426
    """The arena speaks another version of the protocol."""
    FLOODING = 4429
    """Too many messages, other frames or bytes per second; the bot's running matches are lost."""
    TOO_SLOW = 4430
    """The bot did not read its messages."""
    FULL = 4503
    """The arena accepts no more connections."""
