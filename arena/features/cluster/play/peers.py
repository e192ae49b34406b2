# SPDX-License-Identifier: GPL-3.0-or-later
"""The other nodes of the cluster, as the arena's core sees them."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Sequence
from functools import partial

import structlog
from aiohttp import ClientSession, DummyCookieJar, TCPConnector

from arena import tracing
from arena.application import Arena
from arena.connections.sessions import Connection, Entrant
from arena.features.cluster.bus.links import Links
from arena.features.cluster.play import messages as between
from arena.features.cluster.play.limits import SharedLimits
from arena.features.cluster.play.lines import Door, RemoteLine
from arena.features.cluster.play.views import Views
from arena.matches.sides import told_numbers
from arena.peers import FIRST_EPOCH, Peers, Referee
from arena.protocol import codec
from arena.protocol import messages as m
from arena.protocol.errors import CloseCode, ErrorCode
from arena.store.errors import keep_trying
from arena.store.rows import MatchRow

log = structlog.get_logger("arena.cluster")


class Nodes(Peers):
    """All nodes of the cluster. Every node knows every connected bot; the database says who referees which match."""

    def __init__(self, arena: Arena, links: Links, *, referees: bool) -> None:
        """``referees``: whether this node referees matches."""
        super().__init__()
        self.leads.clear()
        self.me = links.me
        self.name = links.nodes[links.me].name
        self.doors: dict[int, Door] = {}
        """The bots that are connected to this node, by the numbers of their connections."""
        self.given: asyncio.Queue[tuple[int, str]] = asyncio.Queue()
        """Matches that the leader gives to this node, with the trace context of that."""
        self.ended: asyncio.Queue[between.Over] = asyncio.Queue()
        """Matches that other nodes referee no more, with those that follow."""
        self.moved = asyncio.Event()
        """Set when matches need other referees, or another node leads."""
        self._arena = arena
        self._links = links
        self._referees = referees
        self._remote: dict[int, Entrant] = {}
        self._session: ClientSession | None = None
        self._doorkeepers: set[int] = set()
        """Other nodes that referee no matches, or none any more."""
        self.views = Views(arena, links)
        self.limits = SharedLimits(arena.limits, links)
        self._gateway = arena.join(self)
        links.on_message = self._heard
        links.on_join = self._joined
        links.on_gone = self._gone
        links.on_leader = self._leader_changed
        arena.broadcast.tournaments.news = self._tournament_changed

    # ---------------------------------------------------------------- bots of this node

    async def number(self) -> int | None:
        """Return the next number of a connection. Raises StoreError."""
        return await self._links.number()

    def entered(self, entrant: Entrant) -> None:
        """Tell the others that a bot is connected here."""
        self.doors[entrant.connection.number] = Door(entrant)
        self._links.send_all(between.encode(self._introduction(entrant)))

    def _introduction(self, entrant: Entrant) -> between.Entered:
        return between.Entered(
            entrant.connection.number,
            entrant.bot,
            entrant.version,
            entrant.games,
            entrant.capacity,
            entrant.legal_moves,
            entrant.ladder,
            entrant.challenges,
            entrant.open_info,
            entrant.people,
            entrant.ratings,
            entrant.module,
            self._arena.processor_time.hosts(entrant.bot.id),
            entrant.connection.trips.shortest,
        )

    def departed(self, entrant: Entrant, forfeit: str) -> None:
        """Tell the others that a bot's connection here is gone."""
        if self.doors.pop(entrant.connection.number, None) is not None:
            self._links.send_all(between.encode(between.Departed(entrant.connection.number, forfeit)))

    def available(self, entrant: Entrant) -> None:
        """Tell the others what a bot connected here is available for."""
        told = between.Available(entrant.connection.number, entrant.ladder, entrant.challenges)
        self._links.send_all(between.encode(told))

    async def matches_of(self, bot_id: int) -> list[int]:
        """Return the numbers, as the bot knows them, of all its live matches. Raises StoreError."""
        rows = await keep_trying(partial(self._arena.store.matches.live_of_bot, bot_id))
        return [number for row in rows for number in told_numbers(row, bot_id)]

    def relay(self, entrant: Entrant, message: m.OfMatch | m.Thinking) -> bool:
        """Send a bot's message to the node that referees its match; False if none is known."""
        door = self.doors.get(entrant.connection.number)
        node = None if door is None else door.referees.get(message.match)
        if door is None or node is None:
            return False
        if node not in self._links.nodes:
            return True  # another one takes the match over, and asks the bot again
        self._send_on(door, node, message)
        return True

    def ask_leader(self, entrant: Entrant, message: m.BotMessage) -> bool:
        """Send a bot's message to the leader; False if this node leads."""
        door = self.doors.get(entrant.connection.number)
        if door is None or self._links.leader == self.me:
            return False
        if self._links.leader is None:
            entrant.refuse(ErrorCode.NOT_READY, "no server leads the arena now; try again in some seconds")
        else:
            self._send_on(door, self._links.leader, message)
        return True

    def _send_on(self, door: Door, node: int, message: m.FromBot) -> None:
        line = door.entrant.connection
        heard = between.Heard(line.number, codec.encode(message), door.thought(message), line.trips.shortest)
        self._links.send(node, between.encode(heard))

    def close_cut_off(self) -> None:
        """Close the sockets of bots whose matches other nodes referee: these cannot be reached."""
        for door in list(self.doors.values()):
            connection = door.entrant.connection
            if door.referees and isinstance(connection, Connection):
                connection.dismiss(CloseCode.GOING_AWAY, m.Goodbye(reason="this server cannot reach the others"))

    # ---------------------------------------------------------------- matches

    @property
    def live(self) -> int:
        """Number of live matches at all nodes, as far as spectators here need it."""
        return self.views.live

    def referee(self, sides: Sequence[Entrant]) -> Referee:
        """Choose the node that referees a new match: this one where a person plays, the one that hosts a bot, the one
        to which both bots are connected, or the least busy one.
        """
        return Referee(self._choose(sides), FIRST_EPOCH)

    def _choose(self, sides: Sequence[Entrant]) -> int:
        assert self.me is not None
        at = [self._node_of(side) for side in sides]
        if any(side.bot.kind == "person" for side in sides):
            return self.me
        for side, node in zip(sides, at, strict=True):
            line = side.connection
            if line.hosted if isinstance(line, RemoteLine) else self._arena.processor_time.hosts(side.bot.id):
                return node
        able = self.able()
        if at[0] == at[1] and at[0] in able:
            return at[0]
        near = [node for node in at if node in able]
        return self.least_busy(near or able)

    def _node_of(self, side: Entrant) -> int:
        assert self.me is not None
        return side.connection.node if isinstance(side.connection, RemoteLine) else self.me

    def able(self) -> list[int]:
        """Return the nodes that referee matches; all, if none is meant to."""
        nodes = [node for node in self._links.nodes if self._links.silence(node) < SILENT]
        able = [node for node in nodes if node not in self._doorkeepers and (node != self.me or self._referees)]
        return able or nodes or list(self._links.nodes)

    def least_busy(self, nodes: Sequence[int]) -> int:
        """Return the node with the fewest matches."""
        owners = Counter(row.owner for row in self._arena.conductor.elsewhere.rows.values())
        owners[self.me] = len(self._arena.conductor.referees)
        return min(nodes, key=lambda node: (owners[node], node))

    def started(self, row: MatchRow) -> None:
        """Tell the node that is to referee a match that it can begin."""
        assert row.owner is not None
        self._links.send(row.owner, between.encode(between.Referee([row.id])))

    def over(self, match: int, following: int | None) -> None:
        """Tell the others that a match that this node refereed is over, and which match follows from it, if any."""
        self._links.send_all(between.encode(between.Over(match, following)))

    def handed_over(self) -> None:
        """Tell the others that this node referees no match any more, and that its matches need referees."""
        self._referees = False
        self._links.send_all(between.encode(between.HandedOver()))

    def abort(self, row: MatchRow, reason: str) -> None:
        """Ask the node that referees a match to void it."""
        if row.owner is not None:
            self._links.send(row.owner, between.encode(between.Abort(row.id, reason)))

    def watch(self, match: int) -> bool:
        """Return whether another node may referee a match; its view follows, or it is settled."""
        return self.views.fetch(match)

    def _tournament_changed(self, tournament: int) -> None:
        self._links.send_all(between.encode(between.TournamentNews(tournament)))

    # ---------------------------------------------------------------- requests for the leader

    def leader_url(self) -> str | None:
        """Return the address of the leader's HTTP port; None if no other node leads."""
        row = None if self._links.leader is None else self._links.nodes.get(self._links.leader)
        return None if row is None or row.id == self.me else row.url

    def session(self) -> ClientSession:
        """Return the connections to the HTTP ports of other nodes."""
        if self._session is None:
            self._session = ClientSession(connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar())
        return self._session

    async def close(self) -> None:
        """Close these connections."""
        if self._session is not None:
            await self._session.close()

    def credential(self) -> str:
        """Return what this node shows to the others: its number, and the secret number of its record."""
        assert self.me is not None
        return f"{self.me}:{self._links.nodes[self.me].key}"

    def knows(self, credential: str) -> bool:
        """Return whether another node shows this."""
        number, _, key = credential.partition(":")
        row = self._links.nodes.get(int(number)) if number.isdecimal() and len(number) < 20 else None
        return row is not None and secrets.compare_digest(str(row.key).encode(), key.encode())

    # ---------------------------------------------------------------- news of other nodes

    def _joined(self, node: int) -> None:
        for door in self.doors.values():
            self._links.send(node, between.encode(self._introduction(door.entrant)))
        self._links.send(node, between.encode(between.Node(self._referees)))
        self.limits.introduce(node)

    def _gone(self, node: int) -> None:
        for entrant in list(self._remote.values()):
            line = entrant.connection
            if isinstance(line, RemoteLine) and line.node == node:
                self._leave(line.number, "", excused=True)
        self._doorkeepers.discard(node)
        self.views.gone(node)
        self.moved.set()

    def _leader_changed(self, leader: int | None) -> None:
        for door in self.doors.values():
            door.leader_gone()
        self.moved.set()
        log.info("the leader changed", leads=leader == self.me, leader=self._name_of(leader))

    def _name_of(self, node: int | None) -> str:
        row = None if node is None else self._links.nodes.get(node)
        return "none" if row is None else row.name

    def _leave(self, number: int, forfeit: str, *, excused: bool) -> None:
        entrant = self._remote.pop(number, None)
        if entrant is not None and isinstance(entrant.connection, RemoteLine):
            entrant.connection.end(excused=excused)
            self._gateway.leave(entrant, forfeit)

    def _heard(self, node: int, body: bytes) -> None:
        message, parent = between.decode(body)
        if parent:
            with tracing.follow(parent, f"node {m.kebab(type(message).__name__)}", sender=node):
                self._take(node, message)
        else:
            self._take(node, message)

    def _take(self, node: int, message: between.AnyMessage) -> None:
        """Take a message of another node."""
        match message:
            case between.Told(number, text):
                if (door := self.doors.get(number)) is not None:
                    door.tell(node, text)
            case between.Heard():
                self._hear(message)
            case between.Entered():
                self._enter(node, message)
            case between.Departed(number, forfeit):
                self._leave(number, forfeit, excused=False)
            case between.Available(number, ladder, challenges):
                if (found := self._remote.get(number)) is not None:
                    found.ladder, found.challenges = ladder, challenges
            case between.Confirm(ticket):
                self._links.send(node, between.encode(between.Confirmed(ticket)))
            case between.Confirmed(ticket):
                self._confirmed(node, ticket)
            case between.Referee(matches):
                for match in matches:
                    self.given.put_nowait((match, tracing.traceparent()))
            case between.Over():
                self.ended.put_nowait(message)
                self._arena.broadcast.leaderboards.match_over()
            case between.HandedOver():
                self._doorkeepers.add(node)
                self.moved.set()
            case between.Abort(number, reason):
                self._arena.conductor.abort(number, reason)
            case between.Counted():
                self.limits.hear(node, message)
            case between.TournamentNews(tournament):
                self._arena.broadcast.tournaments.changed(tournament, elsewhere=True)
            case between.Node(referees):
                (self._doorkeepers.discard if referees else self._doorkeepers.add)(node)
            case _:
                self.views.heard(node, message)

    def _enter(self, node: int, entered: between.Entered) -> None:
        if entered.number in self._remote:
            return
        line = RemoteLine(self._links, node, entered.number, entered.trip, hosted=entered.hosted)
        entrant = Entrant(
            bot=entered.bot,
            version=entered.version,
            connection=line,
            token_hash="",
            games=entered.games,
            capacity=entered.capacity,
            legal_moves=entered.legal_moves,
            ladder=entered.ladder,
            challenges=entered.challenges,
            open_info=entered.open_info,
            people=entered.people,
            ratings=dict(entered.ratings),
            module=entered.module,
        )
        self._remote[entered.number] = entrant
        self._gateway.enter(entrant)
        if self._arena.roster.get(entered.bot.id) is entrant:
            self._arena.conductor.joined(entrant)

    def _hear(self, heard: between.Heard) -> None:
        entrant = self._remote.get(heard.number)
        if entrant is None:
            return
        entrant.connection.trips.add(heard.trip)
        self._gateway.handle(entrant, codec.from_bot(heard.text), heard.thought)

    def _confirmed(self, node: int, ticket: int) -> None:
        for entrant in self._remote.values():
            line = entrant.connection
            if isinstance(line, RemoteLine) and line.node == node and (then := line.waiting.pop(ticket, None)):
                then()
                return


SILENT = 3.0
"""Seconds of silence after which a node is given no new matches."""
