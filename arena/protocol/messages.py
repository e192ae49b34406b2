# SPDX-License-Identifier: MIT
"""Messages between bots and the arena: one class for each message; JSON Schema and docs are generated from the classes.

Every message is one JSON object in one text frame; ``type`` is its class name in kebab-case ("offer-draw"). Times are
in milliseconds, seats are 0 (moves first) and 1, scores are from the reporting side's point of view. The arena refuses
unknown fields; a bot must ignore them, because later versions may add some.
"""

import functools
import re
from hashlib import sha256
from typing import Annotated, ClassVar

from msgspec import Meta, Struct, field

from arena.protocol.terminal import printable_line

LONGEST_TEXT = 200
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
MoveText = Annotated[str, Meta(min_length=1, max_length=100)]
MatchId = Annotated[int, Meta(ge=1, le=2**53)]
Seat = Annotated[int, Meta(ge=0, le=1)]
CANDIDATES = 8
"""Maximum number of candidate moves in search info."""

KEPT_VARIATION = 32
"""Maximum number of stored moves of a principal variation."""
Milliseconds = Annotated[int, Meta(ge=0)]


@functools.cache
def kebab(name: str) -> str:
    """Return the ``type`` of the message class of this name."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


class FromBot(Struct, tag=kebab, tag_field="type", frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A message from a bot."""


class OfMatch(FromBot, frozen=True):
    """A message from a bot about a match that it plays: the match's referee handles it."""

    match: MatchId


class FromArena(Struct, tag=kebab, tag_field="type", frozen=True, omit_defaults=True):
    """A message from the arena."""

    asks: ClassVar[bool] = False
    """Whether the message requires an answer, which does not count towards the limit on messages."""


class Expected(Struct, frozen=True, forbid_unknown_fields=True):
    """A predicted answer of the opponent."""

    move: MoveText
    """The answer."""
    probability: Annotated[float, Meta(ge=0, le=1)]
    """The probability that the opponent plays it."""


class Candidate(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that a Monte Carlo tree search tried at the position."""

    move: MoveText
    visits: Annotated[int, Meta(ge=0, le=2**53)]
    """Number of playouts that began with the move."""
    win: Annotated[float, Meta(ge=0, le=1)]
    """Expected result of the reporting bot after the move: 1 for a win, a draw counts half."""


class Info(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Search info for spectators; every field is optional.

    The arena keeps at most 2,048 bytes per move, as JSON, and cuts the rest. It also limits
    the bytes in a match and in a day, and drops info beyond these limits. The move counts in any case.
    """

    score: Annotated[float, Meta(ge=-1e12, le=1e12)] | None = None
    """In pawn units, from the reporting bot's point of view."""
    depth: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    """Depth of the search, in plies."""
    nodes: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """Number of positions that the search visited."""
    pv: Annotated[list[MoveText], Meta(max_length=256)] = field(default_factory=list)
    """The principal variation, starting with the played move; the first 32 moves are kept."""
    expected: Annotated[list[Expected], Meta(max_length=16)] = field(default_factory=list)
    """Predicted answers of the opponent, the most probable first."""
    candidates: Annotated[list[Candidate], Meta(max_length=CANDIDATES)] = field(default_factory=list)
    """The best moves of a tree search, the best first; spectators see the legal ones."""


class Module(Struct, frozen=True, forbid_unknown_fields=True):
    """The WebAssembly module of a bot, and the software that runs it."""

    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """SHA-256 of the module's file, in hexadecimal digits."""
    wasmtime: Annotated[str, Meta(min_length=1, max_length=32)]
    """Version of wasmtime."""
    machine: Annotated[int, Meta(ge=1, le=10_000)]
    """Version of the arena's WebAssembly interface; see docs/how-to/wasm.md."""


# ---------------------------------------------------------------- from a bot


class Hello(FromBot, frozen=True):
    """The first message on a socket. The arena answers with ``welcome``, or closes the socket."""

    protocol: int
    """The version of the protocol that the bot speaks."""
    token: Annotated[str, Meta(min_length=1, max_length=200)]
    """The token of the bot's registration; a secret."""
    games: Annotated[list[Name], Meta(min_length=1, max_length=100)]
    """Names of the games that the bot plays, as in GET /api/v1/games."""
    version: Name = "1"
    """The bot's own version; ratings belong to it, so raise it when the bot plays differently. Control characters are
    refused."""
    software: Text = ""
    """The client software, for example a library and its version. Control characters are refused."""
    capacity: Annotated[int, Meta(ge=1, le=256)] = 1
    """Maximum number of matches at once."""
    legal_moves: bool = True
    """Whether ``turn`` lists the legal moves."""
    ladder: bool = True
    """Whether the ladder may pair this bot."""
    challenges: bool = True
    """Whether others may challenge this bot."""
    open_info: bool = False
    """Whether spectators, and thus the opponent, may see the bot's search info at once. It is live if both sides agree,
    except in anonymous tournaments; otherwise delayed. Applies to matches that start later.
    """
    people: bool = False
    """Whether people may play against this bot on the arena's pages. Such matches are unrated, and people cannot make
    the bot wait for long: their clocks run. Built-in bots always accept people.
    """
    description: Text = ""
    """One line about the bot for its page; replaces the previous one; empty: no change. Control characters and
    bidirectional controls are removed.
    """
    module: Module | None = None
    """The module of a WebAssembly bot that the server itself hosts. Such a bot can play matches that have a limit of
    instructions for each move instead of clocks. The server ignores the field from other clients.
    """

    def __post_init__(self) -> None:
        for name, text in (("version", self.version), ("software", self.software)):
            if printable_line(text) != text:
                raise ValueError(f"the {name} must not contain control characters")


class Move(OfMatch, frozen=True):
    """Play a move. ``ply`` is the number from ``turn``; it makes repeated messages harmless."""

    ply: Annotated[int, Meta(ge=0, le=100_000)]
    """The number from ``turn``."""
    move: MoveText
    info: Info | None = None
    instructions: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """Number of WebAssembly instructions that the move used. Required if the match has a limit of instructions for each
    move instead of clocks; only WebAssembly bots play such matches.
    """


class Thinking(FromBot, frozen=True):
    """Show spectators the state of a search while the clock runs. It is not stored, and the opponent's bot never gets
    it. Spectators get at most four of these messages per second, always the newest one. The arena drops the others
    without an error, and all of them in matches whose ``info_release`` is not "live". Useful only if ``turn`` has
    ``watched`` true.
    """

    match: MatchId
    ply: Annotated[int, Meta(ge=0, le=100_000)]
    """The number from ``turn``; the arena drops messages about other turns."""
    info: Info


class Resign(OfMatch, frozen=True):
    """Resign a match."""

    failure: Text = ""
    """If the bot resigns because of an error: the error's text, for people. The match then ends as a crash."""


class OfferDraw(OfMatch, frozen=True):
    """Offer a draw; the offer is valid until the opponent answers or moves."""


class AnswerDraw(OfMatch, frozen=True):
    """Accept or decline the opponent's offer."""

    accept: bool


class Sync(OfMatch, frozen=True):
    """Ask for the whole state of a match; the arena answers with ``match``."""


class Availability(FromBot, frozen=True):
    """Allow or forbid pairing on the ladder and challenges; running matches continue."""

    ladder: bool
    """Whether the ladder may pair this bot."""
    challenges: bool
    """Whether others may challenge this bot."""


class Challenge(FromBot, frozen=True):
    """Challenge a bot to a match (to a colour-swapped pair if rated); ``challenge-closed`` has the outcome."""

    opponent: Name
    """Name of the challenged bot."""
    game: Name
    rated: bool = False
    time_control: Annotated[str, Meta(max_length=32)] | None = None
    """A time control: "base+increment" in seconds, "moves/base+increment" or "seconds/move"; default: the game's own. A
    rated challenge must use the default; built-in bots have a maximum. "10M instructions/move" is for two WebAssembly
    bots that the server hosts.
    """


class AnswerChallenge(FromBot, frozen=True):
    """Accept or decline a challenge."""

    challenge: MatchId
    accept: bool


class WithdrawChallenge(FromBot, frozen=True):
    """Withdraw an unanswered challenge."""

    challenge: MatchId


# ---------------------------------------------------------------- from the arena


class Welcome(FromArena, frozen=True):
    """The arena accepted the bot."""

    protocol: int
    """The version of the protocol that the arena speaks."""
    server: str
    """Name and version of the arena's software."""
    bot: str
    """Name of the bot."""
    version: str
    """The bot's version, from ``hello``."""
    games: list[str]
    """The games of ``hello`` that the arena offers."""
    matches: list[int]
    """Running matches of this bot; a ``match`` message for each follows."""


class Player(Struct, frozen=True, omit_defaults=True):
    """One side of a match."""

    name: str
    """Name of the bot or person."""
    version: str
    """Version of the bot."""
    rating: float | None = None
    """Rating when the match started; null: none."""
    bot: int | None = None
    """The bot's number in the API."""


class PlayedMove(Struct, frozen=True, omit_defaults=True):
    """A move in the record."""

    move: str
    """The move, or the roll."""
    elapsed: Milliseconds = 0
    """The full elapsed time, network lag included; the clock is charged this time minus the network-lag allowance."""
    clock: Milliseconds | None = None
    """Remaining time of the mover after the move, increment included."""
    instructions: int | None = None
    """Number of WebAssembly instructions that the move used, in a match without clocks."""


class Match(FromArena, frozen=True):
    """The whole state of a match; sent at its start, when the bot reconnects, and in answer to ``sync``."""

    match: int
    game: str
    seat: Seat
    players: tuple[Player, Player]
    """In anonymous tournaments the opponent has no name and no version until the match is over."""
    rated: bool
    time_control: str | None
    start: str
    """The initial position."""
    opening: list[str]
    """Moves of the opening, made by the arena without clocks."""
    moves: list[PlayedMove]
    """Moves of the players after the opening, and rolls."""
    position: str
    ply: int
    """Number of moves so far, opening included."""
    to_move: int
    clocks: tuple[Milliseconds, Milliseconds] | None
    draw_offered: bool = False
    """Whether there is a valid draw offer of the opponent."""
    dice_commitment: str | None = None
    """In games with dice: the commitment to the rolls; see Dice."""
    mirrored_dice: bool = False
    """Whether another match, with swapped seats, has the same rolls; see Dice."""


class Turn(FromArena, frozen=True):
    """It is this bot's turn; its clock runs."""

    asks: ClassVar[bool] = True
    match: int
    game: str
    ply: int
    position: str
    seat: Seat
    last_move: str | None = None
    """The previous move, or the roll, as the bot's seat sees it; it may be the bot's own."""
    legal_moves: list[str] | None = None
    """Omitted if ``hello`` has ``legal_moves`` false."""
    clocks: tuple[Milliseconds, Milliseconds] | None = None
    increment: Milliseconds = 0
    """Time that the move adds to the clock."""
    moves_to_go: int | None = None
    """Moves until the time control adds its base time again; null if it never does."""
    instructions: int | None = None
    """Limit of WebAssembly instructions for this move, in a match without clocks."""
    draw_offered: bool = False
    watched: bool = False
    """Whether spectators would see ``thinking`` of this turn."""


class Accepted(FromArena, frozen=True):
    """The bot's move is stored."""

    match: int
    ply: int
    """The number from ``move``."""
    clock: Milliseconds | None = None
    """Remaining time after the move, increment included."""


class DrawOffered(FromArena, frozen=True):
    """The opponent offers a draw. Answer it; a move declines it."""

    asks: ClassVar[bool] = True
    match: int


class DrawDeclined(FromArena, frozen=True):
    """The opponent declined the draw."""

    match: int


class RatingChange(Struct, frozen=True):
    """A rating before and after a match."""

    before: float
    """The rating before the match."""
    after: float
    """The rating after the match."""


class Over(FromArena, frozen=True):
    """A match has ended. ``result`` is "1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (void)."""

    match: int
    result: str
    score: float | None
    """This bot's score: 1, 0.5 or 0; null if void."""
    termination: str
    """Reason of the end: decided, repetition, no-progress rule, ply limit, resignation, agreement, adjudication, time,
    illegal move, bad message, crash, disconnect, void.
    """
    detail: str = ""
    rating: RatingChange | None = None
    """Null if unrated."""
    opponent: Player | None = None
    """The opponent, if it was hidden."""
    dice_secret: str | None = None
    """In games with dice: the secret, to check against the commitment; null if the dice are mirrored."""
    payoff: float = 1.0
    """Payoff of the winner, in points: more than 1 in some games. The loser has its negative."""
    points: tuple[float, float] | None = None
    """In games that are not zero-sum: the payoffs of both seats; null in other games, and if the match is void."""


class Challenged(FromArena, frozen=True):
    """Another bot challenges this bot."""

    asks: ClassVar[bool] = True
    challenge: int
    opponent: Player
    """The challenging bot."""
    game: str
    rated: bool
    time_control: str | None
    expires: Milliseconds
    """Time left to answer."""


class ChallengeOpened(FromArena, frozen=True):
    """The bot's challenge was delivered."""

    challenge: int
    opponent: str
    """Name of the challenged bot."""
    game: str


class ChallengeClosed(FromArena, frozen=True):
    """A challenge is settled: accepted, declined, withdrawn, expired or impossible."""

    challenge: int
    outcome: str
    """accepted, declined, withdrawn, expired or impossible."""
    matches: list[int] = field(default_factory=list)
    """The match, if the challenge was accepted."""


class Error(FromArena, frozen=True):
    """The last message was refused. ``code`` is for programs (see Error codes), ``message`` for people. The match
    continues unless ``over`` follows.
    """

    code: str
    message: str
    match: int | None = None
    """The match that the refused message is about; null: none."""
    fatal: bool = False
    """Whether the arena closes the socket now."""


class Goodbye(FromArena, frozen=True):
    """The arena closes the socket on purpose."""

    reason: str
    """The reason, for people."""
    retry_after: Milliseconds | None = None
    """Time after which to reconnect; null: do not reconnect."""


BotMessage = (
    Hello
    | Move
    | Thinking
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


# ---------------------------------------------------------------- dice
#
# Dice commitment: the arena fixes a match's dice before the match starts.
#
# A match of a game with dice has a secret: 128 random bits, written as 32 hexadecimal digits. The players receive its
# commitment when the match starts, and the secret at the end. With both, anybody can verify that the dice were fixed
# before the first move.


def commitment(secret: str) -> str:
    """Return the SHA-256 of ``dice commitment SECRET``, as 64 hexadecimal digits. Raises ValueError for no secret."""
    if not re.fullmatch(r"[0-9a-f]{32}", secret):
        raise ValueError(f"a secret must be 32 hexadecimal digits (got {secret[:40]!r})")
    return sha256(f"dice commitment {secret}".encode()).hexdigest()
