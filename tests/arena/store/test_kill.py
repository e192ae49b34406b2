# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that writes is killed at any moment; acknowledged events are there, and none twice."""

import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from sqlalchemy import text

from arena.store import Store
from arena.store.database.engines import make_engines
from arena.store.rows import MatchRow
from tests.arena.store.restless import PLAYERS, body
from tests.postgres import end_sessions

ROOT = Path(__file__).parents[3]
KILLS = 3


async def test_kill_9_loses_nothing_acknowledged_and_counts_nothing_twice(database_url: str) -> None:
    acknowledged: set[str] = set()
    for kill in range(KILLS):
        acknowledged |= run_and_kill(database_url, after=random.Random(kill).randrange(100, 1500))
        await check(database_url, acknowledged)


def run_and_kill(url: str, after: int) -> set[str]:
    """Start the program, kill it ``after`` so many acknowledgements, and return all that it printed."""
    command = [sys.executable, "-m", "tests.arena.store.restless", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as program:
        assert program.stdout is not None
        lines = {line.strip() for _, line in zip(range(after), program.stdout, strict=False)}
        program.kill()
        lines |= {line.strip() for line in program.stdout}
    if url.startswith("postgresql"):
        end_sessions(url)  # the program's own may still commit
    assert len(lines) >= after - 60, "it ended by itself"
    return lines


async def check(url: str, acknowledged: set[str]) -> None:
    """Compare the store with the acknowledged events, and with itself."""
    events = read_events(url)
    async with await Store.open(url) as store:
        live = await store.matches.page("live", limit=100_000)
        finished = await store.matches.page("finished", limit=100_000)
        rows = {row.id: row for row in [*live.items, *finished.items]}
        for line in acknowledged:
            done, match_id, *number = line.split()
            if done == "appended":
                assert int(number[0]) < len(events[int(match_id)]), line
            elif done == "finished":
                assert rows[int(match_id)].status == "finished", line
            else:
                assert int(match_id) in rows, line
        for row in rows.values():
            assert events[row.id] == [(number, body(row.id, number)) for number in range(len(events[row.id]))]
            assert (row.status == "finished") == (row.players[0].rating_after is not None)
            assert row.plies in {None, len(events[row.id]) - 1}
        await check_ratings(store, finished.items)


def read_events(url: str) -> dict[int, list[tuple[int, bytes]]]:
    """Return the events of all matches, read past the store."""
    found: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
    engines = make_engines(url)
    with engines.reading.connect() as connection:
        for row in connection.execute(text("SELECT match_id, number, body FROM event ORDER BY match_id, number")):
            found[row.match_id].append((row.number, row.body.encode()))
    engines.dispose()
    return found


async def check_ratings(store: Store, finished: list[MatchRow]) -> None:
    """Every rating must be what its matches add up to, one after the other."""
    changes: dict[int, dict[float, float]] = defaultdict(dict)
    games: dict[int, int] = defaultdict(int)
    for row in finished:
        for player in row.players:
            assert player.rating_after is not None
            changes[player.version_id][player.rating_before] = player.rating_after
            games[player.version_id] += 1
    for name in PLAYERS:
        bot = await store.bots.named(name)
        assert bot is not None
        (version,) = await store.bots.versions(bot.id)
        standing = await store.ratings.get(version.id, "checkers", "bullet")
        assert standing.games == standing.wins + standing.draws + standing.losses == games[version.id]
        starts, ends = set(changes[version.id]), set(changes[version.id].values())
        assert ends - starts <= {standing.rating}
        assert starts - ends <= {1500.0}
