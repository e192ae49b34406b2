# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of a cluster as processes of the model: the nodes, the bus, the database, and the clients.

A node is one process on one processor. What it sends to one other node while it handles what has come so far is one
frame, as in ``arena.features.cluster.bus.links``.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial

import simpy

from lab.simulation.costs import Costs
from lab.simulation.processors import Process, Processors, Then, later
from lab.simulation.writing import Disk, Writer

PERIOD = 1.0
"""Seconds between two heartbeats of a node, as in ``arena.features.cluster.bus.links``."""


def nothing() -> None:
    """Do nothing with what came."""


@dataclass(frozen=True)
class Machines:
    """What the programs run on."""

    shared: int | None = None
    """Processors that all programs share, those that make the load too, as in the measurement. None: each node has a
    processor of its own, and the clients are elsewhere.
    """
    database: int = 8
    """Processors of the database's machine, unless they are shared."""
    bus: int = 4
    """Processors of the bus's machine, unless they are shared."""
    hop: float = 0.0
    """Seconds that a message takes from one machine to another."""
    flush: float = 0.0
    """Seconds until the database's disk has what was written."""


class Programs:
    """What the nodes share, and the machines."""

    def __init__(self, environment: simpy.Environment, costs: Costs, machines: Machines) -> None:
        self.environment = environment
        self.costs = costs
        self.machines = machines
        self._shared = None if machines.shared is None else Processors(environment, machines.shared)
        self._for_database = self._shared or Processors(environment, machines.database)
        self._for_bus = self._shared or Processors(environment, machines.bus)
        self.connections: list[Process] = []
        """The threads of the bus that read from the nodes."""
        self.disk = Disk(environment, machines.flush)
        self.backends: list[Process] = []
        self.processes: list[Process] = []
        self._players = self._client()
        self._watchers: dict[int, Process | None] = {}
        self._before: dict[Process, float] = {}
        self._since = 0.0

    def process(self) -> Process:
        """Return the process of a new node."""
        return Process(self._shared or Processors(self.environment, 1))

    def backend(self) -> Process:
        """Return a new process of the database."""
        self.backends.append(Process(self._for_database))
        return self.backends[-1]

    def connection(self) -> Process:
        """Return a new thread of the bus."""
        self.connections.append(Process(self._for_bus, wake=self.costs.bus.wake))
        return self.connections[-1]

    def _client(self) -> Process | None:
        return None if self._shared is None else Process(self._shared)

    def players(self, seconds: float, then: Then) -> None:
        """Let the program of the bots work, where it shares the processors."""
        if self._players is None:
            then()
        else:
            self._players.do(seconds, then)

    def watchers(self, room: int, viewers: int, latency: float, found: list[tuple[float, int]]) -> None:
        """Let the spectators of a node receive a move that was sent ``latency`` seconds ago; note when they have it."""
        if room not in self._watchers:
            self._watchers[room] = self._client()
        process = self._watchers[room]
        if process is None:
            found.append((latency, viewers))
            return
        seconds, sent = viewers * self.costs.clients.viewer, self.environment.now
        process.do(seconds, lambda: found.append((latency + self.environment.now - sent - seconds / 2, viewers)))

    # ---------------------------------------------------------------- what they use

    def count(self) -> None:
        """Count the use of processors from now on."""
        self._since = self.environment.now
        self._before = {process: process.busy for process in self._all()}

    def _all(self) -> list[Process]:
        clients = [each for each in (self._players, *self._watchers.values()) if each is not None]
        return [*self.connections, *self.backends, *self.processes, *clients]

    def used(self, processes: Sequence[Process]) -> float:
        """Return how many processors these have kept busy since ``count``."""
        seconds = self.environment.now - self._since
        return sum(process.busy - self._before.get(process, 0.0) for process in processes) / seconds

    @property
    def clients(self) -> list[Process]:
        """The programs that make the load, where they share the processors."""
        return [each for each in (self._players, *self._watchers.values()) if each is not None]


class Node:
    """One server of the cluster."""

    def __init__(self, programs: Programs, number: int, committed: Callable[["Node", list[int]], None]) -> None:
        """``committed``: called with each group of commands that it has committed."""
        self.number = number
        self.process = programs.process()
        programs.processes.append(self.process)
        self.reader = programs.backend()
        """The database's process for what it reads."""
        self.connection = programs.connection()
        """The bus's thread for what it sends."""
        self.frames = 0
        """Frames that it sent to the bus or received from it."""
        self.bursts = 0
        """Times that it showed moves to spectators."""
        self._programs = programs
        self._nodes: Sequence[Node] = ()
        self._outbox: dict[int, list[tuple[float, Then]]] = {}
        machines = programs.machines
        self.writer = Writer(
            programs.environment, programs.costs, self.process, programs.backend(), programs.disk, machines.hop,
            partial(committed, self),
        )  # fmt: skip

    def link(self, nodes: Sequence["Node"]) -> None:
        """Begin to send heartbeats to all nodes, this one too."""
        self._nodes = nodes
        self._programs.environment.process(self._stand())

    def _stand(self) -> Generator[simpy.Event, None, None]:
        """Do what a node does without any load."""
        costs, environment = self._programs.costs, self._programs.environment
        yield environment.timeout(PERIOD * (self.number + 1) / (len(self._nodes) + 1))
        while self.process.alive:
            self.process.do(PERIOD * costs.node.standing, self._beat)
            self.reader.do(PERIOD * costs.database.standing, nothing)
            self.connection.do(PERIOD * costs.bus.standing, nothing)
            yield environment.timeout(PERIOD)

    def _beat(self) -> None:
        for node in self._nodes:
            if node.process.alive:
                self.post(node.number, 0.0)

    def post(self, number: int, seconds: float, receive: Then = nothing) -> None:
        """Send a message to a node, which takes ``seconds`` of its processor besides its part of the frame.

        To be called at the end of a job of this node: what is sent then goes out together.
        """
        if not self._outbox:
            self.process.do(self._packing, self._flush)
        self._outbox.setdefault(number, []).append((seconds, receive))

    def _packing(self) -> float:
        return self._programs.costs.node.frame * len(self._outbox)

    def _flush(self) -> None:
        outbox, self._outbox = self._outbox, {}
        self.frames += len(outbox)
        for number, messages in outbox.items():
            self.connection.do(self._programs.costs.bus.frame, partial(self._carry, self._nodes[number], messages))

    def _carry(self, to: "Node", messages: list[tuple[float, Then]]) -> None:
        """Bring a frame from the bus to a node."""
        seconds = self._programs.costs.node.frame + sum(each for each, _ in messages)

        def read() -> None:
            to.frames += 1
            for _, receive in messages:
                receive()

        later(self._programs.environment, 2 * self._programs.machines.hop, lambda: to.process.do(seconds, read))

    def read(self, seconds: float, own: float, then: Then) -> None:
        """Read from the database, which takes ``seconds`` there and ``own`` at this node."""
        self.reader.do(seconds, lambda: self.process.do_in_slices(own, then))
