# SPDX-License-Identifier: GPL-3.0-or-later
"""The other servers of an arena, as the core sees them. ``Peers`` itself is the arena of one server: there are none.

A feature may replace it. Then a bot's socket may end at one server, its match be refereed by another one, and
spectators watch at a third one. One server leads: it alone pairs bots, plays tournaments and hosts bots.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from arena.connections.sessions import Entrant
    from arena.protocol.messages import BotMessage, OfMatch, Thinking
    from arena.store.rows import MatchRow


class Referee(NamedTuple):
    """Which server referees a match."""

    owner: int | None
    """Number of the server; None: there is only one."""
    epoch: int
    """Number of the referee within the match; 0 where there is only one server."""


FIRST_EPOCH = 1
"""The epoch of the first referee, where there are several servers."""

ONLY = Referee(None, 0)
"""The referee where there is one server."""


class Peers:
    """The other servers of this arena: none."""

    me: int | None = None
    """Number of this server; None: it is the only one."""
    name: str = ""
    """Name of this server among them."""

    def __init__(self) -> None:
        """Lead at once."""
        self.leads = asyncio.Event()
        """Set once this server leads the arena, which it then does until it ends."""
        self.leads.set()

    # ---------------------------------------------------------------- bots

    async def number(self) -> int | None:
        """Return a number for a bot's connection that grows over all servers; None: only this one's own counts."""
        return None

    def entered(self, entrant: "Entrant") -> None:
        """Tell the others that a bot is connected here."""

    def departed(self, entrant: "Entrant", forfeit: str) -> None:
        """Tell the others that a bot's connection here is gone; ``forfeit``: why it loses its matches, or ""."""

    def available(self, entrant: "Entrant") -> None:
        """Tell the others that a bot connected here has changed what it is available for."""

    async def matches_of(self, bot_id: int) -> list[int]:
        """Return the numbers, as the bot knows them, of its matches that other servers referee."""
        return []

    def relay(self, entrant: "Entrant", message: "OfMatch | Thinking") -> bool:
        """Send a message of a bot connected here to the server that referees its match; False if no other does."""
        return False

    def ask_leader(self, entrant: "Entrant", message: "BotMessage") -> bool:
        """Send a message of a bot connected here to the server that leads; False if this one does."""
        return False

    # ---------------------------------------------------------------- matches

    def referee(self, sides: "Sequence[Entrant]") -> Referee:
        """Choose which server referees a new match."""
        return ONLY

    def started(self, row: "MatchRow") -> None:
        """Tell the server that is to referee a match that it can begin."""

    def over(self, match: int, following: int | None) -> None:
        """Tell the others that a match that this server refereed is over, and which match follows from it, if any."""

    def abort(self, row: "MatchRow", reason: str) -> None:
        """Ask the server that referees a match to void it."""

    # ---------------------------------------------------------------- spectators

    @property
    def live(self) -> int:
        """Number of live matches at all servers, if there are others; else 0."""
        return 0

    def watch(self, match: int) -> bool:
        """Return whether another server may referee a match; if so, its view follows, or it is settled as unknown."""
        return False
