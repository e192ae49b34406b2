# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents of the lobby: a featured match for each channel (one game, or all games), a fair order of boards, and the
latest results with one row for each pairing.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Collection, Iterable, Iterator

from msgspec import structs

from arena.protocol.watching import PairingResult, Upset
from arena.rating.difference import score_of
from arena.watching.live_view import LiveView
from engine.match.ending import SCORES

AVERAGE = 1500.0
"""Rating of a player of average strength."""

PAWNS = 4.0
"""Score in points (pawns in chess) of a side that wins ten times as often as it loses."""

REMEMBERED = 24
"""Featured matches of a channel that count against further ones of the same pairing or game."""

RESULT_SHOWN = 6.0
"""Seconds for which a featured match stays on after its end."""

UPSET = 100.0
"""Rating points that the winner was below the loser, at least."""

UPSETS = 5
"""Upsets that the lobby lists."""

PairingKey = tuple[str, int, int]
"""A game and the numbers of two bots, the lower one first."""


def pairing(view: LiveView) -> PairingKey:
    """Return the pairing of a match, whichever bot has which seat."""
    one, other = sorted(player.bot_id for player in view.row.players)
    return view.row.game, one, other


def appeal(view: LiveView) -> float:
    """Return the interest of a match from 0 to 1: high for strong bots of similar rating in an undecided position.

    Anonymous players count as equal and of average strength, as otherwise the choice would reveal something.
    """
    level = closeness = 0.5
    if not view.row.anonymous or view.ending is not None:
        one, other = (player.rating_before for player in view.row.players)
        level = score_of((one + other) / 2 - AVERAGE)
        chance = score_of(one - other)
        closeness = 4 * chance * (1 - chance)
    lead = score_of(400 * _lead(view) / PAWNS)
    return level * closeness * 4 * lead * (1 - lead)


def _lead(view: LiveView) -> float:
    """Return the newest published score of a match from the point of view of seat 0."""
    for move in reversed(view.part(max(0, view.ply - 4), 4)):
        if move.seat >= 0 and move.info is not None and move.info.score is not None:
            return max(-100.0, min(100.0, move.info.score if move.seat == 0 else -move.info.score))
    return 0.0


class Channel:
    """Choice of the featured match of one channel. A match stays on until its end, and its result for a while."""

    def __init__(self) -> None:
        self.now: LiveView | None = None
        self._before: deque[PairingKey] = deque(maxlen=REMEMBERED)

    def choose(self, live: Collection[LiveView], now: float) -> LiveView | None:
        """Return the featured match at Unix time ``now``: one of ``live``, or one that ended a moment ago."""
        shown = self.now
        if shown is not None and (shown in live or self._lasts(shown, now) or not live):
            return shown
        self.now = self.following(live)
        if self.now is not None:
            self._before.append(pairing(self.now))
        return self.now

    def following(self, live: Iterable[LiveView]) -> LiveView | None:
        """Return the match that would be next; pairings and games that were on lately count less."""
        pairings = Counter(self._before)
        games = Counter(game for game, _, _ in self._before)
        return max(
            (view for view in live if view is not self.now and view.ending is None),
            key=lambda view: (1e-6 + appeal(view)) / (1 + pairings[pairing(view)]) / (1 + games[view.row.game]),
            default=None,
        )

    def _lasts(self, view: LiveView, now: float) -> bool:
        return view.ending is not None and now < view.changed_at + RESULT_SHOWN


class Channels:
    """The channels of all games, and that of all games together (None)."""

    def __init__(self) -> None:
        self._channels: dict[str | None, Channel] = {}

    def choose(
        self, game: str | None, live: Collection[LiveView], now: float
    ) -> tuple[LiveView | None, LiveView | None]:
        """Return the featured match of a channel at Unix time ``now``, and the one that would follow.

        ``live``: the live matches of the channel. A channel begins with its first live match: invented names
        of games take no memory.
        """
        if game not in self._channels and not live:
            return None, None
        channel = self._channels.setdefault(game, Channel())
        return channel.choose(live, now), channel.following(live)


def fair_order(views: Iterable[LiveView]) -> Iterator[LiveView]:
    """Yield matches in the order of the boards: games in turn, and in each game pairings in turn, the oldest first."""
    games: dict[str, list[tuple[int, LiveView]]] = {}
    met: Counter[PairingKey] = Counter()
    for view in views:
        key = pairing(view)
        games.setdefault(view.row.game, []).append((met[key], view))
        met[key] += 1
    turns = [
        (met_before, place, name, view)
        for name, rows in games.items()
        for place, (met_before, view) in enumerate(sorted(rows, key=lambda row: row[0]))
    ]
    turns.sort(key=lambda turn: turn[:3])
    for *_, view in turns:
        yield view


class Results:
    """The latest results, one for each pairing, and the latest upsets."""

    def __init__(self, kept: int) -> None:
        """Keep the results of ``kept`` pairings."""
        self._kept = kept
        self._pairings: OrderedDict[PairingKey, PairingResult] = OrderedDict()
        self._upsets: deque[Upset] = deque(maxlen=UPSETS)

    def add(self, view: LiveView, *, older: bool = False) -> None:
        """Add a match that has ended: the newest so far, or one that is ``older`` than all others. Void ones are left
        out.
        """
        if view.ending is None or (scores := SCORES.get(view.ending.result)) is None:
            return
        key = pairing(view)
        known = key in self._pairings
        self._pairings[key] = _added(self._pairings.get(key), view, scores, older=older)
        if not older or not known:
            self._pairings.move_to_end(key, last=not older)
        if len(self._pairings) > self._kept:
            self._pairings.popitem(last=False)
        if (upset := _upset(view, scores)) is None:
            return
        if not older:
            self._upsets.append(upset)
        elif len(self._upsets) < UPSETS:
            self._upsets.appendleft(upset)

    def newest(self, game: str | None) -> list[PairingResult]:
        """Return the results of a game or of all, the newest first."""
        return [each for each in reversed(self._pairings.values()) if game in (None, each.game)]

    def upsets(self, game: str | None) -> list[Upset]:
        """Return the upsets of a game or of all, the newest first."""
        return [each for each in reversed(self._upsets) if game in (None, each.game)]


def _added(before: PairingResult | None, view: LiveView, scores: tuple[float, float], *, older: bool) -> PairingResult:
    """Return the result of a pairing after a further match; the players keep their order."""
    seen, ended = view.seen, view.row.finished or view.changed_at
    if before is None:
        return PairingResult(seen.game, seen.players, scores, 1, seen.match, ended)
    swapped = before.players[0].bot != seen.players[0].bot
    one, other = reversed(scores) if swapped else scores
    points = before.points[0] + one, before.points[1] + other
    after = structs.replace(before, points=points, matches=before.matches + 1)
    if older:
        return after
    players = seen.players[::-1] if swapped else seen.players
    return structs.replace(after, players=players, newest=seen.match, ended=ended)


def _upset(view: LiveView, scores: tuple[float, float]) -> Upset | None:
    if not view.row.rated or scores[0] == scores[1]:
        return None
    seen = view.seen
    winner = 0 if scores[0] > scores[1] else 1
    gap = view.row.players[1 - winner].rating_before - view.row.players[winner].rating_before
    if gap < UPSET:
        return None
    return Upset(seen.game, seen.match, seen.players[winner], seen.players[1 - winner], gap)
