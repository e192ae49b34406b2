# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches over several nodes, which end in every way: real processes, a real bus, a real database."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from aiohttp import ClientSession

from arena.cli.features import FEATURES
from arena.records.verification import verify
from arena.store import Store
from engine.match.events import Moved, Resumed, decode_event
from tests.end_to_end.server import Server
from tests.features.cluster.playing import PATIENCE, Bot, Watcher, cluster, is_
from tests.nats import Nats

GAME = "checkers"

OPTIONS = ("--games", GAME, "--ladder", "false")


@asynccontextmanager
async def challenge(nodes: dict[str, Server], one: str, other: str) -> AsyncIterator[tuple[Bot, Bot, int]]:
    """Let a bot at one node play one at another, unrated. When their node is gone, they go to the others."""
    tokens = await nodes[one].register("one", "other")
    urls = [node.play_url for node in nodes.values()]
    order = list(nodes)
    bots = [
        Bot(tokens[name], GAME, *urls[order.index(node) :], *urls[: order.index(node)])
        for name, node in (("one", one), ("other", other))
    ]
    for bot in bots:
        await bot.heard(is_("welcome"))
    # the leader must know both
    async with asyncio.timeout(300):
        while True:
            await bots[0].send(type="challenge", opponent="other", game=GAME, rated=True)
            answer = await bots[0].heard(lambda message: message["type"] in ("challenge-opened", "error"))
            if answer["type"] == "challenge-opened":
                break
            bots[0].log.clear()
    match = (await bots[0].heard(is_("match")))["match"]
    try:
        yield bots[0], bots[1], match
    finally:
        for bot in bots:
            await bot.close()


async def hold(*bots: Bot, match: int) -> None:
    """Let bots move no more, once one of them has moved: the match goes on for as long as the test needs it."""
    await bots[0].heard(is_("accepted", match=match))
    for bot in bots:
        bot.may_move.clear()


def go_on(*bots: Bot) -> None:
    """Let them move again."""
    for bot in bots:
        bot.may_move.set()


async def check_record(database: str, match: int, *bots: Bot, referees: int) -> None:
    """Check that the match has one result, every acknowledged move once and in order, and so many referees."""
    async with await Store.open(database) as store:
        stored = await store.matches.get(match)
        assert stored is not None
        assert stored.row.status == "finished"
        assert stored.row.epoch == referees
        events = [decode_event(event.body) for event in stored.events]
        plies = [event.ply for event in events if isinstance(event, Moved)]
        assert all(following == before + 1 for before, following in pairwise(plies))
        acknowledged = {ply + 1 for bot in bots for number, ply in bot.acknowledged if number == match}
        assert acknowledged <= set(plies)
        assert [event.epoch for event in events if isinstance(event, Resumed)] == list(range(2, referees + 1))
        report = await store.audit(partial(verify, features=FEATURES))
        assert not report.findings


@pytest.mark.asyncio
async def test_a_match_between_two_nodes_at_a_third_goes_on_after_that_is_killed(
    tmp_path: Path, database: str, nats: Nats
) -> None:
    async with (
        cluster(tmp_path, database, nats.url, "abc", *OPTIONS, doors="ab") as nodes,
        challenge(nodes, "a", "b") as (one, other, match),
    ):
        await hold(one, other, match=match)
        watchers = [Watcher(match, node.watch_url) for node in nodes.values()]
        for watcher in watchers:
            await watcher.saw(1)
        await nodes["c"].kill()
        ply = max(watcher.ply for watcher in watchers)
        go_on(one, other)
        for watcher in watchers[:2]:
            await watcher.saw(ply + 2)
            await watcher.saw_end()
        for bot in (one, other):
            await bot.heard(is_("over", match=match))
        for watcher in watchers:
            await watcher.close()
        await check_record(database, match, one, other, referees=2)


@pytest.mark.asyncio
async def test_a_node_that_stops_hands_its_matches_over(tmp_path: Path, database: str, nats: Nats) -> None:
    async with (
        cluster(tmp_path, database, nats.url, "ab", *OPTIONS) as nodes,
        challenge(nodes, "a", "a") as (one, other, match),
    ):
        await hold(one, other, match=match)
        assert await nodes["a"].stop() == 0
        assert "took the lease" not in nodes["b"].log
        go_on(one, other)
        for bot in (one, other):
            await bot.heard(is_("over", match=match))
        await check_record(database, match, one, other, referees=2)


@pytest.mark.asyncio
async def test_an_answer_to_the_turn_of_a_node_that_stopped_is_no_error(
    tmp_path: Path, database: str, nats: Nats
) -> None:
    async with (
        cluster(tmp_path, database, nats.url, "abc", *OPTIONS, doors="a") as nodes,
        challenge(nodes, "a", "b") as (one, other, match),
    ):
        one.may_move.clear()
        async with asyncio.timeout(PATIENCE):
            await one.waits.wait()
        await other.close()
        before = len(one.log)
        assert await nodes["b"].stop() == 0
        await one.heard(is_("match", match=match), before)
        before = len(one.log)
        one.may_move.set()
        await asyncio.gather(*one.moving)
        await one.send(type="sync", match=match)
        await one.heard(is_("match", match=match), before)
        back = Bot(other.token, GAME, nodes["a"].play_url)
        for bot in (one, back):
            await bot.heard(is_("over", match=match))
        await back.close()
        assert not [message for message in one.log if message["type"] == "error"]
        await check_record(database, match, one, back, referees=2)


@pytest.mark.asyncio
async def test_a_frozen_referee_is_replaced_and_refused(tmp_path: Path, database: str, nats: Nats) -> None:
    async with (
        cluster(tmp_path, database, nats.url, "abc", *OPTIONS, doors="ab") as nodes,
        challenge(nodes, "a", "b") as (one, other, match),
    ):
        await hold(one, other, match=match)
        os.kill(nodes["c"].pid, signal.SIGSTOP)
        before = len(one.log)
        await one.heard(is_("match", match=match), before)
        os.kill(nodes["c"].pid, signal.SIGCONT)
        go_on(one, other)
        assert await nodes["c"].ended() != 0
        assert "lease" in nodes["c"].log
        for bot in (one, other):
            await bot.heard(is_("over", match=match))
        await check_record(database, match, one, other, referees=2)


@pytest.mark.asyncio
async def test_a_bus_that_was_away_costs_no_match(tmp_path: Path, database: str, nats: Nats) -> None:
    async with (
        cluster(tmp_path, database, nats.url, "abc", *OPTIONS, doors="ab") as nodes,
        challenge(nodes, "a", "b") as (one, other, match),
    ):
        await hold(one, other, match=match)
        nats.kill()
        go_on(one, other)
        await asyncio.sleep(1)  # the moves are on their way for a while: how long the bus is away, no event says
        nats.start()
        for bot in (one, other):
            over = await bot.heard(is_("over", match=match))
            assert over["result"] != "*"
        await check_record(database, match, one, other, referees=1)


@pytest.mark.asyncio
async def test_any_node_takes_requests_for_the_leader(tmp_path: Path, database: str, nats: Nats) -> None:
    async with cluster(tmp_path, database, nats.url, "ab", *OPTIONS) as nodes:
        answers = []
        async with ClientSession() as http:
            for node in nodes.values():
                body = {"name": f"of-{node.folder.name}"}
                async with http.post(node.url + "/api/v1/bots", json=body) as response:
                    answers.append((response.status, sorted(await response.json())))
        assert answers[0] == answers[1]
