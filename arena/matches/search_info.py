# SPDX-License-Identifier: GPL-3.0-or-later
"""Search info: limits on the stored, and so shown, reports that bots send with their moves.

Three limits: bytes a move, bytes a side in a match, and bytes a bot in a day. Above the first, info is cut; above the
others it is dropped. The move counts in any case. Bytes are those of the info's stored JSON.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import json, structs

from arena.matches.timings import decode_recorded
from arena.monitoring import Metrics
from arena.protocol import messages as m
from arena.settings import Settings
from arena.store.rows import MatchRow
from engine.game import CHANCE
from engine.match.events import Candidate, Expected, Info, Moved, encode_event

MOVE_BYTES = 2048
"""Of the info with one move."""

DAY = 86_400

Item = TypeVar("Item", str, Expected, Candidate)

_encoder = json.Encoder()
_LISTS = len(_encoder.encode({"pv": [], "expected": [], "candidates": []}))
"""Bytes that the lists of an info take when they are empty, or a few less."""


class InfoBudgets:
    """The remaining allowance of each bot today. Days are UTC days; a restart of the server resets them.

    Built-in bots have no daily limit: they report little, and no outsider controls their reports.
    """

    def __init__(self, settings: Settings, metrics: Metrics, clock: Callable[[], float] = time.time) -> None:
        """``clock`` tells Unix time."""
        self._match_bytes = settings.info_match_bytes
        self._day_bytes = settings.info_day_bytes
        self._stored = metrics.info_bytes.labels("stored")
        self._dropped = metrics.info_bytes.labels("dropped")
        self._clock = clock
        self._day = 0
        self._spent: Counter[int] = Counter()
        """Bytes of today, by bot."""

    def of_match(self, row: MatchRow, moves: Iterable[Moved] = ()) -> "MatchInfo":
        """Return the budgets of a match, of which ``moves`` were stored before."""
        return MatchInfo(self, row, moves)

    def spend(self, bot: int, size: int, in_match: int, *, by_day: bool) -> bool:
        """Count an info of ``size`` bytes, if there is room for it beside the ``in_match`` bytes of its match."""
        day = int(self._clock()) // DAY
        if day != self._day:
            self._day = day
            self._spent.clear()
        if in_match + size > self._match_bytes or (by_day and self._spent[bot] + size > self._day_bytes):
            return False
        if by_day:
            self._spent[bot] += size
        return True

    def count(self, stored: int, dropped: int) -> None:
        """Count bytes of search info in the metrics."""
        self._stored.inc(stored)
        self._dropped.inc(dropped)


class MatchInfo:
    """The remaining allowance of each side of one match."""

    def __init__(self, budgets: InfoBudgets, row: MatchRow, moves: Iterable[Moved]) -> None:
        self._budgets = budgets
        self._players = row.players
        self._spent = [0, 0]
        """Bytes, by seat."""
        self._waits = row.info_release == "end"
        """Whether nobody may know before the end how much a seat has to say."""
        self._uncounted = [0, 0]
        """Bytes that are not in the metrics yet: stored, and dropped."""
        for moved in moves:
            if moved.info is not None and moved.seat != CHANCE:
                self._spent[moved.seat] += len(_encoder.encode(moved.info))

    def keep(self, seat: int, reported: m.Info | None) -> Info | None:
        """Return the info of a move as it is stored: cut to size, or None."""
        if reported is None:
            return None
        info, size = cut(reported)
        player = self._players[seat]
        by_day = player.bot_kind != "built-in"
        kept = self._budgets.spend(player.bot_id, size, self._spent[seat], by_day=by_day)
        self._uncounted[0 if kept else 1] += size
        if not self._waits:
            self.count()
        if not kept:
            return None
        self._spent[seat] += size
        return info

    def count(self) -> None:
        """Add the bytes that the metrics do not contain yet."""
        self._budgets.count(*self._uncounted)
        self._uncounted = [0, 0]


def shortened(event: bytes) -> bytes:
    """Return a stored event with no more search info than is stored today: records of old may hold much more. Raises
    ValueError when it is none.
    """
    if len(event) <= MOVE_BYTES:
        return event
    decoded = decode_recorded(event)
    if not isinstance(decoded, Moved) or decoded.info is None:
        return event
    return encode_event(structs.replace(decoded, info=cut(decoded.info)[0]))


HEAD = 1_000
"""Characters at the start of a stored move that hold all but its search info, which comes last."""


def without_info(event: bytes) -> bytes:
    """Return a stored event, of which the first HEAD characters suffice, without its search info."""
    head, info, _ = event.partition(b',"info":')  # in a text of JSON these quotes would be escaped
    return head + b"}" if info else event


def cut(reported: m.Info | Info) -> tuple[Info, int]:
    """Return an info of at most MOVE_BYTES, and its bytes: the beginning of the variation, then as many expected
    answers and then candidate moves as there is room for.
    """
    info = Info(
        score=reported.score,
        depth=reported.depth,
        nodes=reported.nodes,
        pv=tuple(reported.pv[: m.KEPT_VARIATION]),
        expected=tuple(Expected(one.move, one.probability) for one in reported.expected),
        candidates=tuple(Candidate(one.move, one.visits, one.win) for one in reported.candidates),
    )
    size = len(_encoder.encode(info))
    if size > MOVE_BYTES:
        numbers = structs.replace(info, pv=(), expected=(), candidates=())
        room = MOVE_BYTES - len(_encoder.encode(numbers)) - _LISTS
        moves, room = _beginning(info.pv, room)
        answers, room = _beginning(info.expected, room)
        candidates, _ = _beginning(info.candidates, room)
        info = structs.replace(numbers, pv=moves, expected=answers, candidates=candidates)
        size = len(_encoder.encode(info))
    return info, size


def _beginning(items: tuple[Item, ...], room: int) -> tuple[tuple[Item, ...], int]:
    """Return as many of the first items as fit into ``room`` bytes with a comma each, and the remaining room."""
    for count, item in enumerate(items):
        size = len(_encoder.encode(item)) + 1
        if size > room:
            return items[:count], room
        room -= size
    return items, room
