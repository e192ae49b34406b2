# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine on which each built-in bot runs: this one, or another one that a feature has.

A bot that moves gets a fresh token, so its connection from the machine before ends. The server's own process keeps the
code of all bots loaded, so that a bot plays here again at once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

import structlog

from arena.hosting.processor_time import ProcessorTime
from arena.protocol.orders import FurtherOrders, HostedBot
from arena.store.errors import NameTaken
from arena.store.rows import BotRow

log = structlog.get_logger("arena.hosting.places")


class Places:
    """The built-in bots that the server's own process plays, unless they are elsewhere."""

    def __init__(
        self, processor_time: ProcessorTime, admit: Callable[[str, str], Awaitable[tuple[str, BotRow] | None]]
    ):
        """``admit``: gives a bot, by name and description, a fresh token; None for one that is switched off. It raises
        NameTaken.
        """
        self._processor_time = processor_time
        self._admit = admit
        self._known: dict[str, tuple[str, str]] = {}
        """Kind and description of each bot, by name."""
        self._ids: dict[str, int] = {}
        self._elsewhere: set[str] = set()
        self._pid = 0
        self._moving = asyncio.Lock()
        self.tell: Callable[[FurtherOrders], None] = lambda further: None
        """Send further orders to the server's own process."""
        self.on_offer: Callable[[], None] = lambda: None
        """Called when the bots are known: the server's own process has started."""

    def offer(self, bots: Iterable[tuple[str, str, str]]) -> None:
        """Set the bots, each by kind, name and description, before the server's own process starts."""
        self._known = {name: (kind, description) for kind, name, description in bots}

    @property
    def kinds(self) -> dict[str, str]:
        """The kinds of all bots, by name."""
        return {name: kind for name, (kind, _) in self._known.items()}

    @property
    def bots(self) -> dict[str, int]:
        """The bots that connect, by name, with their numbers."""
        return dict(self._ids)

    def elsewhere(self, name: str) -> bool:
        """Return whether a bot runs on another machine."""
        return name in self._elsewhere

    async def start(self, pid: int) -> list[HostedBot]:
        """Return the first orders for the server's own process, which has just started. Bots that run elsewhere have no
        token there.
        """
        async with self._moving:
            self._pid = pid
            hosted = []
            for name, (kind, _) in self._known.items():
                if name in self._elsewhere:
                    hosted.append(HostedBot(kind, name, ""))
                elif (bot := await self._fresh(name)) is not None:
                    hosted.append(bot)
                    self._processor_time.settle(pid, [self._ids[name]])
        self.on_offer()
        return hosted

    async def move_out(self, names: Sequence[str], machine: str) -> list[HostedBot]:
        """Return the orders for bots that run on another machine from now on, and end them here."""
        async with self._moving:
            # first, so that no process takes the end of a connection for a refusal
            self._elsewhere.update(names)
            self.tell(FurtherOrders(leave=list(names)))
            hosted = [bot for name in names if (bot := await self._fresh(name)) is not None]
            self._processor_time.place(machine, [self._ids[bot.name] for bot in hosted])
        return hosted

    async def take_back(self, names: Sequence[str]) -> None:
        """Let bots run here again."""
        async with self._moving:
            hosted = []
            for name in names:
                bot = await self._fresh(name)
                self._elsewhere.discard(name)
                if bot is not None:
                    self._processor_time.settle(self._pid, [self._ids[name]])
                    hosted.append(bot)
            self.tell(FurtherOrders(enter=hosted))

    async def _fresh(self, name: str) -> HostedBot | None:
        """Give a bot a fresh token; return None for one that cannot connect."""
        if name not in self._known:
            return None
        kind, description = self._known[name]
        try:
            found = await self._admit(name, description)
        except NameTaken as error:
            log.warning("a built-in bot cannot connect", bot=name, why=str(error))
            found = None
        if found is None:
            self._ids.pop(name, None)
            return None
        token, row = found
        self._ids[name] = row.id
        return HostedBot(kind, name, token)
