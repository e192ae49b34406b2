# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots and matches to fill a store with."""

from dataclasses import replace

from arena.store import Store
from arena.store.rows import FinishedMatch, NewMatch, VersionRow

CHECKERS = NewMatch(
    game="checkers",
    time_class="bullet",
    time_control="60+0.5",
    rated=True,
    seed=2**62 + 1,
    start=None,
    opening=("11-15", "23-19"),
    players=(0, 0),
)


async def versions(store: Store, *names: str) -> list[VersionRow]:
    """Register bots of these names, and return version "1" of each."""
    bots = [await store.bots.add(name, f"hash of {name}") for name in names]
    return [await store.bots.version(bot.id, "1") for bot in bots]


async def play(
    store: Store,
    first: VersionRow,
    second: VersionRow,
    result: str = "1-0",
    *,
    rated: bool = True,
    game: str = "checkers",
) -> FinishedMatch:
    """Play a match of two events."""
    players = first.id, second.id
    match_id = await store.matches.start(replace(CHECKERS, players=players, rated=rated, game=game))
    await store.matches.append(match_id, [(0, b'{"move":"9-13"}')])
    ending = "void" if result == "*" else "decided"
    last = [(1, b'{"move":"24-20"}')]
    return await store.matches.finish(match_id, result=result, termination=ending, plies=4, events=last)
