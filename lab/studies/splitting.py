# SPDX-License-Identifier: GPL-3.0-or-later
"""Which games to learn from and which to be tested on: by year, events never split, then the order of the file."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from engine.record import Record

_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")


class Split(NamedTuple):
    """Games to learn from, the oldest first, and later ones that none of them shares an event with."""

    train: list[Record]
    test: list[Record]


def year(record: Record) -> int | None:
    """Return the year of a game, by its date or else by the name of its event; None where neither tells."""
    for text in (record.started or "", record.event):
        if found := _YEAR.search(text):
            return int(found[1])
    return None


def in_order(records: Sequence[Record]) -> list[list[Record]]:
    """Return the events in order, each with its games in the order of the file.

    An event is where and when games of one name were played; those without a name are of one event a year. A game
    without a year has that of the game before it in the file.
    """
    events: dict[tuple[int, str, str], list[Record]] = {}
    known = 0
    for record in records:
        known = year(record) or known
        events.setdefault((known, record.event, record.site), []).append(record)
    return [games for _, games in sorted(events.items(), key=lambda one: one[0][0])]


def split(records: Sequence[Record], train: int, test: int, sizes: Sequence[int] = ()) -> Split:
    """Return the ``train`` games before a boundary between events, and the ``test`` games after it.

    The boundary leaves enough games before it for all of ``sizes`` and ``train``, so that samples of all these sizes
    are tested on the same games. Raises ValueError when there are not enough.
    """
    ordered = in_order(records)
    most = max([train, *sizes])
    before: list[Record] = []
    while ordered and len(before) < most:
        before += ordered.pop(0)
    after = [record for event in ordered for record in event]
    if len(before) < most or not after:
        raise ValueError(f"{len(records):,} games are too few to learn from {most:,} and be tested on later events")
    return Split(before[-train:], after[:test])
