# SPDX-License-Identifier: GPL-3.0-or-later
"""Runners beside an arena: which it takes on and declines, how bots move, and what happens when a runner ends."""

import asyncio
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from arena.features.runners.connection import BURST, RunnerConnection
from arena.features.runners.part import VERSION
from arena.features.runners.rows import RunnerRow
from arena.matches.new_match import PlannedMatch
from arena.protocol.errors import CloseCode
from arena.protocol.runner_messages import (
    RUNNER_PATH,
    Beat,
    Declined,
    Dismissed,
    Ended,
    FromRunner,
    Host,
    Leave,
    Prepared,
    Refused,
    Release,
)
from tests.features.accounts.people import program
from tests.features.runners.company import (
    NAMES,
    OFFER,
    PATIENCE,
    Hosting,
    arena,
    part_of,
    runner,
    token_of,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def until_entered(hosting: Hosting, *names: str) -> None:
    """Wait until bots are to play on the server again."""
    async with asyncio.timeout(PATIENCE):
        while not set(names) <= set(hosting.entered):  # noqa: ASYNC110  # there is no event for it
            await asyncio.sleep(0.01)


async def test_the_bots_of_a_runner_play_on_the_server_again_when_it_is_killed(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        hosting, places = Hosting(door), door.arena.places
        first = await hosting.start()
        assert [bot.name for bot in first] == list(NAMES)
        async with runner(door, "cellar") as one:
            taken = await one.join(prepared=False)
            assert taken.runner == "cellar"
            assert [(bot.name, bot.token) for bot in taken.bots] == [(name, "") for name in NAMES], "no token yet"
            assert not any(map(places.elsewhere, NAMES)), "the server hosts until the runner is prepared"
            await one.say(Prepared())
            bots = (await one.hear(Host)).bots
            assert sorted(bot.name for bot in bots) == sorted(NAMES)
            assert not {bot.token for bot in bots} & {bot.token for bot in first}, "each has a fresh token"
            assert hosting.told[-1].leave == list(NAMES)
            assert all(map(places.elsewhere, NAMES))
            await one.play(bots)
            numbers = list(places.bots.values())
            assert all(map(door.arena.processor_time.hosts, numbers))
            await one.hang_up()
            await until_entered(hosting, *NAMES)
        tokens = {bot.token for bot in hosting.told[-1].enter}
        assert not tokens & {bot.token for bot in bots}, "the tokens of the runner are void"
        assert not any(map(places.elsewhere, NAMES))
        times = await part_of(door).records.during(numbers, 0.0, None)
        assert {(row.runner, row.version, row.speed, row.cores) for row in times} == {("cellar", VERSION, 5e6, 4)}


async def test_two_runners_share_the_bots_and_one_that_is_killed_leaves_them_to_the_other(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        hosting = Hosting(door)
        await hosting.start()
        async with runner(door, "one") as one, runner(door, "other") as other:
            await one.join()
            all_bots = (await one.hear(Host)).bots
            await one.play(all_bots)
            await other.join()
            moved = (await other.hear(Host)).bots
            assert len(moved) == 2
            assert {name for _ in moved for name in (await one.hear(Release)).bots} == {bot.name for bot in moved}
            await other.play(moved)
            await one.hang_up()
            rest = (await other.hear(Host)).bots
            assert {bot.name for bot in (*moved, *rest)} == set(NAMES)
            await other.play(rest)
            assert hosting.entered == [], "none of them came to the server"


async def test_a_runner_that_stops_is_dismissed_once_its_bots_play_elsewhere(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        await Hosting(door).start()
        async with runner(door, "one") as one, runner(door, "other") as other:
            await one.join()
            await one.play((await one.hear(Host)).bots)
            await other.join()
            await other.play((await other.hear(Host)).bots)
            await one.say(Leave())
            moved = (await other.hear(Host)).bots
            await other.play(moved)
            await one.hear(Dismissed)


async def test_bots_move_when_the_process_of_a_runner_ends_and_a_refused_bot_has_left(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        hosting = Hosting(door)
        await hosting.start()
        door.arena.hosting.declare({"built-in": NAMES})
        async with runner(door, "one") as one:
            await one.join()
            await one.hear(Host)
            await one.say(Refused("alpha"))
            await one.say(Ended())
            await until_entered(hosting, *NAMES)
            await one.say(Prepared())
            assert len((await one.hear(Host)).bots) == len(NAMES)
        assert not door.arena.hosting.getting_ready("alpha")


async def test_the_server_hosts_a_share_beside_runners_if_the_settings_say_so(tmp_path: Path) -> None:
    async with arena(tmp_path, host_beside_runners=True) as door:
        await Hosting(door).start()
        async with runner(door, "one") as one:
            await one.join(msgspec.structs.replace(OFFER, cores=1))
            bots = (await one.hear(Host)).bots
            assert 0 < len(bots) < len(NAMES)


async def test_what_an_arena_declines(tmp_path: Path) -> None:
    async with arena(tmp_path, runner_cores=8, runners_connected=1) as door:
        async with runner(door, "old") as old:
            await old.say(msgspec.structs.replace(OFFER, version="0.0.1"))
            declined = await old.hear(Declined)
            assert (declined.code, declined.again) == ("version", False)
            assert f"has bot-arena 0.0.1 (protocol 1), this arena {VERSION}" in declined.why
        token = await token_of(door, "twins")
        async with runner(door, "first", token) as first, runner(door, "second", token) as second:
            await first.join(msgspec.structs.replace(OFFER, cores=60_000))
            (connected_runner,) = part_of(door).connected.values()
            assert connected_runner.cores == 8, "cores are bounded, whatever a runner says"
            await second.say(msgspec.structs.replace(OFFER, run="another run"))
            declined = await second.hear(Declined)
            assert (declined.code, declined.again) == ("taken", True)
            assert "another runner with this token is connected from 127.0.0.1" in declined.why
            async with runner(door, "first", token) as again:
                await again.join()
                assert await first.closed() == CloseCode.REPLACED, "the same process connected again"
                async with runner(door, "third") as third:
                    await third.say(OFFER)
                    assert (await third.hear(Declined)).code == "full"
                await part_of(door).records.remove("twins")
                assert await again.closed() == CloseCode.REMOVED


async def test_bad_messages_end_the_connection(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        for frame in ("{", "[]", '{"type":"offer"}', '{"type":"beat","free":-1}', '{"type":"beat","free":1}'):
            async with runner(door, f"bad {frame!r}"[:40]) as bad:
                await bad.socket.send_str(frame)
                assert await bad.closed() == CloseCode.BAD_MESSAGES
        async with runner(door, "twice") as twice:
            await twice.join()
            await twice.say(OFFER)
            assert await twice.closed() == CloseCode.BAD_MESSAGES
        async with runner(door, "flood") as flood:
            await flood.join()
            for _ in range(2 * BURST):
                if flood.socket.closed:
                    break
                await flood.say(Beat(1))
            assert await flood.closed() == CloseCode.FLOODING


async def test_only_a_runner_opens_the_socket(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        bot = (await door.register("a-bot"))[1]
        for headers in ({}, {"Authorization": "Bearer no-such-token"}, {"Authorization": f"Bearer {bot}"}):
            async with door.http.get(RUNNER_PATH, headers=headers) as response:
                assert response.status == 401
        token = await token_of(door, "cellar")
        async with door.http.get(RUNNER_PATH, headers={"Authorization": f"Bearer {token}"}) as response:
            assert response.status == 426, "it is for WebSockets only"


async def test_operators_list_add_and_remove_runners(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        await Hosting(door).start()
        headers = await program(door, "administrator")
        path = "/api/v1/runners"
        async with door.http.post(path, json={"name": "cellar"}, headers=headers) as response:
            made = await response.json()
            assert (response.status, made["name"]) == (200, "cellar")
        async with door.http.post(path, json={"name": "cellar"}, headers=headers) as response:
            assert response.status == 409
        async with door.http.post(path, json={"name": ""}, headers=headers) as response:
            assert response.status == 400
        async with door.http.get(path, headers=await program(door)) as response:
            assert response.status == 403
        async with runner(door, "cellar", made["token"]) as cellar:
            await cellar.join()
            await cellar.play((await cellar.hear(Host)).bots)
            async with door.http.get(path, headers=headers) as response:
                (item,) = (await response.json())["items"]
            assert item["connection"]["built_in"] == sorted(NAMES)
            assert (item["connection"]["cores"], item["connection"]["speed"]) == (4, 5e6)
            assert item["connection"]["state"] == "playing"
            one, other = (door.arena.roster.named(name) for name in NAMES[:2])
            assert one is not None
            assert other is not None
            game = door.arena.registry.games["tictactoe"]
            match = await door.arena.conductor.meet(game, (one, other), kind="challenge", rated=False)
            async with door.http.get(f"/api/v1/matches/{match}/runners") as response:
                found = (await response.json())["items"]
            assert {(each["bot"], each["runner"], each["speed"]) for each in found} == {
                (one.bot.id, "cellar", 5e6),
                (other.bot.id, "cellar", 5e6),
            }
            control = door.arena.registry.time_control(game)
            hidden = PlannedMatch(game, (one, other), "challenge", rated=False, time_control=control, seed=1)
            match = await door.arena.conductor.hold(replace(hidden, anonymous=True))
            async with door.http.get(f"/api/v1/matches/{match}/runners") as response:
                assert (await response.json())["items"] == [], "they would tell the bots of a live anonymous match"
            async with door.http.post(f"{path}/remove", json={"name": "cellar"}, headers=headers) as response:
                assert (response.status, await response.json()) == (200, {"removed": "cellar"})
            assert await cellar.closed() == CloseCode.REMOVED
        async with door.http.post(f"{path}/remove", json={"name": "cellar"}, headers=headers) as response:
            assert response.status == 404
        async with door.http.get("/api/v1/matches/999/runners") as response:
            assert response.status == 404


async def test_a_silent_runner_is_lost_and_one_that_speaks_is_not() -> None:
    gone = asyncio.Event()
    heard: list[FromRunner] = []
    row = RunnerRow(1, "cellar", "hash", 0.0, None)
    silent = RunnerConnection(row, "127.0.0.1", 0.05, lambda _, message: heard.append(message), lambda _: gone.set())
    silent.receive('{"type":"beat","free":3}')
    assert heard == [Beat(3)]
    async with asyncio.timeout(PATIENCE):
        await gone.wait()
    assert (silent.over, silent.close_reason) == (True, "silent for 0.05 s")
    silent.receive('{"type":"beat","free":3}')
    assert heard == [Beat(3)], "what comes later is not heard"
