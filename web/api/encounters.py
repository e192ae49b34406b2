# SPDX-License-Identifier: GPL-3.0-or-later
"""REST routes of a bot's results: by time class and side, by opening move, against one opponent, and by version."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta

from arena.application import Arena
from arena.ladder.fits import LeaderboardFit
from arena.rating.difference import NORMAL_95, difference_of, interval, moments, normal_share, superiority
from arena.store.encounters import FromStart, MetCount, OpeningCount
from arena.store.rows import BotRow
from arena.watching.lines import drawn_line
from arena.watching.opening_names import NamedOpening, named_opening
from arena.watching.opening_tree import PLIES, OpeningNode
from arena.watching.positions import PositionView, reached
from engine.game import Game
from web.answer_limits import READING
from web.api.bots import find_bot
from web.api.endpoint import Answer, Endpoint, GameName, Number, One
from web.api.games import ended_by, recorded
from web.api.leaderboard import LeaderBot, TimeClass
from web.api.positions import known, split
from web.errors import BadRequest

Outcome = Literal["win", "draw", "loss", "void"]
"""How a match ended for a bot."""

_OUTCOMES: dict[tuple[str, int], Outcome] = {
    ("1-0", 0): "win",
    ("0-1", 1): "win",
    ("0-1", 0): "loss",
    ("1-0", 1): "loss",
    ("1/2-1/2", 0): "draw",
    ("1/2-1/2", 1): "draw",
}

Label = Annotated[str, Meta(max_length=200, description="Label of a version; default: all versions.")]


class Tally(Answer, frozen=True):
    """Numbers of matches by result."""

    wins: int
    draws: int
    losses: int


# ---------------------------------------------------------------- results of a bot


class OneBotGame(One, frozen=True):
    """Parameters: a bot, a game, and a version."""

    game: GameName
    version: Label | None = None


class ResultAnswer(Answer, frozen=True):
    """A number of finished matches of a bot that ended alike."""

    time_class: str
    seat: int
    """The bot's seat; 0 moves first."""
    rated: bool
    """Whether these matches changed ratings."""
    outcome: Outcome
    """The result for the bot; void: the match had none."""
    termination: str
    ended_by: str
    """How the matches ended, as a noun: such as checkmate, or the termination."""
    matches: int
    """How many matches ended in this way."""


class ResultsAnswer(Answer, frozen=True):
    """The results of all finished matches of a bot in a game, counted."""

    game: str
    items: list[ResultAnswer]


async def get_results(arena: Arena, query: OneBotGame) -> ResultsAnswer:
    """Count a bot's matches in a game by time class, side, result and termination."""
    row, game = await find_bot(arena, query.id), recorded(query.game)
    found = await arena.store.encounters.of_bot(row.id, game.name, query.version)
    items = [
        ResultAnswer.of(
            count,
            outcome=_OUTCOMES.get((count.result, count.seat), "void"),
            ended_by=ended_by(game.name, count.result, count.termination),
        )
        for count in found
    ]
    return ResultsAnswer(game=game.name, items=sorted(items, key=lambda item: -item.matches))


# ---------------------------------------------------------------- the opening tree


class OneOpening(One, frozen=True):
    """Parameters: a bot, a game, a time class, a side, and the moves that lead to a node of the tree."""

    game: GameName
    time_class: TimeClass | None = None
    seat: Annotated[int, Meta(ge=0, le=1, description="The bot's seat, 0 moves first; default: both.")] | None = None
    moves: Annotated[
        str,
        Meta(max_length=400, description=f"Moves (and rolls of dice) from the start, with commas; at most {PLIES}."),
    ] = ""


class OpeningMove(Tally, frozen=True):
    """A move that was made in a position, with the bot's results after it."""

    move: str
    """The move, as bots send it, or the roll."""
    said: str
    """The move in the usual notation."""
    matches: int
    """Number of the counted matches in which it was made here."""
    drawn: int
    """In how many of these matches the arena chose the move, as a part of the opening."""
    further: bool
    """Whether the tree has moves after this one."""


class OpeningNodeAnswer(Tally, frozen=True):
    """A node of a bot's opening tree, from its newest thousand matches of the game that began at the usual start."""

    game: str
    time_class: str | None
    """The time class of the counted matches; null: all time classes."""
    seat: int | None
    """The bot's seat in the counted matches. 0 moves first; null: both seats."""
    moves: list[str]
    """The moves from the start to this node, as bots send them."""
    matches: int
    """Number of the counted matches that reached this node."""
    children: list[OpeningMove]
    """The most frequent first, at most 50."""
    view: PositionView
    """The position."""
    eco: str | None
    """In chess: the code of the opening that these moves belong to."""
    name: str | None
    """In chess: the name of that opening."""


MOST_CHILDREN = 50
"""Maximum number of moves in an answer."""


async def get_openings(arena: Arena, query: OneOpening) -> OpeningNodeAnswer:
    """Return a node of a bot's opening tree: the moves after some moves, with the bot's results after each."""
    row, game = await find_bot(arena, query.id), await known(arena, query.game)
    moves = split(query.moves)
    if len(moves) > PLIES:
        raise BadRequest(f"parameter 'moves': at most {PLIES} moves (got {len(moves)})")
    seats = (0, 1) if query.seat is None else (query.seat,)
    async with READING.taken():
        tree = await arena.opening_trees.get(row.id, FromStart(game.name, await _start(game), query.time_class))
        node = tree.at(moves) or OpeningNode()
        try:
            view, opening = await asyncio.to_thread(_reached, game, moves)
        except ValueError as error:
            raise BadRequest(str(error)) from None
    eco, name = opening.name or (None, None)
    said = {move.move: move.said for move in view.legal}
    children = [
        OpeningMove(
            **_tally(child.of_seats(seats)),
            move=move,
            said=said.get(move, move),
            matches=sum(child.of_seats(seats)),
            drawn=sum(child.drawn[seat] for seat in seats),
            further=bool(child.children),
        )
        for move, child in node.children.items()
    ]
    shown = sorted((child for child in children if child.matches), key=lambda child: (-child.matches, child.move))
    return OpeningNodeAnswer(
        **_tally(node.of_seats(seats)),
        game=game.name,
        time_class=query.time_class,
        seat=query.seat,
        moves=moves,
        matches=sum(node.of_seats(seats)),
        children=shown[:MOST_CHILDREN],
        view=view,
        eco=eco,
        name=name,
    )


def _reached(game: Game, moves: list[str]) -> tuple[PositionView, NamedOpening]:
    """Return the position after moves from the usual start, and its opening. Raises ValueError."""
    return reached(game, None, moves), named_opening(game, None, moves)


async def _start(game: Game) -> str:
    """Return the usual start of a compiled game as text."""
    return await asyncio.to_thread(lambda: game.format_position(game.start()))


def _tally(counts: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip(("wins", "draws", "losses"), counts, strict=True))


# ---------------------------------------------------------------- two bots


class OneVersus(One, frozen=True):
    """Parameters: two bots, a game, and the time class of the rating list."""

    other: Number
    """Number of the second bot."""
    game: GameName | None = None
    time_class: TimeClass | None = None


class GameCount(Answer, frozen=True):
    """A number of matches of a game."""

    game: str
    matches: int
    """Number of finished matches of the two bots in this game."""


class SideTally(Tally, frozen=True):
    """Results of the first bot in a time class, on one side of the board."""

    time_class: str
    seat: int
    """The first bot's seat; 0 moves first."""
    rated: bool
    """Whether these matches changed ratings."""


class MetOpening(Tally, frozen=True):
    """An opening that the arena chose for matches of the two bots, with the results of the first bot."""

    start: str | None
    """The initial position; null: the usual start of the game."""
    moves: list[str]
    """In the usual notation, at most 16."""
    diagram: str
    """The position after the opening; empty while the server compiles the game."""
    eco: str | None = None
    """In chess: the code of the opening."""
    name: str | None = None
    """In chess: the name of the opening."""


class DifferenceAnswer(Answer, frozen=True):
    """The difference of two ratings by Bradley-Terry."""

    time_class: str
    """The time class of the rating list."""
    versions: tuple[str, str]
    """Labels of the compared versions: of the first, then of the second."""
    ratings: tuple[float, float]
    """Their Bradley-Terry ratings, in the same order."""
    elo: float
    """First rating minus second rating."""
    interval: tuple[float, float]
    """95 % interval of the difference, from the covariance of all ratings."""
    superiority: float
    """Likelihood, from 0 to 1, that the first is stronger."""


class VersusAnswer(Tally, frozen=True):
    """Two bots against each other: all finished matches in a game, counted for the first bot."""

    bots: tuple[LeaderBot, LeaderBot]
    """The first and the second bot, in the order of the path."""
    games: list[GameCount]
    """The games in which they met, the most frequent first."""
    game: str | None
    """The game of all other fields; null if they never met."""
    score: float | None
    """Share of the points, from 0 to 1; null without matches."""
    elo: float | None
    """Elo difference by the score; null if unbounded."""
    interval: tuple[float | None, float | None]
    """95 % interval of the Elo difference, as if all matches were independent; an end is null if unbounded."""
    superiority: float
    """Likelihood, from 0 to 1, that the first bot is stronger, by their own matches."""
    results: list[SideTally]
    """The counts by time class, seat, and whether the matches were rated."""
    openings: list[MetOpening]
    """The most frequent first, at most 20."""
    rated: DifferenceAnswer | None
    """By the rating list of a time class, for the newest rated version of each; null if one has no rating there, or
    while the ratings are computed."""


async def get_versus(arena: Arena, query: OneVersus) -> VersusAnswer:
    """Return the results of two bots against each other, their difference in rating, and their openings."""
    one, other = await find_bot(arena, query.id), await find_bot(arena, query.other)
    if one.id == other.id:
        raise BadRequest("a bot has no results against itself; give the numbers of two bots")
    counts = await arena.store.encounters.between(one.id, other.id)
    games = Counter[str]()
    for count in counts:
        games[count.game] += count.matches
    name = recorded(query.game).name if query.game else max(games, key=lambda each: games[each], default=None)
    shown = [count for count in counts if count.game == name]
    results = _by_side(shown)
    total = tuple(sum(getattr(side, each) for side in results) for each in ("losses", "draws", "wins"))
    score = moments(total)[1] if any(total) else None
    return VersusAnswer(
        **_tally((total[2], total[1], total[0])),
        bots=(_named(one), _named(other)),
        games=[GameCount(game=game, matches=matches) for game, matches in games.most_common()],
        game=name,
        score=score,
        elo=None if score is None else difference_of(score),
        interval=interval(total),
        superiority=superiority(total),
        results=results,
        openings=[] if name is None else await _openings(arena, one.id, other.id, recorded(name)),
        rated=await _rated(arena, one.id, other.id, name, query.time_class or _most_met(shown)),
    )


def _named(row: BotRow) -> LeaderBot:
    return LeaderBot(id=row.id, name=row.name, kind=row.kind)


def _by_side(counts: Iterable[MetCount]) -> list[SideTally]:
    """Return the results of the first bot by time class, seat, and whether they were rated."""
    sums: defaultdict[tuple[str, int, bool], Counter[Outcome]] = defaultdict(Counter)
    for count in counts:
        outcome = _OUTCOMES.get((count.result, count.seat), "void")
        sums[count.time_class, count.seat, count.rated][outcome] += count.matches
    return [
        SideTally(**_tally((found["win"], found["draw"], found["loss"])), time_class=time_class, seat=seat, rated=rated)
        for (time_class, seat, rated), found in sorted(sums.items())
    ]


def _most_met(counts: Iterable[MetCount]) -> str | None:
    """Return the time class of most of the matches."""
    matches = Counter[str]()
    for count in counts:
        matches[count.time_class] += count.matches
    return max(matches, key=lambda each: matches[each], default=None)


async def _openings(arena: Arena, one: int, other: int, game: Game) -> list[MetOpening]:
    """Return the openings that two bots met, with their moves in the usual notation."""
    counts = await arena.store.encounters.openings(one, other, game.name)
    ready = game.name not in arena.registry.games or arena.registry.is_ready(game.name)
    if not ready:
        return [MetOpening.of(count, moves=count.opening, diagram="") for count in counts]
    usual = await _start(game)
    async with READING.taken():
        return await asyncio.to_thread(lambda: [_opening(game, count, usual) for count in counts])


def _opening(game: Game, count: OpeningCount, usual: str) -> MetOpening:
    line = drawn_line(game, count.start, [], count.opening)
    diagram = line[-1].diagram if line else reached(game, count.start, []).diagram
    start = None if count.start == usual else count.start
    eco, name = named_opening(game, count.start, count.opening).name or (None, None)
    moves = [move.said for move in line]
    return MetOpening.of(count, start=start, moves=moves, diagram=diagram, eco=eco, name=name)


async def _rated(
    arena: Arena, one: int, other: int, game: str | None, time_class: str | None
) -> DifferenceAnswer | None:
    """Return the difference of the newest rated versions of two bots; None without ratings of both."""
    if game is None or game not in arena.registry.games or time_class is None:
        return None
    fit = await arena.rating_fits.soon(game, time_class)
    places = (fit.newest(one), fit.newest(other)) if fit else (None, None)
    return _difference(fit, places, time_class) if fit else None


def _difference(fit: LeaderboardFit, places: tuple[int | None, int | None], time_class: str) -> DifferenceAnswer | None:
    """Return the difference of the players at two places of a fit; None without both."""
    one, other = places
    if one is None or other is None or fit.assessment is None:
        return None
    elo, deviation = fit.difference(one, other)
    ratings = fit.assessment.fit.ratings
    reach = NORMAL_95 * deviation
    return DifferenceAnswer(
        time_class=time_class,
        versions=(fit.leaders[one].version, fit.leaders[other].version),
        ratings=(float(ratings[one]), float(ratings[other])),
        elo=elo,
        interval=(elo - reach, elo + reach),
        superiority=normal_share(elo, deviation),
    )


# ---------------------------------------------------------------- two versions


class TwoVersions(One, frozen=True):
    """Parameters: a bot, a game and time class, and two of its versions."""

    game: GameName
    one: Label
    other: Label
    time_class: TimeClass | None = None


class VersionRating(Answer, frozen=True):
    """The Bradley-Terry rating of a version."""

    version: str
    rating: float | None
    """Null if the version has no rating, or while the ratings are computed."""
    interval: tuple[float, float] | None
    """95 % interval of the rating."""


class ComparisonAnswer(Answer, frozen=True):
    """Two versions of a bot in a rating list; the results of each are at `/bots/{id}/results`."""

    game: str
    time_class: str
    versions: tuple[VersionRating, VersionRating]
    """The two versions, in the order of the parameters `one` and `other`."""
    difference: DifferenceAnswer | None
    """Null unless both have a rating."""


async def compare_versions(arena: Arena, query: TwoVersions) -> ComparisonAnswer:
    """Compare the ratings of two versions of a bot."""
    row, game = await find_bot(arena, query.id), recorded(query.game)
    time_class = query.time_class or arena.registry.time_class(game)
    fit = await arena.rating_fits.soon(game.name, time_class)
    places = (_place(fit, row.id, query.one), _place(fit, row.id, query.other))
    return ComparisonAnswer(
        game=game.name,
        time_class=time_class,
        versions=(_version(fit, places[0], query.one), _version(fit, places[1], query.other)),
        difference=_difference(fit, places, time_class) if fit else None,
    )


def _place(fit: LeaderboardFit | None, bot_id: int, label: str) -> int | None:
    leaders = enumerate(fit.leaders if fit else ())
    return next((place for place, leader in leaders if (leader.bot_id, leader.version) == (bot_id, label)), None)


def _version(fit: LeaderboardFit | None, place: int | None, label: str) -> VersionRating:
    if fit is None or fit.assessment is None or place is None:
        return VersionRating(version=label, rating=None, interval=None)
    low, high = fit.assessment.fit.intervals[place].tolist()
    return VersionRating(version=label, rating=float(fit.assessment.fit.ratings[place]), interval=(low, high))


ENDPOINTS = (
    Endpoint("GET", "/api/v1/bots/{id}/results", get_results),
    Endpoint("GET", "/api/v1/bots/{id}/openings", get_openings),
    Endpoint("GET", "/api/v1/bots/{id}/versus/{other}", get_versus),
    Endpoint("GET", "/api/v1/bots/{id}/compare", compare_versions),
)
