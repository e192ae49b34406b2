# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API and page of the search explorer, and of analysis on demand."""

import asyncio
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

from aiohttp import web
from msgspec import Meta

from arena.application import Arena
from arena.features.accounts.access import identify
from arena.features.explorer.counting import algorithms_of
from arena.features.explorer.jobs import (
    Analysed,
    Analysis,
    AnalysisJob,
    Counted,
    CountJob,
    Counts,
    Explained,
    ExplainJob,
    Failed,
    Job,
    MatchSummary,
    Outcome,
    Refused,
    Summarised,
    SummaryJob,
)
from arena.features.explorer.part import RETRY_AFTER, ExplorerPart, TooMany
from arena.features.explorer.tree import Explanation
from arena.features.people.api import secret_of
from arena.features.people.part import PeoplePart
from engine.game import Game
from engine.search import ALGORITHMS
from web import language
from web.api import games
from web.api.endpoint import Answer, Endpoint, GameName, One, Query
from web.api.matches import played_moves
from web.api.positions import Text, playable
from web.clients import client_of
from web.drawing import scripts_of
from web.errors import BadRequest, Conflicting, RequestError, TooManyRequests
from web.feature import MatchSection, WebPart
from web.pages import show

MOST_DEPTH = 20

MOST_PLIES = 1000
"""Plies of a match that has a summary."""

Depth = Annotated[int, Meta(ge=1, le=MOST_DEPTH, description="Depth in plies.")]
Word = Annotated[str, Meta(max_length=64)]
Switches = Annotated[
    str,
    Meta(
        max_length=600,
        description="Switches that replace the algorithm's; `+S,-S,...` adds and removes switches.",
    ),
]


class OneExplanation(Query, frozen=True):
    """Which search of which position."""

    game: GameName
    algorithm: Annotated[str, Meta(max_length=64, description=f"One of: {', '.join(ALGORITHMS)}.")]
    depth: Depth
    position: Text | None = None
    evaluation: Word | None = None
    """Name of an evaluation; default: the game's first."""
    switches: Switches | None = None
    language: Annotated[str, Meta(max_length=64, description="Language of the sentences: `en`, `de`.")] = (
        language.SOURCE
    )


class SomeCounts(Query, frozen=True):
    """Which position, and the greatest depth."""

    game: GameName
    depth: Depth
    position: Text | None = None
    evaluation: Word | None = None
    """Name of an evaluation; default: the game's first."""


class OneAnalysis(Query, frozen=True):
    """Which position, and the limits of the search."""

    game: GameName
    position: Text | None = None
    nodes: Annotated[int, Meta(ge=1, description="Node limit; the server has a limit of its own.")] | None = None
    time: Annotated[float, Meta(gt=0, le=3600, description="Time limit in seconds; likewise.")] | None = None


class ExplorePage(Query, frozen=True):
    """Parameters of the page; the script reads the others."""

    game: GameName | None = None


class AlgorithmChoice(Answer, frozen=True):
    """An algorithm."""

    name: str
    description: str


async def explain(arena: Arena, request: web.Request, query: OneExplanation) -> Explanation:
    """Return the tree that a search of a position walks, node by node."""
    if query.language not in language.codes():
        raise BadRequest(
            f"there are no sentences in the language {query.language!r}; there are {', '.join(language.codes())}"
        )
    job = ExplainJob(
        game=query.game,
        position=query.position,
        algorithm=query.algorithm,
        depth=query.depth,
        evaluation=query.evaluation,
        switches=query.switches,
        most=arena.part(ExplorerPart).settings.explorer_nodes,
        language=query.language,
    )
    found = await _ask(arena, request, job)
    assert isinstance(found, Explained)
    return found.answer


async def count_nodes(arena: Arena, request: web.Request, query: SomeCounts) -> Counts:
    """Return the number of nodes that each algorithm visits at each depth."""
    job = CountJob(
        game=query.game,
        position=query.position,
        depth=query.depth,
        evaluation=query.evaluation,
        most=arena.part(ExplorerPart).settings.explorer_count,
    )
    found = await _ask(arena, request, job)
    assert isinstance(found, Counted)
    return found.answer


async def analyse(arena: Arena, request: web.Request, query: OneAnalysis) -> Analysis:
    """Return the score and the best line of a position, by the search of the strongest built-in bot."""
    settings = arena.part(ExplorerPart).settings
    job = AnalysisJob(
        game=query.game,
        position=query.position,
        nodes=min(query.nodes or settings.explorer_count, settings.explorer_count),
        seconds=min(query.time or settings.explorer_time, settings.explorer_time),
    )
    found = await _ask(arena, request, job)
    assert isinstance(found, Analysed)
    return found.answer


async def summarise_match(arena: Arena, request: web.Request, query: One) -> MatchSummary:
    """Return the accuracy of both sides of a finished match and its turning points, by short searches."""
    part = arena.part(ExplorerPart)
    if (kept := part.summary(query.id)) is not None:
        return kept
    played = await played_moves(arena, query.id)
    view = arena.broadcast.view(query.id)
    if played.row.status == "live" if view is None else view.ending is None:
        raise Conflicting("the match is not over yet; try again at its end")
    if len(played.moves) > MOST_PLIES:
        raise BadRequest(
            f"only matches of at most {MOST_PLIES} plies can be summarised (this one has {len(played.moves)})"
        )
    _check_searched(await playable(arena, played.row.game))
    job = SummaryJob(
        game=played.row.game,
        position=played.row.start,
        moves=[move.move for move in played.moves],
        skipped=len(played.row.opening),
        nodes=part.settings.explorer_count,
    )
    await _check_sender(arena, request)
    found = await _run(arena, request, job)
    assert isinstance(found, Summarised)
    part.keep_summary(query.id, found.answer)
    return found.answer


async def explore_page(arena: Arena, request: web.Request, query: ExplorePage) -> web.Response:
    """The search explorer. Its script reads the other parameters: position, algorithm, depth and the shown step."""
    played = await games.list_games(arena)
    if query.game is not None:
        games.offered(arena, query.game)
    data = {
        "games": played,
        "algorithms": [AlgorithmChoice(name=name, description=each.description) for name, each in ALGORITHMS.items()],
        "choices": {
            name: list(algorithms_of(game)) for name, game in arena.registry.games.items() if game.perfect_information
        },
        "most_depth": MOST_DEPTH,
    }
    styles = scripts_of([game.board for game in played.items])
    return show(request, "explorer/explore.js", language.Text("Search explorer"), data, styles)


async def _ask(arena: Arena, request: web.Request, job: Job) -> Outcome:
    """Let the process do a job. Raises RequestError."""
    game = _check_searched(await playable(arena, job.game))
    try:
        position, diagram = await asyncio.to_thread(_normal, game, job.position)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    if (job.game, position) in arena.seats_of_people:
        raise Conflicting("a person plays this position in a live match; try again when the match is over")
    people = await _check_sender(arena, request)
    if people.close_to_a_match(client_of(request).key, game, diagram):
        raise Conflicting(
            "somebody at your address plays a position that is close to this one; try again when the match is over"
        )
    return await _run(arena, request, job)


async def _check_sender(arena: Arena, request: web.Request) -> PeoplePart:
    """Refuse people who play a match. Raises Conflicting."""
    people = arena.part(PeoplePart)
    person = await people.find(await identify(request), secret_of(request))
    if person is not None and people.match_of(person.bot_id) is not None:
        raise Conflicting("you play a match; try again when it is over")
    return people


async def _run(arena: Arena, request: web.Request, job: Job) -> Outcome:
    """Queue a job, and return its outcome. Raises RequestError."""
    try:
        found = await arena.part(ExplorerPart).ask(client_of(request).key, job)
    except TooMany as error:
        raise TooManyRequests(str(error), RETRY_AFTER) from None
    if isinstance(found, Refused):
        raise BadRequest(found.why)
    if isinstance(found, Failed):
        message, headers = "the search failed; try again", {"Retry-After": str(round(RETRY_AFTER))}
        raise RequestError(HTTPStatus.SERVICE_UNAVAILABLE, "failed", message, headers)
    return found


def _check_searched(game: Game) -> Game:
    """Return the game. Raises BadRequest if searches cannot play it."""
    if not game.perfect_information:
        raise BadRequest(f"searches cannot play {game.name}, where a seat does not see everything")
    return game


def _normal(game: Game, position: str | None) -> tuple[str, str]:
    """Return the usual text of a position, and its diagram. Raises ValueError."""
    state = game.start() if position is None else game.parse_position(position)
    return game.format_position(state), game.diagram(state)


LIMITS = {
    409: "A person plays this position in a live match, the sender plays a match, or somebody at the sender's address "
    "plays a position that is close to this one.",
    429: "Too many searches of this address, or of all.",
}

EDGE = WebPart(
    endpoints=(
        Endpoint("GET", "/explore", explore_page, menu="Explore a search", group="Play"),
        Endpoint("GET", "/api/v1/explain", explain, errors=LIMITS),
        Endpoint("GET", "/api/v1/explain/counts", count_nodes, errors=LIMITS),
        Endpoint("GET", "/api/v1/analysis", analyse, errors=LIMITS),
        Endpoint("GET", "/api/v1/matches/{id}/summary", summarise_match, errors=LIMITS),
    ),
    match_sections=(MatchSection("explorer/analysis.js", below=True, searches=True),),
    static=Path(__file__).parent / "static",
    styles=("explorer/explorer.css",),
)
