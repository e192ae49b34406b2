# SPDX-License-Identifier: GPL-3.0-or-later
"""The simplest bot."""

from collections.abc import Awaitable

from bots.bot import Answer, Bot, Match, Over, Turn


class First(Bot):
    """Plays the first legal move and remembers its messages."""

    name = "first"
    version = "3"
    games = ("some", "other")

    def __init__(self) -> None:
        self.told: list[object] = []

    def move(self, turn: Turn) -> Answer | Awaitable[Answer]:
        assert turn.legal_moves
        self.told.append(turn.ply)
        return turn.legal_moves[0]

    def match_started(self, match: Match) -> None:
        self.told.append(match)

    def match_over(self, over: Over) -> None:
        self.told.append(over)
