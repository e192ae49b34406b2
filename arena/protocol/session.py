# SPDX-License-Identifier: MIT
"""A bot's side of a connection without I/O: which message may come in which state, and what is done about those that may not.

The caller passes what came in, with the time on any steady clock in seconds, and does what the answer says. Nothing here raises for what a peer sends.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from arena.protocol import messages as m
from arena.protocol.codec import Refusal, from_bot, too_big
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.version import MAX_MESSAGE, PROTOCOL


class State(Enum):
    """Where a connection stands."""

    NEW = auto()
    """Nothing was said yet."""
    AUTHENTICATING = auto()
    """Hello was said; the token is being looked up."""
    PLAYING = auto()
    CLOSED = auto()


TRANSITIONS: Mapping[tuple[State, type], State] = {
    (State.NEW, m.Hello): State.AUTHENTICATING,
    (State.AUTHENTICATING, m.Welcome): State.PLAYING,
    (State.PLAYING, m.Move): State.PLAYING,
    (State.PLAYING, m.Resign): State.PLAYING,
    (State.PLAYING, m.OfferDraw): State.PLAYING,
    (State.PLAYING, m.AnswerDraw): State.PLAYING,
    (State.PLAYING, m.Sync): State.PLAYING,
    (State.PLAYING, m.Availability): State.PLAYING,
    (State.PLAYING, m.Challenge): State.PLAYING,
    (State.PLAYING, m.AnswerChallenge): State.PLAYING,
    (State.PLAYING, m.WithdrawChallenge): State.PLAYING,
}
"""Every message that moves a connection: what is not here is unexpected. The arena's other messages leave the state alone."""


class Close(NamedTuple):
    """The connection ends: tell the peer ``error`` first if there is one."""

    code: CloseCode
    reason: str
    error: m.Error | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What a peer may do before it is shown the door."""

    rate: float = 50.0
    """Messages a second in the long run."""
    burst: int = 200
    """Messages at once."""
    bad_messages: int = 20
    """Messages that could not be understood or did not fit, in all."""


class Session:
    """One connection's state, its message rate and its mistakes."""

    def __init__(self, now: float, limits: Limits | None = None) -> None:
        """Open a session at the time ``now``."""
        self.limits = limits or Limits()
        self.state = State.NEW
        self._mistakes = 0
        self._allowance = float(self.limits.burst)
        self._refilled = now

    def receive(self, frame: str | bytes, now: float) -> m.BotMessage | m.Error | Close | None:
        """Take a frame in: the message to act on, the error to answer with, or the end. None: the session had ended before."""
        if self.state is State.CLOSED:
            return None
        if not self._allowed(now):
            return self.close(CloseCode.FLOODING, "too many messages", ErrorCode.TOO_MANY)
        if isinstance(frame, bytes):
            return self.close(CloseCode.UNSUPPORTED_DATA, "messages are JSON in text frames", ErrorCode.MALFORMED)
        if too_big(frame):
            return self.close(CloseCode.TOO_BIG, f"a message has at most {MAX_MESSAGE} bytes", ErrorCode.MALFORMED)
        try:
            message = from_bot(frame)
        except Refusal as refusal:
            return self._mistake(refusal.code, refusal.message)
        following = TRANSITIONS.get((self.state, type(message)))
        if following is None:
            return self._mistake(ErrorCode.UNEXPECTED, f"{m.kebab(type(message).__name__)} cannot come {_WHEN[self.state]}")
        if isinstance(message, m.Hello) and message.protocol != PROTOCOL:
            text = f"this arena speaks protocol {PROTOCOL}"
            return self.close(CloseCode.UNSUPPORTED_PROTOCOL, text, ErrorCode.UNSUPPORTED_PROTOCOL)
        self.state = following
        return message

    def send(self, message: m.ArenaMessage) -> None:
        """Note what the arena says: ``welcome`` lets the bot play."""
        self.state = TRANSITIONS.get((self.state, type(message)), self.state)

    def close(self, code: CloseCode, reason: str, error: ErrorCode | None = None) -> Close:
        """End the session from the arena's side."""
        self.state = State.CLOSED
        return Close(code, reason, m.Error(code=error, message=reason, fatal=True) if error else None)

    def _mistake(self, code: ErrorCode, message: str) -> m.Error | Close:
        self._mistakes += 1
        if self._mistakes > self.limits.bad_messages:
            return self.close(CloseCode.BAD_MESSAGES, "too many bad messages", code)
        return m.Error(code=code, message=message)

    def _allowed(self, now: float) -> bool:
        """Token bucket."""
        refill = max(0.0, now - self._refilled) * self.limits.rate
        self._refilled = now
        self._allowance = min(self._allowance + refill, float(self.limits.burst)) - 1
        return self._allowance >= 0


_WHEN = {
    State.NEW: "before hello",
    State.AUTHENTICATING: "before welcome",
    State.PLAYING: "now",
}
