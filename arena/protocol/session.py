# SPDX-License-Identifier: MIT
"""A bot's connection without I/O: the messages allowed in each state, and the reaction to the others.

The caller passes each message with the time in seconds on a monotonic clock, and carries out the answer. No message of
a peer raises an exception here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, get_args

from arena.protocol import messages as m
from arena.protocol.codec import MAX_MESSAGE, PROTOCOL, Refusal, from_bot, too_big
from arena.protocol.errors import CloseCode, ErrorCode


class ConnectionState(Enum):
    """The state of a connection."""

    NEW = auto()
    """No message was received yet."""
    AUTHENTICATING = auto()
    """Hello was said; the token is being looked up."""
    PLAYING = auto()
    CLOSED = auto()


TRANSITIONS: Mapping[tuple[ConnectionState, type], ConnectionState] = {
    **{
        (ConnectionState.PLAYING, kind): ConnectionState.PLAYING
        for kind in get_args(m.BotMessage)
        if kind is not m.Hello
    },
    (ConnectionState.NEW, m.Hello): ConnectionState.AUTHENTICATING,
    (ConnectionState.AUTHENTICATING, m.Welcome): ConnectionState.PLAYING,
}
"""All messages that a bot may send, with the states that allow them; others are unexpected. Messages from the arena
that are not listed do not change the state.
"""


class Close(NamedTuple):
    """The connection ends: tell the peer ``error`` first if there is one."""

    code: CloseCode
    reason: str
    error: m.Error | None = None


@dataclass(frozen=True, slots=True)
class PeerLimits:
    """The limits of a peer before its connection is closed."""

    rate: float = 50.0
    """Messages a second in the long run, besides one for each that the arena asks for."""
    burst: int = 200
    """Messages at once."""
    bad_messages: int = 20
    """Messages that could not be understood or did not fit, in all."""


GRANTED = 4096.0
"""The most unanswered requests that allow a peer extra messages."""


_THINKING = re.compile(r'"type"\s*:\s*"thinking"')
"""Found in every ``thinking``, and in no other message: in a text of JSON the quotes would be escaped."""

FLOOD = "too many frames or bytes"
"""Close reason for a peer that sends too many frames or bytes, apart from the limit on messages."""


class Gate:
    """Checks for every peer, bot or spectator: text frames, and limits of size, rate and number of invalid messages."""

    def __init__(self, now: float, limits: PeerLimits) -> None:
        """Open the gate at the time ``now``."""
        self._limits = limits
        self._mistakes = 0
        self._reserve = limits.burst / 2
        """Allowance that ``thinking`` leaves to the other messages."""
        self._allowance = float(limits.burst)
        self._refilled = now

    def check(self, frame: str | bytes, now: float) -> Close | None:
        """Tell why a frame ends the connection, if it does."""
        if not self._allowed(now):
            return close(CloseCode.FLOODING, "too many messages", ErrorCode.TOO_MANY)
        if isinstance(frame, bytes):
            return close(CloseCode.UNSUPPORTED_DATA, "messages are JSON in text frames", ErrorCode.MALFORMED)
        if too_big(frame):
            return close(CloseCode.TOO_BIG, f"a message has at most {MAX_MESSAGE} bytes", ErrorCode.MALFORMED)
        return None

    def is_surplus(self, frame: str | bytes, now: float) -> bool:
        """Return whether to drop a frame without counting it: ``thinking``, when half of the allowance is used up."""
        if self._allowance >= self._reserve or isinstance(frame, bytes) or _THINKING.search(frame) is None:
            return False
        self._refill(now)
        return self._allowance < self._reserve

    def grant(self) -> None:
        """Allow a message more, beyond the burst too: the arena asked for it."""
        self._allowance = min(self._allowance + 1, self._limits.burst + GRANTED)

    def mistake(self, code: ErrorCode) -> Close | None:
        """Count a message that made no sense; too many end the connection."""
        self._mistakes += 1
        if self._mistakes > self._limits.bad_messages:
            return close(CloseCode.BAD_MESSAGES, "too many bad messages", code)
        return None

    def _allowed(self, now: float) -> bool:
        self._refill(now)
        self._allowance -= 1
        return self._allowance >= 0

    def _refill(self, now: float) -> None:
        """Token bucket; time fills it up to the burst; allowances above the burst stay."""
        refill = max(0.0, now - self._refilled) * self._limits.rate
        self._refilled = now
        self._allowance = max(self._allowance, min(self._allowance + refill, float(self._limits.burst)))


class Session:
    """One bot's connection: its state, and the messages that it may send."""

    def __init__(self, now: float, limits: PeerLimits | None = None) -> None:
        """Open a session at the time ``now``."""
        self.state = ConnectionState.NEW
        self._gate = Gate(now, limits or PeerLimits())

    def receive(self, frame: str | bytes, now: float) -> m.BotMessage | m.Error | Close | None:
        """Take a frame in and return the message to act on, the error to answer with, or the end.

        None: the session had ended before, or the frame is surplus.
        """
        if self.state is ConnectionState.CLOSED or self._gate.is_surplus(frame, now):
            return None
        end = self._gate.check(frame, now)
        if end or isinstance(frame, bytes):
            self.state = ConnectionState.CLOSED
            return end
        try:
            message = from_bot(frame)
        except Refusal as refusal:
            return self._mistake(refusal.code, refusal.message)
        following = TRANSITIONS.get((self.state, type(message)))
        if following is None:
            text = f"{m.kebab(type(message).__name__)} cannot come {_WHEN[self.state]}"
            return self._mistake(ErrorCode.UNEXPECTED, text)
        if isinstance(message, m.Hello) and message.protocol != PROTOCOL:
            self.state = ConnectionState.CLOSED
            text = f"this arena speaks protocol {PROTOCOL}"
            return close(CloseCode.UNSUPPORTED_PROTOCOL, text, ErrorCode.UNSUPPORTED_PROTOCOL)
        self.state = following
        return message

    def send(self, message: m.ArenaMessage) -> None:
        """Record a message from the arena: ``welcome`` lets the bot play, and requests allow an answer."""
        if message.asks:
            self._gate.grant()
        self.state = TRANSITIONS.get((self.state, type(message)), self.state)

    def end(self) -> None:
        """Record that the connection is closed or closing: further messages are ignored."""
        self.state = ConnectionState.CLOSED

    def _mistake(self, code: ErrorCode, message: str) -> m.Error | Close:
        end = self._gate.mistake(code)
        if end:
            self.state = ConnectionState.CLOSED
        return end or m.Error(code=code, message=message)


def close(code: CloseCode, reason: str, error: ErrorCode | None = None) -> Close:
    """Return the end of a connection, with the error to send first, if any."""
    return Close(code, reason, m.Error(code=error, message=reason, fatal=True) if error else None)


_WHEN = {
    ConnectionState.NEW: "before hello",
    ConnectionState.AUTHENTICATING: "before welcome",
    ConnectionState.PLAYING: "now",
}
