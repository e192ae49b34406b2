# SPDX-License-Identifier: GPL-3.0-or-later
"""A pool of workers on a Ray cluster: pieces go out in batches, and those of a dead worker or node go out again.

Each batch is a Ray task. A thread of this process keeps a running and a waiting batch for each processor of the
cluster. Batches grow until one takes about ``SPAN``, so short pieces do not pay a message each.
"""

import contextlib
import pickle
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any

from bots.pools.connection import Connection, Node
from bots.pools.node import compute, packed
from bots.pools.pool import AHEAD, ATTEMPTS, Pool, PoolFailed, WorkerDied

SPAN = 0.3
"""Seconds that a batch should take."""

LONGEST = 256
"""Pieces of a batch."""

KEPT = 4
"""Functions whose pickles stay in the cluster."""

LOOK = 10.0
"""Seconds between two looks at the nodes, for those that joined or left."""

SOON, EVERY = 2.0, 30.0
"""Seconds until the first report that nodes compile, and between two further ones."""


@dataclass(slots=True)
class _Work:
    """A function in the cluster."""

    function: Callable[..., Any]
    key: str
    pickled: Any
    """Ray's reference to its pickle."""
    seconds: float | None = None
    """A moving average of the time of a piece."""

    @property
    def batch(self) -> int:
        """The number of pieces of a batch."""
        return 1 if self.seconds is None else max(1, min(LONGEST, int(SPAN / max(self.seconds, 1e-6))))


@dataclass(slots=True)
class _Piece:
    work: _Work
    arguments: bytes
    future: Future[Any]
    attempts: int = 0


@dataclass(slots=True)
class _Batch:
    pieces: list[_Piece]
    task: Any
    """Ray's references to the node and the results."""


@dataclass(slots=True)
class Share:
    """What a node has done."""

    name: str
    pieces: int = 0
    seconds: float = 0.0
    """Of all its workers, without waiting."""
    began: float = field(default_factory=time.monotonic)
    last: float = field(default_factory=time.monotonic)


class Cluster(Pool):
    """A pool on the machines of a Ray cluster."""

    def __init__(self, connection: Connection, limit: int | None, tell: Callable[[str], None]) -> None:
        """``limit``: of pieces at the same time; None: the processors of the cluster. ``tell`` gets texts for people.

        Raises PoolFailed when the cluster has no processor.
        """
        self._connection = connection
        self._limit = limit
        self._tell = tell
        self._nodes: dict[str, Node] = {}
        self._shares: dict[str, Share] = {}
        self._works: deque[_Work] = deque(maxlen=KEPT)
        self._made = 0
        self._size = 1
        self._look()
        if not self._nodes:
            raise PoolFailed("the cluster has no node with processors")
        self._task = connection.remote(compute)
        self._events: queue.SimpleQueue[_Piece | tuple[_Batch, Any] | None] = queue.SimpleQueue()
        self._ended = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._dispatch, name="cluster", daemon=True)
        self._thread.start()

    @property
    def size(self) -> int:
        """The number of processors that are used."""
        return self._size

    @property
    def ahead(self) -> int:
        """The number of pieces that fill the running and the waiting batches, and a few more."""
        longest = max((work.batch for work in list(self._works)[-1:]), default=1)
        return self._size * max(AHEAD, 3 * longest)

    @property
    def elsewhere(self) -> bool:
        """Whether the cluster may have other machines."""
        return self._connection.elsewhere

    @property
    def compiles(self) -> bool:
        """Nodes compile on their own."""
        return True

    @property
    def speeds(self) -> str:
        """The pieces per second of each node since its first piece."""
        return ", ".join(
            f"{share.name} {share.pieces / max(share.last - share.began, 1e-3):,.1f}/s"
            for share in self._shares.values()
            if share.pieces
        )

    @property
    def shares(self) -> list[Share]:
        """What each node has done."""
        return list(self._shares.values())

    def prepare(self, work: Callable[..., Any], *arguments: Any) -> None:
        """Compute a piece on each node, all nodes at the same time, and drop the results."""
        stored, body = self._stored(work), [pickle.dumps(arguments)]
        tasks = {
            self._task.on(node.key).remote(stored.key, stored.pickled, body): node for node in self._nodes.values()
        }
        began, wait = time.monotonic(), SOON
        left = list(tasks)
        while left:
            done, left = self._connection.wait(left, wait)
            for task in done:
                try:
                    _, _, (answer,) = self._connection.get(task)
                except self._connection.lost:
                    continue  # its pieces go to other nodes
                error, _ = pickle.loads(answer)  # of our own code
                if error is not None:
                    raise error
            if left and not done:
                self._tell(f"{len(left)} of {len(tasks)} nodes compile, {time.monotonic() - began:.0f} s so far.")
                wait = EVERY

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Compute a piece on any node."""
        assert not named, "pieces have arguments by position only"
        if self._ended:
            raise PoolFailed("the pool has ended")
        piece = _Piece(self._stored(work), pickle.dumps(arguments), Future())
        self._events.put(piece)
        return piece.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect; end a Ray of our own with all its processes. Pieces that are not computed are cancelled."""
        if self._ended:
            return
        self._ended = True
        self._events.put(None)
        self._thread.join()
        self._connection.close()

    def _stored(self, function: Callable[..., Any]) -> _Work:
        """Return a function of the cluster, put there if it is new."""
        with self._lock:
            for work in self._works:
                if work.function is function:
                    return work
            self._made += 1
            work = _Work(function, f"{id(self)}/{self._made}", self._connection.put(packed(function)))
            self._works.append(work)
            return work

    def _look(self) -> None:
        """Count the nodes and their processors."""
        self._nodes = {node.key: node for node in self._connection.nodes()}
        processors = sum(node.processors for node in self._nodes.values())
        self._size = max(1, min(processors, self._limit or processors))

    # ------------------------------------------------------------ the thread

    def _dispatch(self) -> None:
        waiting: deque[_Piece] = deque()
        running: dict[int, _Batch] = {}
        looked = time.monotonic()
        try:
            while (event := self._events.get()) is not None:
                self._take(event, waiting, running)
                while not self._events.empty():
                    event = self._events.get()
                    if event is None:
                        return
                    self._take(event, waiting, running)
                if time.monotonic() - looked > LOOK:
                    self._look()
                    looked = time.monotonic()
                while waiting and len(running) < 2 * self._size:
                    self._send(waiting, running)
        except Exception as error:  # the connection is gone
            self._ended = True
            failed = PoolFailed(f"the cluster does not answer any more: {_line(error)}")
            failed.__cause__ = error
            self._fail([*waiting, *(piece for batch in running.values() for piece in batch.pieces)], failed)
            while (event := self._events.get()) is not None:
                if isinstance(event, _Piece):
                    self._fail([event], failed)
        finally:
            for batch in running.values():
                self._connection.cancel(batch.task)
            for piece in (*waiting, *(piece for batch in running.values() for piece in batch.pieces)):
                if not piece.future.cancel() and not piece.future.done():
                    self._fail([piece], PoolFailed("the pool has ended"))

    def _take(self, event: "_Piece | tuple[_Batch, Any]", waiting: deque[_Piece], running: dict[int, _Batch]) -> None:
        if isinstance(event, _Piece):
            waiting.append(event)
            return
        batch, outcome = event
        running.pop(id(batch), None)
        if isinstance(outcome, self._connection.lost):
            self._again(batch, waiting, outcome)
        elif isinstance(outcome, BaseException):
            self._fail(batch.pieces, PoolFailed(f"the cluster cannot compute: {_line(outcome)}"))
        else:
            self._finish(batch, *outcome)

    def _send(self, waiting: deque[_Piece], running: dict[int, _Batch]) -> None:
        """Send a batch of the pieces that wait, a fair part if few are left."""
        first = waiting[0]
        share = -(-len(waiting) // max(1, 2 * self._size - len(running)))
        count = 1 if first.attempts else min(first.work.batch, share)
        pieces: list[_Piece] = []
        while waiting and len(pieces) < count and waiting[0].work is first.work:
            piece = waiting.popleft()
            # a piece that goes out again is running already
            if piece.attempts or piece.future.set_running_or_notify_cancel():
                pieces.append(piece)
        if not pieces:
            return
        task = self._task.remote(first.work.key, first.work.pickled, [piece.arguments for piece in pieces])
        batch = _Batch(pieces, task)
        running[id(batch)] = batch
        self._connection.notify(task, lambda outcome: self._events.put((batch, outcome)))

    def _finish(self, batch: _Batch, where: str, seconds: float, found: list[bytes]) -> None:
        work, each = batch.pieces[0].work, seconds / len(batch.pieces)
        work.seconds = each if work.seconds is None else 0.7 * work.seconds + 0.3 * each
        now = time.monotonic()
        if where not in self._shares:
            name = self._nodes[where].name if where in self._nodes else where[:8]
            self._shares[where] = Share(name, began=now - seconds)
        share = self._shares[where]
        share.pieces, share.seconds, share.last = share.pieces + len(found), share.seconds + seconds, now
        for piece, body in zip(batch.pieces, found, strict=True):
            error, result = pickle.loads(body)  # of our own code
            if error is None:
                piece.future.set_result(result)
            else:
                piece.future.set_exception(error)

    def _again(self, batch: _Batch, waiting: deque[_Piece], why: Exception) -> None:
        """Let the pieces of a dead worker or node go out again, each alone."""
        count = len(batch.pieces)
        self._tell(f"A worker died; {'its piece is' if count == 1 else f'its {count} pieces are'} computed again.")
        for piece in reversed(batch.pieces):
            piece.attempts += 1
            if piece.attempts >= ATTEMPTS and isinstance(why, self._connection.crashed):
                self._fail([piece], WorkerDied(f"a piece of work ended its process {ATTEMPTS} times"))
            else:
                waiting.appendleft(piece)

    @staticmethod
    def _fail(pieces: Iterable[_Piece], error: Exception) -> None:
        for piece in pieces:
            with contextlib.suppress(InvalidStateError):
                piece.future.set_exception(error)


def _line(error: BaseException) -> str:
    """Return the last line of an exception's text, which names the cause in Ray's exceptions."""
    lines = str(error).strip().splitlines()
    return lines[-1][:300] if lines else type(error).__name__
