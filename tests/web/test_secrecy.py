# SPDX-License-Identifier: GPL-3.0-or-later
"""A watcher who compares everything that the server sends during two matches learns nothing that is hidden.

Twins (``tests.secrecy``) are matches that differ only in what one seat knows. Each is played over the server's sockets
in an arena of its own. All that the other seat, a spectator and a visitor of the API and the pages receive before the
end is the same, byte for byte, but for the commitment and for times.
"""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse

from arena.matches import new_match
from engine.game import Game
from engine.match import machine
from tests.arena.peers import PATIENCE, Message, duel, ready
from tests.engine.match.guessing import GAME as GUESSING
from tests.secrecy import Twins, all_twins, twins
from tests.web.door import Door, opened, unhurried

TIMES = frozenset(
    {"started", "finished", "clock", "clocks", "clocks_at", "elapsed", "network", "waited", "age", "time", "created"}
)
"""Fields that depend on the time at which something happens."""
PAGES = "/matches/1", "/matches/1?ply=1", "/matches", "/embed/matches/1", "/"
ANSWERS = (
    "/matches/1",
    "/matches/1/moves",
    "/matches/1/series",
    "/matches",
    "/matches?status=live",
    "/matches/1/export?format=jsonl",
    "/matches/1/summary",
    "/matches/1/opening",
    "/matches/1/position?ply=1",
    "/matches/1/lines?ply=1",
    "/bots",
)
PICTURES = "/matches/1/position.svg", "/matches/1/position.svg?ply=1", "/matches/1/position.png"


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


async def frames(socket: ClientWebSocketResponse, ply: int) -> list[Message]:
    """Return the messages about the match up to the move of a ply."""
    found: list[Message] = []
    async with asyncio.timeout(PATIENCE):
        while True:
            message = json.loads(await socket.receive_str())
            found.append(message)
            if message.get("made", message.get("seen", {})).get("ply", -1) >= ply:
                return found


async def everything(folder: Path, one: Twins, world: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Play one of the twins on a server of its own; return what others than the knowing seat receive."""
    game = one.game
    monkeypatch.setattr(new_match, "dice_secret", lambda: f"{one.seeds[world]:032x}")
    monkeypatch.setattr(machine, "roll", one.roll)
    async with opened(folder, unhurried(game.name)) as door:
        await ready(door.arena)
        return await _received(door, one, world)


async def _received(door: Door, one: Twins, world: int) -> dict[str, Any]:
    match = one.matches()[world]
    number = await duel(door.arena, one.game.name, rated=True)
    peers = number.first, number.second
    received: dict[str, Any] = {}
    first = one.actions[0][0]
    turn = await peers[first].next("turn")
    async with door.http.ws_connect(door.watch_url) as socket:
        await socket.send_json({"type": "follow", "match": number.match, "thinking": True})
        stored = await frames(socket, 0)
        for index, (seat, texts) in enumerate(one.actions):
            turn = turn if index == 0 else await peers[seat].next("turn")
            info = {"score": float(world), "pv": [texts[world]]} if seat == one.knowing else {"score": 0.5}
            peers[seat].send(type="thinking", match=number.match, ply=turn["ply"], info=info)
            peers[seat].send(type="move", match=number.match, ply=turn["ply"], move=texts[world], info=info)
        stored += await frames(socket, match.ply)
    received["watch"] = masked([each for each in stored if each["type"] != "live-thinking"])
    blind = peers[1 - one.knowing]
    if 1 - one.knowing in match.asked:
        await blind.next("turn")
    blind.send(type="sync", match=number.match)
    await blind.next("match")
    received["seat"] = masked(blind.log)
    for path in ANSWERS:
        async with door.http.get(f"http://{door.address}/api/v1{path}") as response:
            text = await response.text()
            received[path] = response.status, masked(json.loads(text)) if text[:1] in "{[" else text
    for path in PICTURES:
        async with door.http.get(f"http://{door.address}{path}") as response:
            received[path] = response.status, await response.read()
    for path in PAGES:
        async with door.http.get(f"http://{door.address}{path}") as response:
            received[f"page {path}"] = response.status, masked_text(await response.text())
    lobby = door.arena.lobby()
    received["lobby"] = [
        (board.diagram, board.aside, board.squares, board.ply, board.to_move) for board in lobby.boards
    ]
    return received


@pytest.mark.parametrize(
    ("game", "knowing"),
    [each for each in all_twins() if each[0] is not GUESSING],
    ids=lambda value: getattr(value, "name", value),
)
async def test_twins_look_the_same_to_all_others_before_the_end(
    game: Game, knowing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = twins(game, knowing)
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()  # nothing runs yet that could wait for it
    one, other = [await everything(folders[world], pair, world, monkeypatch) for world in (0, 1)]
    assert one.keys() == other.keys()
    for name, found in one.items():
        assert found == other[name], name
    assert one["/matches/1"][0] == 200
    assert one["page /matches/1"][0] == 200
    assert one["/matches/1/export?format=jsonl"][0] == 400
    assert one["watch"]
