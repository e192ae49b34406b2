# SPDX-License-Identifier: MIT
"""What spectators and the arena say to each other on the watch socket; same rules as for bots' messages.

A spectator follows any number of matches and tournaments and, if it likes, the lobby. Who reads too slowly gets the
newest state instead of every step.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from arena.protocol.messages import Info, MatchId, Milliseconds, Name, Player, RatingChange, kebab


class FromSpectator(Struct, tag=kebab, tag_field="type", frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a spectator may send."""


class ToSpectator(Struct, tag=kebab, tag_field="type", frozen=True, omit_defaults=True):
    """What a spectator is sent."""


class Follow(FromSpectator, frozen=True):
    """Follow a match; its whole state comes first, from the move after ``after`` plies on when the spectator has
    those already. A match that waits to be resumed after a restart of the arena is followed from when it goes on; if it
    is void instead, ``refused`` says so with the code ``unknown-match``.
    """

    match: MatchId
    after: Annotated[int, Meta(ge=0, le=100_000)] | None = None


class Unfollow(FromSpectator, frozen=True):
    """Stop following a match."""

    match: MatchId


class FollowLobby(FromSpectator, frozen=True):
    """Follow what is going on: starts, moves and ends of all matches, for a grid of live boards; at most ``boards``
    of them with moves.
    """

    game: Name | None = None
    boards: Annotated[int, Meta(ge=0, le=50)] = 12


class UnfollowLobby(FromSpectator, frozen=True):
    """Stop following the lobby."""


class FollowTournament(FromSpectator, frozen=True):
    """Be told at once whenever a tournament changes."""

    tournament: MatchId


class UnfollowTournament(FromSpectator, frozen=True):
    """Stop following a tournament."""

    tournament: MatchId


class SeenMove(Struct, frozen=True, omit_defaults=True):
    """A move and the picture after it."""

    ply: int
    """Moves made once it is played, so the first has 1."""
    move: str
    seat: int
    """Who made it; -1 where it is what dice showed."""
    diagram: str
    squares: list[int]
    """Squares the move touches, from the first to the last, as indices into the diagram."""
    opening: bool = False
    elapsed: Milliseconds = 0
    clock: Milliseconds | None = None
    info: Info | None = None
    text: str = ""
    """The move as people write it, where that is another way."""
    line: list[str] = []
    """The first moves of ``info.pv`` as people write them, as far as they are legal."""


class LateInfo(Struct, frozen=True, omit_defaults=True):
    """The search info of an earlier move, which is shown from now on."""

    ply: int
    """Of that move, as in SeenMove."""
    info: Info
    line: list[str] = []


class Ending(Struct, frozen=True, omit_defaults=True):
    """How a match ended; ``ratings`` by seat when it was rated."""

    result: str
    termination: str
    detail: str = ""
    ratings: tuple[RatingChange, RatingChange] | None = None
    dice_secret: str | None = None
    """In games with dice: what they were rolled by."""


class Seen(Struct, frozen=True, omit_defaults=True):
    """A match as spectators see it, moves aside."""

    match: int
    game: str
    time_class: str
    players: tuple[Player, Player]
    """Where an event hides who plays, players have no name and no version until the match is over."""
    rated: bool
    time_control: str | None
    started: float
    """Unix time in seconds."""
    ply: int
    diagram: str
    """The newest position."""
    squares: list[int]
    """Of the newest move."""
    to_move: int
    clocks: tuple[Milliseconds, Milliseconds] | None
    """As of ``clocks_at``; the mover's runs on from there."""
    clocks_at: float
    """Unix time in seconds."""
    ending: Ending | None = None
    info_release: Literal["live", "delayed", "end"] = "live"
    """When the search info of a move is shown: with the move, with the same side's next move, or after the match."""
    dice_commitment: str | None = None
    """In games with dice: what binds the arena to what they will show."""


class Snapshot(ToSpectator, frozen=True):
    """A followed match: ``initial`` is the diagram before the first move; ``moves`` those after ``after`` plies, 100 at
    most. Of a longer match further snapshots follow until all moves of ``seen.ply`` plies have come.
    """

    seen: Seen
    initial: str
    moves: list[SeenMove]
    after: int = 0
    late: list[LateInfo] = []
    """Where info is delayed: that of moves up to ``after`` which was shown since. Info that waits for the end is not
    here: the API has it once the match is over."""


class MoveMade(ToSpectator, frozen=True):
    """A move in a followed match."""

    match: int
    made: SeenMove
    to_move: int
    clocks: tuple[Milliseconds, Milliseconds] | None = None
    late: LateInfo | None = None
    """Where info is delayed: that of the same side's move before this one."""


class MatchOver(ToSpectator, frozen=True):
    """A followed match ended."""

    match: int
    ending: Ending
    players: tuple[Player, Player] | None = None
    """Who played, where that was hidden."""
    late: list[LateInfo] = []
    """Where info is delayed: that of each side's last move."""


class Lobby(ToSpectator, frozen=True):
    """What is going on: the newest state of each live board that is shown, and counts.

    Sent at first and whenever it changed, a few times a second at most.
    """

    boards: list[Seen]
    live: int
    """Matches going on, shown or not."""
    bots: int
    """Bots connected."""
    spectators: int
    recent: list[Seen] = field(default_factory=list)
    """Matches that ended last, newest first."""
    warming: str | None = None
    """What the house is still preparing, for people, with progress."""


class TournamentChanged(ToSpectator, frozen=True):
    """A followed tournament is not as it was: a game began or ended, a round was paired, an operator decided. How it
    stands is told by `GET /api/v1/tournaments/{id}`. Sent once when it is followed, too; of several changes in a row a
    spectator may be told once.
    """

    tournament: int


class Refused(ToSpectator, frozen=True):
    """The last message was refused; codes as for bots."""

    code: str
    message: str
    match: int | None = None


SpectatorMessage = Follow | Unfollow | FollowLobby | UnfollowLobby | FollowTournament | UnfollowTournament
WatchMessage = Snapshot | MoveMade | MatchOver | Lobby | TournamentChanged | Refused
