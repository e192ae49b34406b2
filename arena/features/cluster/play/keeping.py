# SPDX-License-Identifier: GPL-3.0-or-later
"""Which node referees which match: the leader's work, and that of each node.

The database says who referees a match; messages only make it quicker. The leader gives the matches of nodes that are
gone to others; each node takes up the matches that it gets.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress

import structlog

from arena import tracing
from arena.application import Arena
from arena.features.cluster.bus.links import Links
from arena.features.cluster.play import messages as between
from arena.features.cluster.play.lines import RemoteLine
from arena.features.cluster.play.peers import Nodes
from arena.matches.referee import Referee
from arena.peers import FIRST_EPOCH
from arena.seconds import until_next_second
from arena.store.errors import StoreError

log = structlog.get_logger("arena.cluster")

STARTING = 10.0
"""Seconds that a node has to begin a match that it started itself; without a referee then, it takes the match up."""

CUT_OFF = 10.0
"""Seconds without the bus after which bots whose matches are elsewhere are sent to other nodes."""

SILENT = 60.0
"""Seconds for which a match waits for the node of one of its bots; then it is void."""


class Keeping:
    """The periodic work of a node."""

    def __init__(self, arena: Arena, links: Links, nodes: Nodes) -> None:
        self._arena = arena
        self._links = links
        self._nodes = nodes
        self._taking: dict[int, asyncio.Task[None]] = {}
        self._seen: dict[int, float] = {}
        """When a match of this node without a referee was seen first, on the steady clock."""

    async def run(self) -> None:
        """Work until cancelled."""
        self._nodes.limits.begin()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._take_given())
            group.create_task(self._settle_ended())
            group.create_task(_repeat(self._nodes.moved, self._look))
            group.create_task(_repeat(asyncio.Event(), self._look_after))

    async def hand_over(self) -> None:
        """Give up the matches of this node, which are suspended. Raises StoreError."""
        for task in self._taking.values():
            task.cancel()
        self._nodes.limits.tell()
        matches = list(await self._arena.store.matches.live_owners(self._links.me))
        await self._arena.store.matches.hand_over(matches, self._links.me, None)
        self._nodes.handed_over()
        await self._nodes.close()
        log.info("handed over the matches of this node", matches=len(matches))

    # ---------------------------------------------------------------- each node

    async def _take_given(self) -> None:
        """Take up the matches that the leader gives to this node, as its messages come."""
        while True:
            match, parent = await self._nodes.given.get()
            self._take_up(match, parent)

    async def _look(self) -> None:
        """Do what follows from the list of live matches, which is read once for all that."""
        me, views, elsewhere = self._links.me, self._nodes.views, self._arena.conductor.elsewhere
        leads, wanted = self._links.leader == me, views.wanted
        if leads and self._nodes.leads.is_set():
            owners = await elsewhere.look(me)
        else:
            owners = await self._arena.store.matches.live_owners(None if leads or wanted else me)
        await self._take_owned(match for match, owner in owners.items() if owner == me)
        views.look(owners if wanted else None)
        if leads:
            await self._lead(owners)

    async def _take_owned(self, owned: Iterable[int]) -> None:
        """Take up the matches that this node is to referee as the database says, and that it does not referee yet."""
        now = time.monotonic()
        unknown = {match for match in owned if not self._plays(match)}
        for row in await self._arena.store.matches.rows(unknown):
            seen = self._seen.setdefault(row.id, now)
            if row.epoch > FIRST_EPOCH or now - seen > STARTING:
                self._take_up(row.id, "")
        self._seen = {match: seen for match, seen in self._seen.items() if match in unknown}

    def _take_up(self, match: int, parent: str) -> None:
        """Take a match up, if that has not begun; ``parent``: the trace context of the node that gave it."""
        if not self._plays(match):
            self._taking[match] = asyncio.create_task(self._take(match, parent))

    def _plays(self, match: int) -> bool:
        return match in self._taking or self._arena.conductor.knows(match)

    async def _take(self, match: int, parent: str) -> None:
        try:
            with tracing.follow(parent, "take up match", match=match):
                stored = await self._arena.store.matches.get(match)
                if stored is not None and stored.row.status == "live" and stored.row.owner == self._links.me:
                    await self._arena.take_up(stored)
        except StoreError as error:
            log.warning("a match could not be taken up; it is tried again", match=match, why=str(error))
        finally:
            del self._taking[match]

    async def _look_after(self) -> None:
        """Watch for nodes and a bus that are away."""
        if self._links.bus_away > CUT_OFF:
            self._nodes.close_cut_off()
        for referee in self._arena.conductor.referees:
            if self._waits(referee) > SILENT:
                referee.abort("a server to which a bot is connected could not be reached")
        self._nodes.limits.tell()

    def _waits(self, referee: Referee) -> float:
        """Return for how many seconds the node of a bot of a match has been silent."""
        lines = [side.connection for side in referee.present]
        return max((self._links.silence(line.node) for line in lines if isinstance(line, RemoteLine)), default=0.0)

    # ---------------------------------------------------------------- the leader

    async def _lead(self, owners: Mapping[int, int | None]) -> None:
        """Give the matches of nodes that are gone to others: first of all if this node has just begun to lead, because
        these matches stand still.
        """
        leads = self._nodes.leads.is_set()
        if await self._give(owners) or not leads:
            await self._arena.conductor.elsewhere.look(self._links.me)
        if not leads:
            await self._arena.recall_limits()
            self._nodes.limits.tell_all()
            log.info("this node leads the arena")
            self._nodes.leads.set()

    async def _settle_ended(self) -> None:
        """Follow the ends of other nodes' matches, if this node leads. What a message missed, ``_look`` finds."""
        ended = self._nodes.ended
        while True:
            heard = [await ended.get()]
            while not ended.empty():
                heard.append(ended.get_nowait())
            if self._links.leader == self._links.me:
                matches = {over.match for over in heard}
                following = {over.following for over in heard if over.following is not None}
                try:
                    await self._arena.conductor.elsewhere.ended(self._links.me, matches, following)
                except StoreError as error:
                    log.warning("the database failed; the ended matches are found later", why=str(error))

    async def _give(self, owners: Mapping[int, int | None]) -> bool:
        """Give the matches to nodes that no node referees; return whether there were any."""
        orphans: defaultdict[int | None, list[int]] = defaultdict(list)
        for match, owner in owners.items():
            if owner not in self._links.nodes:
                orphans[owner].append(match)
        for before, matches in orphans.items():
            able = self._nodes.able()
            with tracing.root("give matches", matches=len(matches), nodes=len(able)):
                for place, node in enumerate(able):
                    part = matches[place :: len(able)]
                    if part:
                        await self._arena.store.matches.hand_over(part, before, node)
                        self._links.send(node, between.encode(between.Referee(part)))
            log.info("gave matches without a referee to other nodes", matches=len(matches), nodes=len(able))
        return bool(orphans)


async def _repeat(news: asyncio.Event, work: Callable[[], Awaitable[None]]) -> None:
    """Work at once after news, and otherwise every second."""
    while True:
        news.clear()
        try:
            await work()
        except StoreError as error:
            log.warning("the database failed; it is asked again", why=str(error))
        with suppress(TimeoutError):
            async with asyncio.timeout(until_next_second()):
                await news.wait()
