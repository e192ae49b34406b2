# SPDX-License-Identifier: MIT
"""What bots and the arena say to each other: one class a message, which code, JSON Schema and docs all come from.

Every message is one JSON object in one text frame; ``type`` names its class in kebab-case ("offer-draw"). Times are
milliseconds, seats are 0 (moves first) and 1, scores are points seen by the side that reports them. The arena refuses
fields it does not know; a bot must ignore them, so that the arena can say more later.
"""

import functools
import re
from typing import Annotated

from msgspec import Meta, Struct, field

from arena.protocol.terminal import printable_line

LONGEST_TEXT = 200
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
MoveText = Annotated[str, Meta(min_length=1, max_length=100)]
MatchId = Annotated[int, Meta(ge=1, le=2**53)]
Seat = Annotated[int, Meta(ge=0, le=1)]
KEPT_VARIATION = 32
"""Moves of a principal variation that the arena keeps."""
Milliseconds = Annotated[int, Meta(ge=0)]


@functools.cache
def kebab(name: str) -> str:
    """Return the ``type`` of the message class of this name."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


class FromBot(Struct, tag=kebab, tag_field="type", frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a bot may send."""


class FromArena(Struct, tag=kebab, tag_field="type", frozen=True, omit_defaults=True):
    """What the arena sends."""


class Expected(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer that a bot expects of its opponent."""

    move: MoveText
    belief: Annotated[float, Meta(ge=0, le=1)]
    """How probable it holds it."""


class Info(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a bot reports of its search, shown beside the board; every field may be left out.

    The arena keeps at most 2,048 bytes a move, as JSON, and cuts what is longer. Bytes in a match and in a day are
    limited too: beyond, info is dropped. The move counts in any case.
    """

    score: Annotated[float, Meta(ge=-1e12, le=1e12)] | None = None
    """In points of a man or pawn, seen by the bot that reports it."""
    depth: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    nodes: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    pv: Annotated[list[MoveText], Meta(max_length=256)] = field(default_factory=list)
    """The principal variation, the move played first; the first 32 moves are kept."""
    expected: Annotated[list[Expected], Meta(max_length=16)] = field(default_factory=list)
    """What the opponent is expected to answer, the most probable first."""


# ---------------------------------------------------------------- from a bot


class Hello(FromBot, frozen=True):
    """The first message on a socket: who connects and what it plays. The arena answers with ``welcome``, or closes."""

    protocol: int
    """The version of the protocol that the bot speaks."""
    token: Annotated[str, Meta(min_length=1, max_length=200)]
    """What the bot was given when it was registered; a secret."""
    games: Annotated[list[Name], Meta(min_length=1, max_length=100)]
    """What it plays, by the names of GET /api/v1/games."""
    version: Name = "1"
    """The bot's own version; ratings belong to it, so raise it when the bot plays differently. Control characters are
    refused."""
    software: Text = ""
    """What speaks here, for people: a library and its version, say. Control characters are refused."""
    capacity: Annotated[int, Meta(ge=1, le=256)] = 1
    """Matches played at once."""
    legal_moves: bool = True
    """Whether ``turn`` shall list the legal moves."""
    ladder: bool = True
    """Whether the ladder may pair this bot."""
    challenges: bool = True
    """Whether others may challenge this bot."""
    open_info: bool = False
    """Whether spectators, and so the opponent, may see the bot's search info at once. It is shown at once where both
    sides say so, and later elsewhere. Holds for matches that start from now on."""
    description: Text = ""
    """One line about the bot for people, shown on its page in place of the one before; empty: that one stays. Control
    characters and bidirectional controls are removed."""

    def __post_init__(self) -> None:
        for name, text in (("version", self.version), ("software", self.software)):
            if printable_line(text) != text:
                raise ValueError(f"the {name} must not contain control characters")


class Move(FromBot, frozen=True):
    """Play a move; ``ply`` is the number that ``turn`` gave, so that a repeated message can do no harm."""

    match: MatchId
    ply: Annotated[int, Meta(ge=0, le=100_000)]
    move: MoveText
    info: Info | None = None


class Resign(FromBot, frozen=True):
    """Give a match up."""

    match: MatchId
    failure: Text = ""
    """What went wrong in the bot, for people, when that is why: the match is then lost by a crash."""


class OfferDraw(FromBot, frozen=True):
    """Offer a draw; it stands until the opponent answers or moves."""

    match: MatchId


class AnswerDraw(FromBot, frozen=True):
    """Accept or decline the opponent's offer."""

    match: MatchId
    accept: bool


class Sync(FromBot, frozen=True):
    """Ask for the whole state of a match; the arena answers with ``match``."""

    match: MatchId


class Availability(FromBot, frozen=True):
    """Let the ladder pair this bot, or not, and let others challenge it, or not; running matches go on."""

    ladder: bool
    challenges: bool


class Challenge(FromBot, frozen=True):
    """Ask a named bot for a match (for a colour-swapped pair when rated); ``challenge-closed`` tells what became of
    it.
    """

    opponent: Name
    game: Name
    rated: bool = False
    time_control: Annotated[str, Meta(max_length=32)] | None = None
    """ "base+increment" in seconds, "moves/base+increment" or "seconds/move"; by default the game's own. A rated
    challenge keeps the default; built-in bots take none that is longer than the arena allows."""


class AnswerChallenge(FromBot, frozen=True):
    """Accept or decline a challenge."""

    challenge: MatchId
    accept: bool


class WithdrawChallenge(FromBot, frozen=True):
    """Take back a challenge that has not been answered."""

    challenge: MatchId


# ---------------------------------------------------------------- from the arena


class Welcome(FromArena, frozen=True):
    """The bot is known and may play."""

    protocol: int
    server: str
    """Name and version of the arena's software."""
    bot: str
    version: str
    games: list[str]
    """The games of ``hello`` that are played here."""
    matches: list[int]
    """Running matches of this bot; a ``match`` message for each follows."""


class Player(Struct, frozen=True, omit_defaults=True):
    """One side of a match."""

    name: str
    version: str
    rating: float | None = None
    bot: int | None = None
    """The bot's number, under which the API knows it."""


class PlayedMove(Struct, frozen=True, omit_defaults=True):
    """A move as the record has it."""

    move: str
    elapsed: Milliseconds = 0
    """Time the move took, the way through the network included, part of which the clock forgives."""
    clock: Milliseconds | None = None
    """Time left to the mover after it, increment included."""


class Match(FromArena, frozen=True):
    """The whole state of a match: sent when it starts, when its bot connects again, and in answer to ``sync``."""

    match: int
    game: str
    seat: Seat
    players: tuple[Player, Player]
    """Where an event hides who plays, the opponent has no name and no version until the match is over."""
    rated: bool
    time_control: str | None
    start: str
    """The initial position."""
    opening: list[str]
    """Moves made by the arena from the start, before the clocks."""
    moves: list[PlayedMove]
    """Moves made by the players after the opening, and what dice showed."""
    position: str
    ply: int
    """Moves made so far, those of the opening included."""
    to_move: int
    clocks: tuple[Milliseconds, Milliseconds] | None
    draw_offered: bool = False
    """Whether the opponent's offer of a draw stands."""
    dice_commitment: str | None = None
    """In games with dice: what binds the arena to what they will show; see Dice."""


class Turn(FromArena, frozen=True):
    """It is this bot's move; the clock runs."""

    match: int
    game: str
    ply: int
    position: str
    seat: Seat
    last_move: str | None = None
    """The move that led here, or what dice showed."""
    legal_moves: list[str] | None = None
    """Left out when ``hello`` declined them."""
    clocks: tuple[Milliseconds, Milliseconds] | None = None
    increment: Milliseconds = 0
    moves_to_go: int | None = None
    """Moves until this bot's clock is set anew; null where it never is."""
    draw_offered: bool = False


class Accepted(FromArena, frozen=True):
    """The bot's own move is committed to the record."""

    match: int
    ply: int
    clock: Milliseconds | None = None
    """What is left after it, increment included."""


class DrawOffered(FromArena, frozen=True):
    """The opponent offers a draw; answer, or move, which declines."""

    match: int


class DrawDeclined(FromArena, frozen=True):
    """The opponent declined."""

    match: int


class RatingChange(Struct, frozen=True):
    """A rating before and after a match."""

    before: float
    after: float


class Over(FromArena, frozen=True):
    """A match has ended. ``result`` is "1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (void)."""

    match: int
    result: str
    score: float | None
    """This bot's: 1, 0.5 or 0; none when void."""
    termination: str
    """Why: decided, repetition, quiet plies, ply limit, resignation, agreement, adjudication, time, illegal move,
    bad message, crash, disconnect, void.
    """
    detail: str = ""
    rating: RatingChange | None = None
    """None when unrated."""
    opponent: Player | None = None
    """Who it was, where that was hidden."""
    dice_secret: str | None = None
    """In games with dice: what they were rolled by, to be checked against the commitment."""


class Challenged(FromArena, frozen=True):
    """Another bot asks for a match."""

    challenge: int
    opponent: Player
    game: str
    rated: bool
    time_control: str | None
    expires: Milliseconds
    """Time to answer in."""


class ChallengeOpened(FromArena, frozen=True):
    """The bot's own challenge was handed over."""

    challenge: int
    opponent: str
    game: str


class ChallengeClosed(FromArena, frozen=True):
    """A challenge is settled: accepted, declined, withdrawn, expired or impossible."""

    challenge: int
    outcome: str
    matches: list[int] = field(default_factory=list)


class Error(FromArena, frozen=True):
    """The last message was refused.

    ``code`` is for programs (see ``errors``), ``message`` for people. The match goes on unless ``over`` follows.
    """

    code: str
    message: str
    match: int | None = None
    fatal: bool = False
    """Whether the arena closes the socket now."""


class Goodbye(FromArena, frozen=True):
    """The arena closes the socket on purpose."""

    reason: str
    retry_after: Milliseconds | None = None
    """When to come back; none: do not."""


BotMessage = (
    Hello
    | Move
    | Resign
    | OfferDraw
    | AnswerDraw
    | Sync
    | Availability
    | Challenge
    | AnswerChallenge
    | WithdrawChallenge
)
ArenaMessage = (
    Welcome
    | Match
    | Turn
    | Accepted
    | DrawOffered
    | DrawDeclined
    | Over
    | Challenged
    | ChallengeOpened
    | ChallengeClosed
    | Error
    | Goodbye
)
