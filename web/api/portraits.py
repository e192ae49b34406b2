# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models by bots, and the accuracy of their predictions."""

import asyncio
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from arena.application import Arena
from arena.evolution.portraits import Portrait, Step, counted, met
from arena.matches.search_info import shortened
from arena.rating.difference import wilson
from arena.store.rows import BotRow, StoredMatch
from engine.match import Moved, decode_event
from web.api.access import BOT
from web.api.bots import find_bot
from web.api.endpoint import Answer, Endpoint, GameName, One
from web.api.games import offered
from web.errors import BadRequest
from web.fair_semaphore import READING

MATCHES = 100
"""Of a bot that are looked through for predictions of its moves: the newest."""


class PortraitAnswer(Answer, frozen=True):
    """A bot's opponent model of another bot."""

    author: str
    author_id: int
    updated: float
    portrait: Portrait


class PortraitsAnswer(Answer, frozen=True):
    """The opponent models of a bot, the newest first."""

    items: list[PortraitAnswer]


class StepAnswer(Answer, frozen=True):
    """Predictions in a range of probability, the number that came true, and the 95 % interval of that share."""

    low: float
    high: float
    belief: float
    predicted: int
    hit: int
    interval: tuple[float, float]


class PredictionsAnswer(Answer, frozen=True):
    """How a bot's moves were foreseen by its opponents, over its newest matches of a game."""

    game: str
    matches: int
    """With predictions."""
    predicted: int
    hit: int
    steps: list[StepAnswer]


class OnePredicted(One, frozen=True):
    """Which bot and game."""

    game: GameName


class PortraitKept(Struct, frozen=True):
    """The opponent model is stored."""

    player: str
    game: str


async def list_portraits(arena: Arena, query: One) -> PortraitsAnswer:
    """Return the opponent models that other bots have of a bot."""
    row = await find_bot(arena, query.id)
    return PortraitsAnswer(
        items=[
            PortraitAnswer(
                author=each.author,
                author_id=each.author_id,
                updated=each.updated,
                portrait=msgspec.json.decode(each.body, type=Portrait),
            )
            for each in await arena.store.portraits.of_bot(row.id)
        ]
    )


async def get_predictions(arena: Arena, query: OnePredicted) -> PredictionsAnswer:
    """Return how well opponents predicted a bot's moves."""
    game = offered(arena, query.game)
    row = await find_bot(arena, query.id)
    page = await arena.store.matches.page("finished", game=game.name, bot_id=row.id, limit=MATCHES)
    predictions: list[tuple[float, bool]] = []
    told = 0
    for each in page.items:  # one in memory at a time
        async with READING.taken(patient=True):
            stored = await arena.store.matches.get(each.id, shortened)
            found = await asyncio.to_thread(_met, row.id, stored) if stored is not None else []
        told += bool(found)
        predictions += found
    return _counted(game.name, told, predictions)


async def paint(arena: Arena, author: BotRow, portrait: Portrait) -> PortraitKept:
    """Store a bot's opponent model of another bot, replacing an earlier one."""
    game = offered(arena, portrait.game)
    subject = await arena.store.bots.named(portrait.player)
    if subject is None:
        raise BadRequest(f"no bot is called {portrait.player[:40]!r}")
    squares = game.board.rows * game.board.columns
    if any(len(pattern.diagram) != squares for pattern in portrait.patterns):
        raise BadRequest(f"a diagram of {game.name} has {squares} letters")
    await arena.store.portraits.put(subject.id, game.name, author.id, msgspec.json.encode(portrait))
    return PortraitKept(subject.name, game.name)


def _met(bot: int, match: StoredMatch) -> list[tuple[float, bool]]:
    """Return the predictions of a bot's moves in a match, and whether they came true."""
    seat = next(index for index, player in enumerate(match.row.players) if player.bot_id == bot)
    events = (decode_event(event.body) for event in match.events)
    return met((event for event in events if isinstance(event, Moved)), seat)


def _counted(game: str, told: int, predictions: Sequence[tuple[float, bool]]) -> PredictionsAnswer:
    return PredictionsAnswer(
        game=game,
        matches=told,
        predicted=len(predictions),
        hit=sum(hit for _, hit in predictions),
        steps=[_step(each) for each in counted(predictions)],
    )


def _step(step: Step) -> StepAnswer:
    return StepAnswer(
        low=step.low,
        high=step.high,
        belief=step.belief,
        predicted=step.predicted,
        hit=step.hit,
        interval=wilson(step.hit, step.predicted),
    )


ENDPOINTS = (
    Endpoint("GET", "/api/v1/bots/{id}/portraits", list_portraits),
    Endpoint("GET", "/api/v1/bots/{id}/predictions", get_predictions),
    Endpoint("POST", "/api/v1/portraits", paint, access=BOT),
)
