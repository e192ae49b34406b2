# SPDX-License-Identifier: GPL-3.0-or-later
"""Live view of a match for spectators: diagrams, clocks, and messages that are encoded once for all spectators."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from msgspec import structs

from arena.protocol.codec import encode
from arena.protocol.messages import Info, Player
from arena.protocol.watching import BOTH, Ending, LateInfo, MatchOver, MoveMade, Seen, SeenMove, Snapshot
from arena.store.rows import MatchRow
from arena.watching.diagrams import Diagrams
from arena.watching.disclosure import released_by, withheld
from arena.watching.live_search import LiveSearch, Thought
from engine.game import CHANCE
from engine.match.ending import Termination
from engine.match.events import Moved
from engine.match.machine import Match
from engine.viewpoint import Viewpoint

Clocks = tuple[int, int] | None

PART = 100
"""Maximum moves in one snapshot; the rest follows in further snapshots."""

SNAPSHOTS_KEPT = 4
"""Cached snapshots from different plies; most spectators request all moves, or those since a lost connection."""


class Echo(Protocol):
    """Repeats for spectators at other servers what happens in a match: the calls are those of its view."""

    def moved(self, event: Moved) -> None: ...
    def turn(self, to_move: int, clocks: Clocks) -> None: ...
    def over(self, ending: Ending, clocks: Clocks) -> None: ...
    def think(self, bot_id: int, ply: int, info: Info) -> None: ...


class LiveView:
    """Live view of one match. Times are Unix times for display; the referee keeps the clocks of play."""

    def __init__(self, row: MatchRow, match: Match, kept: int = 0) -> None:
        """Show a match from its current state; from now on, its ``kept`` newest moves are available one by one."""
        self.row = row
        self._match: Match | None = match
        """The match; None after its end, because views of ended matches are kept for long."""
        self.picture = _picture(match, Viewpoint.of(match.game, None))
        self.ending: Ending | None = None
        self.changed: Callable[[int], None] = lambda match: None
        """Called with the match's number after each change."""
        self.thought: Callable[[int], None] = lambda match: None
        """Called with the match's number when there is a new thought for spectators."""
        self.echo: Echo | None = None
        """The same for spectators at other servers; None: there are none."""
        self.search: LiveSearch | None = None
        """The running search, while spectators want it."""
        self._began: float | None = None
        """When the turn began, in seconds of the loop's clock; None before a turn."""
        self._kept = kept
        self._to_move = _to_move(match)
        self._clocks: Clocks = match.clocks
        self._clocks_at = time.time()
        self._after: dict[int, tuple[int, Clocks]] = {}
        self._frames: dict[int, str] = {}
        self._snapshots: dict[int, tuple[str, int]] = {}
        """Cached snapshots by first ply: the message and its last ply."""
        self._over_frame = ""

    @property
    def ply(self) -> int:
        """Number of moves so far, including the opening."""
        return self.picture.ply

    @property
    def changed_at(self) -> float:
        """Unix time of the newest change: a move, a clock that starts, the end."""
        return self._clocks_at

    @property
    def seen(self) -> Seen:
        """The match without its moves."""
        row = self.row
        return Seen(
            match=row.id,
            game=row.game,
            time_class=row.time_class,
            players=self._players,
            rated=row.rated,
            time_control=row.time_control,
            started=row.started,
            ply=self.ply,
            diagram=self.picture.diagram,
            squares=self.picture.squares,
            to_move=self._to_move,
            clocks=self._clocks,
            clocks_at=self._clocks_at,
            ending=self.ending,
            info_release=row.info_release,
            dice_commitment=row.dice_commitment,
            aside=self.picture.aside,
        )

    @property
    def _players(self) -> tuple[Player, Player]:
        if self.row.anonymous and self.ending is None:
            return Player("", ""), Player("", "")
        one, other = (Player(each.bot, each.version, each.rating, each.bot_id) for each in self.row.players)
        return one, other

    def moved(self, event: Moved, match: Match) -> None:
        """Add a new move of the match: its newest, or one before dice rolls that followed at once."""
        if event.ply <= self.ply:
            return  # the view already has this move from the start or resumption of the match
        if self.echo is not None:
            self.echo.moved(event)
        to_move, clocks = CHANCE, match.clocks
        if event.ply < match.ply:
            self.picture.replay(event)
        else:
            assert match.made is not None
            to_move = _to_move(match)
            self.picture.add(event, match.made, match.position)
        self._after[event.ply] = to_move, clocks
        self._after.pop(event.ply - self._kept, None)
        self._frames.pop(event.ply - self._kept, None)
        self._began = None
        self._changed(to_move, clocks)

    def turn(self, to_move: int, clocks: Clocks) -> None:
        """Show that a clock is running from now on. Where both seats choose at the same time, the first turn counts:
        nobody sees which seat has chosen already.
        """
        if self.echo is not None:
            self.echo.turn(to_move, clocks)
        together = self._match is not None and self._match.position.simultaneous
        if self._began is not None and together:
            return
        self._changed(BOTH if together else to_move, clocks)
        self._began = asyncio.get_running_loop().time()
        if self.search is not None:
            self.search.begin(self.ply, to_move, self._began)

    def over(self, ending: Ending, clocks: Clocks) -> None:
        """Show the end of the match."""
        if self.echo is not None:
            self.echo.over(ending, clocks)
        secrets = self._match is not None and self._match.game.secrets is not None
        if self._match is not None and secrets and not self.row.sealed:
            self.picture = _picture(self._match, Viewpoint.full(self._match.game))
            self._after.clear()
            self._frames.clear()
        self._match = None
        if ending.termination == Termination.DECIDED and not (secrets and self.row.sealed):
            ending = structs.replace(ending, decision=self.picture.decision)
        self.ending = ending
        self._changed(self._to_move, clocks)

    # ---------------------------------------------------------------- the running search

    def watch_search(self) -> None:
        """Count a spectator who wants to see the running search."""
        if self.search is None and self.ending is None:
            self.search = LiveSearch(lambda: self.thought(self.row.id))
            if self._began is not None:
                self.search.begin(self.ply, max(self._to_move, 0), self._began)
        if self.search is not None:
            self.search.watchers += 1

    def leave_search(self) -> None:
        """Undo ``watch_search``; without such spectators, nothing is kept."""
        if self.search is not None:
            self.search.watchers -= 1
            if not self.search.watchers:
                self.search.close()
                self.search = None

    @property
    def shows_search(self) -> bool:
        """Whether spectators want to see the running search, and may see it."""
        return self.search is not None and self.row.info_release == "live"

    def think(self, bot_id: int, ply: int, info: Info) -> None:
        """Show the search info of a bot, if it is to move at this ply, and spectators want to see it."""
        seat = self._to_move
        if self.echo is not None:
            self.echo.think(bot_id, ply, info)
        if self.search is None or self._began is None or not self.shows_search:
            return
        if ply == self.ply and self.row.players[seat].bot_id == bot_id and self.ending is None:
            self.search.put(Thought(ply, seat, info, self._began, asyncio.get_running_loop().time()))

    @property
    def shown_thought(self) -> Thought | None:
        """The newest thought about the current position that spectators may see."""
        search = self.search
        if search is None or search.newest is None or search.newest.ply != self.ply or self.ending is not None:
            return None
        return search.newest

    def search_frame(self, version: int) -> tuple[str | None, int]:
        """Return the message with the newest thought about the current position, unless the spectator has it already,
        and its version. ``version``: of the thought that the spectator has.
        """
        search = self.search
        if search is None or search.version == version:
            return None, version
        shown = self.shown_thought is not None
        return search.frame(self.row.id, self.picture.thought, first=version == 0) if shown else None, search.version

    def _changed(self, to_move: int, clocks: Clocks) -> None:
        self._to_move, self._clocks, self._clocks_at = to_move, clocks, time.time()
        self._snapshots.clear()
        self.changed(self.row.id)

    # ---------------------------------------------------------------- frames

    def move_frame(self, ply: int) -> str | None:
        """Return the message about the move of a ply, or None if only a snapshot has it, because the move is old or
        from before a restart.
        """
        if ply not in self._frames:
            if ply not in self._after:
                return None
            to_move, clocks = self._after[ply]
            moves, release = self.picture.moves, self.row.info_release
            made = moves[ply - 1] if release == "live" else structs.replace(moves[ply - 1], info=None, line=[])
            late = released_by(moves, ply - 1, release)
            message = MoveMade(
                match=self.row.id,
                made=made,
                to_move=to_move,
                clocks=clocks,
                late=None if late is None else _late(moves[late]),
            )
            self._frames[ply] = encode(message)
        return self._frames[ply]

    def part(self, after: int, limit: int) -> list[SeenMove]:
        """Return the public view of at most ``limit`` moves after ply ``after``."""
        moves = self.picture.moves
        shown = moves[after : after + limit]
        if self.ending is None or self.row.sealed:
            for index in withheld(moves, self.row.info_release):
                if after <= index < after + limit:
                    shown[index - after] = structs.replace(moves[index], info=None, line=[])
        return shown

    def snapshot_frame(self, after: int = 0) -> tuple[str, int]:
        """Return a snapshot with at most PART moves after ply ``after``, and its last ply."""
        after = min(after, self.ply)
        if after not in self._snapshots:
            if len(self._snapshots) >= SNAPSHOTS_KEPT:
                self._snapshots.clear()
            moves = self.part(after, PART)
            snapshot = Snapshot(
                seen=self.seen,
                initial=self.picture.initial,
                moves=moves,
                after=after,
                late=self._late_before(after),
            )
            self._snapshots[after] = encode(snapshot), after + len(moves)
        return self._snapshots[after]

    def over_frame(self) -> str:
        """Return the message about the end; the match must be over."""
        if not self._over_frame:
            assert self.ending is not None
            players = self._players if self.row.anonymous else None
            late = self._late_before(self.ply)
            self._over_frame = encode(MatchOver(match=self.row.id, ending=self.ending, players=players, late=late))
        return self._over_frame

    def _late_before(self, after: int) -> list[LateInfo]:
        """Return the delayed info of the first ``after`` moves that was withheld when the last of them was made, and is
        public now.
        """
        if self.row.info_release != "delayed":
            return []
        moves = self.picture.moves
        still = set() if self.ending is not None else set(withheld(moves, "delayed"))
        return [_late(moves[index]) for index in withheld(moves, "delayed", after) if index not in still]


def _picture(match: Match, viewpoint: Viewpoint) -> Diagrams:
    """Draw a match as a viewer sees it."""
    return Diagrams(viewpoint, match.start, match.opening, match.moves)


def _to_move(match: Match) -> int:
    """Return the seat to move as spectators see it."""
    return BOTH if match.position.simultaneous else match.position.to_move


def _late(move: SeenMove) -> LateInfo:
    assert move.info is not None
    return LateInfo(move.ply, move.info, move.line)
