# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots' connections as the arena sees them: frames in, frames out, whatever carries them; and who is connected."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

import structlog

from arena.connections.lag import RoundTrips
from arena.metrics import Metrics
from arena.protocol.codec import encode
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.messages import ArenaMessage, BotMessage, Error, Goodbye
from arena.protocol.session import FLOOD, Close, Session, State, close
from arena.store.rows import BotRow, VersionRow

log = structlog.get_logger("arena.connections.sessions")

_numbers = count(1)


class Outbox:
    """Frames on their way to one peer, bounded: a peer that does not read loses its connection, not the arena's
    memory.
    """

    def __init__(self, messages: int, size: int) -> None:
        """Hold at most so many messages and so many characters."""
        self._messages = messages
        self._size = size
        self._frames: list[str] = []  # almost always empty, and then a tenth of an empty deque
        self._held = 0
        self._closed = False

    def put(self, frame: str) -> bool:
        """Add a frame; False when there is no room for it. Nothing is taken once closed."""
        if self._closed:
            return True
        if len(self._frames) >= self._messages or self._held + len(frame) > self._size:
            return False
        self._frames.append(frame)
        self._held += len(frame)
        return True

    def close(self, *, drop: bool = False) -> None:
        """Take no more; what is held is still given out unless dropped."""
        self._closed = True
        if drop:
            self._frames.clear()

    def take(self) -> str | None:
        """Give out the next frame, if there is one."""
        if not self._frames:
            return None
        frame = self._frames.pop(0)
        self._held -= len(frame)
        return frame


class Connection:
    """One bot's socket.

    The door feeds it frames and sends what it gives; the arena sends messages and hears those that may come.
    """

    close_code: CloseCode | None = None
    close_reason: str = ""
    bounded = False
    stir: Callable[[], None] = staticmethod(lambda: None)
    """Set by the door: called when there is something to send, or the socket is to be closed."""
    vouched: Callable[[], None] = staticmethod(lambda: None)
    """Set by the door: to be called once it is known whose socket this is."""

    def __init__(
        self,
        address: str,
        session: Session,
        outbox: Outbox,
        heard: "Callable[[Connection, BotMessage], None]",
        gone: "Callable[[Connection], None]",
        metrics: Metrics,
    ) -> None:
        """``address``: what limits count; ``heard`` is told each message that may come; ``gone``, once, that the
        connection is over.
        """
        self._metrics = metrics
        self.number = next(_numbers)
        """Later connections have higher numbers."""
        self.address = address
        self.trips = RoundTrips()
        """How long messages take to the peer and back."""
        self._session = session
        self._outbox = outbox
        self._heard = heard
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self.over = False
        """Whether no more messages come or go; what is held is still to be sent."""

    @property
    def open(self) -> bool:
        """Whether messages still come and go."""
        return not self.over

    @property
    def greeted(self) -> bool:
        """Whether hello was said."""
        return self._session.state is not State.NEW

    @property
    def known(self) -> bool:
        """Whether the bot was let in, and is connected."""
        return self._session.state is State.PLAYING

    def flood(self) -> None:
        """End the connection of a peer that sends too much, in frames that are no messages or in bytes."""
        self.end(close(CloseCode.FLOODING, FLOOD, ErrorCode.TOO_MANY))

    def receive(self, frame: str | bytes) -> None:
        """Take in what the peer sent. Never raises: a bad frame is answered, or ends the connection."""
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
            log.exception("a message broke its handler", address=self.address)
            self.end(close(CloseCode.INTERNAL_ERROR, "the arena failed to handle a message"))

    def send(self, message: ArenaMessage) -> None:
        """Queue a message; a peer that reads too slowly loses the connection."""
        self._session.send(message)
        if isinstance(message, Error):
            self._metrics.errors.labels(message.code).inc()
        if self._outbox.put(encode(message)):
            self.stir()
        else:
            self.end(close(CloseCode.TOO_SLOW, "messages were not read"), drop=True)

    def next_frame(self) -> str | None:
        """Give out the next text frame to send, if there is one.

        When there is none and the connection is over, the socket is to be closed with ``close_code`` and
        ``close_reason``.
        """
        return self._outbox.take()

    def end(self, close: Close, *, drop: bool = False) -> None:
        """Close the connection from the arena's side, after what is queued, which includes the error or goodbye."""
        if self.over:
            return
        if close.error:
            self._outbox.put(encode(close.error))
        self.close_code, self.close_reason = close.code, close.reason
        self._finish(drop=drop)

    def dismiss(self, code: CloseCode, goodbye: Goodbye) -> None:
        """Close the connection on purpose, with a goodbye."""
        self.send(goodbye)
        self.end(close(code, goodbye.reason))

    def lost(self) -> None:
        """The socket is gone."""
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
        except Exception:  # whoever was just sending something is not to blame
            log.exception("the end of a connection broke its handler", address=self.address)


@dataclass(eq=False, slots=True)
class Entrant:
    """A bot that is connected and known."""

    bot: BotRow
    version: VersionRow
    connection: Connection
    token_hash: str
    games: tuple[str, ...]
    capacity: int
    legal_moves: bool
    ladder: bool
    challenges: bool
    open_info: bool = False
    """Whether its search info may be shown at once."""
    ratings: dict[str, float] = field(default_factory=dict)
    """By game, at the game's own time control; missing: no version up to this one has played it."""

    def send(self, message: ArenaMessage) -> None:
        """Tell the bot."""
        self.connection.send(message)

    def refuse(self, code: ErrorCode, message: str, match: int | None = None) -> None:
        """Tell the bot that its last message has no effect."""
        self.connection.send(Error(code=code, message=message, match=match))


class Roster:
    """The bots that are connected, one connection each."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._entrants: dict[int, Entrant] = {}
        self.on_enter: Callable[[], None] = lambda: None
        """Called when a bot has come in."""

    def __iter__(self) -> Iterator[Entrant]:
        return iter(list(self._entrants.values()))

    def __len__(self) -> int:
        return len(self._entrants)

    def get(self, bot_id: int) -> Entrant | None:
        """Return the bot of this id if it is connected."""
        return self._entrants.get(bot_id)

    def named(self, name: str) -> Entrant | None:
        """Return the bot of this name, in whatever case, if it is connected."""
        return next((each for each in self._entrants.values() if each.bot.name.lower() == name.lower()), None)

    def enter(self, entrant: Entrant) -> None:
        """Let a bot in, in the place of its older connection if there is one."""
        self._entrants[entrant.bot.id] = entrant
        self.on_enter()

    def leave(self, entrant: Entrant) -> None:
        """Let a bot go, unless it has come in again through a newer connection."""
        if self._entrants.get(entrant.bot.id) is entrant:
            del self._entrants[entrant.bot.id]
