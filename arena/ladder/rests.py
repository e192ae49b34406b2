# SPDX-License-Identifier: GPL-3.0-or-later
"""When bots last played, and when the ladder may pair them again. Times are those of the event loop's clock."""

import asyncio

from engine.time_control import INSTRUCTIONS


class Rests:
    """The pauses of bots between matches."""

    def __init__(self, pause: float) -> None:
        """``pause``: seconds after a match."""
        self._pause = pause
        self._last_played: dict[tuple[int, str, bool], float] = {}
        """By bot, game, and whether by instructions."""
        self._over_at: dict[int, float] = {}

    def over_at(self, bot_id: int) -> float:
        """Return when a bot may be paired again."""
        return self._over_at.get(bot_id, 0.0)

    def last_played(self, bot_id: int, game: str, time_class: str) -> float:
        """Return when a bot last began or ended a match of a class; 0 if never."""
        return self._last_played.get((bot_id, game, by_instructions(time_class)), 0.0)

    def began(self, bot_id: int, game: str, time_class: str) -> None:
        """Note that a bot begins a match now."""
        self._last_played[bot_id, game, by_instructions(time_class)] = asyncio.get_running_loop().time()

    def ended(self, bot_id: int, game: str, time_class: str) -> None:
        """Note that a bot has ended a match now."""
        self.began(bot_id, game, time_class)
        self._over_at[bot_id] = asyncio.get_running_loop().time() + self._pause


def by_instructions(time_class: str) -> bool:
    """Return whether matches of a time class are by instructions: the ladder pairs bots for them separately."""
    return time_class == INSTRUCTIONS
