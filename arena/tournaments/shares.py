# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament as evolution: its payoffs feed dynamics in which the strategy of each player has a share."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from arena.rating.population_dynamics import USUAL_MEMBERS, course, invaders, mean_results
from arena.tournaments.view import BoutView, GameView, TournamentView
from engine.games import needs_own_play

MOST_PLAYERS = 64
"""Maximum number of players of a tournament whose shares the page shows: the work of the server is bounded."""
EVEN = 0.5
"""Score of a strategy against itself in a zero-sum game: the mean of both seats."""


class NoShares(ValueError):
    """A tournament has no dynamics; the message says why, for people."""


class WhyNoShares(StrEnum):
    """Why a tournament has no dynamics, for people; pages translate these texts."""

    UNFINISHED = "tournament {0} is {1}; shares over time need a finished one"
    OWN_PLAY = (
        "{0} is not zero-sum, so shares over time need games of each bot against itself. This tournament has none: "
        "only built-in bots play against themselves on a server, because any other bot would get the messages of both "
        "seats. `arena match BOT BOT … --format round-robin --dynamics NAME` plays such games of any bots without a "
        "server"
    )
    ALONE = "{0} played no game against itself; shares over time need one"
    PAIR = "{0} and {1} played no game; shares over time need games of all pairs, as in a round robin"
    MANY = "shares over time are shown for at most {0} players (got {1})"


class FixedView(Struct, frozen=True, kw_only=True):
    """The strategy that has taken over."""

    name: str
    """Name of the player."""
    generations: int
    """Generations until it has at least 99 % of all, in the Moran process all members."""


class InvasionView(Struct, frozen=True, kw_only=True):
    """A strategy and those that can invade where all others play it."""

    name: str
    """Name of the player whose strategy all others play."""
    invaders: list[str] | None
    """Players whose strategy spreads there when it is rare; none: the strategy is stable; null: unknown."""


class SharesView(Struct, frozen=True, kw_only=True):
    """Shares of strategies over time."""

    dynamics: str
    """ecological, replicator or moran."""
    names: list[str]
    """The strategies, in the order of the entries."""
    payoffs: list[list[float]]
    """Mean payoff of the row's strategy against the column's: points in games that are not zero-sum, else the score."""
    shares: list[list[float]]
    """A row before the first of the generations and after each: the share of each strategy, in sum 1."""
    fixed: FixedView | None
    """The strategy that has taken over; null if none has."""
    extinct: list[int | None]
    """Generations until each strategy is extinct: below 0.1 %, in the Moran process without a member. Null if it is
    there at the end."""
    invasions: list[InvasionView]
    """What can invade each strategy."""


def payoffs_of(shown: TournamentView) -> list[list[float]]:
    """Return the mean payoff of each player against each: points in games that are not zero-sum. Raises NoShares.

    In zero-sum games a payoff is the score, from 0 to 1, and 1/2 against itself unless the players played such games.
    """
    if shown.status != "finished":
        raise NoShares(WhyNoShares.UNFINISHED.format(shown.id, shown.status))
    own = needs_own_play(shown.game)
    if own and not shown.own_play:
        raise NoShares(WhyNoShares.OWN_PLAY.format(shown.game))
    games = [
        (bout.first, bout.second, *results)
        for bout in _bouts(shown)
        if bout.second is not None
        for game in bout.games
        if game.status == "played" and (results := _results(game, points=own)) is not None
    ]
    cells = mean_results(len(shown.entries), games)
    for place, row in enumerate(cells):
        for other in range(place + own):
            if row[other] is None:
                why = WhyNoShares.ALONE if other == place else WhyNoShares.PAIR
                raise NoShares(why.format(shown.entries[other], shown.entries[place]))
    return [[EVEN if cell is None else cell for cell in row] for row in cells]


def _results(game: GameView, *, points: bool) -> tuple[float, float] | None:
    """Return what both sides got in a game: their payoffs if they gained ``points``, else their scores."""
    one, other = (game.payoff, game.payoff_second) if points else (game.score, game.score_second)
    return None if one is None or other is None else (one, other)


def shares_of(shown: TournamentView, dynamics: str) -> SharesView:
    """Return the shares of a finished tournament's strategies, for the page. Raises NoShares."""
    if len(shown.entries) > MOST_PLAYERS:
        raise NoShares(WhyNoShares.MANY.format(MOST_PLAYERS, len(shown.entries)))
    try:
        return shares_view(shown.entries, payoffs_of(shown), dynamics)
    except ValueError as error:
        raise NoShares(str(error)) from None


def _bouts(shown: TournamentView) -> list[BoutView]:
    return [bout for bouts in shown.rounds for bout in bouts]


def shares_view(
    names: Sequence[str],
    payoffs: list[list[float]],
    dynamics: str,
    generations: int | None = None,
    *,
    members: int = USUAL_MEMBERS,
    seed: int = 0,
) -> SharesView:
    """Return the shares of strategies from equal ones. Raises ValueError, with a message for people."""
    found = course(payoffs, dynamics, generations, members=members, seed=seed)
    fixed = None
    if found.fixed is not None:
        fixed = FixedView(name=names[found.fixed[0]], generations=found.fixed[1])
    return SharesView(
        dynamics=dynamics,
        names=list(names),
        payoffs=payoffs,
        shares=found.shares,
        fixed=fixed,
        extinct=found.extinct,
        invasions=[
            InvasionView(name=name, invaders=[names[other] for other in others])
            for name, others in zip(names, invaders(payoffs), strict=True)
        ],
    )
