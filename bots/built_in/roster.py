# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of the built-in bots and their search settings."""

from dataclasses import dataclass

from bots.bot import Bot
from bots.evolution.evochess import ABOUT, CHAMPION


@dataclass(frozen=True, slots=True)
class Resident:
    """A built-in bot: its search and the limits of each search. Without an algorithm it plays at random, unless it is
    an evolved bot.
    """

    name: str
    description: str
    algorithm: str | None = None
    """One of ``engine.search``'s."""
    switches: str = ""
    """Alters the algorithm's switches, as ``engine.search.altered`` reads it."""
    depth: int | None = None
    """In plies."""
    nodes: int | None = None
    seconds: float | None = None
    """At most so long a move; a small part of the clock when that is less."""
    evaluations: tuple[str, ...] = ()
    """The first of these that the game has; where it has none of them, the game's own first."""
    extends: bool = False
    """Search on where moves win something at once, and heed repetition: stronger, but no longer plain minimax's value.
    """
    table_bits: int = 18
    """The binary logarithm of the entries of its transposition table."""
    adapts: bool = False
    """Read opponents' public games, and search with a model of them."""
    looks_up: bool = True
    """Of one that adapts: ask the whole model for the answers to its own moves, before it searches."""
    bred: bool = False
    """It plays as it was bred, and only the games that it was bred for."""

    def games(self) -> tuple[str, ...] | None:
        """Return the games that it plays; None: all that there are."""
        if not self.bred:
            return None
        from bots.evolution.evochess.champions import games

        return games()

    def make(self) -> Bot:
        """Return a new bot."""
        if self.bred:
            from bots.evolution.evochess.bot import ChampionBot

            return ChampionBot()
        if self.algorithm is None:
            from bots.built_in.random import RandomBot

            return RandomBot()
        if self.adapts:
            from bots.built_in.adaptive import AdaptiveBot

            return AdaptiveBot(self)
        from bots.built_in.searching import SearchingBot

        return SearchingBot(self)


BEST = ("house", "lecture")
"""The evaluations of the strongest built-in bots."""

ROSTER = (
    Resident("random", "Plays any legal move."),
    Resident("minimax-2", "Looks two plies ahead.", "minimax", depth=2, nodes=200_000),
    Resident("minimax-3", "Looks three plies ahead.", "minimax", depth=3, nodes=200_000),
    Resident("alphabeta-4", "Looks four plies ahead, with alpha-beta pruning.", "alphabeta", depth=4, nodes=1_000_000),
    Resident("alphabeta-6", "Looks six plies ahead, with alpha-beta pruning.", "alphabeta", depth=6, nodes=1_000_000),
    Resident(
        "play-1k",
        "Looks at a thousand positions a move, with everything that the strongest has: little, but well chosen.",
        "play",
        nodes=1_000,
        evaluations=BEST,
    ),
    Resident(
        "advanced",
        "Deepens an exact alpha-beta search as its clock allows: move ordering, transposition table, null windows, and "
        "quiescence search, without pruning or reductions.",
        "advanced",
        seconds=0.3,
        evaluations=BEST,
        extends=True,
    ),
    Resident(
        "play-100k",
        "Looks at a hundred thousand positions a move, with everything that the strongest has.",
        "play",
        nodes=100_000,
        evaluations=BEST,
    ),
    Resident(
        "play",
        "Searches as deep as its clock allows: null move, late move reductions, singular extensions, static exchange "
        "evaluation, and all else that the engine has, with the game's best evaluation.",
        "play",
        seconds=1.0,
        evaluations=BEST,
        table_bits=20,
    ),
)
"""The built-in bots that play every game, from the weakest to the strongest."""

BRED = Resident(CHAMPION, ABOUT, bred=True)

BUILT_IN = (*ROSTER, BRED)
"""The bots of the built-in bots' process."""

GUESTS = (
    Resident(
        "adaptive",
        "Reads the public games of its opponent, infers its type of player, and makes the move that is "
        "worth most by the answers it expects.",
        "play",
        switches="+weighed",
        nodes=100_000,
        seconds=1.0,
        evaluations=BEST,
        adapts=True,
    ),
)
"""The bots of a separate process: learning uses a processor, and Python's lock, for a while."""

RESIDENTS = (*BUILT_IN, *GUESTS)


def resident(name: str) -> Resident:
    """Return the built-in bot of this name. Raises KeyError if there is none."""
    for one in RESIDENTS:
        if one.name == name:
            return one
    raise KeyError(name)
