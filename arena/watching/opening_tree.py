# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening trees: the first moves of the newest matches of a bot or of a game, with the results after each move."""

import asyncio
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from arena.matches.search_info import HEAD, without_info
from arena.store import Store
from arena.store.encounters import FirstMoves, FromStart
from engine.match.ending import SCORES

PLIES = 16
"""Depth of the trees."""

KEPT = 32
"""Cached trees."""

LASTING = 60.0
"""Seconds for which the tree of a game serves at least: on a busy arena a match ends each second."""


@dataclass(slots=True)
class OpeningNode:
    """A position by its moves from the start, with the results of the matches in which it occurred."""

    results: dict[int, list[int]] = field(default_factory=lambda: {0: [0, 0, 0], 1: [0, 0, 0]})
    """Wins, draws and losses of the bot by its seat."""
    drawn: dict[int, int] = field(default_factory=lambda: {0: 0, 1: 0})
    """By the bot's seat: number of matches in which the arena chose the move that leads here."""
    children: dict[str, "OpeningNode"] = field(default_factory=dict)
    """By move."""

    def of_seats(self, seats: Sequence[int]) -> tuple[int, int, int]:
        """Return wins, draws and losses of the bot on these seats."""
        wins, draws, losses = (sum(self.results[seat][place] for seat in seats) for place in range(3))
        return wins, draws, losses

    def at(self, moves: Iterable[str]) -> "OpeningNode | None":
        """Return the node after some moves; None if no match has them."""
        node: OpeningNode | None = self
        for move in moves:
            node = node.children.get(move) if node else None
        return node


class _Move(msgspec.Struct):
    """An event; draw offers have no move."""

    move: str = ""


_decoder = msgspec.json.Decoder(_Move)


def _move(event: bytes) -> str:
    """Return the move of an event, "" if it is no move."""
    try:
        return _decoder.decode(event).move
    except msgspec.DecodeError:
        return ""  # a long event that is cut off; moves keep all but their search info


def build(matches: Iterable[FirstMoves], plies: int = PLIES) -> OpeningNode:
    """Return the tree of the first ``plies`` moves of matches; rolls of dice are moves too."""
    root = OpeningNode()
    for match in matches:
        played = [move for event in match.events if (move := _move(event))]
        moves = [*match.opening, *played][:plies]
        place = round(2 - 2 * SCORES[match.result][match.seat])
        node = root
        node.results[match.seat][place] += 1
        for number, move in enumerate(moves):
            child = node.children.get(move)
            if child is None:
                child = node.children[move] = OpeningNode()
            node = child
            node.results[match.seat][place] += 1
            node.drawn[match.seat] += number < len(match.opening)
    return root


class OpeningTrees:
    """The opening trees of bots, cached until the bot ends a further match."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[int, FromStart], tuple[int, OpeningNode]] = OrderedDict()

    async def get(self, bot_id: int, wanted: FromStart) -> OpeningNode:
        """Return the tree of a bot's newest matches. Raises StoreError."""
        key = bot_id, wanted
        newest = await self._store.encounters.newest(bot_id)
        kept = self._kept.get(key)
        if kept is None or kept[0] != newest:
            matches = await self._store.encounters.first_moves(bot_id, wanted, PLIES, without_info, HEAD)
            kept = self._kept[key] = newest, await asyncio.to_thread(build, matches)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return kept[1]


@dataclass(frozen=True, slots=True)
class GameTree:
    """The first moves of the newest matches of a game."""

    root: OpeningNode
    """With the results of the player that moves first."""
    matches: frozenset[int]
    """The numbers of these matches."""

    def count(self, moves: Iterable[str]) -> int:
        """Return how many of the matches begin with these moves."""
        node = self.root.at(moves)
        return 0 if node is None else sum(node.of_seats((0,)))


class GameTrees:
    """The trees of games, made anew at most once a minute."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` reads a steady clock."""
        self._store = store
        self._clock = clock
        self._kept: dict[str, tuple[float, int, GameTree]] = {}
        """By game: the time of the last look, the newest match then, and the tree."""
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get(self, wanted: FromStart) -> GameTree:
        """Return the tree of a game. Raises StoreError."""
        async with self._turns[wanted.game]:
            now, kept = self._clock(), self._kept.get(wanted.game)
            if kept is not None and now < kept[0] + LASTING:
                return kept[2]
            newest = await self._store.encounters.newest_of_game(wanted.game)
            if kept is not None and kept[1] == newest:
                tree = kept[2]
            else:
                matches = await self._store.encounters.beginnings(wanted, PLIES, without_info, HEAD)
                root = await asyncio.to_thread(build, matches)
                tree = GameTree(root, frozenset(match.match_id for match in matches))
            self._kept[wanted.game] = now, newest, tree
            return tree
