# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectators: each has a place in what happened, and takes the next step when it has read the last.

Nobody waits for them. A spectator holds no queue of moves. It remembers how far it is in each match it follows; who
falls behind is given the newest state in one message. A message is encoded once, for everybody.
"""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

from arena.connections.crowd import Crowd
from arena.metrics import Metrics
from arena.protocol.codec import Refusal, encode, from_spectator
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.session import FLOOD, Close, Gate, Limits, close
from arena.protocol.watching import (
    Follow,
    FollowLobby,
    FollowTournament,
    Lobby,
    Refused,
    Seen,
    SpectatorMessage,
    TournamentChanged,
    Unfollow,
    UnfollowLobby,
    UnfollowTournament,
)
from arena.settings import Settings
from arena.watching.live_view import LiveView
from arena.watching.resumable import Resumable

MOST_FOLLOWED = 64
"""Matches that one spectator may follow, and tournaments."""


@dataclass(eq=False, slots=True)
class _Place:
    """How far a spectator is in a match."""

    view: LiveView
    ply: int
    whole: bool = False
    """Whether it has had the moves up to its ply, in one snapshot or more."""


REFUSALS_KEPT = 32
"""Refusals that wait for a spectator who does not read; of more, the newest."""

LOBBIES_KEPT = 50
"""Different wishes for the lobby whose answers are kept, until it changes: whoever makes them up takes no memory."""


class Spectator:
    """One spectator's socket: the same face as a bot's connection."""

    close_code: CloseCode | None = None
    close_reason: str = ""
    bounded = True
    stir: Callable[[], None] = staticmethod(lambda: None)
    """Set by the door: called when there is something to send, or the socket is to be closed."""
    vouched: Callable[[], None] = staticmethod(lambda: None)
    """Set by the door, and not called: nobody asks who spectators are."""

    def __init__(self, broadcast: "Broadcast", limits: Limits, behind: int) -> None:
        """``behind``: moves after which a snapshot is sent instead of each."""
        self._broadcast = broadcast
        self._behind = behind
        self._loop = asyncio.get_running_loop()
        self._gate = Gate(self._loop.time(), limits)
        self._refusals: list[str] = []
        self._places: dict[int, _Place] = {}
        self._held: dict[int, Follow] = {}
        """Requests to follow matches that wait to be resumed, by match."""
        self._lobby: FollowLobby | None = None
        self._lobby_seen = -1
        self._tournaments: dict[int, int] = {}
        """By number, which of its changes it was told."""
        self.over = False
        """Whether the socket is to be closed, after what is left to say."""

    @property
    def known(self) -> bool:
        """Whether this is a bot that was let in."""
        return False

    def flood(self) -> None:
        """End the connection of a spectator that sends too much, in frames that are no messages or in bytes."""
        if not self.over:
            self._end(close(CloseCode.FLOODING, FLOOD, ErrorCode.TOO_MANY))

    def receive(self, frame: str | bytes) -> None:
        """Take in what the spectator sent. Never raises."""
        if self.over:
            return
        end = self._gate.check(frame, self._loop.time())
        if end or isinstance(frame, bytes):
            self._end(end or close(CloseCode.UNSUPPORTED_DATA, "messages are JSON in text frames"))
            return
        try:
            self._follow(from_spectator(frame))
        except Refusal as refusal:
            self._refuse(refusal.code, refusal.message)
            end = self._gate.mistake(refusal.code)
            if end:
                self._end(end)

    def _follow(self, message: SpectatorMessage) -> None:
        match message:
            case Follow():
                self._follow_match(message)
            case Unfollow():
                self._drop(message.match)
                self._leave(message.match)
            case FollowLobby():
                self._lobby, self._lobby_seen = message, -1
                self._broadcast.follow(self, None)
            case UnfollowLobby():
                self._lobby = None
                self._broadcast.unfollow(self, None)
            case FollowTournament(tournament):
                self._follow_tournament(tournament)
            case UnfollowTournament(tournament):
                if self._tournaments.pop(tournament, None) is not None:
                    self._broadcast.tournaments.unfollow(self, tournament)
        self.stir()

    def _follow_match(self, message: Follow) -> None:
        view = self._broadcast.view(message.match)
        followed = self._places.keys() | self._held.keys()
        if view is None and not self._broadcast.resumable.waits(message.match):
            self._refuse(ErrorCode.UNKNOWN_MATCH, "no match of that number is going on", message.match)
        elif len(followed) >= MOST_FOLLOWED and message.match not in followed:
            self._refuse(ErrorCode.TOO_MANY, f"at most {MOST_FOLLOWED} matches can be followed", message.match)
        elif view is None:
            self._held[message.match] = message
            self._broadcast.resumable.hold(self, message.match)
        else:
            self._places[message.match] = _Place(view, min(message.after or 0, view.ply))
            self._broadcast.follow(self, message.match)

    @property
    def game(self) -> str | None:
        """The game whose page it looks at."""
        return self._lobby.game if self._lobby is not None else None

    def settled(self, match: int) -> None:
        """Take up the request to follow a match that was held: the match is resumed now, or it never will be."""
        if (message := self._held.pop(match, None)) is not None:
            self._follow_match(message)
            self.stir()

    def _drop(self, match: int) -> None:
        """Forget a request to follow a match that waits to be resumed."""
        if self._held.pop(match, None) is not None:
            self._broadcast.resumable.drop(self, match)

    def _follow_tournament(self, number: int) -> None:
        if len(self._tournaments) >= MOST_FOLLOWED and number not in self._tournaments:
            self._refuse(ErrorCode.TOO_MANY, f"at most {MOST_FOLLOWED} tournaments can be followed")
        else:
            self._tournaments[number] = -1
            self._broadcast.tournaments.follow(self, number)

    def _leave(self, match: int) -> None:
        if self._places.pop(match, None) is not None:
            self._broadcast.unfollow(self, match)

    def _refuse(self, code: ErrorCode, message: str, match: int | None = None) -> None:
        self._refusals = [
            *self._refusals[1 - REFUSALS_KEPT :],
            encode(Refused(code=code, message=message, match=match)),
        ]
        self.stir()

    def next_frame(self) -> str | None:
        """Give out what comes next as a text frame, if there is anything."""
        if self._refusals:
            return self._refusals.pop(0)
        if self.over:
            return None
        if self._lobby is not None and self._lobby_seen != self._broadcast.version:
            self._lobby_seen = self._broadcast.version
            return self._broadcast.lobby_frame(self._lobby.game, self._lobby.boards)
        for number, seen in self._tournaments.items():
            if seen != (newest := self._broadcast.tournaments.version(number)):
                self._tournaments[number] = newest
                return encode(TournamentChanged(tournament=number))
        for match, place in list(self._places.items()):
            frame = self._step(match, place)
            if frame is not None:
                return frame
        return None

    def _step(self, match: int, place: _Place) -> str | None:
        """Return what comes next in a match, if anything."""
        view = place.view
        if place.whole and place.ply < view.ply <= place.ply + self._behind:
            frame = view.move_frame(place.ply + 1)
            if frame is not None:
                place.ply += 1
                # the other matches come first next time
                self._places[match] = self._places.pop(match)
                return frame
        if not place.whole or place.ply < view.ply:
            frame, place.ply = view.snapshot_frame(place.ply)
            place.whole = place.ply == view.ply
            # the other matches come first next time
            self._places[match] = self._places.pop(match)
            if place.whole and view.ending is not None:
                self._leave(match)
            return frame
        if view.ending is not None:
            self._leave(match)
            return view.over_frame()
        return None

    def lost(self) -> None:
        """The socket is gone."""
        if not self.over:
            self.over = True
            for match in list(self._held):
                self._drop(match)
            for match in list(self._places):
                self._leave(match)
            for tournament in self._tournaments:
                self._broadcast.tournaments.unfollow(self, tournament)
            self._broadcast.leave(self)
            self.stir()

    def _end(self, end: Close) -> None:
        if end.error is not None:
            self._refuse(ErrorCode(end.error.code), end.error.message)
        self.close_code, self.close_reason = end.code, end.reason
        self.lost()

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Close the socket from the arena's side."""
        if not self.over:
            self._end(close(code, reason))


class Tournaments:
    """Who is to be told of changes of which tournament. How it stands is not told, but asked of the API."""

    def __init__(self) -> None:
        self._versions: Counter[int] = Counter()
        self._followers: defaultdict[int, set[Spectator]] = defaultdict(set)

    def version(self, number: int) -> int:
        """Return how often a tournament has changed since the arena began."""
        return self._versions[number]

    def changed(self, number: int) -> None:
        """Tell those who follow a tournament that it has changed."""
        self._versions[number] += 1
        for spectator in tuple(self._followers.get(number, ())):
            spectator.stir()

    def follow(self, spectator: Spectator, number: int) -> None:
        """Wake a spectator when a tournament changes."""
        self._followers[number].add(spectator)

    def unfollow(self, spectator: Spectator, number: int) -> None:
        """Wake it no more for that."""
        self._followers[number].discard(spectator)
        if not self._followers[number]:
            del self._followers[number]


class Broadcast:
    """All matches on show, and all who watch."""

    def __init__(
        self, settings: Settings, metrics: Metrics, bots: Callable[[], int], warming: Callable[[], str]
    ) -> None:
        """``bots`` counts those connected; ``warming`` says what is being prepared ("" when nothing is)."""
        self.tournaments = Tournaments()
        self.resumable = Resumable()
        self.version = 0
        """Of the lobby; goes up when something changed, a few times a second at most."""
        self._settings = settings
        self._metrics = metrics
        self._bots = bots
        self._warming = warming
        self._limits = Limits(settings.message_rate, settings.message_burst, settings.bad_messages)
        self._views: dict[int, LiveView] = {}
        self._recent: deque[LiveView] = deque(maxlen=settings.recent_matches or 1)
        self._spectators: Crowd[Spectator] = Crowd(settings.max_spectators, settings.spectators_each)
        self._followers: defaultdict[int | None, set[Spectator]] = defaultdict(set)
        """By match; under None those of the lobby."""
        self._stirred: set[int] = set()
        """Matches whose followers are about to be told."""
        self._dirty = True
        self._lobbies: dict[tuple[str | None, int], str] = {}

    # ---------------------------------------------------------------- matches

    def add(self, view: LiveView) -> None:
        """Put a match on show."""
        self._views[view.row.id] = view
        view.changed = self._changed
        self._dirty = True
        self.resumable.settle(view.row.id)

    def remove(self, view: LiveView) -> None:
        """Take a match off; if it ended it stays among the recent ones."""
        if self._views.pop(view.row.id, None) is not None and view.ending is not None:
            self._recent.appendleft(view)
        self._dirty = True

    def recall(self, view: LiveView) -> None:
        """Show a match again that ended before those on show, while there is room for it."""
        if self.view(view.row.id) is None and len(self._recent) < (self._recent.maxlen or 0):
            self._recent.append(view)

    def view(self, match: int) -> LiveView | None:
        """Return a match that is going on or ended a little while ago."""
        found = self._views.get(match)
        return found or next((each for each in self._recent if each.row.id == match), None)

    def live(self) -> dict[int, Seen]:
        """Return all matches going on by number, in the order they started."""
        return {number: view.seen for number, view in self._views.items()}

    def _changed(self, match: int) -> None:
        """Tell the followers of a match, after all that is going on at this moment: the players come first."""
        self._dirty = True
        if match in self._followers:
            if not self._stirred:
                asyncio.get_running_loop().call_soon(self._stir)
            self._stirred.add(match)

    def _stir(self) -> None:
        stirred, self._stirred = self._stirred, set()
        for match in stirred:
            self._stir_followers(match)

    def _stir_followers(self, match: int | None) -> None:
        for spectator in tuple(self._followers.get(match, ())):
            spectator.stir()

    # ---------------------------------------------------------------- spectators

    def watch(self, address: str) -> Spectator:
        """Let a spectator in; when there is no room the one that came first from the busiest address has to go."""
        spectator = Spectator(self, self._limits, self._settings.moves_behind)
        crowded_out = self._spectators.enter(address, spectator)
        self._metrics.spectators.set(len(self._spectators))
        if crowded_out is not None:
            crowded_out.dismiss(CloseCode.FULL, "too many spectators")
        self._dirty = True
        return spectator

    def leave(self, spectator: Spectator) -> None:
        """Let a spectator go."""
        self._spectators.leave(spectator)
        self.unfollow(spectator, None)
        self._metrics.spectators.set(len(self._spectators))
        self._dirty = True

    def follow(self, spectator: Spectator, match: int | None) -> None:
        """Wake a spectator when something happens in a match, or in the lobby (None)."""
        self._followers[match].add(spectator)

    def unfollow(self, spectator: Spectator, match: int | None) -> None:
        """Wake it no more for that."""
        self._followers[match].discard(spectator)
        if not self._followers[match]:
            del self._followers[match]

    def dismiss_all(self, reason: str) -> None:
        """Close every spectator's socket."""
        for spectator in self._spectators:
            spectator.dismiss(CloseCode.GOING_AWAY, reason)

    # ---------------------------------------------------------------- the lobby

    def watched_games(self) -> set[str]:
        """Return the games whose page somebody looks at."""
        return {spectator.game for spectator in self._spectators if spectator.game}

    async def run(self) -> None:
        """Renew the lobby now and then, while something changes."""
        while True:
            await asyncio.sleep(self._settings.lobby_interval)
            if self._dirty:
                self.refresh()

    def touch(self) -> None:
        """Note that what the lobby tells besides matches has changed."""
        self._dirty = True

    def refresh(self) -> None:
        """Make a new state of the lobby and wake those who follow it."""
        self._dirty = False
        self.version += 1
        self._lobbies.clear()
        self._stir_followers(None)

    def lobby_frame(self, game: str | None, boards: int) -> str:
        """Return the lobby's state for those who want so many boards, of one game or of all."""
        wanted = game, boards
        if wanted not in self._lobbies:
            if len(self._lobbies) >= LOBBIES_KEPT:
                self._lobbies.clear()
            self._lobbies[wanted] = encode(self.lobby(game, boards))
        return self._lobbies[wanted]

    def lobby(self, game: str | None = None, boards: int = 12) -> Lobby:
        """Return what is going on now."""
        return Lobby(
            boards=[view.seen for view in self._shown(game)[:boards]],
            live=len(self._views),
            bots=self._bots(),
            spectators=len(self._spectators),
            recent=[view.seen for view in self._recent if game is None or view.row.game == game],
            warming=self._warming() or None,
        )

    def _shown(self, game: str | None) -> list[LiveView]:
        """Return the live matches worth a board: the longest going first, so that boards stay in place; every game in
        turn.
        """
        games: dict[str, list[LiveView]] = {}
        for view in self._views.values():
            if game is None or view.row.game == game:
                games.setdefault(view.row.game, []).append(view)
        rows = zip_longest(*(games[name] for name in sorted(games)))
        return [view for row in rows for view in row if view is not None]
