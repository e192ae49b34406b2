# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of games that are played here."""

from typing import Literal

from arena.application import Arena
from arena.registry import GameRegistry
from engine.game import Game
from engine.games import find
from web.api.route import Answer, GameName, Query, Route
from web.errors import NotFound


class PieceAnswer(Answer, frozen=True):
    """How a letter of a diagram is drawn."""

    name: str
    shape: str
    seat: int | None
    """Whose it is; null: nobody's."""
    tone: Literal["dark", "light", "neutral"]


class BoardAnswer(Answer, frozen=True):
    """A grid; a diagram is rows * columns letters, the top row first, "." for an empty square."""

    rows: int
    columns: int
    style: Literal["checkered", "grid", "heaps"]
    pieces: dict[str, PieceAnswer]
    labels: list[str]
    """The notation's name of each square, "" for none."""
    bottom: int
    """The seat that sits at the bottom of the diagram."""


class GameAnswer(Answer, frozen=True):
    """A game."""

    name: str
    title: str
    description: str
    rules: str
    """In paragraphs, with an empty line between them; empty: the description says all."""
    link: str
    """Where more is written about it; empty: nowhere."""
    seats: tuple[str, str]
    """What the sides are called; the first moves first."""
    chance: bool
    """Whether dice decide some plies."""
    board: BoardAnswer
    time_control: str
    """What rated matches are played at: base+increment in seconds."""
    time_class: str
    variants: list[str]
    """Names of the variants of it that are played here."""
    evaluations: list[str]
    """Names of the evaluations, the default first."""


class GamesAnswer(Answer, frozen=True):
    """All games; there is never a second page."""

    items: list[GameAnswer]
    next: str | None = None


class AllGames(Query, frozen=True):
    """Nothing to choose."""


class OneGame(Query, frozen=True):
    """Which game."""

    name: GameName


def describe(registry: GameRegistry, game: Game) -> GameAnswer:
    """Return what the API says of a game."""
    time_control = registry.time_control(game)
    pieces = {
        letter: PieceAnswer(name=piece.name, shape=piece.shape, seat=piece.seat, tone=piece.shade)
        for letter, piece in game.board.pieces.items()
    }
    return GameAnswer(
        name=game.name,
        title=game.title,
        description=game.description,
        rules=game.rules,
        link=game.link,
        seats=game.seats,
        chance=game.chance,
        board=BoardAnswer(
            rows=game.board.rows,
            columns=game.board.columns,
            style=game.board.style,
            pieces=pieces,
            labels=list(game.board.texts),
            bottom=game.board.bottom,
        ),
        time_control=str(time_control),
        time_class=time_control.time_class,
        variants=[name for name in registry.games if name.startswith(f"{game.name}/")],
        evaluations=list(game.evaluations),
    )


def offered(arena: Arena, name: str) -> Game:
    """Return a game that is played here. Raises NotFound."""
    games = arena.registry.games
    if name not in games:
        raise NotFound(f"no game is called {name[:40]!r}; there are: {', '.join(games)}")
    return games[name]


def recorded(name: str) -> Game:
    """Return the game of a stored match, offered any more or not. Raises NotFound when its rules are gone."""
    try:
        return find(name)
    except KeyError:
        raise NotFound(f"the rules of {name[:40]!r} are not known any more") from None


async def list_games(arena: Arena, query: AllGames) -> GamesAnswer:
    """List the games of the arena."""
    return GamesAnswer(items=[describe(arena.registry, game) for game in arena.registry.games.values()])


async def get_game(arena: Arena, query: OneGame) -> GameAnswer:
    """Describe a game: its sides, board, pieces and time control."""
    return describe(arena.registry, offered(arena, query.name))


ROUTES = (
    Route("/games", AllGames, GamesAnswer, list_games, cache="max-age=60"),
    Route("/games/{name}", OneGame, GameAnswer, get_game, cache="max-age=60"),
)
