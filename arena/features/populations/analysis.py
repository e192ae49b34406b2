# SPDX-License-Identifier: GPL-3.0-or-later
"""Analyses of a population for its page: its family tree, and its games with each other.

The family tree has the ancestors of living members by first parents. Most past members have no living descendants, or
one line only; the tree omits those. It keeps branching points, the known roots of lines, and members that came from
elsewhere.

The games give the strength relative to reference players, replicator dynamics, fixation probabilities by the Moran
process, and the shares by α-Rank and by Nash averaging.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

import msgspec
import numpy as np
from msgspec import Struct

from arena.features.populations.reports import Census, GenerationReport, MemberReport, Reading
from arena.rating.bradley_terry import fit
from arena.rating.game_theory import alpha_rank, fixation, nash_average, replicated
from arena.rating.population_dynamics import FIXED, extinct, invaders, taken
from arena.rating.results import Results
from arena.tournaments.shares import FixedView, InvasionView

MOST = 60
"""Living members whose ancestors are drawn, including the best."""


class Node(Struct, frozen=True, kw_only=True):
    """A member in the tree."""

    number: int
    """Number of the member, unique in all generations of the population."""
    born: int
    """The first generation that contains the member."""
    origin: str
    """How the member arose: random, mutant, drift, crossing, sample or immigrant."""
    name: str
    """The bot that the genome came from, if it came from outside the population."""
    parent: int | None
    """Its nearest ancestor in the tree; null if unknown."""
    steps: int
    """Number of generations from that ancestor to the member: 1 for a child."""
    lives: bool
    """Whether the member is in the newest generation."""


def family(reports: Sequence[GenerationReport]) -> list[Node]:
    """Return the tree of the members of the newest of some generations in a row, the eldest first."""
    if not reports:
        return []
    known = {member.number: member for report in reports for member in report.members}
    newest = reports[-1]
    living = sorted(newest.members, key=lambda member: member.number != newest.best)[:MOST]
    ancestors = _ancestors(living, known)
    children = Counter(parent for member in ancestors.values() if (parent := _parent(member, ancestors)) is not None)
    lives = {member.number for member in living}
    shown = {
        number
        for number, member in ancestors.items()
        if number in lives or children[number] > 1 or member.name or _parent(member, ancestors) is None
    }
    nodes = []
    for number in sorted(shown):
        member, steps = ancestors[number], 0
        above = _parent(member, ancestors)
        while above is not None:
            steps += 1
            if above in shown:
                break
            above = _parent(ancestors[above], ancestors)
        nodes.append(
            Node(
                number=number,
                born=member.born,
                origin=member.origin,
                name=member.name,
                parent=above,
                steps=steps,
                lives=number in lives,
            )
        )
    return nodes


def forebears(reports: Sequence[GenerationReport], tried: Collection[int]) -> dict[int, int]:
    """Return, for members of the newest generation, the evaluated member: the member itself, or its nearest known
    ancestor; omits members without one.
    """
    if not reports:
        return {}
    known = {member.number: member for report in reports for member in report.members}
    found = {}
    for member in reports[-1].members:
        line: MemberReport | None = member
        while line is not None and line.number not in tried:
            line = known.get(line.parents[0]) if line.parents else None
        if line is not None:
            found[member.number] = line.number
    return found


def _ancestors(living: Iterable[MemberReport], known: dict[int, MemberReport]) -> dict[int, MemberReport]:
    """Return members with all their ancestors by first parents, as far as they are known."""
    found: dict[int, MemberReport] = {}
    for member in living:
        line: MemberReport | None = member
        while line is not None and line.number not in found:
            found[line.number] = line
            line = known.get(line.parents[0]) if line.parents else None
    return found


def _parent(member: MemberReport, ancestors: dict[int, MemberReport]) -> int | None:
    return member.parents[0] if member.parents and member.parents[0] in ancestors else None


class SharesOverTime(Struct, frozen=True, kw_only=True):
    """Shares of the strategies of a population over its generations."""

    numbers: list[int]
    """Numbers of the generations, in the order of the rows of `shares`."""
    names: list[str]
    """Names of the strategies."""
    shares: list[list[float]]
    """A row for each of the generations: the share of the members that play each strategy."""
    fixed: FixedView | None
    """The strategy that at least 99 % of the members have played since some generation; null if there is none."""
    extinct: list[int | None]
    """The generation since which no member plays a strategy; null if a member of the newest one does."""
    invasions: list[InvasionView]
    """The strategies of the newest generation that could invade a population of each; by the payoffs of their mean
    members.
    """


class CountedGeneration(Struct, frozen=True):
    """What shares over time need of a stored generation."""

    number: int
    census: Census | None = None


def shares_over_time(generations: Sequence[CountedGeneration]) -> SharesOverTime | None:
    """Return the shares of strategies over generations; None unless the last two or more of them count strategies."""
    since = len(generations)
    while since and generations[since - 1].census is not None:
        since -= 1
    told = [(one.number, one.census) for one in generations[since:] if one.census is not None]
    if len(told) < 2:
        return None
    numbers = [number for number, _ in told]
    names = list(dict.fromkeys(name for _, census in told for name in census.names))
    rows = [
        [share.get(name, 0.0) for name in names]
        for share in (dict(zip(census.names, census.shares, strict=True)) for _, census in told)
    ]
    (_, newest) = told[-1]
    found = {
        name: [newest.names[other] for other in others]
        for name, others in zip(newest.names, invaders(newest.payoffs), strict=True)
    }
    fixed = taken(rows, FIXED)
    return SharesOverTime(
        numbers=numbers,
        names=names,
        shares=rows,
        fixed=None if fixed is None else FixedView(name=names[fixed[0]], generations=numbers[fixed[1]]),
        extinct=[None if row is None else numbers[row] for row in extinct(rows, 0.0)],
        invasions=[InvasionView(name=name, invaders=found.get(name)) for name in names],
    )


UNITS = 60
"""Units of time that replicator dynamics are followed for."""
SELECTION = 4.0
"""How much a score counts in the Moran process: that of the dynamics of this name."""


class PlayerReading(Struct, frozen=True, kw_only=True):
    """A player in the games."""

    name: str
    """Name of the player: of a member, or of a reference player."""
    member: int | None
    """Number of the member; null for reference players."""
    rating: float
    """Elo points from all games; 0 is the first reference player."""
    interval: tuple[float, float]
    """95 % interval of the rating."""
    alpha_rank: float
    """α-Rank: long-run share of time that a population plays as this player."""
    nash: float
    """Nash averaging: probability in the maximum-entropy equilibrium."""
    replicator: list[float]
    """The player's share of the population over time, from equal shares; empty for reference players."""
    moran: float | None
    """Probability that finally the whole population descends from this member; null for reference players."""


class ReadingView(Struct, frozen=True, kw_only=True):
    """Strengths of a population's members, measured by games between them."""

    generation: int
    """Number of the generation whose members played."""
    games: int
    """Number of games between every two players."""
    players: list[PlayerReading]
    """The players, the strongest first."""


def read(reading: Reading, generation: int) -> ReadingView:
    """Analyse a population; caches the last analysis, because pages request it repeatedly."""
    return _read(msgspec.json.encode(reading), generation)


@lru_cache(maxsize=64)
def _read(body: bytes, generation: int) -> ReadingView:
    reading = msgspec.json.decode(body, type=Reading)
    count, games = len(reading.players), reading.games
    wins = np.array(reading.wins, dtype=np.float64)
    scores = np.where(np.eye(count, dtype=bool), 0.5, (wins + (games - wins - wins.T) / 2) / games)
    first, second = np.triu_indices(count, 1)
    won, lost = wins[first, second], wins[second, first]
    found = fit(Results(first, second, won, games - won - lost, lost), count, advantage=False)
    base = next((place for place, player in enumerate(reading.players) if player.member is None), 0)
    mass, nash = alpha_rank(scores), nash_average(scores).shares
    members = [place for place, player in enumerate(reading.players) if player.member is not None]
    among = scores[np.ix_(members, members)]
    course = replicated(among, UNITS) if members else np.zeros((0, 0))
    taken = fixation(among, selection=SELECTION) if members else np.zeros(0)
    # the uncertainty of a difference to the base, which is certain by itself
    variance = found.covariance.diagonal() + found.covariance[base, base] - 2 * found.covariance[base]
    reach = 1.96 * np.sqrt(np.maximum(variance, 0))
    ratings = found.ratings - found.ratings[base]
    players = [
        PlayerReading(
            name=player.name,
            member=player.member,
            rating=float(ratings[place]),
            interval=(float(ratings[place] - reach[place]), float(ratings[place] + reach[place])),
            alpha_rank=float(mass[place]),
            nash=float(nash[place]),
            replicator=course[:, members.index(place)].tolist() if player.member is not None else [],
            moran=float(taken[members.index(place)]) if player.member is not None else None,
        )
        for place, player in enumerate(reading.players)
    ]
    players.sort(key=lambda player: -player.rating)
    return ReadingView(generation=generation, games=games, players=players)
