# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections of bots over two nodes: the door, where the socket ends, and the line, as other nodes see it.

A door relays what the bot sends about a match to the node that spoke last about it, and measures the time of its moves.
So the way between the nodes takes nothing of a bot's clock.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from arena.connections.sessions import Entrant, RoundTrips
from arena.features.cluster.bus.links import Links
from arena.features.cluster.play.messages import Confirm, Told, encode
from arena.protocol import codec
from arena.protocol import messages as m

_tickets = count(1)


class RemoteLine:
    """The connection of a bot to another node."""

    def __init__(self, links: Links, node: int, number: int, trip: float, *, hosted: bool) -> None:
        """``trip``: its round-trip time in seconds; ``hosted``: whether a process of that node runs the bot."""
        self.node = node
        self.number = number
        self.trips = RoundTrips()
        self.trips.add(trip)
        self.hosted = hosted
        self.open = True
        self.excused = False
        self.waiting: dict[int, Callable[[], None]] = {}
        """Functions to call once the node has confirmed, by ticket."""
        self._links = links

    def send(self, message: m.ArenaMessage) -> None:
        """Have the node send a message to the bot."""
        self._links.send(self.node, encode(Told(self.number, codec.encode(message))))

    def confirm(self, then: Callable[[], None]) -> None:
        """Call ``then`` once everything has come that the bot sent until now. While the node is silent, that waits."""
        ticket = next(_tickets)
        self.waiting[ticket] = then
        self._links.send(self.node, encode(Confirm(ticket)))

    def end(self, *, excused: bool) -> None:
        """Note that the connection is gone; ``excused``: because the node is."""
        self.open = False
        self.excused = excused
        waiting, self.waiting = self.waiting, {}
        if not excused:
            for then in waiting.values():
                then()


@dataclass(eq=False, slots=True)
class Door:
    """A bot that is connected to this node."""

    entrant: Entrant
    referees: dict[int, int] = field(default_factory=dict)
    """The nodes that referee its matches, by the number that the bot knows the match by."""
    turns: dict[int, tuple[int, float]] = field(default_factory=dict)
    """The ply of the running turn in each match, and when it was sent, on the loop's clock."""
    challenges: set[int] = field(default_factory=set)
    """Numbers of its open challenges, which the leader keeps."""

    def tell(self, node: int, text: str) -> None:
        """Send a message of another node to the bot."""
        message = codec.from_arena(text)
        match message:
            case m.Match(match=match):
                self.referees[match] = node
            case m.Turn(match=match, ply=ply):
                self.referees[match] = node
                self.turns[match] = ply, asyncio.get_running_loop().time()
            case m.Over(match=match):
                self.forget(match)
            case m.ChallengeOpened(challenge=number) | m.Challenged(challenge=number):
                self.challenges.add(number)
            case m.ChallengeClosed(challenge=number):
                self.challenges.discard(number)
        self.entrant.connection.send(message)

    def thought(self, message: m.FromBot) -> float | None:
        """Return the seconds that a move took; None for other messages, and where that is not known."""
        if not isinstance(message, m.Move):
            return None
        ply, sent = self.turns.get(message.match, (-1, 0.0))
        return asyncio.get_running_loop().time() - sent if ply == message.ply else None

    def forget(self, match: int) -> None:
        """Forget a match."""
        self.referees.pop(match, None)
        self.turns.pop(match, None)

    def leader_gone(self) -> None:
        """End the bot's challenges: they went with the leader."""
        for number in self.challenges:
            self.entrant.send(m.ChallengeClosed(challenge=number, outcome="impossible", matches=[]))
        self.challenges.clear()
