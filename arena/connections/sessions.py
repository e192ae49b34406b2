# SPDX-License-Identifier: GPL-3.0-or-later
"""Bot sessions, independent of the transport: outgoing queue, connection, and the roster of connected bots."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

import structlog

from arena.monitoring import Metrics
from arena.protocol.codec import encode
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.messages import ArenaMessage, BotMessage, Error, Goodbye, Module
from arena.protocol.session import FLOOD, Close, ConnectionState, Session, close
from arena.store.rows import BotRow, VersionRow

log = structlog.get_logger("arena.connections.sessions")

_numbers = count(1)


class Outbox:
    """Bounded queue of outgoing frames; a peer that does not read is disconnected when the queue is full."""

    def __init__(self, messages: int, size: int) -> None:
        """``messages``: maximum number of frames; ``size``: maximum number of characters."""
        self._messages = messages
        self._size = size
        self._frames: list[str] = []  # almost always empty, and then a tenth of an empty deque
        self._held = 0
        self._closed = False

    def put(self, frame: str) -> bool:
        """Add a frame; return False if the queue is full. A closed queue ignores frames."""
        if self._closed:
            return True
        if len(self._frames) >= self._messages or self._held + len(frame) > self._size:
            return False
        self._frames.append(frame)
        self._held += len(frame)
        return True

    def close(self, *, drop: bool = False) -> None:
        """Accept no more frames; queued frames are still sent unless ``drop``."""
        self._closed = True
        if drop:
            self._frames.clear()

    def take(self) -> str | None:
        """Remove and return the next frame, if there is one."""
        if not self._frames:
            return None
        frame = self._frames.pop(0)
        self._held -= len(frame)
        return frame


class Line(Protocol):
    """The connection of a bot as matches use it; it may end at another server of the arena."""

    number: int
    trips: "RoundTrips"

    @property
    def open(self) -> bool:
        """Whether the bot can be reached."""

    @property
    def excused(self) -> bool:
        """Whether the connection is gone because a server of the arena is; then its time stands still."""

    def send(self, message: ArenaMessage) -> None:
        """Send a message to the bot."""

    def confirm(self, then: Callable[[], None]) -> None:
        """Call ``then`` once everything has been handled that the bot sent until now."""


class Connection:
    """Connection of one bot.

    The web server passes frames in and sends the frames out; the arena sends and receives messages.
    """

    close_code: CloseCode | None = None
    close_reason: str = ""
    bounded = False
    stir: Callable[[], None] = staticmethod(lambda: None)
    """Set by the web server: called when there are frames to send, or to close the socket."""
    vouched: Callable[[], None] = staticmethod(lambda: None)
    """Set by the web server: called when the bot is authenticated."""

    def __init__(
        self,
        address: str,
        session: Session,
        outbox: Outbox,
        heard: "Callable[[Connection, BotMessage], None]",
        gone: "Callable[[Connection], None]",
        metrics: Metrics,
    ) -> None:
        """``address``: key for limits; ``heard``: called with each valid message; ``gone``: called once at the end."""
        self._metrics = metrics
        self.number = next(_numbers)
        """Later connections have higher numbers."""
        self.address = address
        self.trips = RoundTrips()
        """Round-trip times."""
        self._session = session
        self._outbox = outbox
        self._heard = heard
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self.over = False
        """Whether the session has ended; queued frames are still sent."""

    @property
    def open(self) -> bool:
        """Whether the session has not ended."""
        return not self.over

    @property
    def excused(self) -> bool:
        """Whether the connection is gone because a server of the arena is: never, this server goes on."""
        return False

    @property
    def greeted(self) -> bool:
        """Whether the bot has sent hello."""
        return self._session.state is not ConnectionState.NEW

    @property
    def known(self) -> bool:
        """Whether the bot is authenticated and connected."""
        return self._session.state is ConnectionState.PLAYING

    def flood(self) -> None:
        """End the connection because the peer exceeds the limits on bytes or control frames."""
        self.end(close(CloseCode.FLOODING, FLOOD, ErrorCode.TOO_MANY))

    def receive(self, frame: str | bytes) -> None:
        """Handle a frame of the peer. Never raises: an invalid frame gets an error, or ends the connection."""
        try:
            answer = self._session.receive(frame, self._loop.time())
            match answer:
                case None:
                    pass
                case Close():
                    self.end(answer)
                case Error():
                    self.send(answer)
                case _:
                    self._heard(self, answer)
        except Exception:
            log.exception("failed to handle a message", address=self.address)
            self.end(close(CloseCode.INTERNAL_ERROR, "internal error while handling a message"))

    def send(self, message: ArenaMessage) -> None:
        """Queue a message; a peer that reads too slowly is disconnected."""
        self._session.send(message)
        if isinstance(message, Error):
            self._metrics.errors.labels(message.code).inc()
        if self._outbox.put(encode(message)):
            self.stir()
        else:
            self.end(close(CloseCode.TOO_SLOW, "the client reads messages too slowly"), drop=True)

    def confirm(self, then: Callable[[], None]) -> None:
        """Call ``then`` at once: what the bot sent is handled as it comes."""
        then()

    def next_frame(self) -> str | None:
        """Return the next text frame to send, if there is one.

        If there is none and the connection is over, the web server closes the socket with ``close_code`` and
        ``close_reason``.
        """
        return self._outbox.take()

    def end(self, close: Close, *, drop: bool = False) -> None:
        """Close the connection after the queued frames, which include the error or goodbye."""
        if self.over:
            return
        if close.error:
            self._outbox.put(encode(close.error))
        self.close_code, self.close_reason = close.code, close.reason
        self._finish(drop=drop)

    def dismiss(self, code: CloseCode, goodbye: Goodbye) -> None:
        """Close the connection with a goodbye."""
        self.send(goodbye)
        self.end(close(code, goodbye.reason))

    def lost(self) -> None:
        """Handle the loss of the socket."""
        self._finish(drop=True)

    def _finish(self, *, drop: bool) -> None:
        if self.over:
            return
        self.over = True
        self._session.end()
        self._outbox.close(drop=drop)
        self.stir()
        try:
            self._gone(self)
        except Exception:  # must not fail in the caller, which only sent a message
            log.exception("failed to handle the end of a connection", address=self.address)


@dataclass(eq=False, slots=True)
class Entrant:
    """A connected, authenticated bot."""

    bot: BotRow
    version: VersionRow
    connection: Line
    token_hash: str
    games: tuple[str, ...]
    capacity: int
    legal_moves: bool
    ladder: bool
    challenges: bool
    open_info: bool = False
    """Whether its search info may be published at once."""
    people: bool = False
    """Whether people may play against it."""
    ratings: dict[str, float] = field(default_factory=dict)
    """Ratings by game, in the game's default time class; no entry if no version up to this one has played it."""
    module: Module | None = None
    """Its WebAssembly module, if this server hosts it: only such bots can play by instructions."""

    def send(self, message: ArenaMessage) -> None:
        """Send a message to the bot."""
        self.connection.send(message)

    def refuse(self, code: ErrorCode, message: str, match: int | None = None) -> None:
        """Send an error: the bot's last message has no effect."""
        self.connection.send(Error(code=code, message=message, match=match))


class Roster:
    """The bots that are connected, one connection each."""

    def __init__(self) -> None:
        """Start empty."""
        self._entrants: dict[int, Entrant] = {}
        self.on_enter: Callable[[], None] = lambda: None
        """Called when a bot has connected."""

    def __iter__(self) -> Iterator[Entrant]:
        return iter(list(self._entrants.values()))

    def __len__(self) -> int:
        return len(self._entrants)

    @property
    def bots(self) -> int:
        """The number of connected bots, without people."""
        return sum(each.bot.kind != "person" for each in self._entrants.values())

    def get(self, bot_id: int) -> Entrant | None:
        """Return the connected bot with this id."""
        return self._entrants.get(bot_id)

    def named(self, name: str) -> Entrant | None:
        """Return the connected bot with this name; case does not matter."""
        return next((each for each in self._entrants.values() if each.bot.name.lower() == name.lower()), None)

    def enter(self, entrant: Entrant) -> None:
        """Add a bot; it replaces its older connection."""
        self._entrants[entrant.bot.id] = entrant
        self.on_enter()

    def leave(self, entrant: Entrant) -> None:
        """Remove a bot, unless it has a newer connection."""
        if self._entrants.get(entrant.bot.id) is entrant:
            del self._entrants[entrant.bot.id]


# ---------------------------------------------------------------- lag
#
# Network-lag compensation: the part of a move's time that is not charged to the clock.
#
# The server pings each bot and measures round-trip times. Each seat has a lag bank: each turn adds the round-trip
# time of its connection plus an allowance for jitter, and each move takes the lag that it needs, up to the setting
# ``lag_grace``, which also limits the bank. So the average network time of a bot is not charged, and a bot that uses
# the whole grace for thinking gains only the jitter allowance. lichess uses a similar method (``LagTracker`` of
# scalachess), with the same quota for every move; here the quota is the measured round-trip time.
#
# A bot that delays its pongs appears to be farther away than it is. The server cannot detect this, because the
# kernel's round-trip times end at the nearest proxy. But the shortest of the last round trips counts, so the bot must
# delay all of them, and it gains at most its delay and at most ``lag_grace`` a move. Pongs that answer no ping are
# ignored, and cannot be sent in advance because the payload of each ping is random.


class RoundTrips:
    """The last round trips of one connection, in seconds."""

    def __init__(self) -> None:
        """Start without measurements."""
        self._last: deque[float] = deque(maxlen=COUNTED)

    def add(self, seconds: float) -> None:
        """Add a round-trip time."""
        self._last.append(seconds)

    @property
    def shortest(self) -> float:
        """The shortest of the last round-trip times; 0 without measurements."""
        return min(self._last, default=0.0)


class LagBank:
    """Lag bank of one seat, in milliseconds."""

    def __init__(self, most: float) -> None:
        """``most``: limit of the bank, and of one move."""
        self._most = most
        self._held = min(most, RESERVE)
        self.free = 0
        """Milliseconds of the current move that are not charged."""

    def grant(self, round_trip: float) -> None:
        """Add the allowance of a new turn; ``round_trip``: shortest round-trip time in seconds."""
        self._held = min(self._most, self._held + round_trip * 1000 * JITTER + DRIP)
        self.free = round(self._held)

    def spend(self, elapsed: int) -> None:
        """Take the lag of a move of ``elapsed`` milliseconds."""
        self._held = max(0.0, self._held - min(elapsed, self.free))


COUNTED = 8
"""Number of stored round-trip times of a connection."""

RESERVE = 10.0
"""Milliseconds in a bank at the start of a match."""

JITTER = 1.25
"""Factor on the shortest round-trip time, an allowance for jitter."""

DRIP = 1.0
"""Milliseconds that each turn adds besides."""
