# SPDX-License-Identifier: GPL-3.0-or-later
"""Duplicate deals in a tournament of a game with hidden information: the first match of a pair stays closed after its
end, until the second one, which has the same cards, is over.

Two servers play with different cards, and their bots act the same way, so that the public sees the same. After the
first match everything that the servers send is the same, byte for byte, but for the commitment and for times.
"""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.protocol.messages import commitment
from arena.records.verification import verify
from arena.tournaments import runner
from engine.games import find
from tests.arena.peers import PATIENCE, ready
from tests.arena.tournaments.test_manager import over
from tests.web.door import Door, opened, unhurried
from tests.web.players import Message, RawBot, connected
from tests.web.test_match import get
from tests.web.test_own_play import built_in, started
from tests.web.test_secrecy import ANSWERS, PAGES, PICTURES
from tests.web.test_tournaments import cup, operator, post

BOTS = ("first", "second")
SECRETS = ("a" * 32, "b" * 32)
"""Of the deals of both servers."""
TIMES = frozenset(
    {"started", "finished", "clock", "clocks", "clocks_at", "elapsed", "network", "waited", "age", "time", "created"}
)
"""Fields that depend on the time at which something happens."""
MORE_ANSWERS = (
    "/matches?status=finished",
    "/matches/export?format=jsonl",
    "/matches/export?format=jsonl&tournament=1",
    "/tournaments/1",
    "/openings",
    "/bots/1",
    "/bots/1/results",
)
MORE_PAGES = "/tournaments/1", "/bots/1", "/feed.atom", "/feed.atom?tournament=1"


def masked(value: Any) -> Any:
    """Return a message without times and commitments."""
    if isinstance(value, dict):
        return {name: masked(each) for name, each in value.items() if name not in TIMES and "commitment" not in name}
    return [masked(each) for each in value] if isinstance(value, list) else value


def masked_text(text: str) -> str:
    """Return a page without times, commitments and tokens of one answer."""
    text = re.sub(r"\b[0-9a-f]{32,64}\b", "#", text)
    text = re.sub(r'nonce[-="][^"\' ]+', "nonce", text)
    text = re.sub(r"\d+(\.\d+)?", "#", text)
    # a time of 0 is left out
    return re.sub(rf'"({"|".join(TIMES)})":(#|null|\[#,#\]),?', "", text)


def folding(turn: Message) -> str:
    """Give up each hand as soon as possible, so that no hand ends by a comparison of cards."""
    legal: list[str] = turn["legal_moves"]
    return next((move for move in ("fold", "bet", "raise") if move in legal), legal[0])


async def playing(bot: RawBot, ended: asyncio.Event, go: asyncio.Event) -> None:
    """Play for ever; after the first match make no move before ``go``."""
    while True:
        message = await bot.hear("turn", "over")
        if message["type"] == "over":
            ended.set()
        elif ended.is_set():
            await go.wait()
            await bot.move(message, folding(message))
        else:
            await bot.move(message, folding(message))


async def received(door: Door) -> dict[str, Any]:
    """Return what visitors and spectators get about the first match, and about all."""
    found: dict[str, Any] = {}
    for path in (*ANSWERS, *MORE_ANSWERS):
        async with door.http.get(f"http://{door.address}/api/v1{path}") as response:
            text = await response.text()
            found[path] = (
                response.status,
                masked(json.loads(text)) if text[:1] in "{[" and "export" not in path else text,
            )
    for path in PICTURES:
        async with door.http.get(f"http://{door.address}{path}") as response:
            found[path] = response.status, await response.read()
    for path in (*PAGES, *MORE_PAGES):
        async with door.http.get(f"http://{door.address}{path}") as response:
            # the ids of a feed are of its server
            text = re.sub("urn:uuid:[^<]*", "", await response.text())
            found[f"page {path}"] = response.status, masked_text(text)
    async with door.http.ws_connect(door.watch_url) as socket:
        await socket.send_json({"type": "follow", "match": 1, "thinking": True})
        told: list[Any] = []
        async with asyncio.timeout(PATIENCE):
            # a match that was opened is not among the recent ones any more
            while not told or (
                told[-1]["type"] == "snapshot" and told[-1]["moves"][-1]["ply"] < told[-1]["seen"]["ply"]
            ):
                told.append(json.loads(await socket.receive_str()))
        found["watch"] = masked(told)
    return found


async def worlds(folder: Path, game: str, secret: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play a pair of matches on a server; return what it sends after the first one, and after the second."""
    async with opened(folder, unhurried(game, ladder=False, built_in_move_time=0.0)) as door:
        await ready(door.arena)
        tokens = [await built_in(door, name) for name in BOTS]
        ended, go = asyncio.Event(), asyncio.Event()
        async with connected(door.play_url) as one, connected(door.play_url) as other:
            for bot, token in zip((one, other), tokens, strict=True):
                await bot.hello(token, [game], ladder=False, capacity=1)
            number = await started(door, cup(*BOTS, game=game, games=2, mirrored_dice=True, concurrency=1, seed=1))
            tasks = [asyncio.create_task(playing(bot, ended, go)) for bot in (one, other)]
            await ended.wait()
            async with asyncio.timeout(PATIENCE):
                while len(await door.arena.store.tournaments.matches(number)) < 2:  # noqa: ASYNC110  # it has no event
                    await asyncio.sleep(0.01)
            closed = await received(door)
            assert secret not in repr(closed)
            go.set()
            await over(door.arena, number)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        shown = await received(door)
        for match in (1, 2):
            answer = await get(door, f"/matches/{match}", "MatchDetailAnswer")
            assert (answer["sealed_until"], answer["dice_secret"]) == (None, secret)
            assert answer["dice_commitment"] == commitment(secret)
            async with door.http.get(f"http://{door.address}/api/v1/matches/{match}/export?format=jsonl") as response:
                assert json.loads(await response.text())["seed"] == int(secret, 16)
        assert (await door.arena.store.audit(verify)).findings == []
        return closed, shown


@pytest.mark.parametrize("game", ["kuhn", pytest.param("holdem/limit", marks=pytest.mark.long)])
async def test_the_deal_of_a_pair_is_hidden_until_its_last_match_is_over(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for place, secret in enumerate(SECRETS):
        monkeypatch.setattr(runner, "dice_secret", lambda secret=secret: secret)
        folder = tmp_path / str(place)
        folder.mkdir()  # nothing runs yet that could wait for it
        found.append(await worlds(folder, game, secret))
    (closed, shown), (other_closed, other_shown) = found
    assert closed.keys() == other_closed.keys()
    for name, each in closed.items():
        assert each == other_closed[name], name
    match = closed["/matches/1"][1]
    assert (match["status"], match["sealed_until"], match["dice_secret"]) == ("finished", "1.1.2", None)
    assert match["result"] != "*"
    assert closed["watch"][0]["type"] == "snapshot"
    assert "?" in {move["move"] for move in match["moves"]}
    # what could be read after the end of other matches
    for path in ("/matches/1/export?format=jsonl", "/matches/1/summary", "/matches/1/position?ply=1"):
        assert closed[path][0] == 400, path
    assert "until game 1.1.2 of its tournament" in json.dumps(closed["/matches/1/position?ply=1"])
    assert closed["/matches/export?format=jsonl"] == (200, "")
    # after the second match both are open, and tell of the deals
    assert shown["/matches/export?format=jsonl"][1].count("\n") == 2
    assert "?" not in {move["move"] for move in shown["/matches/1"][1]["moves"]}
    for name in ("/matches/1", "/matches/1/moves", "/matches/1/export?format=jsonl"):
        assert shown[name] != other_shown[name], name


async def test_duplicate_deals_of_hidden_cards_are_for_unrated_games_of_built_in_bots(tmp_path: Path) -> None:
    assert find("kuhn").secrets is not None
    async with opened(tmp_path, unhurried("kuhn", ladder=False)) as door:
        headers = await operator(door)
        await built_in(door, "one")
        await built_in(door, "two")
        await door.register("stranger")
        asked = {"game": "kuhn", "mirrored_dice": True}
        status, answer = await post(door, "/tournaments", cup("one", "stranger", **asked), headers)
        assert (status, answer["error"]["field"]) == (400, "mirrored_dice")
        assert "for built-in bots, not for stranger" in answer["error"]["message"]
        status, answer = await post(door, "/tournaments", cup("one", "two", rated=True, **asked), headers)
        assert (status, answer["error"]["field"]) == (400, "mirrored_dice")
        assert (await post(door, "/tournaments", cup("one", "two", **asked), headers))[0] == 200
