# SPDX-License-Identifier: GPL-3.0-or-later
"""Links: messages between the nodes of a cluster, each once and in order, as long as both nodes have their leases.

Each pair of nodes has a channel over the bus. All frames to a node have one subject, so that the bus keeps their order.
Every node sends a heartbeat to each other one, and to itself: when its own does not come back, the bus is away.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

import msgspec
import structlog

from arena.features.cluster.bus.channel import Channel, Frame
from arena.features.cluster.rows import ClusterState, NodeRow

log = structlog.get_logger("arena.cluster")

BEAT = 1.0
"""Seconds between two heartbeats."""

LATE = 2.5
"""Seconds without a heartbeat of this node itself after which the bus is away: then only heartbeats are sent."""

UNKNOWN = 0.1
"""Seconds between two requests to read the nodes because a frame came of one that is not known."""


class Wire(Protocol):
    """What links need of a bus."""

    on_back: Callable[[], None]

    def publish(self, subject: str, payload: bytes) -> None:
        """Send a message, at most once."""

    def subscribe(self, subject: str, hear: Callable[[bytes], None]) -> None:
        """Have ``hear`` called in the event loop with each message on a subject."""

    def unsubscribe(self, subject: str) -> None:
        """End a subscription."""


class Note(msgspec.Struct, array_like=True, frozen=True):
    """A published note."""

    sender: int
    key: int
    body: bytes


@dataclass(slots=True)
class _Peer:
    row: NodeRow
    heard: float
    """When anything came of it last, or its row was first seen."""
    linked: bool = False
    channel: Channel = field(default_factory=Channel)


_FRAME, _NOTE = msgspec.msgpack.Decoder(Frame), msgspec.msgpack.Decoder(Note)


class Links:
    """The links of this node to all others. Everything is called in the event loop."""

    def __init__(
        self,
        me: int,
        cluster: str,
        wire: Wire,
        *,
        look: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``cluster``: the random name in the database; ``look`` asks for a new state, which ``see`` is called with."""
        self.me = me
        self.on_message: Callable[[int, bytes], None] = lambda node, body: None
        """Called with each message and its sender: each once, in order of each sender."""
        self.on_join: Callable[[int], None] = lambda node: None
        """Called when a node is linked: its row was seen, and a heartbeat came."""
        self.on_gone: Callable[[int], None] = lambda node: None
        """Called when the row of a node is gone."""
        self.on_note: Callable[[str, int, bytes], None] = lambda topic, node, body: None
        """Called with the topic, sender and body of a note."""
        self.on_leader: Callable[[int | None], None] = lambda node: None
        """Called when another node leads, or none."""
        self.numbers: Callable[[], Awaitable[int]] | None = None
        """Returns the next number of a hello, from the database."""
        self.leader: int | None = None
        """Number of the node that leads."""
        self._cluster = f"arena.{cluster}"
        self._wire = wire
        self._look = look
        self._clock = clock
        self._rows: Mapping[int, NodeRow] = MappingProxyType({})
        self._peers: dict[int, _Peer] = {}
        self._key = 0
        self._echo = clock()
        self._looked = -math.inf
        self._gone: set[int] = set()
        """Nodes whose rows are gone; a process that has not noticed it may still send."""
        self._due = False
        self._loop = asyncio.get_running_loop()
        self._beating: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen, and to send heartbeats. ``see`` must have been called with this node's own row."""
        self._echo = self._clock()
        self._wire.on_back = self._beat
        self._wire.subscribe(self._subject(self.me), self._hear)
        self._beating = asyncio.create_task(self._keep_beating(), name="links")

    def stop(self) -> None:
        """End the heartbeats; nothing more is sent or heard."""
        self._wire.unsubscribe(self._subject(self.me))
        if self._beating is not None:
            self._beating.cancel()
        self._peers.clear()

    # ------------------------------------------------------------ what the arena uses

    def send(self, node: int, body: bytes) -> None:
        """Send a message to a node. It comes once, after all earlier ones, unless the lease of one of the two ends."""
        if node == self.me:
            self._loop.call_soon(self._deliver, node, body)
        elif (peer := self._peers.get(node)) is not None:
            peer.channel.put(body)
            self._send_soon()

    def send_all(self, body: bytes) -> None:
        """Send a message to all other nodes."""
        for peer in self._peers.values():
            peer.channel.put(body)
        if self._peers:
            self._send_soon()

    def publish(self, topic: str, body: bytes) -> None:
        """Send a note to the nodes that follow a topic, this one too; it comes at most once."""
        self._wire.publish(self._topic(topic), msgspec.msgpack.encode(Note(self.me, self._key, body)))

    def follow(self, topic: str) -> None:
        """Have ``on_note`` called with the notes on a topic."""
        self._wire.subscribe(self._topic(topic), lambda payload: self._hear_note(topic, payload))

    def unfollow(self, topic: str) -> None:
        """End ``follow``."""
        self._wire.unsubscribe(self._topic(topic))

    def silence(self, node: int) -> float:
        """Return the seconds since anything came of a node; 0 for this one, infinity for one without a lease."""
        if node == self.me:
            return 0.0
        peer = self._peers.get(node)
        return math.inf if peer is None else self._clock() - peer.heard

    def lag(self, node: int) -> tuple[int, int]:
        """Return how many messages and bytes a node has not acknowledged."""
        peer = self._peers.get(node)
        return (0, 0) if peer is None else (peer.channel.waiting, peer.channel.size)

    @property
    def nodes(self) -> Mapping[int, NodeRow]:
        """All nodes with a lease by their numbers, this one too."""
        return self._rows

    @property
    def bus_away(self) -> float:
        """Seconds since the bus answered last; 0 while it works."""
        away = self._clock() - self._echo
        return away if away > LATE else 0.0

    async def number(self) -> int:
        """Return the next number of a hello; it only grows. Raises StoreError."""
        assert self.numbers is not None, "the node has not started"
        return await self.numbers()

    # ------------------------------------------------------------ nodes

    def see(self, state: ClusterState) -> None:
        """Take a state of the database."""
        before, now = self._rows, self._clock()
        self._rows = MappingProxyType({row.id: row for row in state.nodes})
        for row in state.nodes:
            if row.id == self.me:
                self._key = row.key
            elif row.id not in self._peers:
                self._peers[row.id] = _Peer(row, now)
                self._beat_to(row.id, now)
        leader = state.leader if state.leader in self._rows else None
        if leader != self.leader:
            self.leader = leader
            self._guarded(self.on_leader, leader)
        for node in before.keys() - self._rows.keys() - {self.me}:
            self._peers.pop(node, None)
            self._gone.add(node)
            log.info("a node is gone", node=before[node].name)
            self._guarded(self.on_gone, node)

    # ------------------------------------------------------------ frames

    def _subject(self, node: int) -> str:
        return f"{self._cluster}.node.{node}"

    def _topic(self, topic: str) -> str:
        return f"{self._cluster}.note.{topic}"

    def _send_soon(self) -> None:
        """Send what waits at the end of this iteration of the loop."""
        if not self._due:
            self._due = True
            self._loop.call_soon(self._send_now)

    def _send_now(self) -> None:
        self._due = False
        if self.bus_away:
            return
        now = self._clock()
        for node, peer in self._peers.items():
            self._transmit(node, peer.channel.frames(self.me, self._key, now))

    def _transmit(self, node: int, frames: list[Frame]) -> None:
        for frame in frames:
            self._wire.publish(self._subject(node), msgspec.msgpack.encode(frame))

    async def _keep_beating(self) -> None:
        while True:
            self._beat()
            await asyncio.sleep(BEAT)

    def _beat(self) -> None:
        """Send a heartbeat to all nodes, this one too."""
        own = Frame(self.me, self._key, 1, 0, False, [])
        self._transmit(self.me, [own])
        now = self._clock()
        for node in self._peers:
            self._beat_to(node, now)

    def _beat_to(self, node: int, now: float) -> None:
        channel = self._peers[node].channel
        frames = (
            [channel.beat(self.me, self._key)] if self.bus_away else channel.frames(self.me, self._key, now, beat=True)
        )
        self._transmit(node, frames)

    def _hear(self, payload: bytes) -> None:
        """Take a frame; one that no known node can have sent is dropped."""
        try:
            frame = _FRAME.decode(payload)
        except msgspec.DecodeError:
            return
        now = self._clock()
        if frame.sender == self.me:
            if frame.key == self._key:
                self._hear_echo(now)
            return
        peer = self._peers.get(frame.sender)
        if peer is None or peer.row.key != frame.key:
            if peer is None and frame.sender not in self._gone and now - self._looked > UNKNOWN:
                self._looked = now
                self._look()
            return
        peer.heard = now
        if not peer.linked:
            peer.linked = True
            log.info("linked with a node", node=peer.row.name, url=peer.row.url)
            self._guarded(self.on_join, frame.sender)
        for body in peer.channel.take(frame, now):
            self._deliver(frame.sender, body)
        if peer.channel.due(now):
            self._send_soon()

    def _hear_echo(self, now: float) -> None:
        back, self._echo = bool(self.bus_away), now
        if back:
            log.info("messages of the bus come again")
            self._beat()

    def _hear_note(self, topic: str, payload: bytes) -> None:
        try:
            note = _NOTE.decode(payload)
        except msgspec.DecodeError:
            return
        row = self._rows.get(note.sender)
        if row is not None and row.key == note.key:
            self._guarded(self.on_note, topic, note.sender, note.body)

    def _deliver(self, node: int, body: bytes) -> None:
        self._guarded(self.on_message, node, body)

    def _guarded(self, call: Callable[..., None], *values: object) -> None:
        """Call a function of the arena; an error in it must not cost the messages after this one."""
        try:
            call(*values)
        except Exception:
            log.exception("a message of a node could not be handled")
