# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bots may sit down in a match, and how the match ends when one stays away."""

from collections.abc import Callable
from dataclasses import dataclass

from arena.connections.sessions import Entrant
from arena.matches.graces import Graces
from arena.matches.sides import Sides
from arena.protocol.errors import ErrorCode
from arena.store.rows import MatchRow


@dataclass(frozen=True, slots=True)
class Absence:
    """How a match ends because a bot stayed away too long."""

    detail: str
    """For people."""
    loser: int | None = None
    """The seat that loses; None: the match is void."""


class Attendance:
    """The rules of being there. They depend on whether the second match of a pair is owed to the other side."""

    def __init__(
        self,
        row: MatchRow,
        sides: Sides,
        graces: Graces,
        seconds: float,
        knows_game: Callable[[Entrant], bool],
        *,
        resumed: bool,
    ) -> None:
        """``seconds``: the grace of a bot that is away; ``knows_game`` tells whether a built-in bot is ready for the
        match's game; ``resumed``: whether the server started again during the match.
        """
        self._row = row
        self._sides = sides
        self._graces = graces
        self._seconds = seconds
        self._knows_game = knows_game
        self._resumed = resumed
        self._owed = row.pair is not None and not resumed
        """Whether a bot that never comes loses: the second match of a pair is owed to the other side."""

    def admits(self, index: int, entrant: Entrant) -> bool:
        """Return whether a bot may take its seat. The second match of a pair requires the version that played the
        first, and a bot that plays the game; another bot gets an error, and counts as absent. A built-in bot that is
        not ready for the game would compile on its clock; it takes its seat when it is ready.
        """
        player, game = self._row.players[index], self._row.game
        if not self._knows_game(entrant):
            return False
        if not self._owed or not self._sides[index].missing:
            return True
        if entrant.version.id == player.version_id and game in entrant.games:
            return True
        text = f"the second match of the pair is lost unless the bot comes as version {player.version} and plays {game}"
        entrant.refuse(ErrorCode.ABSENT, text, self._row.id)
        return False

    def absence(self, index: int) -> Absence:
        """Return how the match ends, now that the grace of the bot of this seat is over."""
        sides = self._sides
        missing = [each.name for each in sides if each.missing and self._graces.waited(each)]
        if missing and not self._owed:
            absence = "the arena restarted and {} did not come back" if self._resumed else "{} did not come"
            return Absence(absence.format(" and ".join(missing)))
        if all(each.entrant is None for each in sides):
            return Absence("both bots lost their connection")
        did = "come to the second match of the pair" if sides[index].missing else "come back"
        return Absence(f"{sides[index].name} did not {did} within {self._seconds:g} s", index)
