# SPDX-License-Identifier: GPL-3.0-or-later
"""Run as a program: plays matches in a store as fast as it can, until killed, and prints the acknowledged events."""

import asyncio
import os
import random
import sys
from dataclasses import replace

from arena.store import Store
from arena.store.errors import NameTaken
from tests.arena.store.company import CHECKERS

PLAYERS = ("marion", "tinsley", "chinook")


def body(match_id: int, number: int) -> bytes:
    """Return the event that a match has under a number."""
    return b'{"match":%d,"number":%d}' % (match_id, number)


async def main(url: str) -> None:
    """Finish the live matches, finish ended ones again, then continue with many matches at once."""
    async with await Store.open(url) as store:
        players = [await _version(store, name) for name in PLAYERS]
        for left_over in await store.matches.unfinished():
            await _finish(store, left_over.row.id, len(left_over.events))
        for row in (await store.matches.page("finished")).items:
            await _finish(store, row.id, 0)
        await asyncio.gather(*(_play(store, random.Random(number), players) for number in range(20)))


async def _version(store: Store, name: str) -> int:
    try:
        bot = await store.bots.add(name, f"hash of {name}")
    except NameTaken:
        known = await store.bots.named(name)
        assert known is not None
        bot = known
    return (await store.bots.version(bot.id, "1")).id


async def _play(store: Store, dice: random.Random, players: list[int]) -> None:
    while True:
        first, second = dice.sample(players, 2)
        match_id = await store.matches.start(replace(CHECKERS, players=(first, second)))
        _say("started", match_id)
        length = dice.randrange(12)
        for number in range(length):
            await store.matches.append(match_id, [(number, body(match_id, number))])
            _say("appended", match_id, number)
        await _finish(store, match_id, length)


async def _finish(store: Store, match_id: int, number: int) -> None:
    last = [(number, body(match_id, number))]
    result = ("1-0", "0-1", "1/2-1/2")[match_id % 3]
    await store.matches.finish(match_id, result=result, termination="decided", plies=number, events=last)
    _say("finished", match_id)


def _say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
