# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches among a few bots, ended by several servers at once.

``python -m tests.arena.store.ends URL SEED SECONDS RATE`` is one of these servers: it ends RATE matches a second, and
prints how many it ended.
"""

import asyncio
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from arena.store import Store
from arena.store.rows import NewMatch
from tests.arena.store.company import CHECKERS, versions
from tests.postgres import Postgres

BOTS = ("marion", "tinsley", "chinook", "arthur", "jonathan")
GROUP = 10
"""Matches that end at once, so that one transaction of a server ends several."""
RESULTS = ("1-0", "0-1", "1/2-1/2")


async def register(store: Store) -> list[int]:
    """Register the bots, and return their versions."""
    return [version.id for version in await versions(store, *BOTS)]


async def end_group(store: Store, dice: random.Random, players: Sequence[int]) -> int:
    """Start some matches, and end all of them at once, some with a second match of the pair, which ends too; return how
    many ended.
    """
    new = [_drawn(dice, players) for _ in range(GROUP)]
    started = await asyncio.gather(*(store.matches.start(match) for match in new))
    sequels = [replace(match, pair=number) for match, number in zip(new, started, strict=True)]
    ends = [_end(store, dice, number, sequel) for number, sequel in zip(started, sequels, strict=True)]
    # while others start, as the leader pairs bots
    others = [store.matches.start(_drawn(dice, players)) for _ in range(2)]
    ended, begun = await asyncio.gather(asyncio.gather(*ends), asyncio.gather(*others))
    following = [number for number in (*ended, *begun) if number is not None]
    await asyncio.gather(*(_end(store, dice, number, None) for number in following))
    return len(started) + len(following)


def _drawn(dice: random.Random, players: Sequence[int]) -> NewMatch:
    first, second = dice.sample(players, 2)
    return replace(CHECKERS, players=(first, second), seed=dice.getrandbits(62))


async def _end(store: Store, dice: random.Random, match: int, sequel: NewMatch | None) -> int | None:
    result = dice.choice(RESULTS)
    sequel = sequel if dice.random() < 0.5 else None
    finished = await store.matches.finish(match, result=result, termination="decided", plies=2, sequel=sequel)
    return finished.sequel


def deadlocks(server: Postgres) -> int:
    """Return the number of deadlocks so far, as PostgreSQL counts them when a session ends."""
    (count,) = server.ask("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    return int(count)


def rated_games(server: Postgres) -> int:
    """Return the sum of the games of all ratings: each match that ended counts twice."""
    (count,) = server.ask("SELECT coalesce(sum(games), 0) FROM rating")
    return int(count)


async def main(url: str, seed: int, seconds: float, rate: float) -> None:
    """End matches at a rate for some seconds, and print how many ended."""
    dice, ended = random.Random(seed), 0
    async with await Store.open(url) as store:
        players = [await _version(store, name) for name in BOTS]
        began = time.monotonic()
        while (spent := time.monotonic() - began) < seconds:
            if ended > rate * spent:
                await asyncio.sleep(ended / rate - spent)
            ended += await end_group(store, dice, players)
    print(ended, flush=True)


async def _version(store: Store, name: str) -> int:
    bot = await store.bots.named(name)
    assert bot is not None
    (version,) = await store.bots.versions(bot.id)
    return version.id


if __name__ == "__main__":
    _, address, number, duration, per_second = sys.argv
    asyncio.run(main(address, int(number), float(duration), float(per_second)))
