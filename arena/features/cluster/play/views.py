# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of other nodes for the spectators of this one.

The node that referees a match sends each event once to each node with spectators, which fans it out. A node that begins
to watch asks the referee's node for all further events, and then reads the match from the database. The ply shows that
an event is missing; then the node reads the match again.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog

from arena.application import Arena
from arena.features.cluster.bus.links import Links
from arena.features.cluster.play import messages as between
from arena.matches.replay import ending_of, rebuild
from arena.matches.timings import decode_recorded
from arena.protocol.messages import Info
from arena.protocol.watching import Ending
from arena.store.errors import StoreError
from arena.store.rows import StoredMatch
from arena.watching.live_view import LiveView
from engine.match.events import Moved, encode_event
from engine.match.machine import Match

log = structlog.get_logger("arena.cluster")

Shown = between.ShownMove | between.ShownTurn | between.ShownEnd | between.ShownThought

BOARDS = 64
"""Matches of other nodes that are watched for the lobby, at most."""

MISSED = 2.0
"""Seconds for which a match that no node referees is not looked for again."""

PATIENCE = 10.0
"""Seconds within which the referee's node must answer."""


@dataclass(eq=False, slots=True)
class _Watched:
    """A match of another node."""

    node: int | None = None
    """The node that referees it, once that is known."""
    view: LiveView | None = None
    match: Match | None = None
    reading: bool = True
    """Whether the node reads it now; events that come meanwhile wait in ``early``."""
    early: list[Shown] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    found: bool = False


class Echo:
    """Shows a match that this node referees to the nodes that watch it."""

    def __init__(self, links: Links, match: int) -> None:
        self.nodes: set[int] = set()
        self._links = links
        self._match = match

    def _show(self, message: Shown) -> None:
        body = between.encode(message)
        for node in self.nodes:
            self._links.send(node, body)

    def moved(self, event: Moved) -> None:
        """Show a move."""
        self._show(between.ShownMove(self._match, encode_event(event).decode()))

    def turn(self, to_move: int, clocks: tuple[int, int] | None) -> None:
        """Show that a clock runs."""
        self._show(between.ShownTurn(self._match, to_move, clocks))

    def over(self, ending: Ending, clocks: tuple[int, int] | None) -> None:
        """Show the end."""
        self._show(between.ShownEnd(self._match, ending, clocks))

    def think(self, bot_id: int, ply: int, info: Info) -> None:
        """Show search info."""
        self._show(between.ShownThought(self._match, bot_id, ply, info))


class Views:
    """The matches of other nodes that spectators of this node see, and those of this node that others see."""

    def __init__(self, arena: Arena, links: Links) -> None:
        self.live = 0
        """Number of live matches of all nodes when it was looked for last; 0 without spectators."""
        self._arena = arena
        self._links = links
        self._watched: dict[int, _Watched] = {}
        self._missed: dict[int, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ---------------------------------------------------------------- matches of other nodes

    def fetch(self, match: int) -> bool:
        """Begin to watch a match of another node; False if none referees it."""
        if time.monotonic() - self._missed.get(match, -MISSED) < MISSED:
            return False
        if match not in self._watched:
            watched = self._watched[match] = _Watched()
            self._read_soon(match, watched)
        return True

    @property
    def wanted(self) -> bool:
        """Whether this node has spectators: then it must know all live matches."""
        return bool(self._arena.broadcast.spectators)

    def look(self, owners: Mapping[int, int | None] | None) -> None:
        """Watch what spectators of the lobby see, and no more what nobody sees. ``owners``: the nodes that referee the
        live matches, by match; None: there was no spectator, so the matches were not read.
        """
        broadcast = self._arena.broadcast
        if owners is None:
            if not self.wanted:  # no spectator has come meanwhile either
                self.live = 0
                for match in list(self._watched):
                    self._drop(match)
            return
        self.live = len(owners)
        others = [match for match, owner in owners.items() if owner not in (None, self._links.me)]
        shown = set(others[-BOARDS:]) | (broadcast.followed() & set(others))
        for match in shown:
            self.fetch(match)
        for match in self._watched.keys() - shown - broadcast.followed():
            self._drop(match)
        for match, watched in list(self._watched.items()):
            if self._arena.conductor.referee(match) is not None:
                del self._watched[match]  # this node referees it now, and has a view of its own
            elif not watched.reading and watched.node not in self._links.nodes:
                self._read_again(match, watched)

    def _drop(self, match: int) -> None:
        watched = self._watched.pop(match)
        watched.answered.set()
        if watched.node is not None:
            self._links.send(watched.node, between.encode(between.Unwatch(match)))
        if watched.view is not None:
            self._arena.broadcast.remove(watched.view)

    def _read_soon(self, match: int, watched: _Watched) -> None:
        task = asyncio.create_task(self._guarded(match, watched))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _read_again(self, match: int, watched: _Watched) -> None:
        """Read a match again: an event of it is missing, or another node referees it now."""
        watched.reading, watched.found = True, False
        watched.answered.clear()
        self._read_soon(match, watched)

    async def _guarded(self, match: int, watched: _Watched) -> None:
        """Read a match; whatever happens, spectators who asked for it get an answer."""
        if self._watched.get(match) is not watched:
            return  # nobody sees it any more, or this node referees it now
        try:
            found = await self._read(match, watched)
        except Exception as error:
            tell = log.warning if isinstance(error, StoreError | TimeoutError) else log.exception
            tell("a match of another node cannot be shown now", match=match, why=str(error))
            found = False
        watched.reading = False
        if self._watched.get(match) is not watched:
            return
        if found:
            early, watched.early = watched.early, []
            for shown in early:
                self._show(match, watched, shown)
        elif watched.view is None:
            self._miss(match)
        else:
            watched.node = None  # another node takes it over; the next look reads it again

    def _miss(self, match: int) -> None:
        now = time.monotonic()
        self._missed = {each: at for each, at in self._missed.items() if now - at < MISSED} | {match: now}
        del self._watched[match]
        self._arena.broadcast.resumable.settle(match)

    async def _read(self, match: int, watched: _Watched) -> bool:
        """Read a match, or what is missing of it; False if no node referees it now."""
        row = await self._arena.store.matches.row(match)
        game = None if row is None else self._arena.registry.games.get(row.game)
        if row is None or game is None:
            return False
        if row.status == "live":
            if row.owner == self._links.me or row.owner is None or row.owner not in self._links.nodes:
                return False
            watched.node = row.owner
            self._links.send(row.owner, between.encode(between.Watch(match)))
            async with asyncio.timeout(PATIENCE):
                await watched.answered.wait()
        elif watched.view is None:
            return False
        stored = await self._arena.store.matches.get(match)
        assert stored is not None, "matches are never deleted"
        rebuilt = None
        if watched.view is None and watched.found:
            await self._arena.registry.until_ready(game.name)
            rebuilt = await asyncio.to_thread(rebuild, stored, game)
        if self._watched.get(match) is not watched:
            return False  # dropped meanwhile: a view would stay for good
        if rebuilt is not None:
            watched.match = rebuilt
            watched.view = LiveView(stored.row, rebuilt, self._arena.settings.moves_behind)
            self._arena.broadcast.add(watched.view)
        elif watched.view is not None:
            self._catch_up(match, watched, stored)
        return watched.found or stored.row.status == "finished"

    def _catch_up(self, number: int, watched: _Watched, stored: StoredMatch) -> None:
        match, view = watched.match, watched.view
        assert match is not None
        assert view is not None
        for event in map(decode_recorded, (each.body for each in stored.events)):
            if isinstance(event, Moved):
                self._move(match, view, event)
        if stored.row.status == "finished":
            self._end(number, view, ending_of(stored.row), match.clocks)

    def _move(self, match: Match, view: LiveView, event: Moved) -> None:
        """Show a move that the view may know already."""
        if event.ply > match.ply:
            match.apply(event)
        view.moved(event, match)

    def _end(self, match: int, view: LiveView, ending: Ending, clocks: tuple[int, int] | None) -> None:
        self._watched.pop(match, None)
        view.over(ending, clocks)
        self._arena.broadcast.remove(view)

    def _show(self, number: int, watched: _Watched, shown: Shown) -> None:
        match, view = watched.match, watched.view
        if watched.reading or match is None or view is None:
            watched.early.append(shown)
            return
        match shown:
            case between.ShownMove(_, text):
                event = decode_recorded(text)
                assert isinstance(event, Moved)
                if event.ply > match.ply + 1:
                    self._read_again(number, watched)
                else:
                    self._move(match, view, event)
            case between.ShownTurn(_, to_move, clocks):
                view.turn(to_move, clocks)
            case between.ShownThought(_, bot, ply, info):
                view.think(bot, ply, info)
            case between.ShownEnd(_, ending, clocks):
                self._end(number, view, ending, clocks)

    def gone(self, node: int) -> None:
        """Forget that a node watches; its own matches are read again once another node referees them."""
        for echo in self._echoes():
            echo.nodes.discard(node)
        for watched in self._watched.values():
            if watched.node == node:
                watched.answered.set()

    # ---------------------------------------------------------------- matches of this node

    def _echoes(self) -> list[Echo]:
        referees = self._arena.conductor.referees
        return [each.view.echo for each in referees if isinstance(each.view.echo, Echo)]

    def heard(self, node: int, message: between.AnyMessage) -> None:
        """Handle a message about a watched match."""
        match message:
            case between.Watch(match):
                self._links.send(node, between.encode(between.Watching(match, self._echo(match, node))))
            case between.Unwatch(match):
                self._unwatch(match, node)
            case between.Watching(match, found):
                if (watched := self._watched.get(match)) is not None and watched.node == node:
                    watched.found = found
                    watched.answered.set()
            case between.ShownMove() | between.ShownTurn() | between.ShownEnd() | between.ShownThought():
                if (watched := self._watched.get(message.match)) is not None and watched.node == node:
                    self._show(message.match, watched, message)
            case _:
                log.warning("a message of a node came at the wrong place", message=type(message).__name__)

    def _echo(self, match: int, node: int) -> bool:
        referee = self._arena.conductor.referee(match)
        if referee is None:
            return False
        if not isinstance(referee.view.echo, Echo):
            referee.view.echo = Echo(self._links, match)
        referee.view.echo.nodes.add(node)
        return True

    def _unwatch(self, match: int, node: int) -> None:
        referee = self._arena.conductor.referee(match)
        if referee is not None and isinstance(referee.view.echo, Echo):
            referee.view.echo.nodes.discard(node)
            if not referee.view.echo.nodes:
                referee.view.echo = None
