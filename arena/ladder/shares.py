# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits on matches: for each bot, for each owner, and for their share of each built-in bot's capacity.

Bots of one owner share limits; a bot without an owner has its own. A pair of matches counts as one match until both are
over. Tournament games count but are never refused, because an operator arranged them.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import TypeVar

from arena.connections.sessions import Entrant
from arena.settings import Settings
from arena.store.rows import BotRow, PlayerRow

Key = TypeVar("Key", bound=Hashable)

Owner = str | int
"""An owner's name, or the id of a bot that has none."""


def owner_of(bot_id: int, name: str) -> Owner:
    """Return the owner of a bot for the limits; ``name``: the owner's, "" for none."""
    return name.strip().casefold() or bot_id


@dataclass(frozen=True, slots=True)
class BotAndOwner:
    """A bot with its owner, for the limits."""

    bot: int
    owner: Owner
    built_in: bool

    @classmethod
    def of_bot(cls, bot: BotRow) -> "BotAndOwner":
        """Return the side of a connected bot."""
        return cls(bot.id, owner_of(bot.id, bot.owner), bot.kind == "built-in")

    @classmethod
    def of_player(cls, player: PlayerRow) -> "BotAndOwner":
        """Return a side of a stored match."""
        return cls(player.bot_id, owner_of(player.bot_id, player.owner), player.bot_kind == "built-in")


def same_owners(sides: Sequence[BotAndOwner]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of bots of one owner, which could tell each other hidden information; built-in bots do not."""
    for one, other in combinations(sides, 2):
        if one.owner == other.owner and not (one.built_in and other.built_in):
            yield one.bot, other.bot


class Shares:
    """Counts of running matches by bot, owner and built-in bot."""

    def __init__(self, settings: Settings, why_not_today: Callable[[Owner], str | None] = lambda owner: None) -> None:
        """Start without matches. ``why_not_today``: why an owner's bots may start no more matches now, or None."""
        self._settings = settings
        self._why_not_today = why_not_today
        self._sides: dict[int, BotAndOwner] = {}
        """Playing bots by id."""
        self._matches: Counter[int] = Counter()
        """Matches by bot."""
        self._owner_matches: Counter[Owner] = Counter()
        self._places: Counter[tuple[int, int]] = Counter()
        """Matches by bot and built-in bot."""
        self._owner_places: Counter[tuple[Owner, int]] = Counter()

    def engage(self, one: BotAndOwner, other: BotAndOwner) -> None:
        """Add a match of two bots."""
        self._count(self._sides.setdefault(one.bot, one), self._sides.setdefault(other.bot, other), 1)

    def release(self, one: int, other: int) -> None:
        """Remove a match of two bots."""
        self._count(self._sides[one], self._sides[other], -1)
        for bot in (one, other):
            if not self._matches[bot]:
                self._sides.pop(bot, None)

    def _count(self, one: BotAndOwner, other: BotAndOwner, step: int) -> None:
        for side in (one, other):
            _add(self._matches, side.bot, step)
        for owner in {one.owner, other.owner}:
            _add(self._owner_matches, owner, step)
        for holder, held in ((one, other), (other, one)):
            if held.built_in and not holder.built_in:
                _add(self._places, (holder.bot, held.bot), step)
                _add(self._owner_places, (holder.owner, held.bot), step)

    # ---------------------------------------------------------------- queries

    def matches(self, bot: int) -> int:
        """Return the number of matches that a bot plays."""
        return self._matches[bot]

    def may_play(self, entrant: Entrant) -> bool:
        """Return whether the limits of a bot and its owner allow another match; built-in bots have no limits."""
        return self._full(BotAndOwner.of_bot(entrant.bot)) is None

    def why_not(self, one: Entrant, other: Entrant) -> str | None:
        """Return the reason why two bots may not play another match, for people, or None."""
        sides = BotAndOwner.of_bot(one.bot), BotAndOwner.of_bot(other.bot)
        for entrant, side in zip((one, other), sides, strict=True):
            if (full := self._full(side)) is not None:
                return f"{entrant.bot.name} {full}"
        for holder, held, built_in in ((*sides, other), (*sides[::-1], one)):
            if held.built_in and not holder.built_in and self._holds_share(holder, built_in):
                bots, owners = self._places_of(built_in)
                return (
                    f"{built_in.bot.name} plays at most {_matches(bots)} at once with one bot, "
                    f"and {owners} with all bots of one owner"
                )
        return None

    def barred(self, entrants: Iterable[Entrant]) -> Iterator[tuple[int, int]]:
        """Yield the ids of pairs of another bot and a built-in bot that may not start a match now."""
        here = {entrant.bot.id: entrant for entrant in entrants}
        by_owner: dict[Owner, list[BotAndOwner]] = {}
        for entrant in here.values():
            if entrant.bot.kind != "built-in":
                side = BotAndOwner.of_bot(entrant.bot)
                by_owner.setdefault(side.owner, []).append(side)
        for owner, built_in in self._owner_places:
            if built_in in here:
                for side in by_owner.get(owner, ()):
                    if self._holds_share(side, here[built_in]):
                        yield side.bot, built_in

    def _full(self, side: BotAndOwner) -> str | None:
        settings = self._settings
        if side.built_in:
            return None
        if self._matches[side.bot] >= settings.bot_matches:
            return f"already plays its maximum number of matches: at most {settings.bot_matches} at once"
        if self._owner_matches[side.owner] >= settings.owner_matches:
            most = f"at most {settings.owner_matches} at once for all bots of one owner"
            return f"already plays its maximum number of matches: {most}"
        today = self._why_not_today(side.owner)
        return today and f"has played its maximum number of matches: {today}"

    def _holds_share(self, holder: BotAndOwner, built_in: Entrant) -> bool:
        bots, owners = self._places_of(built_in)
        held = built_in.bot.id
        return self._places[holder.bot, held] >= bots or self._owner_places[holder.owner, held] >= owners

    def _places_of(self, built_in: Entrant) -> tuple[int, int]:
        """Return the limits of matches with a built-in bot, for one bot and for one owner."""
        settings = self._settings
        return _part(settings.bot_share, built_in.capacity), _part(settings.owner_share, built_in.capacity)


def held_on_ladder(
    here: Sequence[BotAndOwner], live: Iterable[frozenset[int]], settings: Settings
) -> Iterator[tuple[int, int]]:
    """Yield the ids of pairs of bots that the ladder of a game may not pair, because one of them, or its owner, already
    plays with its share of the other bots ``here``. ``live``: bot ids of the running matches.
    """
    sides = {side.bot: side for side in here if not side.built_in}
    bots: Counter[int] = Counter()
    owners: Counter[Owner] = Counter()
    for pair in live:
        for bot in pair & sides.keys():
            (opponent,) = pair - {bot}
            if opponent not in sides or sides[opponent].owner != sides[bot].owner:
                bots[bot] += 1
                owners[sides[bot].owner] += 1
    own = Counter(side.owner for side in here)
    for side in sides.values():
        others = len(here) - own[side.owner]
        if bots[side.bot] >= _part(settings.bot_share, others) or (
            owners[side.owner] >= _part(settings.owner_share, others)
        ):
            yield from ((side.bot, other.bot) for other in here if other.owner != side.owner)


class OwnPairings:
    """Counts of the ladder's pairings of owners' bots since the server started, by game, and how many of them were
    between two bots of one owner: such matches may not make up the rating of a bot.
    """

    def __init__(self, share: float) -> None:
        """``share``: maximum share of an owner's pairings that may be between two of its bots."""
        self._share = share
        self._all: Counter[tuple[str, Owner]] = Counter()
        self._own: Counter[tuple[str, Owner]] = Counter()

    def begun(self, game: str, one: BotAndOwner, other: BotAndOwner) -> None:
        """Count a pairing."""
        for owner in {one.owner, other.owner}:
            if isinstance(owner, str):
                self._all[game, owner] += 1
                self._own[game, owner] += one.owner == other.owner

    def barred(self, game: str, here: Sequence[BotAndOwner]) -> Iterator[tuple[int, int]]:
        """Yield the ids of pairs of bots of one owner that may not be paired now; none while no bot of another owner
        is ``here``. One pairing is always allowed.
        """
        by_owner: dict[Owner, list[int]] = {}
        for side in here:
            by_owner.setdefault(side.owner, []).append(side.bot)
        for owner, bots in by_owner.items():
            if 1 < len(bots) < len(here):
                most = max(1, int(self._share * (self._all[game, owner] + 1)))
                if self._own[game, owner] >= most:
                    yield from combinations(bots, 2)


def _part(share: float, count: int) -> int:
    return max(1, ceil(share * count))


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"


def _add(counter: Counter[Key], key: Key, step: int) -> None:
    counter[key] += step
    if not counter[key]:
        del counter[key]
