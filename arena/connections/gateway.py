# SPDX-License-Identifier: GPL-3.0-or-later
"""Gateway for bots: authenticates connections by token, one per bot, and dispatches their messages."""

import asyncio
from collections.abc import Collection
from importlib.metadata import version as installed_version

import structlog

from arena import tracing
from arena.connections.admission import Admission, TooManyUnknown, hash_token
from arena.connections.challenges import Challenges
from arena.connections.limits import AddressSlots, RateLimits
from arena.connections.sessions import Connection, Entrant, Outbox, Roster
from arena.ladder.shares import BotAndOwner
from arena.matches.conductor import Conductor
from arena.matches.sides import match_of, told_numbers
from arena.monitoring import Metrics
from arena.peers import Peers
from arena.protocol import messages as m
from arena.protocol.codec import PROTOCOL
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.session import PeerLimits, Session, close
from arena.protocol.terminal import plain_line
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.store import Store
from arena.store.errors import StoreError, TooManyVersions
from arena.store.rows import BotRow

log = structlog.get_logger("arena.connections.gateway")

SERVER = f"bot-arena/{installed_version('bot-arena')}"


PERSON = "1"
"""The version of every person: people have none."""

AGAIN = "the bot connected again"
"""Why an older connection of a bot is closed."""

FORFEITS = (CloseCode.BAD_MESSAGES, CloseCode.FLOODING)
"""Close codes after which a bot loses its matches by a bad message."""


class Gateway:
    """Handles the connections of all bots."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        roster: Roster,
        registry: GameRegistry,
        conductor: Conductor,
        challenges: Challenges,
        metrics: Metrics,
        owners: tuple[str, ...] = (),
        hosted_tokens: Collection[str] = (),
    ) -> None:
        """Start without connections. ``owners``: how the names of owners begin whose bots belong to features;
        ``hosted_tokens``: hashes of the tokens that only processes of this server know.
        """
        self._owners = owners
        self._hosted_tokens = hosted_tokens
        self._store = store
        self._settings = settings
        self._roster = roster
        self._registry = registry
        self._conductor = conductor
        self._challenges = challenges
        self._metrics = metrics
        self._limits = PeerLimits(settings.message_rate, settings.message_burst, settings.bad_messages)
        self._admission = Admission(store, settings)
        self._silent: AddressSlots[Connection] = AddressSlots(
            settings.silent_connections, settings.silent_connections_each
        )
        """Connections without a known token."""
        self._attempts: RateLimits[str] = RateLimits(settings.silent_rate, settings.silent_connections_each)
        """New connections by address; authenticated ones do not count."""
        self._connections: set[Connection] = set()
        self._entrants: dict[Connection, Entrant] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._stopping = False
        self.peers = Peers()
        """The other servers of the arena."""

    async def load(self) -> None:
        """Load the known tokens; no bot is admitted before."""
        await self._admission.load()

    def caller(self, address: str, token: str) -> str:
        """Return the key of a new socket for limits: its address, and the token of its request if that is known."""
        known = self.known(token)
        return f"{address} with {known}" if known else address

    def known(self, token: str) -> str:
        """Return an identifier for a known token, which does not reveal the token; "" for an unknown token."""
        token_hash = hash_token(token)
        return f"token {token_hash[:16]}" if self._admission.knows(token_hash) else ""

    def takes(self, caller: str) -> bool:
        """Return whether a caller may open another socket now, and count the socket."""
        return self._attempts.take(caller, asyncio.get_running_loop().time())

    def accept(self, address: str) -> Connection:
        """Accept a new socket. If too many sockets have not authenticated, close the oldest of the busiest address. If
        the server is stopping, close the new socket at once.
        """
        loop = asyncio.get_running_loop()
        outbox = Outbox(self._settings.outbox_messages, self._settings.outbox_bytes)
        session = Session(loop.time(), self._limits)
        connection = Connection(address, session, outbox, self._heard, self._gone, self._metrics)
        self._connections.add(connection)
        self._metrics.connections.set(len(self._connections))
        if self._closed:
            connection.dismiss(CloseCode.GOING_AWAY, self._goodbye())
            return connection
        loop.call_later(self._settings.hello_timeout, self._expect_hello, connection)
        crowded_out = self._silent.enter(address, connection)
        if crowded_out is not None:
            log.info("closed a socket without hello to make room for a new one", address=crowded_out.address)
            crowded_out.end(close(CloseCode.FULL, "too many connections without hello; send hello at once"))
        return connection

    def _expect_hello(self, connection: Connection) -> None:
        if not connection.greeted:
            connection.end(close(CloseCode.NO_HELLO, "hello did not arrive in time"))

    # ---------------------------------------------------------------- messages of bots

    def _heard(self, connection: Connection, message: m.BotMessage) -> None:
        kind = m.kebab(type(message).__name__)
        self._metrics.messages.labels(kind).inc()
        if isinstance(message, m.Hello):
            task = asyncio.create_task(self._admit_safely(connection, message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        entrant = self._entrants[connection]
        if tracing.on() and isinstance(message, m.OfMatch):
            with tracing.root(f"bot {kind}", bot=entrant.bot.id, match=message.match):
                self.handle(entrant, message)
        else:
            self.handle(entrant, message)

    def handle(self, entrant: Entrant, message: m.BotMessage, thought: float | None = None) -> None:
        """Handle a message of a bot. ``thought``: seconds that its move took, where the server to which it is connected
        has measured them.
        """
        match message:
            case m.OfMatch():
                self._play(entrant, message, thought)
            case _ if entrant.bot.kind == "person":
                entrant.refuse(ErrorCode.UNEXPECTED, "people start matches at /play, and play no challenges")
            case m.Availability():
                entrant.ladder, entrant.challenges = message.ladder, message.challenges
                self.peers.available(entrant)
            case m.Thinking():
                self._think(entrant, message)
            case _ if self.peers.ask_leader(entrant, message):
                pass
            case m.Challenge():
                self._challenges.challenge(entrant, message)
            case m.AnswerChallenge():
                self._challenges.answer(entrant, message)
            case m.WithdrawChallenge():
                self._challenges.withdraw(entrant, message)

    def _play(self, entrant: Entrant, message: m.OfMatch, thought: float | None) -> None:
        if self._closed:
            return  # the match resumes after the next start; its bots send their messages again
        referee = self._conductor.referee(match_of(message.match))
        if referee is not None and message.match in told_numbers(referee.row, entrant.bot.id):
            referee.heard(entrant, message, thought)
        elif referee is not None or not self.peers.relay(entrant, message):
            entrant.refuse(ErrorCode.UNKNOWN_MATCH, "you have no running match with this number", message.match)

    def _think(self, entrant: Entrant, message: m.Thinking) -> None:
        """Show search info to spectators. It does not pass through the referee: nothing of it is stored."""
        referee = None if self._closed else self._conductor.referee(match_of(message.match))
        if referee is not None and message.match in told_numbers(referee.row, entrant.bot.id):
            referee.view.think(entrant.bot.id, message.ply, message.info)
        elif not self._closed and not self.peers.relay(entrant, message):
            entrant.refuse(ErrorCode.UNKNOWN_MATCH, "you have no running match with this number", message.match)

    # ---------------------------------------------------------------- connecting and disconnecting

    async def _admit_safely(self, connection: Connection, hello: m.Hello) -> None:
        try:
            await self._admit(connection, hello)
        except StoreError as error:
            log.warning("failed to admit a bot", why=str(error), address=connection.address)
            connection.end(close(CloseCode.INTERNAL_ERROR, "the database is not available; try again"))
        except Exception:
            log.exception("failed to admit a bot", address=connection.address)
            connection.end(close(CloseCode.INTERNAL_ERROR, "internal error while admitting the bot"))

    async def _admit(self, connection: Connection, hello: m.Hello) -> None:
        token_hash = hash_token(hello.token)
        await self._admission.loaded.wait()
        if not self._admission.knows(token_hash) and await self._find(connection, token_hash) is None:
            return
        # from here on the limits of the token apply instead of those of the address
        self._silent.leave(connection)
        self._attempts.give_back(connection.address)
        connection.vouched()
        if (number := await self.peers.number()) is not None:
            connection.number = number
        if not await self._admission.turn(token_hash, connection):
            return
        bot = await self._find(connection, token_hash)
        if bot is None or not self._has_room(connection, bot.id):
            return
        person = bot.kind == "person"
        free = bot.kind == "built-in" or person or bot.owner.startswith(self._owners)
        most = None if free else self._settings.versions_per_day
        try:
            version = await self._store.bots.version(bot.id, PERSON if person else hello.version, most=most)
        except TooManyVersions as error:
            connection.end(close(CloseCode.TOO_MANY_VERSIONS, str(error), ErrorCode.TOO_MANY_VERSIONS))
            return
        bot = await self._described(bot, hello.description)
        ratings = await self._ratings(bot.id, version.id)
        elsewhere = await self.peers.matches_of(bot.id)
        await self._conductor.expected.wait()
        if not connection.open or self._closed or not (free or self._owner_has_room(connection, bot)):
            return
        if not self._is_newest(bot.id, connection.number):
            connection.dismiss(CloseCode.REPLACED, m.Goodbye(reason=AGAIN))
            return
        entrant = Entrant(
            bot=bot,
            version=version,
            connection=connection,
            token_hash=token_hash,
            games=tuple(name for name in dict.fromkeys(hello.games) if self._registry.offers(name)),
            capacity=1 if person else hello.capacity,
            legal_moves=hello.legal_moves,
            ladder=hello.ladder and not person,
            challenges=hello.challenges and not person,
            open_info=hello.open_info,
            people=bot.kind == "built-in" or (hello.people and not person),
            ratings=ratings,
            module=hello.module if token_hash in self._hosted_tokens else None,
        )
        self._entrants[connection] = entrant
        self.enter(entrant)
        self._metrics.bots.set(len(self._entrants))
        self.peers.entered(entrant)
        welcome = m.Welcome(
            protocol=PROTOCOL,
            server=SERVER,
            bot=bot.name,
            version=version.label,
            games=list(entrant.games),
            matches=sorted({*self._conductor.matches_of(bot.id), *elsewhere}),
        )
        entrant.send(welcome)
        self._conductor.joined(entrant)
        log.info("bot connected", bot=bot.name, version=version.label, address=connection.address, games=entrant.games)

    def _is_newest(self, bot_id: int, number: int) -> bool:
        """Return whether no newer connection of a bot exists."""
        other = self._roster.get(bot_id)
        return other is None or other.connection.number <= number

    def enter(self, entrant: Entrant) -> None:
        """Let a bot enter, here or at another server, unless it has a newer connection. It replaces an older one."""
        older = self._roster.get(entrant.bot.id)
        if not self._is_newest(entrant.bot.id, entrant.connection.number):
            return
        self._roster.enter(entrant)
        if older is not None and isinstance(older.connection, Connection):
            older.connection.dismiss(CloseCode.REPLACED, m.Goodbye(reason=AGAIN))

    def leave(self, entrant: Entrant, forfeit: str = "") -> None:
        """Let a bot leave whose connection is gone, here or at another server; ``forfeit``: why it loses its matches,
        or "".
        """
        self._roster.leave(entrant)
        self._challenges.left(entrant)
        if forfeit:
            self._conductor.forfeit(entrant, forfeit)
        self._conductor.left(entrant)

    async def _find(self, connection: Connection, token_hash: str) -> BotRow | None:
        """Return the bot of a token; close the connection if there is none."""
        try:
            bot = await self._admission.find(token_hash, connection.address)
        except TooManyUnknown:
            connection.end(close(CloseCode.FULL, "too many unknown tokens from this address; try again later"))
            return None
        if bot is None:
            connection.end(close(CloseCode.UNKNOWN_TOKEN, "no bot has this token", ErrorCode.UNKNOWN_TOKEN))
        return bot

    async def _described(self, bot: BotRow, description: str) -> BotRow:
        """Store a bot's new description of itself; descriptions of built-in bots do not change."""
        told = plain_line(description)
        if not told or told == bot.description or bot.kind != "own" or bot.owner.startswith(self._owners):
            return bot
        return await self._store.bots.describe(bot.name, told)

    def _has_room(self, connection: Connection, bot_id: int) -> bool:
        """Return whether a bot may connect; bots that are connected or have running matches always may."""
        full = len(self._roster) >= self._settings.max_connections
        if full and self._roster.get(bot_id) is None and not self._conductor.matches_of(bot_id):
            connection.end(close(CloseCode.FULL, "the server has reached its limit of connected bots"))
            return False
        return True

    def _owner_has_room(self, connection: Connection, bot: BotRow) -> bool:
        """Return whether the owner of a bot may have another connection; a bot that is connected or has running matches
        always may connect.
        """
        most, owner = self._settings.owner_connections, BotAndOwner.of_bot(bot).owner
        if not most or self._roster.get(bot.id) is not None or self._conductor.matches_of(bot.id):
            return True
        if sum(BotAndOwner.of_bot(each.bot).owner == owner for each in self._roster) < most:
            return True
        why = f"the limit of connected bots of one owner is {most}; disconnect another one, then try again"
        connection.end(close(CloseCode.FULL, why))
        return False

    async def _ratings(self, bot_id: int, version_id: int) -> dict[str, float]:
        """Return a version's ratings by game, in the games' default time classes; a version without games starts with
        the rating of the newest version before it.
        """
        rows = await self._store.ratings.of_bot(bot_id)
        games = self._registry.games
        return {
            row.game: row.rating
            for row in reversed(rows)
            if row.version_id <= version_id
            and row.game in games
            and row.time_class == self._registry.time_class(games[row.game])
        }

    def _gone(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self._silent.leave(connection)
        self._metrics.connections.set(len(self._connections))
        if connection.close_code is not None:
            self._metrics.closed.labels(connection.close_code.name.lower()).inc()
        entrant = self._entrants.pop(connection, None)
        if entrant is None:
            return
        self._metrics.bots.set(len(self._entrants))
        forfeit = connection.close_reason if connection.close_code in FORFEITS else ""
        self.leave(entrant, forfeit)
        self.peers.departed(entrant, forfeit)
        # the log has already reported the stop that disconnects the bots
        tell = log.debug if self._stopping else log.info
        tell("bot disconnected", bot=entrant.bot.name, why=connection.close_reason or "connection lost")

    async def look_after(self) -> None:
        """Run the periodic tasks; called every second. Raises StoreError."""
        await self._admission.refresh()
        await self._drop_revoked()

    async def _drop_revoked(self) -> None:
        """Close the connections of bots that were removed or whose token was rotated."""
        connections = {entrant.token_hash: connection for connection, entrant in self._entrants.items()}
        if not connections:
            return
        for token_hash in await self._store.bots.revoked(connections):
            goodbye = m.Goodbye(reason="the bot was removed or its token rotated")
            connections[token_hash].dismiss(CloseCode.REMOVED, goodbye)

    def expect_stop(self) -> None:
        """Treat disconnections from now on as a part of the stop; built-in bots stop before the server."""
        self._stopping = True

    def close(self) -> None:
        """Accept no more bots and no more messages of matches."""
        self._closed = True

    def stop(self) -> None:
        """Close all connections with a goodbye."""
        self.expect_stop()
        for connection in list(self._connections):
            connection.dismiss(CloseCode.GOING_AWAY, self._goodbye())
        for task in self._tasks:
            task.cancel()

    def _goodbye(self) -> m.Goodbye:
        return m.Goodbye(reason="the server is stopping", retry_after=round(self._settings.retry_after * 1000))
