# SPDX-License-Identifier: GPL-3.0-or-later
"""Broadcast of matches, lobby and tournaments to spectators.

Matches never wait for spectators. A spectator has no queue of moves, only a position in each match that it follows; if
it falls behind, it gets the newest state in one snapshot. Each message is encoded once for all spectators.
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from arena.connections.limits import AddressSlots
from arena.monitoring import Metrics
from arena.peers import Peers
from arena.protocol.codec import Refusal, encode, from_spectator
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.session import FLOOD, Close, Gate, PeerLimits, close
from arena.protocol.watching import (
    Follow,
    FollowLeaderboard,
    FollowLobby,
    FollowTournament,
    LeaderboardChanged,
    Lobby,
    Refused,
    Seen,
    SpectatorMessage,
    TournamentChanged,
    Unfollow,
    UnfollowLeaderboard,
    UnfollowLobby,
    UnfollowTournament,
)
from arena.settings import Settings
from arena.watching.leaderboards import BoardKey, Leaderboards
from arena.watching.live_view import LiveView
from arena.watching.lobby import LobbyFrames
from arena.watching.programme import Channels, Results, fair_order
from arena.watching.resumable import Resumable
from arena.watching.tournaments import Tournaments

MOST_FOLLOWED = 64
"""Matches that one spectator may follow, and tournaments, and leaderboards."""


@dataclass(eq=False, slots=True)
class _Place:
    """Position of a spectator in a match."""

    view: LiveView
    ply: int
    whole: bool = False
    """Whether it has received all moves up to its ply."""
    thinking: bool = False
    """Whether it wants to see the running search."""
    thought: int = 0
    """The version of the newest thought that it has."""


REFUSALS_KEPT = 32
"""Maximum number of queued errors for a spectator; the oldest are dropped."""


class Spectator:
    """Connection of one spectator, with the same interface as a bot's connection."""

    close_code: CloseCode | None = None
    close_reason: str = ""
    bounded = True
    stir: Callable[[], None] = staticmethod(lambda: None)
    """Set by the web server: called when there are frames to send, or to close the socket."""
    vouched: Callable[[], None] = staticmethod(lambda: None)
    """Set by the web server, and never called: spectators are anonymous."""

    def __init__(self, broadcast: "Broadcast", limits: PeerLimits, behind: int) -> None:
        """``behind``: number of missing moves above which a snapshot replaces single moves."""
        self._broadcast = broadcast
        self._behind = behind
        self._loop = asyncio.get_running_loop()
        self._gate = Gate(self._loop.time(), limits)
        self._refusals: list[str] = []
        self._places: dict[int, _Place] = {}
        self._held: dict[int, Follow] = {}
        """Held requests to follow matches that are not resumed yet, by match."""
        self._lobby: FollowLobby | None = None
        self._lobby_seen = -1
        self._tournaments: dict[int, int] = {}
        """Last reported change by tournament."""
        self._leaderboards: dict[BoardKey, int | None] = {}
        """Last reported number of rated matches by leaderboard; -1: none."""
        self.over = False
        """Whether to close the socket after all frames are sent."""

    @property
    def known(self) -> bool:
        """Whether the peer is an authenticated bot: never."""
        return False

    def flood(self) -> None:
        """End the connection because the spectator exceeds the limits on bytes or control frames."""
        if not self.over:
            self._end(close(CloseCode.FLOODING, FLOOD, ErrorCode.TOO_MANY))

    def receive(self, frame: str | bytes) -> None:
        """Handle a frame of the spectator. Never raises."""
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
            case FollowLeaderboard(game, time_class):
                self._follow_leaderboard((game, time_class))
            case UnfollowLeaderboard(game, time_class):
                if (game, time_class) in self._leaderboards:
                    del self._leaderboards[game, time_class]
                    self._broadcast.leaderboards.unfollow(self, (game, time_class))
        self.stir()

    def _follow_match(self, message: Follow) -> None:
        view = self._broadcast.view(message.match)
        followed = self._places.keys() | self._held.keys()
        if view is None and not self._broadcast.may_come(message.match):
            self._refuse(ErrorCode.UNKNOWN_MATCH, "no live match has this number", message.match)
        elif len(followed) >= MOST_FOLLOWED and message.match not in followed:
            self._refuse(ErrorCode.TOO_MANY, f"a spectator can follow at most {MOST_FOLLOWED} matches", message.match)
        elif view is None:
            self._held[message.match] = message
            self._broadcast.resumable.hold(self, message.match)
        else:
            self._stop_search(message.match)
            self._places[message.match] = _Place(view, min(message.after or 0, view.ply), thinking=message.thinking)
            self._broadcast.follow(self, message.match)
            if message.thinking:
                view.watch_search()

    @property
    def game(self) -> str | None:
        """The game of the lobby page that the spectator has open."""
        return self._lobby.game if self._lobby is not None else None

    def settled(self, match: int) -> None:
        """Answer a held request to follow a match, because the match is resumed or void."""
        if (message := self._held.pop(match, None)) is not None:
            self._follow_match(message)
            self.stir()

    def change_view(self, view: LiveView) -> None:
        """Follow a match by another view."""
        self._stop_search(view.row.id)
        place = self._places[view.row.id]
        place.view, place.ply, place.whole = view, min(place.ply, view.ply), False
        if place.thinking:
            view.watch_search()

    def _drop(self, match: int) -> None:
        """Remove a held request to follow a match."""
        if self._held.pop(match, None) is not None:
            self._broadcast.resumable.drop(self, match)

    def _follow_tournament(self, number: int) -> None:
        if len(self._tournaments) >= MOST_FOLLOWED and number not in self._tournaments:
            self._refuse(ErrorCode.TOO_MANY, f"a spectator can follow at most {MOST_FOLLOWED} tournaments")
        else:
            self._tournaments[number] = -1
            self._broadcast.tournaments.follow(self, number)

    def _stop_search(self, match: int) -> None:
        """Watch the running search of a match no more."""
        place = self._places.get(match)
        if place is not None and place.thinking:
            place.view.leave_search()

    def _follow_leaderboard(self, key: BoardKey) -> None:
        if not self._broadcast.leaderboards.offers(key[0]):
            self._refuse(ErrorCode.UNKNOWN_GAME, f"the arena does not offer the game {key[0]!r}")
        elif len(self._leaderboards) >= MOST_FOLLOWED and key not in self._leaderboards:
            self._refuse(ErrorCode.TOO_MANY, f"a spectator can follow at most {MOST_FOLLOWED} leaderboards")
        else:
            self._leaderboards[key] = -1
            self._broadcast.leaderboards.follow(self, key)

    def _leave(self, match: int) -> None:
        self._stop_search(match)
        if self._places.pop(match, None) is not None:
            self._broadcast.unfollow(self, match)

    def _refuse(self, code: ErrorCode, message: str, match: int | None = None) -> None:
        self._refusals = [
            *self._refusals[1 - REFUSALS_KEPT :],
            encode(Refused(code=code, message=message, match=match)),
        ]
        self.stir()

    def next_frame(self) -> str | None:
        """Return the next text frame to send, if there is one."""
        if self._refusals:
            return self._refusals.pop(0)
        if self.over:
            return None
        if self._lobby is not None and self._lobby_seen != self._broadcast.version:
            seen, self._lobby_seen = self._lobby_seen, self._broadcast.version
            known = seen if self._lobby.changes else None
            return self._broadcast.lobbies.frame(self._lobby.game, self._lobby.boards, self._lobby_seen, known)
        for number, seen in self._tournaments.items():
            if seen != (newest := self._broadcast.tournaments.version(number)):
                self._tournaments[number] = newest
                return encode(TournamentChanged(tournament=number))
        for key, told in self._leaderboards.items():
            if told != (matches := self._broadcast.leaderboards.matches(key)):
                self._leaderboards[key] = matches
                return encode(LeaderboardChanged(*key, matches=matches))
        for match, place in list(self._places.items()):
            frame = self._step(match, place)
            if frame is not None:
                return frame
        return None

    def _step(self, match: int, place: _Place) -> str | None:
        """Return the next frame of a match, if there is one."""
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
        if place.thinking:
            frame, place.thought = view.search_frame(place.thought)
            return frame
        return None

    def lost(self) -> None:
        """Handle the loss of the socket."""
        if not self.over:
            self.over = True
            for match in list(self._held):
                self._drop(match)
            for match in list(self._places):
                self._leave(match)
            for tournament in self._tournaments:
                self._broadcast.tournaments.unfollow(self, tournament)
            for key in self._leaderboards:
                self._broadcast.leaderboards.unfollow(self, key)
            self._broadcast.leave(self)
            self.stir()

    def _end(self, end: Close) -> None:
        if end.error is not None:
            self._refuse(ErrorCode(end.error.code), end.error.message)
        self.close_code, self.close_reason = end.code, end.reason
        self.lost()

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Close the socket."""
        if not self.over:
            self._end(close(code, reason))


class Broadcast:
    """All live views and all spectators."""

    def __init__(
        self, settings: Settings, metrics: Metrics, bots: Callable[[], int], warming: Callable[[], str]
    ) -> None:
        """``bots``: returns the number of connected bots; ``warming``: returns the running compilation, or ""."""
        self.tournaments = Tournaments()
        self.leaderboards = Leaderboards()
        self.resumable = Resumable()
        self.version = 1
        """Version of the lobby; increases after changes, at most a few times a second."""
        self._settings = settings
        self._metrics = metrics
        self._bots = bots
        self._warming = warming
        self._limits = PeerLimits(settings.message_rate, settings.message_burst, settings.bad_messages)
        self._views: dict[int, LiveView] = {}
        self._recent: deque[LiveView] = deque(maxlen=settings.recent_matches or 1)
        self._forgotten: set[int] = set()
        """Matches that do not become recent ones."""
        self._results = Results(settings.recent_matches or 1)
        self._channels = Channels()
        self._spectators: AddressSlots[Spectator] = AddressSlots(settings.max_spectators, settings.spectators_each)
        self._followers: defaultdict[int | None, set[Spectator]] = defaultdict(set)
        """Followers by match; None: followers of the lobby."""
        self._stirred: set[int] = set()
        """Matches whose followers will be notified."""
        self._news = asyncio.Event()
        """Set when the lobby has changed."""
        self._news.set()
        self.lobbies = LobbyFrames(self.lobby)
        self.peers = Peers()
        """The other servers of the arena, which referee further matches."""

    # ---------------------------------------------------------------- matches

    def add(self, view: LiveView) -> None:
        """Add a live match. Followers of another view of it, by another server's moves, follow this one from now on."""
        self._views[view.row.id] = view
        for spectator in self._followers.get(view.row.id, ()):
            spectator.change_view(view)
        view.changed = self._changed
        view.thought = self._stir_soon
        self._news.set()
        self.resumable.settle(view.row.id)

    def remove(self, view: LiveView) -> None:
        """Remove a match; if it has ended, it moves to the recent ones."""
        forgotten = view.row.id in self._forgotten
        self._forgotten.discard(view.row.id)
        known = self._views.get(view.row.id) is view
        if known:
            del self._views[view.row.id]
        if known and view.ending is not None and not forgotten:
            self._recent.appendleft(view)
            self._results.add(view)
        self._news.set()

    def recall(self, view: LiveView) -> None:
        """Add an older finished match to the recent ones, if there is room."""
        if self.view(view.row.id) is None and len(self._recent) < (self._recent.maxlen or 0):
            self._recent.append(view)
            self._results.add(view, older=True)

    def forget(self, match: int) -> None:
        """Remove a match from the recent ones. Its view hides cards that are public now."""
        if match in self._views:
            self._forgotten.add(match)  # it is about to become one of them
        for view in [each for each in self._recent if each.row.id == match]:
            self._recent.remove(view)
            self._news.set()

    def view(self, match: int) -> LiveView | None:
        """Return a live or recent match."""
        found = self._views.get(match)
        return found or next((each for each in self._recent if each.row.id == match), None)

    def may_come(self, match: int) -> bool:
        """Return whether the view of a match may be added: it waits for its resumption, or another server referees it.
        Then it is settled sooner or later.
        """
        return self.resumable.waits(match) or self.peers.watch(match)

    def followed(self) -> set[int]:
        """Return the matches that spectators follow, or have asked for."""
        return {match for match in self._followers if match is not None} | self.resumable.held()

    @property
    def spectators(self) -> int:
        """Number of connected spectators."""
        return len(self._spectators)

    def live(self) -> dict[int, Seen]:
        """Return all live matches by number, in the order of their start."""
        return {number: view.seen for number, view in self._views.items()}

    def _changed(self, match: int) -> None:
        """Notify the followers of a match in the next iteration of the event loop, after the players."""
        self._news.set()
        self._stir_soon(match)

    def _stir_soon(self, match: int) -> None:
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
        """Admit a spectator; if all slots are taken, close the oldest one of the busiest address."""
        spectator = Spectator(self, self._limits, self._settings.moves_behind)
        crowded_out = self._spectators.enter(address, spectator)
        self._metrics.spectators.set(len(self._spectators))
        if crowded_out is not None:
            crowded_out.dismiss(CloseCode.FULL, "too many spectators")
        self._news.set()
        return spectator

    def leave(self, spectator: Spectator) -> None:
        """Remove a spectator."""
        self._spectators.leave(spectator)
        self.unfollow(spectator, None)
        self._metrics.spectators.set(len(self._spectators))
        self._news.set()

    def follow(self, spectator: Spectator, match: int | None) -> None:
        """Add a follower of a match, or of the lobby (None)."""
        self._followers[match].add(spectator)

    def unfollow(self, spectator: Spectator, match: int | None) -> None:
        """Remove a follower."""
        self._followers[match].discard(spectator)
        if not self._followers[match]:
            del self._followers[match]

    def dismiss_all(self, reason: str) -> None:
        """Close every spectator's socket."""
        for spectator in self._spectators:
            spectator.dismiss(CloseCode.GOING_AWAY, reason)

    # ---------------------------------------------------------------- the lobby

    def watched_games(self) -> set[str]:
        """Return the games whose lobby page a spectator has open."""
        return {spectator.game for spectator in self._spectators if spectator.game}

    async def run(self) -> None:
        """Update the lobby periodically after changes."""
        while True:
            await self._news.wait()
            self.refresh()
            await asyncio.sleep(self._settings.lobby_interval)

    def touch(self) -> None:
        """Mark the lobby as changed."""
        self._news.set()

    def refresh(self) -> None:
        """Update the lobby and notify its followers."""
        self._news.clear()
        self.version += 1
        self._stir_followers(None)

    def lobby(self, game: str | None = None, boards: int = 12) -> Lobby:
        """Return the lobby."""
        live = [view for view in self._views.values() if game in (None, view.row.game)]
        featured, following = self._channels.choose(game, live, time.time())
        return Lobby(
            boards=[view.seen for view in islice(fair_order(live), boards)],
            live=max(len(self._views), self.peers.live),
            bots=self._bots(),
            spectators=len(self._spectators),
            recent=[view.seen for view in self._recent if game is None or view.row.game == game],
            warming=self._warming() or None,
            featured=None if featured is None else featured.seen,
            following=None if following is None else following.seen,
            results=self._results.newest(game),
            upsets=self._results.upsets(game),
        )
