# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of opponent models: bots report models of other bots; everybody reads them and the accuracy of predictions.

A prediction is the most probable of the replies that a bot sends with its move.
"""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.application import Arena
from arena.features.opponent_models.records import OpponentModelRecords
from arena.matches.search_info import shortened
from arena.rating.difference import wilson
from arena.store.rows import BotRow, StoredMatch
from arena.watching.disclosure import hides
from engine.match.events import Moved, decode_event
from web.answer_limits import READING
from web.api.access import BOT
from web.api.bots import find_bot
from web.api.endpoint import Answer, Endpoint, GameName, One
from web.api.games import offered
from web.errors import BadRequest, Forbidden
from web.feature import BotSection, WebPart

Text = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Share = Annotated[float, Meta(ge=0, le=1)]
SeatNumber = Annotated[int, Meta(ge=0, le=1)]

STEPS = 10
"""Bins of probability, for counting predictions."""


class Pattern(Struct, frozen=True, forbid_unknown_fields=True):
    """Pieces that a player often places together."""

    seat: SeatNumber
    diagram: Annotated[str, Meta(max_length=1_000)]
    """A letter for each square, as in the game's diagrams."""
    games: Count
    """Number of games on this seat with the pattern."""
    of: Count
    """Number of all games of the player on this seat."""
    move: Annotated[float, Meta(ge=0, le=100_000)]
    """Mean number of the player's move after which the pattern first appeared."""
    score: Share
    """The player's score in these games."""


class OpeningLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A sequence of first moves that was played more than once."""

    seat: SeatNumber
    moves: Annotated[list[Text], Meta(min_length=1, max_length=60)]
    """The first moves of both sides, as bots send them."""
    games: Count
    """Number of the player's games on this seat that begin with these moves."""
    score: Share
    """The player's mean score in these games, from 0 to 1."""


class HeldOut(Struct, frozen=True, forbid_unknown_fields=True):
    """The accuracy of a model of the earlier games, in predictions of the moves of the newest games."""

    games: Count
    """Number of the newest games, which the model had not learned."""
    moves: Count
    """The player's moves in them, without forced ones."""
    hits: Count
    """Moves that were the most probable one of the model."""
    chance: Share
    """The share of hits of a prediction at random."""


class OpponentModel(Struct, frozen=True, forbid_unknown_fields=True):
    """The opponent model of a player in a game."""

    player: Annotated[str, Meta(min_length=1, max_length=100)]
    """Name of the player that the model describes: a bot or a person."""
    game: Annotated[str, Meta(min_length=1, max_length=64)]
    games: Count
    """Number of games that it was learned from."""
    patterns: Annotated[list[Pattern], Meta(max_length=40)] = []
    """The most frequent first."""
    lines: Annotated[list[OpeningLine], Meta(max_length=200)] = []
    """The opening tree in depth-first order: a line comes after the lines that it continues."""
    held_out: HeldOut | None = None
    """Null if the bot did not measure it."""


MATCHES = 100
"""Number of a bot's newest matches that are searched for predictions of its moves."""


class OpponentModelAnswer(Answer, frozen=True):
    """A bot's opponent model of another bot."""

    author: str
    """Name of the bot that made the model."""
    author_id: int
    """Number of that bot."""
    updated: float
    """Time at which the author sent the model, as Unix time in seconds."""
    model: OpponentModel
    """What the author knows of the player."""


class OpponentModelsAnswer(Answer, frozen=True):
    """The opponent models of a bot, the newest first."""

    items: list[OpponentModelAnswer]


class StepAnswer(Answer, frozen=True):
    """Predictions with a probability from ``low`` to below ``high``, the number that came true, and the 95 % interval
    of that share.
    """

    low: float
    """Lowest probability of the group."""
    high: float
    """Probability below which the group ends."""
    probability: float
    """Mean probability of these predictions."""
    predicted: int
    """Number of predictions in the group."""
    hit: int
    """Number of them that came true."""
    interval: tuple[float, float]
    """95 % interval of the share of hits, after Wilson."""


class PredictionsAnswer(Answer, frozen=True):
    """Accuracy of opponents' predictions of a bot's moves, over its newest matches of a game."""

    game: str
    matches: int
    """Number of matches with predictions."""
    predicted: int
    """Number of predicted answers, each with its probability."""
    hit: int
    """Number of them that the bot then played."""
    steps: list[StepAnswer]
    """The predictions in ten groups by their probability, the lowest first; empty groups are left out."""


class OnePredicted(One, frozen=True):
    """Which bot and game."""

    game: GameName


class OpponentModelStored(Struct, frozen=True):
    """The opponent model is stored."""

    player: str
    """Name of the player that the model describes."""
    game: str


async def list_opponent_models(arena: Arena, query: One) -> OpponentModelsAnswer:
    """Return the opponent models that other bots have of a bot."""
    return await models_of(arena, await find_bot(arena, query.id))


async def models_of(arena: Arena, bot: BotRow) -> OpponentModelsAnswer:
    """Return the opponent models of a bot or a person."""
    rows = await arena.store.records(OpponentModelRecords).of_bot(bot.id)
    return OpponentModelsAnswer(
        items=[OpponentModelAnswer.of(row, model=msgspec.json.decode(row.body, type=OpponentModel)) for row in rows]
    )


async def get_predictions(arena: Arena, query: OnePredicted) -> PredictionsAnswer:
    """Return how well opponents predicted a bot's moves."""
    game = offered(arena, query.game)
    row = await find_bot(arena, query.id)
    page = await arena.store.matches.page("finished", game=game.name, bot_id=row.id, limit=MATCHES)
    predictions: list[tuple[float, bool]] = []
    matches = 0
    for each in page.items:  # one in memory at a time
        async with READING.taken(patient=True):
            stored = None if hides(each) else await arena.store.matches.get(each.id, shortened)
            found = await asyncio.to_thread(_predictions_in, row.id, stored) if stored is not None else []
        matches += bool(found)
        predictions += found
    hits = sum(hit for _, hit in predictions)
    return PredictionsAnswer(
        game=game.name, matches=matches, predicted=len(predictions), hit=hits, steps=calibration(predictions)
    )


async def store_opponent_model(arena: Arena, author: BotRow, body: OpponentModel) -> OpponentModelStored:
    """Store a bot's opponent model of another bot, replacing an earlier one."""
    game = offered(arena, body.game)
    subject = await arena.store.bots.named(body.player)
    if subject is None:
        raise BadRequest(f"no bot is called {body.player[:40]!r}")
    squares = game.board.rows * game.board.columns
    if any(len(pattern.diagram) != squares for pattern in body.patterns):
        raise BadRequest(f"a diagram of {game.name} has {squares} letters")
    records = arena.store.records(OpponentModelRecords)
    await _check_allowed(arena, subject)
    await records.put(subject.id, game.name, author.id, msgspec.json.encode(body))
    try:
        await _check_allowed(arena, subject)
    except Forbidden:  # since a moment ago
        await records.forget(subject.id)
        raise
    return OpponentModelStored(subject.name, game.name)


async def _check_allowed(arena: Arena, subject: BotRow) -> None:
    """Raise Forbidden where the player refuses models."""
    for refuses in arena.refuses_models:
        if await refuses(subject):
            raise Forbidden(f"{subject.name} does not allow opponent models")


def _predictions_in(bot: int, match: StoredMatch) -> list[tuple[float, bool]]:
    """Return the predictions of a bot's moves in a match, and whether they came true."""
    seat = next(index for index, player in enumerate(match.row.players) if player.bot_id == bot)
    events = (decode_event(event.body) for event in match.events)
    return predictions_of((event for event in events if isinstance(event, Moved)), seat)


def predictions_of(moves: Iterable[Moved], seat: int) -> list[tuple[float, bool]]:
    """Return each prediction of a seat's moves: its probability, and whether the move was played."""
    found = []
    before: Moved | None = None
    for moved in moves:
        if moved.seat == seat and before is not None and before.seat == 1 - seat and before.info is not None:
            best = max(before.info.expected, key=lambda one: one.probability, default=None)
            if best is not None:
                found.append((best.probability, best.move == moved.move))
        before = moved
    return found


def calibration(predictions: Iterable[tuple[float, bool]]) -> list[StepAnswer]:
    """Count predictions by probability; omit steps without predictions."""
    cells: dict[int, list[tuple[float, bool]]] = {}
    for probability, hit in predictions:
        cells.setdefault(min(int(probability * STEPS), STEPS - 1), []).append((probability, hit))
    return [_step(number, cell) for number, cell in sorted(cells.items())]


def _step(number: int, predictions: Sequence[tuple[float, bool]]) -> StepAnswer:
    count, hits = len(predictions), sum(hit for _, hit in predictions)
    return StepAnswer(
        low=number / STEPS,
        high=(number + 1) / STEPS,
        probability=sum(probability for probability, _ in predictions) / count,
        predicted=count,
        hit=hits,
        interval=wilson(hits, count),
    )


EDGE = WebPart(
    anywhere=True,
    endpoints=(
        Endpoint("GET", "/api/v1/bots/{id}/opponent-models", list_opponent_models),
        Endpoint("GET", "/api/v1/bots/{id}/predictions", get_predictions),
        Endpoint("POST", "/api/v1/opponent-models", store_opponent_model, access=BOT),
    ),
    bot_sections=(BotSection("opponent_models/section.js", models_of),),
    static=Path(__file__).parent / "static",
    styles=("opponent_models/style.css",),
)
