# SPDX-License-Identifier: GPL-3.0-or-later
"""REST routes of the games."""

from arena.application import Arena
from arena.registry import GameRegistry
from engine.drawing import Style, Tone
from engine.game import Game
from engine.games import find
from engine.match.ending import Termination
from web.api.endpoint import Answer, Endpoint, GameName, Query
from web.errors import NotFound


class PieceAnswer(Answer, frozen=True):
    """A piece: how to draw a letter of a diagram."""

    name: str
    """Name of the piece, for people."""
    shape: str
    """Name of the drawing, such as disc or knight."""
    seat: int | None
    """Seat that owns the piece; null: neither."""
    tone: Tone
    """Colour of the drawing: usually dark for seat 0, light for seat 1, and neutral for pieces without an owner."""
    count: int
    """How many pieces the letter stands for: more than one are a stack."""
    mark: str
    """A short text on the piece, such as the rank of a card; "": none."""


class BoardAnswer(Answer, frozen=True):
    """A board. A diagram has rows * columns letters, top row first; "." is an empty square."""

    rows: int
    """Number of rows of the board; of heaps, the number of heaps."""
    columns: int
    """Number of columns of the board; of heaps, the size of the largest heap."""
    style: Style
    """checkered: squares in two colours; grid: lines between squares; felt: green, with lines between squares; holes:
    an upright frame with a hole for each square, where pieces fall to the bottom; lines: points, with lines through
    them; heaps: each row is a heap, without squares; points: the board of backgammon, with 12 points, the bar and a
    tray in each of its two rows; cards: a table with rows of cards; table: felt for cards anywhere; seas: two squares
    of water side by side, with an empty column between them; rounds: strips of two rows, where a column is a round of a
    repeated game.
    """
    pieces: dict[str, PieceAnswer]
    """The piece of each letter of a diagram."""
    labels: list[str]
    """Label of each square, or ""."""
    bottom: int
    """Seat at the bottom of the diagram."""
    dots: list[int]
    """Points of a board of lines that a dot marks."""
    counted: str
    """What the counts of both sides are, such as discs; "": positions have none."""
    counted_one: str
    """What a count of 1 is, such as disc."""


class GameAnswer(Answer, frozen=True):
    """A game."""

    name: str
    """Name of the game in requests and messages."""
    title: str
    """The game's name for people."""
    description: str
    """What the game is, in one sentence."""
    rules: str
    """Paragraphs separated by empty lines; may be empty."""
    link: str
    """URL with more information; may be empty."""
    seats: tuple[str, str]
    """Names of the sides; the first moves first."""
    chance: bool
    """Whether some plies are dice rolls, or cards that are dealt."""
    hidden_information: bool
    """Whether a seat sees less than the whole position before the end of a match."""
    simultaneous: bool
    """Whether both seats choose at the same time in some positions."""
    zero_sum: bool
    """Whether the payoffs of both seats always add up to 0."""
    counts_points: bool
    """Whether points say more than the score: a win may count more than one point, or the game is not zero-sum."""
    board: BoardAnswer
    """How to draw diagrams of the game."""
    time_control: str
    """Time control of rated matches: base+increment in seconds."""
    time_class: str
    """The time class of `time_control`, whose ratings are shown unless a request names another."""
    variants: list[str]
    """Names of the offered variants of the game."""
    evaluations: list[str]
    """Names of the evaluations, the default first."""
    scale: float
    """The score in pawn units at which a side wins three games in four."""


class GamesAnswer(Answer, frozen=True):
    """All games, on one page."""

    items: list[GameAnswer]
    next: str | None = None


class OneGame(Query, frozen=True):
    """Parameter: a game."""

    name: GameName


def describe(registry: GameRegistry, game: Game) -> GameAnswer:
    """Return the API's description of a game."""
    time_control = registry.time_control(game)
    pieces = {
        letter: PieceAnswer(
            name=piece.name,
            shape=piece.shape,
            seat=piece.seat,
            tone=piece.shade,
            count=piece.count,
            mark=piece.mark,
        )
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
        hidden_information=game.secrets is not None,
        simultaneous=game.simultaneous,
        zero_sum=game.zero_sum,
        counts_points=game.counts_points,
        board=BoardAnswer(
            rows=game.board.rows,
            columns=game.board.columns,
            style=game.board.style,
            pieces=pieces,
            labels=list(game.board.texts),
            bottom=game.board.bottom,
            dots=list(game.board.dots),
            counted=game.board.counted,
            counted_one=game.board.counted_one,
        ),
        time_control=str(time_control),
        time_class=time_control.time_class,
        variants=[name for name in registry.games if name.startswith(f"{game.name}/")],
        evaluations=list(game.evaluations),
        scale=game.scale,
    )


def offered(arena: Arena, name: str) -> Game:
    """Return an offered game. Raises NotFound."""
    games = arena.registry.games
    if name not in games:
        raise NotFound(f"unknown game {name[:40]!r}; choose one of: {', '.join(games)}")
    return games[name]


def recorded(name: str) -> Game:
    """Return the game of a stored match, also if it is no longer offered. Raises NotFound if its rules are missing."""
    try:
        return find(name)
    except KeyError:
        raise NotFound(f"this version of the server does not have the game {name[:40]!r}") from None


def ended_by(name: str, result: str, termination: str) -> str:
    """Return how a match of a game ended, as a noun: lists know no position."""
    if termination != Termination.DECIDED:
        return termination
    try:
        endings = find(name).endings
    except KeyError:
        return termination
    return endings.win if result in ("1-0", "0-1") else endings.draw


def described(registry: GameRegistry) -> list[GameAnswer]:
    """Return the descriptions of all games, by title, as people look for them."""
    games = sorted(registry.games.values(), key=lambda game: game.title.casefold())
    return [describe(registry, game) for game in games]


async def list_games(arena: Arena) -> GamesAnswer:
    """List the games of the arena."""
    return GamesAnswer(items=described(arena.registry))


async def get_game(arena: Arena, query: OneGame) -> GameAnswer:
    """Describe a game: its sides, board, pieces and time control."""
    return describe(arena.registry, offered(arena, query.name))


ENDPOINTS = (
    Endpoint("GET", "/api/v1/games", list_games, cache="max-age=60"),
    Endpoint("GET", "/api/v1/games/{name:.+}", get_game, cache="max-age=60"),
)
