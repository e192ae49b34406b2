# SPDX-License-Identifier: MIT
"""Messages between spectators and the arena on the watch socket; the rules of bots' messages apply.

A spectator follows any number of matches and tournaments and, optionally, the lobby. A slow reader gets the newest
state instead of every step.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from arena.protocol.messages import Info, MatchId, Milliseconds, Name, Player, RatingChange, Seat, kebab

BOTH = -2
"""``to_move`` where both seats choose at the same time."""

TimeClass = Literal["bullet", "blitz", "rapid", "classical", "instructions"]
"""A time class; "instructions": each move has a limit of instructions instead of a clock."""


class FromSpectator(Struct, tag=kebab, tag_field="type", frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A message from a spectator."""


class ToSpectator(Struct, tag=kebab, tag_field="type", frozen=True, omit_defaults=True):
    """A message to a spectator."""


class Follow(FromSpectator, frozen=True):
    """Follow a match. The arena first sends the whole state; if ``after`` is given, it sends only the moves after that
    ply. If the match waits for its resumption after a restart of the arena, messages follow when it continues; if it
    becomes void, ``refused`` follows with the code ``unknown-match``.
    """

    match: MatchId
    after: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    """The ply of the last move that the spectator has."""
    thinking: bool = False
    """Whether to send ``live-thinking``."""


class Unfollow(FromSpectator, frozen=True):
    """Stop following a match."""

    match: MatchId


class FollowLobby(FromSpectator, frozen=True):
    """Follow the lobby: starts and ends of matches, and the moves of at most ``boards`` matches."""

    game: Name | None = None
    """Show matches of this game only; null: of all games."""
    boards: Annotated[int, Meta(ge=0, le=64)] = 12
    """Maximum number of boards."""
    changes: bool = False
    """Whether to send only the changes after the first message (``lobby-changed``)."""


class UnfollowLobby(FromSpectator, frozen=True):
    """Stop following the lobby."""


class FollowTournament(FromSpectator, frozen=True):
    """Follow a tournament: the arena sends a message after each change."""

    tournament: MatchId


class UnfollowTournament(FromSpectator, frozen=True):
    """Stop following a tournament."""

    tournament: MatchId


class FollowLeaderboard(FromSpectator, frozen=True):
    """Follow the leaderboard of a game and a time class: the arena sends a message after each change of its ratings."""

    game: Name
    time_class: TimeClass


class UnfollowLeaderboard(FromSpectator, frozen=True):
    """Stop following a leaderboard."""

    game: Name
    time_class: TimeClass


class Aside(Struct, frozen=True, omit_defaults=True):
    """Additional data of a position, such as a number for each seat, dice, the doubling cube, and cards."""

    counts: tuple[float, float] | None = None
    """A number for each seat, such as its discs; `counted` in the game's `board` (`GET /api/v1/games`) names it."""
    dice: list[int] = []
    """Faces of the dice of the roll that is to be played."""
    roller: Seat = 0
    """The seat that plays the roll."""
    cube: int = 0
    """Value of the doubling cube; 0: there is none."""
    owner: Seat | None = None
    """The seat that has the doubling cube; null: both may double."""
    bets: tuple[float, float] | None = None
    """The chips of each seat in the pot; null: there is no pot."""
    history: str = ""
    """The moves of the current hand, in the game's notation."""


class SeenMove(Struct, frozen=True, omit_defaults=True):
    """A move and the diagram after it."""

    ply: int
    """Number of moves including this one; the first has 1."""
    move: str
    """The move, or the roll."""
    seat: int
    """The seat that moved; -1 for a roll."""
    diagram: str
    """The position after the move."""
    squares: list[int]
    """Squares of the move, from first to last, as indices into the diagram."""
    opening: bool = False
    """Whether the move belongs to the opening."""
    elapsed: Milliseconds = 0
    """The full elapsed time, network lag included."""
    clock: Milliseconds | None = None
    """Remaining time of the mover after the move, increment included."""
    instructions: int | None = None
    """Number of WebAssembly instructions that the move used, in a match without clocks."""
    network: Milliseconds = 0
    """Round-trip time of messages between the arena and the player; ``elapsed`` contains it."""
    waited: Milliseconds = 0
    """Time between the previous move and the start of this turn: storing that move, the pause between moves of
    built-in bots, and the wait for a free processor. ``elapsed`` does not contain it.
    """
    info: Info | None = None
    text: str = ""
    """The move in the usual notation, if it differs."""
    line: list[str] = []
    """The moves of ``info.pv`` before the first illegal one, at most 10, in the usual notation."""
    aside: Aside | None = None
    """Additional data of the position after the move; null: none."""
    observation: str = ""
    """In the view of a seat, which the API returns after the end: what the seat saw after the move, as the text that
    bots receive as a position.
    """


class LateInfo(Struct, frozen=True, omit_defaults=True):
    """Delayed search info of an earlier move."""

    ply: int
    """The ply of that move, as in SeenMove."""
    info: Info
    line: list[str] = []
    """As in SeenMove."""


class Ghost(Struct, frozen=True):
    """A piece that the last move of a match captured."""

    square: int
    """Its square, as an index into the diagram."""
    letter: str
    """Its letter in diagrams."""


class Decision(Struct, frozen=True, omit_defaults=True):
    """Description of the end of a match by the rules of its game: a text, and squares to highlight, as indices into the
    diagram.
    """

    words: str = ""
    """English text that continues "won" or "Draw", such as "with {0} in a row"; "{0}" is the first of ``values``."""
    values: list[float] = []
    """Numbers in the words."""
    won: list[int] = []
    """The squares that won, such as a line."""
    lost: list[int] = []
    """The squares of pieces that are captured or cannot move, such as the king that is mated."""
    ghosts: list[Ghost] = []
    """The pieces that the last move captured."""


class Ending(Struct, frozen=True, omit_defaults=True):
    """The end of a match; ``ratings`` by seat if it was rated."""

    result: str
    termination: str
    detail: str = ""
    ratings: tuple[RatingChange, RatingChange] | None = None
    """Null if unrated."""
    dice_secret: str | None = None
    """In games with dice: the secret of the rolls; null while another match has the same secret and is not over."""
    payoff: float = 1.0
    """Payoff of the winner, in points."""
    decision: Decision | None = None
    """What decided the match; null unless it ended by the rules of the game."""
    points: tuple[float, float] | None = None
    """In games that are not zero-sum: the payoffs of both seats; null in other games, and if the match is void."""
    sealed_until: str | None = None
    """If an unfinished match of the tournament has the same dice or cards: the game, as in the Round tag of PGN, after
    which they are shown; null: they are shown now."""


class Seen(Struct, frozen=True, omit_defaults=True):
    """The state of a match without its moves."""

    match: int
    game: str
    time_class: str
    players: tuple[Player, Player]
    """In anonymous tournaments players have no name and no version until the match is over."""
    rated: bool
    time_control: str | None
    started: float
    """Unix time in seconds."""
    ply: int
    diagram: str
    """The current position."""
    squares: list[int]
    """Squares of the newest move."""
    to_move: int
    """The seat to move; -1 for a roll; -2 where both seats choose at the same time."""
    clocks: tuple[Milliseconds, Milliseconds] | None
    """Clocks at ``clocks_at``; since then the clock of the side to move has run, or both clocks where both seats choose
    at the same time.
    """
    clocks_at: float
    """Unix time in seconds."""
    ending: Ending | None = None
    """The end of the match; null while it runs."""
    info_release: Literal["live", "delayed", "end"] = "live"
    """The time at which search info appears: "live": with the move; "delayed": with the same side's next move; "end":
    after the match.
    """
    dice_commitment: str | None = None
    """In games with dice: the commitment to the rolls."""
    aside: Aside | None = None
    """Additional data of the current position; null: none."""


class Snapshot(ToSpectator, frozen=True):
    """The state of a followed match. ``initial`` is the diagram before the first move; ``moves`` has at most 100 moves;
    ``after`` is the number of plies before the first of them. For a longer match further snapshots follow, up to
    ``seen.ply`` plies.
    """

    seen: Seen
    """The state of the match."""
    initial: str
    """The diagram before the first move."""
    moves: list[SeenMove]
    """At most 100 moves, the first of which follows ``after`` plies."""
    after: int = 0
    """Number of plies before ``moves``."""
    late: list[LateInfo] = []
    """If info is delayed: newly released info of moves up to ``after``. Info that is released only after the match is
    not included; the API returns it after the match.
    """


class MoveMade(ToSpectator, frozen=True):
    """A move in a followed match."""

    match: int
    made: SeenMove
    """The move."""
    to_move: int
    """As in ``seen``."""
    clocks: tuple[Milliseconds, Milliseconds] | None = None
    late: LateInfo | None = None
    """If info is delayed: the info of the same side's previous move."""


class MatchOver(ToSpectator, frozen=True):
    """A followed match ended."""

    match: int
    ending: Ending
    """The end of the match."""
    players: tuple[Player, Player] | None = None
    """The players, if they were hidden."""
    late: list[LateInfo] = []
    """If info is delayed: the info of each side's last move."""


class LiveThinking(ToSpectator, frozen=True):
    """The search of the side to move in a followed match. The first message of a turn has an empty ``info`` and says
    that the clock runs; the others, in matches with ``info_release`` "live", have the bot's newest info, at most four
    per second. Only spectators who asked for it in ``follow`` get this message. The next move ends the search.
    """

    match: int
    ply: int
    """Number of moves so far."""
    seat: Seat
    info: Info
    line: list[str] = []
    """The moves of ``info.pv`` before the first illegal one, at most 10, in the usual notation."""
    squares: list[int] = []
    """Squares of the first of these moves, from first to last, as indices into the diagram."""
    elapsed: int = 0
    """Milliseconds from the beginning of the turn to this info."""
    age: int = 0
    """Milliseconds from this info to this message: a spectator who comes later gets the newest info at once."""


class PairingResult(Struct, frozen=True, omit_defaults=True):
    """The score of two bots in a game, over all matches since these two bots entered the list of latest results."""

    game: str
    players: tuple[Player, Player]
    """Both bots."""
    points: tuple[float, float]
    """Points of both players: 1 for a win, 0.5 for a draw."""
    matches: int
    """Number of matches."""
    newest: int
    """Number of the newest match."""
    ended: float
    """Unix time of the end of the newest match, in seconds."""


class Upset(Struct, frozen=True, omit_defaults=True):
    """A rated match that the player with the much lower rating won."""

    game: str
    match: int
    winner: Player
    """The player with the lower rating."""
    loser: Player
    """The player with the higher rating."""
    gap: float
    """Difference between the two ratings before the match."""


class Lobby(ToSpectator, frozen=True):
    """The state of the lobby: the current state of each shown match, and counts. Sent at first and after changes, at
    most a few times per second.
    """

    boards: list[Seen]
    """The shown matches."""
    live: int
    """Number of running matches, shown or not."""
    bots: int
    """Number of connected bots."""
    spectators: int
    """Number of connected spectators."""
    recent: list[Seen] = field(default_factory=list)
    """Recently finished matches, newest first."""
    warming: str | None = None
    """The compilation progress of the built-in bots."""
    featured: Seen | None = None
    """The featured match: strong bots of similar rating, undecided when it was chosen. It stays until its end, and its
    result for some seconds.
    """
    following: Seen | None = None
    """The match that would be featured next."""
    results: list[PairingResult] = field(default_factory=list)
    """The latest results, one for each pairing, newest first."""
    upsets: list[Upset] = field(default_factory=list)
    """The latest wins against a much higher rating, newest first."""
    version: int = 0
    """Number of the lobby's state; it increases with each change, and is reset when the server restarts."""


class LobbyChanged(ToSpectator, frozen=True):
    """The changes of the lobby since an earlier state, for spectators that asked for changes. A field that is missing
    did not change. If ``since`` is not the version of the spectator's lobby, send ``follow-lobby`` again.
    """

    version: int
    """As in ``lobby``."""
    since: int
    """Version of the state to which the changes apply."""
    boards: list[Seen]
    """The boards that are new or changed."""
    order: list[int] | UnsetType = UNSET
    """The numbers of the matches of all boards, in their order."""
    live: int | UnsetType = UNSET
    bots: int | UnsetType = UNSET
    spectators: int | UnsetType = UNSET
    recent: list[Seen] | UnsetType = UNSET
    warming: str | UnsetType | None = UNSET
    featured: Seen | UnsetType | None = UNSET
    following: Seen | UnsetType | None = UNSET
    results: list[PairingResult] | UnsetType = UNSET
    upsets: list[Upset] | UnsetType = UNSET


class TournamentChanged(ToSpectator, frozen=True):
    """A followed tournament changed: a match began or ended, a round was paired, or an operator changed something.
    ``GET /api/v1/tournaments/{id}`` has its state. Also sent once after ``follow-tournament``; several changes in quick
    succession can share one message.
    """

    tournament: int


class LeaderboardChanged(ToSpectator, frozen=True):
    """New ratings of a followed leaderboard can be read at ``GET /api/v1/leaderboard``; the arena sends this message at
    most once per second, and once after ``follow-leaderboard``.
    """

    game: str
    time_class: str
    matches: int | None = None
    """Number of rated matches that the ratings come from, as in the answer; absent before the first computation."""


class Refused(ToSpectator, frozen=True):
    """The last message was refused; the codes are the error codes for bots."""

    code: str
    message: str
    match: int | None = None
    """The match that the refused message is about; null: none."""


SpectatorMessage = (
    Follow
    | Unfollow
    | FollowLobby
    | UnfollowLobby
    | FollowTournament
    | UnfollowTournament
    | FollowLeaderboard
    | UnfollowLeaderboard
)
WatchMessage = (
    Snapshot
    | MoveMade
    | LiveThinking
    | MatchOver
    | Lobby
    | LobbyChanged
    | TournamentChanged
    | LeaderboardChanged
    | Refused
)
