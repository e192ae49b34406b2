# SPDX-License-Identifier: GPL-3.0-or-later
"""Shares: how many matches one bot and one owner may play at once, and how many places of each built-in bot they hold.

Bots of one owner share; a bot without an owner is its own. A pair of matches counts as one match until both are over.
Tournaments count, and are never refused: an operator arranged them.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

from arena.connections.sessions import Entrant
from arena.settings import Settings
from arena.store.rows import BotRow, PlayerRow

Key = TypeVar("Key", bound=Hashable)

Account = str | int
"""An owner's name, or the id of a bot that has none."""


@dataclass(frozen=True, slots=True)
class Side:
    """A bot as shares see it."""

    bot: int
    account: Account
    built_in: bool

    @classmethod
    def of_bot(cls, bot: BotRow) -> "Side":
        """Return the side that a connected bot plays on."""
        return cls(bot.id, bot.owner.strip().casefold() or bot.id, bot.kind == "house")

    @classmethod
    def of_player(cls, player: PlayerRow) -> "Side":
        """Return a side of a stored match."""
        return cls(player.bot_id, player.owner.strip().casefold() or player.bot_id, player.bot_kind == "house")


class Shares:
    """The matches that are under way, counted by those who play them."""

    def __init__(self, settings: Settings) -> None:
        """Start with no match."""
        self._settings = settings
        self._sides: dict[int, Side] = {}
        """Those who play, by bot."""
        self._matches: Counter[int] = Counter()
        """By bot."""
        self._account_matches: Counter[Account] = Counter()
        self._places: Counter[tuple[int, int]] = Counter()
        """Matches by bot and built-in bot."""
        self._account_places: Counter[tuple[Account, int]] = Counter()

    def engage(self, one: Side, other: Side) -> None:
        """Count a match from now on, its first bot's and its second's."""
        self._count(self._sides.setdefault(one.bot, one), self._sides.setdefault(other.bot, other), 1)

    def release(self, one: int, other: int) -> None:
        """Count a match of two bots no more."""
        self._count(self._sides[one], self._sides[other], -1)
        for bot in (one, other):
            if not self._matches[bot]:
                self._sides.pop(bot, None)

    def _count(self, one: Side, other: Side, step: int) -> None:
        for side in (one, other):
            _add(self._matches, side.bot, step)
        for account in {one.account, other.account}:
            _add(self._account_matches, account, step)
        for holder, held in ((one, other), (other, one)):
            if held.built_in and not holder.built_in:
                _add(self._places, (holder.bot, held.bot), step)
                _add(self._account_places, (holder.account, held.bot), step)

    # ---------------------------------------------------------------- what is asked

    def matches(self, bot: int) -> int:
        """Return how many matches a bot plays."""
        return self._matches[bot]

    def may_play(self, entrant: Entrant) -> bool:
        """Tell whether a bot and its owner may play one more match; built-in bots have their capacity alone."""
        return self._full(Side.of_bot(entrant.bot)) is None

    def why_not(self, one: Entrant, other: Entrant) -> str | None:
        """Return why two bots may not play one more match, for people; None: they may."""
        sides = Side.of_bot(one.bot), Side.of_bot(other.bot)
        for entrant, side in zip((one, other), sides, strict=True):
            if (full := self._full(side)) is not None:
                return f"{entrant.bot.name} plays as many matches as it can: {full}"
        for holder, held, built_in in ((*sides, other), (*sides[::-1], one)):
            if held.built_in and not holder.built_in and self._holds_share(holder, built_in):
                bots, owners = self._places_of(built_in)
                return (
                    f"{built_in.bot.name} plays at most {_matches(bots)} at once with one bot, "
                    f"and {owners} with all bots of one owner"
                )
        return None

    def barred(self, entrants: Iterable[Entrant]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of an own and a built-in bot, by their ids, that may not start a match now."""
        here = {entrant.bot.id: entrant for entrant in entrants}
        by_account: dict[Account, list[Side]] = {}
        for entrant in here.values():
            if entrant.bot.kind != "house":
                side = Side.of_bot(entrant.bot)
                by_account.setdefault(side.account, []).append(side)
        for account, built_in in self._account_places:
            if built_in in here:
                for side in by_account.get(account, ()):
                    if self._holds_share(side, here[built_in]):
                        yield side.bot, built_in

    def _full(self, side: Side) -> str | None:
        settings = self._settings
        if side.built_in:
            return None
        if self._matches[side.bot] >= settings.bot_matches:
            return f"at most {settings.bot_matches} at once"
        if self._account_matches[side.account] >= settings.owner_matches:
            return f"at most {settings.owner_matches} at once for all bots of one owner"
        return None

    def _holds_share(self, holder: Side, built_in: Entrant) -> bool:
        bots, owners = self._places_of(built_in)
        held = built_in.bot.id
        return self._places[holder.bot, held] >= bots or self._account_places[holder.account, held] >= owners

    def _places_of(self, built_in: Entrant) -> tuple[int, int]:
        """Return how many places of a built-in bot one bot, and one owner, may hold."""
        settings = self._settings
        return _part(settings.bot_share, built_in.capacity), _part(settings.owner_share, built_in.capacity)


def held_on_ladder(
    here: Sequence[Side], live: Iterable[frozenset[int]], settings: Settings
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of bots, by their ids, that the ladder of a game may not pair: one of them, or its owner, holds
    its share of the others ``here``. ``live`` are the matches that go on, by the ids of their bots.
    """
    sides = {side.bot: side for side in here if not side.built_in}
    bots: Counter[int] = Counter()
    accounts: Counter[Account] = Counter()
    for pair in live:
        for bot in pair & sides.keys():
            (opponent,) = pair - {bot}
            if opponent not in sides or sides[opponent].account != sides[bot].account:
                bots[bot] += 1
                accounts[sides[bot].account] += 1
    own = Counter(side.account for side in here)
    for side in sides.values():
        others = len(here) - own[side.account]
        if bots[side.bot] >= _part(settings.bot_share, others) or (
            accounts[side.account] >= _part(settings.owner_share, others)
        ):
            yield from ((side.bot, other.bot) for other in here if other.account != side.account)


def _part(share: float, count: int) -> int:
    return max(1, ceil(share * count))


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"


def _add(counter: Counter[Key], key: Key, step: int) -> None:
    counter[key] += step
    if not counter[key]:
        del counter[key]
