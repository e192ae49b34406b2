# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Ray with two workers: the same games, genomes and positions as in one process, also when workers die."""

import asyncio
import itertools
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.contest import Contest
from bots.evolution.breeding import VERSION, Breed, arenas_of, bred, first
from bots.evolution.refereed import Search
from bots.pools.cluster import Cluster
from bots.pools.connection import connected
from bots.pools.matches import played_in
from bots.pools.pool import PoolFailed, WorkerDied
from bots.series import Played, series
from engine.games import find
from lab.tuning.games import duel

DEADLINE = 300

TOLD: list[str] = []

BOT = """
import contextlib, os, pathlib, signal
from bots.bot import Bot, Turn

class Deadly(Bot):
    games = ("tictactoe",)

    def move(self, turn: Turn) -> str:
        mark = pathlib.Path(__file__).with_suffix(".died")
        if turn.ply > 2:
            # of two workers at the same time only one dies
            with contextlib.suppress(FileExistsError):
                mark.touch(exist_ok=False)
                os.kill(os.getpid(), signal.SIGKILL)
        return turn.legal_moves[0]
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """The one Ray of these tests."""
    before = dict(os.environ)
    with Cluster(connected("ray", 2), None, TOLD.append) as pool:
        yield pool
    os.environ.clear()
    os.environ.update(before)


def told(found: list[Played]) -> list[object]:
    return [(one.number, one.seat, one.record.players, one.record.opening, one.record.moves) for one in found]


def here(contest: Contest, games: int) -> list[Played]:
    async def play() -> list[Played]:
        return [one async for one in series(contest.setting(), *await contest.entrants(), range(games))]

    return asyncio.run(play())


def there(cluster: Cluster, contest: Contest, games: int) -> list[Played]:
    async def play() -> list[Played]:
        return [one async for one in played_in(cluster, contest, range(games))]

    return asyncio.run(play())


def test_a_series_has_the_same_games(cluster: Cluster) -> None:
    contest = Contest("tictactoe", "random", "random", seed=5)
    assert told(there(cluster, contest, 30)) == told(here(contest, 30))
    assert cluster.size == 2
    assert sum(share.pieces for share in cluster.shares) >= 30
    assert "/s" in cluster.speeds


def test_the_games_of_a_dead_worker_are_played_again(cluster: Cluster, tmp_path: Path) -> None:
    bot = tmp_path / "deadly.py"
    bot.write_text(BOT, encoding="utf-8")
    contest = Contest("tictactoe", str(bot), "random", seed=1)
    before = len(TOLD)
    found = told(there(cluster, contest, 12))
    assert bot.with_suffix(".died").exists()
    # a worker that compiles for long is announced too
    assert len([text for text in TOLD[before:] if "computed again" in text]) == 1
    assert found == told(here(contest, 12))


def stalls(folder: str) -> int:
    """Write which process this is, and wait until the folder has the file ``go``."""
    place = Path(folder)
    (place / f"{os.getpid()}.here").touch()
    while not (place / "go").exists():
        time.sleep(0.02)  # the file appears in another process, without an event
    return os.getpid()


def begun(folder: Path) -> int:
    """Wait until a worker stalls in the folder; return its process."""
    ends = time.monotonic() + DEADLINE
    while not (started := list(folder.glob("*.here"))) and time.monotonic() < ends:
        time.sleep(0.02)  # the file appears in another process, without an event
    return int(started[0].stem)


def test_a_piece_goes_to_another_worker_when_its_own_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    future = cluster.submit(stalls, str(tmp_path))
    killed = begun(tmp_path)
    os.kill(killed, signal.SIGKILL)
    (tmp_path / "go").touch()
    assert future.result(DEADLINE) != killed


def dies(number: int) -> int:
    """End the worker that computes 3."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_piece_that_always_ends_its_worker_is_reported_alone(cluster: Cluster) -> None:
    futures = [cluster.submit(dies, number) for number in range(6)]
    with pytest.raises(WorkerDied, match="3 times"):
        futures.pop(3).result(DEADLINE)
    assert [future.result(DEADLINE) for future in futures] == [0, 1, 2, 4, 5]


def fails(number: int) -> int:
    """Raise an exception."""
    raise ValueError(f"no {number}")


def test_an_exception_of_a_piece_comes_back(cluster: Cluster) -> None:
    with pytest.raises(ValueError, match="no 7"):
        cluster.submit(fails, 7).result(DEADLINE)
    with pytest.raises(ValueError, match="no 8"):
        cluster.prepare(fails, 8)


def noted(folder: str) -> None:
    """Note a call."""
    descriptor = os.open(Path(folder, "calls"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, b".")
    os.close(descriptor)


def test_each_node_prepares_once(cluster: Cluster, tmp_path: Path) -> None:
    cluster.prepare(noted, str(tmp_path))
    assert (tmp_path / "calls").read_bytes() == b"."


@pytest.mark.parametrize(
    "breed",
    [
        Breed(VERSION, "checkers/lecture", "kendall-whitwell", 6, 1, plies=40),
        pytest.param(Breed(VERSION, "checkers/parameters", "spsa", 2, 7, nodes=60, plies=40), marks=pytest.mark.long),
        pytest.param(
            Breed(VERSION, "checkers/search", "evochess", 4, 1, {"elite": 1, "contest": 2}, nodes=60, plies=30),
            marks=pytest.mark.long,
        ),
    ],
    ids=lambda breed: breed.schema,
)
def test_evolution_leads_to_the_same_genomes(cluster: Cluster, breed: Breed) -> None:
    with arenas_of(breed, 1) as own, arenas_of(breed, pool=cluster) as others:
        whole, found = (
            [[(one.population, one.results) for one in each] for each in itertools.islice(run, 2)]
            for run in (bred(breed, first(breed), own), bred(breed, first(breed), others))
        )
    assert found == whole


def test_tuning_has_the_same_games(cluster: Cluster) -> None:
    game = find("checkers")
    one, other = (Search(game.evaluations[name], "advanced", 100) for name in ("lecture", "material"))
    there, here = (list(duel(game, one, other, seed=1, games=2, pool=pool)) for pool in (cluster, None))
    assert told(there) == told(here)


def test_a_pool_that_has_ended_takes_no_pieces(cluster: Cluster, tmp_path: Path) -> None:
    # the last test: it ends the cluster
    future = cluster.submit(stalls, str(tmp_path))
    begun(tmp_path)
    cluster.shutdown()
    with pytest.raises(PoolFailed, match="the pool has ended"):
        future.result(DEADLINE)
    with pytest.raises(PoolFailed, match="the pool has ended"):
        cluster.submit(dies, 0)
