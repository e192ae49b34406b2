# SPDX-License-Identifier: GPL-3.0-or-later
"""Who lives in the house: the one list of the built-in players."""

from dataclasses import dataclass

from bots.bot import Bot


@dataclass(frozen=True, slots=True)
class Resident:
    """A built-in player: how it searches, and what bounds each search. Without an algorithm it plays at random."""

    name: str
    description: str
    algorithm: str | None = None
    """One of ``engine.search``'s."""
    depth: int | None = None
    """In plies."""
    nodes: int | None = None
    seconds: float | None = None
    """At most so long a move; a small part of the clock when that is less."""
    evaluation: str | None = None
    """Where the game has it; elsewhere, and for None, the game's first."""
    extends: bool = False
    """Search on where moves win something at once, and heed repetition: stronger, but no longer plain minimax's value.
    """

    def make(self) -> Bot:
        """Return a new bot."""
        if self.algorithm is None:
            from bots.house.random import RandomBot

            return RandomBot()
        from bots.house.searching import SearchingBot

        return SearchingBot(self)


ROSTER = (
    Resident("random", "Plays any legal move."),
    Resident("minimax-2", "Looks two plies ahead.", "minimax", depth=2, nodes=200_000),
    Resident("minimax-3", "Looks three plies ahead.", "minimax", depth=3, nodes=200_000),
    Resident("alphabeta-4", "Looks four plies ahead, with alpha-beta pruning.", "alphabeta", depth=4, nodes=1_000_000),
    Resident("alphabeta-6", "Looks six plies ahead, with alpha-beta pruning.", "alphabeta", depth=6, nodes=1_000_000),
    Resident(
        "advanced",
        "Searches as deep as its clock allows, with all that the engine has.",
        "advanced",
        seconds=0.3,
        evaluation="lecture",
        extends=True,
    ),
)
"""From the weakest to the strongest."""


def resident(name: str) -> Resident:
    """Return the resident of this name. Raises KeyError when there is none."""
    for one in ROSTER:
        if one.name == name:
            return one
    raise KeyError(name)
