# SPDX-License-Identifier: GPL-3.0-or-later
"""A match as spectators see it: its picture, its clocks, and each message about it encoded once, for all of them."""

import time
from collections.abc import Callable

from arena.picture import Picture
from arena.protocol.codec import encode
from arena.protocol.messages import Player
from arena.protocol.watching import Ending, MatchOver, MoveMade, Seen, Snapshot
from arena.store.rows import MatchRow
from engine.game import CHANCE
from engine.match import Match, Moved

Clocks = tuple[int, int] | None

SNAPSHOTS_KEPT = 4
"""Snapshots from different plies that are kept: most spectators ask for the whole, or for what a lost socket cost."""


class Stage:
    """One match on show. Times are Unix time: clocks of play are the referee's, these are for people's eyes."""

    def __init__(self, row: MatchRow, match: Match, kept: int = 0) -> None:
        """Put a match on show, as it stands; its ``kept`` newest moves can be told one by one, from now on."""
        self.row = row
        self.picture = Picture(match.game, match.start, match.opening, match.moves)
        self.ending: Ending | None = None
        self.changed: Callable[[int], None] = lambda match: None
        """Called with the match's number when there is something new to see."""
        self._kept = kept
        self._to_move = match.position.to_move
        self._clocks: Clocks = match.clocks
        self._clocks_at = time.time()
        self._after: dict[int, tuple[int, Clocks]] = {}
        self._frames: dict[int, str] = {}
        self._snapshots: dict[int, str] = {}
        self._over_frame = ""

    @property
    def ply(self) -> int:
        """Moves made so far, those of the opening included."""
        return self.picture.ply

    @property
    def seen(self) -> Seen:
        """The match, moves aside."""
        row = self.row
        one, other = row.players
        return Seen(
            match=row.id,
            game=row.game,
            time_class=row.time_class,
            players=(
                Player(one.bot, one.version, one.rating_before),
                Player(other.bot, other.version, other.rating_before),
            ),
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
        )

    def moved(self, event: Moved, match: Match) -> None:
        """Show a move that a match has just seen: its newest, or one that dice followed at once."""
        if event.ply <= self.ply:
            return  # the match began, or was resumed, with it
        to_move, clocks = CHANCE, match.clocks
        if event.ply < match.ply:
            self.picture.replay(event)
        else:
            assert match.made is not None
            to_move = match.position.to_move
            self.picture.add(event, match.made, match.position)
        self._after[event.ply] = to_move, clocks
        self._after.pop(event.ply - self._kept, None)
        self._frames.pop(event.ply - self._kept, None)
        self._changed(to_move, clocks)

    def turn(self, to_move: int, clocks: Clocks) -> None:
        """Show that a clock runs from now on."""
        self._changed(to_move, clocks)

    def over(self, ending: Ending, clocks: Clocks) -> None:
        """Show the end."""
        self.ending = ending
        self._changed(self._to_move, clocks)

    def _changed(self, to_move: int, clocks: Clocks) -> None:
        self._to_move, self._clocks, self._clocks_at = to_move, clocks, time.time()
        self._snapshots.clear()
        self.changed(self.row.id)

    # ---------------------------------------------------------------- frames

    def move_frame(self, ply: int) -> str | None:
        """Return the message about the move that made this ply; None when only a snapshot can tell: it was made long
        ago, or before a restart.
        """
        if ply not in self._frames:
            if ply not in self._after:
                return None
            to_move, clocks = self._after[ply]
            made = self.picture.moves[ply - 1]
            self._frames[ply] = encode(MoveMade(match=self.row.id, made=made, to_move=to_move, clocks=clocks))
        return self._frames[ply]

    def snapshot_frame(self, after: int = 0) -> str:
        """Return the whole match, with the moves after so many plies."""
        after = min(after, self.ply)
        if after not in self._snapshots:
            if len(self._snapshots) >= SNAPSHOTS_KEPT:
                self._snapshots.clear()
            snapshot = Snapshot(
                seen=self.seen, initial=self.picture.initial, moves=self.picture.moves[after:], after=after
            )
            self._snapshots[after] = encode(snapshot)
        return self._snapshots[after]

    def over_frame(self) -> str:
        """Return the message about the end, which must have come."""
        if not self._over_frame:
            assert self.ending is not None
            self._over_frame = encode(MatchOver(match=self.row.id, ending=self.ending))
        return self._over_frame
