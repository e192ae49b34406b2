# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine on which each built-in bot runs: this one, or another one that a feature has.

A bot that moves gets a fresh token, so its connection from the machine before ends. The server's own process keeps the
code of all bots loaded, so that a bot plays here again at once.
"""

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
        self.tell: Callable[[FurtherOrders], None] = lambda further: None
        """Send further orders to the server's own process."""
        self.on_offer: Callable[[], None] = lambda: None
        """Called when the names of the bots may have changed."""

    @property
    def bots(self) -> dict[str, int]:
        """The bots that connect, by name, with their numbers."""
        return dict(self._ids)

    def elsewhere(self, name: str) -> bool:
        """Return whether a bot runs on another machine."""
        return name in self._elsewhere

    async def start(self, bots: Iterable[tuple[str, str, str]], pid: int) -> list[HostedBot]:
        """Return the first orders for the server's own process, which has just started: those of ``bots``, given by
        kind, name and description. Bots that run elsewhere have no token there.
        """
        self._pid = pid
        self._known = {name: (kind, description) for kind, name, description in bots}
        self._ids = {name: number for name, number in self._ids.items() if name in self._known}
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
        hosted = []
        for name in names:
            bot = await self._fresh(name)
            if bot is not None:
                self._elsewhere.add(name)
                self._processor_time.place(machine, [self._ids[name]])
                hosted.append(bot)
        self.tell(FurtherOrders(leave=[bot.name for bot in hosted]))
        return hosted

    async def take_back(self, names: Sequence[str]) -> None:
        """Let bots run here again."""
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
