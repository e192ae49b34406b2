# SPDX-License-Identifier: GPL-3.0-or-later
"""The house process: the arena's own bots, clients like all others; started again when it ends.

It reads one JSON line on its standard input: where to connect, and the bots with their tokens. Tokens go through this
pipe only and are new each time. It tells its progress in JSON lines on standard output. It ends when its standard
input does, and at once when the arena is killed (``engine.child``).
"""

import asyncio
import contextlib
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import msgspec
import structlog

from arena.hosting.processes import start_process
from engine import child

log = structlog.get_logger("arena.hosting.house")

COMMAND = partial(child.command, "bots.house")

BREEDER = "the breeder"
"""The operator that reports what is bred beside the arena."""
BUILT_IN_OPERATORS = (BREEDER,)
"""Parts of the arena. What they report is no action of an operator, and no person may be called so. Features add to
them.
"""

FIRST_WAIT = 1.0
LONGEST_WAIT = 15.0
"""Seconds before the process is started again: twice as long each time, unless it was ready for longer than that. What
fails as it starts must not keep a processor busy; but clocks run in the matches of one that played, whose bots must be
back in time.
"""

LEAVE_TIME = 3.0
"""Seconds the process has to end by itself."""


class Place(msgspec.Struct, frozen=True):
    """A house bot and the token it shows."""

    name: str
    token: str


class Progress(msgspec.Struct, frozen=True):
    """A line the process writes: what it is preparing, for people, or that it is ready."""

    warming: str = ""
    ready: bool = False
    """Whether what people wait for is prepared."""
    settled: bool = False
    """Whether all is: every bot that the process hosts plays."""
    left: str = ""
    """A bot that the arena turned away."""
    ended: bool = False
    """Whether the process has ended, which ``House`` tells itself."""
    game: str = ""
    """The game of what is being prepared."""
    until: dict[str, float] = msgspec.field(default_factory=dict)
    """In about how many seconds all bots of the process play each game that they do not play yet."""
    again: bool = False
    """Whether the same is being prepared as was told before."""


class Orders(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to play, which bots, and which games, so that nothing is compiled for others; None: all that there are."""

    url: str
    bots: list[Place]
    games: list[str] | None = None
    guests: bool = False
    """Whether they are guests, who stand back behind the house."""
    waiting: dict[str, int] = msgspec.field(default_factory=dict)
    """How many kinds of people and programs wait for a game: the most awaited is compiled first."""


class Waiting(msgspec.Struct, frozen=True):
    """A later line of orders: who waits for which games by now."""

    waiting: dict[str, int]


class BreedingOrders(msgspec.Struct, frozen=True):
    """What is bred, and where: an operator's token, and the bot that champions play as."""

    url: str
    token: str
    bot: str
    bot_token: str
    game: str
    size: int
    pace: float
    every: int


class House:
    """Keeps the house process alive."""

    def __init__(
        self,
        orders: Callable[[int], Awaitable[msgspec.Struct]],
        report: Callable[[Progress], None],
        command: Callable[[], Sequence[str]] = COMMAND,
        *,
        what: str = "house",
    ) -> None:
        """``command`` returns what to start: a child of ours that ends with the arena.

        ``orders`` are asked for each time the process was started, by its number, while it loads; ``report`` hears of
        progress.

        ``what`` it is called in the log: the breeder and others are kept alive by the same means.
        """
        self._what = what
        self._orders = orders
        self._report = report
        self._command = command
        self._ready: float | None = None
        """Since when the process is ready, on the loop's clock."""
        self._process: Process | None = None
        self.loading = asyncio.Event()
        """Set once the process was started for the first time."""

    async def run(self) -> None:
        """Run the process until cancelled; when it ends, start another after a while."""
        wait = FIRST_WAIT
        while True:
            self._ready = None
            try:
                status = await self._live()
                log.warning("a process ended", process=self._what, status=status)
            except OSError as error:
                log.warning("a process could not be started", process=self._what, why=str(error))
            except Exception:
                log.exception("a process could not be run", process=self._what)
            self._report(Progress(warming=f"the {self._what} starts again", ended=True))
            if self._played() > wait:
                wait = FIRST_WAIT
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def add(self, orders: msgspec.Struct) -> None:
        """Give further orders to a process that has its first ones."""
        if self._process is not None and self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(msgspec.json.encode(orders) + b"\n")

    def _played(self) -> float:
        """Return for how many seconds the process has been ready."""
        return 0.0 if self._ready is None else asyncio.get_running_loop().time() - self._ready

    async def _live(self) -> int:
        """Run the process once; returns its exit status."""
        process = await start_process(
            *self._command(),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # Ctrl-C is for the arena alone
        )
        self.loading.set()
        try:
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(await self._orders(process.pid)) + b"\n")
            await process.stdin.drain()
            self._process = process
            await self._listen(process)
            return await process.wait()
        finally:
            self._process = None
            await _dismiss(process)

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        decoder = msgspec.json.Decoder(Progress)
        async for line in process.stdout:
            try:
                progress = decoder.decode(line)
            except msgspec.DecodeError:
                log.info("a process says", process=self._what, line=line.decode(errors="replace").rstrip())
            else:
                if progress.ready:
                    self._ready = asyncio.get_running_loop().time()
                self._report(progress)


async def _dismiss(process: Process) -> None:
    """End a process: ask by the end of its input, then by signals."""
    if process.stdin is not None:
        process.stdin.close()
    for ask in (None, process.terminate, process.kill):
        if process.returncode is not None:
            return
        with contextlib.suppress(TimeoutError, ProcessLookupError):
            if ask is not None:
                ask()
            async with asyncio.timeout(LEAVE_TIME):
                await process.wait()
