# SPDX-License-Identifier: GPL-3.0-or-later
"""The presence of the bots of a match: which may sit down, how long the match waits for one that is away, and its end
if the bot stays away.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from arena.connections.sessions import Entrant
from arena.hosting.readiness import Hosting
from arena.matches.sides import Seat, Sides
from arena.protocol.conditions import Conditions
from arena.protocol.errors import ErrorCode
from arena.store.rows import MatchRow

# ---------------------------------------------------------------- graces
#
# How long a match waits for bots that are away.

_ROUNDING = 0.002
"""Seconds by which a timer may be early, by rounding."""


def _nothing(_: int) -> None:
    pass


class Graces:
    """A reconnection timer for each absent seat. A built-in bot's time starts when it is ready."""

    def __init__(
        self,
        seats: Iterable[Seat],
        seconds: Callable[[Seat], float],
        hosting: Hosting,
        now: Callable[[], float],
        over: Callable[[int], None],
    ) -> None:
        """``seconds`` gives the time of a seat; ``now`` reads the match clock; ``over`` is called with the index of a
        seat whose time ended.
        """
        self._seats = tuple(seats)
        self._seconds = seconds
        self._hosting = hosting
        self._now = now
        self._over = over
        self._loop = asyncio.get_running_loop()

    def start(self, index: int) -> None:
        """Wait for a bot that is away from now on."""
        self._seats[index].away = self._now()
        self._wait(index)

    def over(self, index: int) -> bool:
        """Tell whether the grace of a bot that is away is over; wait on where it is not."""
        if self.waited(self._seats[index]):
            return True
        # a built-in bot is still compiling; or the process was suspended, and no bot could reconnect
        self._wait(index)
        return False

    def waited(self, seat: Seat) -> bool:
        """Tell whether the grace of a bot that is away is over."""
        return self._now() >= self._end(seat) - _ROUNDING

    def look(self) -> None:
        """Re-evaluate the waiting times."""
        for index, seat in enumerate(self._seats):
            if seat.grace is not None:
                self._wait(index)

    def stop(self) -> None:
        """Stop all timers."""
        for seat in self._seats:
            if seat.grace is not None:
                seat.grace.cancel()
        self._over = _nothing  # it refers to the referee, whose memory must be freed at once

    def _wait(self, index: int) -> None:
        seat = self._seats[index]
        if seat.grace is not None:
            seat.grace.cancel()
        seat.grace = self._loop.call_later(max(0.0, self._end(seat) - self._now()), partial(self._over, index))

    def _end(self, seat: Seat) -> float:
        return self._hosting.grace_begins(seat) + self._seconds(seat)


# ---------------------------------------------------------------- attendance
#
# Which bots may sit down in a match, and how the match ends if one stays away.


@dataclass(frozen=True, slots=True)
class Absence:
    """How a match ends because a bot stayed away too long."""

    detail: str
    """For people."""
    loser: int | None = None
    """The seat that loses; None: the match is void."""


class Attendance:
    """The rules of attendance. They depend on whether the second match of a pair is owed to the other side."""

    def __init__(
        self,
        row: MatchRow,
        sides: Sides,
        graces: Graces,
        seconds: Callable[[Seat], float],
        knows_game: Callable[[Entrant], bool],
        *,
        resumed: bool,
    ) -> None:
        """``seconds`` gives the grace of a seat whose bot is away; ``knows_game`` tells whether a built-in bot is
        ready for the match's game; ``resumed``: whether the server started again during the match.
        """
        self._row = row
        self._sides = sides
        self._graces = graces
        self._seconds = seconds
        self._knows_game = knows_game
        self._resumed = resumed
        self._conditions = Conditions.read(row.conditions)
        self._owed = row.pair is not None and not resumed
        """Whether a bot that never comes loses: the second match of a pair is owed to the other side."""

    def admits(self, index: int, entrant: Entrant) -> bool:
        """Return whether a bot may take its seat. The second match of a pair requires the version that played the
        first, and a bot that plays the game; another bot gets an error, and counts as absent. A built-in bot that is
        not ready for the game would compile on its clock; it takes its seat when it is ready. A match by instructions
        requires the module that the match was started with.
        """
        player, game = self._row.players[index], self._row.game
        if not self._knows_game(entrant):
            return False
        if self._conditions is not None and entrant.module != self._conditions.module(index):
            return False
        if not self._owed or not self._sides[index].missing:
            return True
        if entrant.version.id == player.version_id and game in entrant.games:
            return True
        text = (
            f"the second match of the pair is lost unless the bot connects as version {player.version} and plays {game}"
        )
        entrant.refuse(ErrorCode.ABSENT, text, self._row.id)
        return False

    def absence(self, index: int) -> Absence:
        """Return how the match ends, now that the grace of the bot of this seat is over."""
        sides = self._sides
        missing = [each.name for each in sides if each.missing and self._graces.waited(each)]
        if missing and not self._owed:
            absence = "the arena restarted and {} did not reconnect" if self._resumed else "{} did not connect"
            return Absence(absence.format(" and ".join(missing)))
        if all(each.entrant is None for each in sides):
            return Absence("both bots lost their connection")
        did = "connect for the second match of the pair" if sides[index].missing else "reconnect"
        return Absence(f"{sides[index].name} did not {did} within {self._seconds(sides[index]):g} s", index)
