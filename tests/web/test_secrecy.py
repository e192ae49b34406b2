# SPDX-License-Identifier: GPL-3.0-or-later
"""A watcher who compares everything that the server sends during two matches learns nothing that is hidden.

Twins (``tests.secrecy``) are matches that differ only in what one seat knows. Each is played over the server's sockets
in an arena of its own, whose clocks stand still. All that others receive before the end is the same, byte for byte and
in the same order, but for the commitment. ``CHANNELS`` lists what they can receive: a new one is to be added there.
"""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path
from typing import Any, get_args

import pytest
from aiohttp import ClientWebSocketResponse, hdrs

from arena.cli import main
from arena.cli import packages as command_packages
from arena.features.accounts.part import AccountsPart
from arena.features.feeds.part import FeedsPart
from arena.features.feeds.rows import EVENTS
from arena.matches import new_match
from arena.protocol.messages import BotMessage
from arena.protocol.watching import SpectatorMessage
from arena.suspension import PlayClock
from engine.game import Game
from engine.match import machine
from tests.arena.peers import PATIENCE, Duel, Message, duel, ready, until
from tests.engine.match.guessing import GAME as GUESSING
from tests.features.accounts.people import program
from tests.secrecy import Twins, all_twins, games_with_secrets, twins
from tests.web.door import Door, opened, unhurried


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


CHANNELS = {
    "the other seat": "its whole socket, with `sync`, in every game",
    "spectators": "the whole watch socket and the lobby, in every game",
    "API": "every GET route by discovery in one game; those of a match in every game; as visitor and administrator",
    "pages, embeds, pictures, feeds, health, metrics": "GET routes, likewise",
    "exports": "GET routes, and `arena matches export`: refused until the end",
    "webhooks": "no event before the end; the kinds of events are known",
    "search info": "in moves and `thinking`, in every game; never shown before the end",
    "standard error": "all that the server logs, at every level",
    "command line": "commands that read matches from the database",
    "timing": "clocks stand still, so number and order of messages are compared, and not their times",
}
"""What others than a seat can receive of a running match, and what here compares it."""

NOW = 1_800_000_000.0
"""Unix time of both arenas."""
PAGES = "/matches/1", "/matches/1?ply=1", "/matches/1?seat=0", "/matches/1?seat=1", "/matches", "/embed/matches/1", "/"
ANSWERS = (
    "/matches/1",
    "/matches/1/moves",
    "/matches/1?seat=0",
    "/matches/1?seat=1",
    "/matches/1/moves?seat=0",
    "/matches/1/moves?seat=1",
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
PICTURES = (
    "/matches/1/position.svg",
    "/matches/1/position.svg?ply=1",
    "/matches/1/position.png",
    "/matches/1/position.svg?seat=0",
    "/matches/1/position.svg?seat=1",
)
TOLD_AFTERWARDS = (
    "/api/v1/matches/1/export?format=jsonl",
    "/api/v1/matches/1/position",
    "/api/v1/matches/1/lines",
    "/api/v1/matches/1/moves?seat=0",
)
SEEN_BY_THE_OTHER = "/api/v1/matches/1/moves?seat=1"
"""The view of the seat that cannot tell the matches apart."""

FILLED = {"id": "1", "other": "2", "version": "1", "path": "x", "file": "x", "slash": "/"}
"""Values of the parts of paths; ``name`` is the game."""
ASKED = {
    "algorithm": "minimax",
    "bot": "1",
    "bots": "1,2",
    "depth": "1",
    "format": "jsonl",
    "one": "1",
    "other": "2",
    "ply": "1",
    "seat": "0",
    "status": "live",
    "text": "first",
    "version": "1",
}
"""Values of parameters that choose a match or a part of its record, and of those that must be given."""
FILTERS = words(
    "active after before dynamics evaluation kind language limit moves name nodes opponent people players"
) | words("position reverse since sort state switches system time time_class tournament until")
"""Parameters that the test leaves out: they select a part of an answer, or concern no match."""
POSTED = words(
    "account accounts bots email-confirmations genome-views genomes invitations islands opponent-models "
    "password-estimates password-resets people populations runners sessions tournaments verifications"
)
"""Subjects of POST routes. None answers with a match."""
COMMANDS = words(
    "accounts backup bots database genome islands leaderboard matches nodes operators people pictures quarantine "
    "runners tournament verify webhooks"
)
"""Commands that read the database. Among them ``matches`` and ``pictures`` show running matches; ``leaderboard`` and
``verify`` read results and finished matches, ``tournament`` what its page shows. ``backup`` copies the whole database:
who has the file, or the database, knows everything.
"""
RUNNING = (
    ("matches", "list", "--status", "live"),
    ("matches", "list", "--status", "live", "--json"),
    ("matches", "show", "1"),
    ("matches", "show", "1", "--json"),
    ("matches", "show", "1", "--seat", "0"),
    ("matches", "show", "1", "--seat", "0", "--json"),
    ("matches", "export", "1"),
    ("pictures", "1", "--out", "{folder}/one.svg"),
    ("pictures", "1", "--out", "{folder}/view.svg", "--seat", "0"),
)
ANOTHER_TIME = re.compile(r"process_|python_|_seconds|_created")
"""Metrics that are times, or about the process and not about matches."""


def plain(text: str) -> str:
    """Return a text without commitments, and without what belongs to one arena: port, account and name of the feed."""
    text = re.sub(r"\b[0-9a-f]{64}\b", "#", text)
    text = re.sub(r"127\.0\.0\.1:\d+|person-[a-h]+", "#", text)
    text = re.sub(r'"seed":\d+', "", text)  # of openings, which these games do not have
    return re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "#", text)


@contextmanager
def standing(pair: Twins, world: int) -> Iterator[None]:
    """Stop all clocks that others see, and deal as in one of the twins."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(new_match, "dice_secret", lambda: f"{pair.seeds[world]:032x}")
        patch.setattr(machine, "roll", pair.roll)
        patch.setattr(PlayClock, "now", lambda self: 0.0)
        patch.setattr("time.time", lambda: NOW)
        yield


async def frames(socket: ClientWebSocketResponse, ply: int) -> list[str]:
    """Return the frames about the match up to the move of a ply, without those that say that a clock runs: it depends
    on the spectator whether they come before the move. They tell no search info.
    """
    found: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while True:
            frame = await socket.receive_str()
            message = json.loads(frame)
            if message["type"] == "live-thinking":
                assert message.keys() <= {"type", "match", "ply", "seat", "info", "elapsed", "age"}
                assert message["info"] == {}
                continue
            found.append(plain(frame))
            if message.get("made", message.get("seen", {})).get("ply", -1) >= ply:
                return found


async def played(door: Door, one: Twins, world: int) -> tuple[Duel, dict[str, Any]]:
    """Play one of the twins; return the match, and what the other seat and spectators received."""
    match = one.matches()[world]
    number = await duel(door.arena, one.game.name, rated=True)
    peers = number.first, number.second
    turn = await peers[one.actions[0][0]].next("turn")
    async with door.http.ws_connect(door.watch_url) as socket:
        await socket.send_json({"type": "follow", "match": number.match, "thinking": True})
        watched = await frames(socket, 0)
        for index, (seat, texts) in enumerate(one.actions):
            turn = turn if index == 0 else await peers[seat].next("turn")
            info = searched(texts[world], world) if seat == one.knowing else {"score": 0.5}
            peers[seat].send(type="thinking", match=number.match, ply=turn["ply"], info=info)
            peers[seat].send(type="move", match=number.match, ply=turn["ply"], move=texts[world], info=info)
        watched += await frames(socket, match.ply)
    async with door.http.ws_connect(door.watch_url) as socket:
        await socket.send_json({"type": "follow-lobby"})
        # its version counts messages to spectators, of which one may tell several changes
        lobby = re.sub(r'"version":\d+', "", await socket.receive_str())
    blind = peers[1 - one.knowing]
    if 1 - one.knowing in match.asked:
        await blind.next("turn")
    blind.send(type="sync", match=number.match)
    await blind.next("match")
    return number, {"watch": watched, "lobby": plain(lobby), "seat": [plain(json.dumps(each)) for each in blind.log]}


def searched(move: str, world: int) -> Message:
    """Return search info that tells what its seat knows."""
    return {
        "score": float(world),
        "depth": 1 + world,
        "nodes": 10 + world,
        "pv": [move] * (1 + world),
        "expected": [{"move": move, "probability": 0.25 + world / 2}],
        "candidates": [{"move": move, "visits": 7 + world, "win": 0.25 + world / 2}],
    }


async def got(door: Door, path: str, headers: Mapping[str, str]) -> tuple[int, str | bytes]:
    """Return the status and the body of an answer."""
    async with door.http.get(f"http://{door.address}{path}", headers=dict(headers)) as response:
        body = await response.read()
        return response.status, plain(body.decode()) if response.charset or "json" in response.content_type else body


@pytest.mark.parametrize(
    ("game", "knowing"),
    [each for each in all_twins() if each[0] is not GUESSING],
    ids=lambda value: getattr(value, "name", value),
)
async def test_twins_look_the_same_to_all_others_before_the_end(game: Game, knowing: int, tmp_path: Path) -> None:
    pair = twins(game, knowing)

    async def everything(world: int) -> dict[str, Any]:
        folder = tmp_path / str(world)
        folder.mkdir()  # nothing runs yet that could wait for it
        with standing(pair, world):
            async with opened(folder, unhurried(game.name)) as door:
                await ready(door.arena)
                _, received = await played(door, pair, world)
                paths = [*(f"/api/v1{path}" for path in ANSWERS), *PICTURES, *PAGES]
                return received | {path: await got(door, path, {}) for path in paths}

    one, other = [await everything(world) for world in (0, 1)]
    assert one.keys() == other.keys()
    for name, found in one.items():
        assert found == other[name], name
    assert one["/api/v1/matches/1"][0] == 200
    assert one["/matches/1"][0] == 200
    assert one["/api/v1/matches/1/export?format=jsonl"][0] == 400
    for seat in (0, 1):
        for path in (f"/api/v1/matches/1?seat={seat}", f"/api/v1/matches/1/moves?seat={seat}"):
            assert one[path][0] == 400, "nobody asks for what a seat sees before the end"
            assert "what a seat saw of match 1 is secret until its end" in str(one[path][1])
        assert one[f"/matches/1/position.svg?seat={seat}"][0] == 400
        assert one[f"/matches/1?seat={seat}"][0] == 200, "the page shows what everybody may see"
    assert ("#" in one["watch"][0]) == game.chance, "the commitment is shown"


async def swept(door: Door, game: str) -> dict[str, tuple[int, str | bytes]]:
    """Return the answers of all GET routes, as a visitor and an administrator get them. Fails for a route, or a
    parameter, of which nobody has said how it is asked.
    """
    document = json.loads((await got(door, "/api/v1/openapi.json", {}))[1])
    found = {}
    people: dict[str, Mapping[str, str]] = {"visitor": {}, "administrator": await program(door, "administrator")}
    accounts = door.arena.part(AccountsPart)
    await until(lambda: not accounts.first_code)  # the arena looks for accounts that others made from time to time
    hook = {"url": "https://example.org/hook", "events": list(EVENTS)}
    address = f"http://{door.address}/api/v1/account/webhooks"
    async with door.http.post(address, json=hook, headers=people["administrator"]) as response:
        assert response.status == 200, await response.text()
    posted = set()
    for resource in door.application.router.resources():
        methods = {route.method for route in resource}
        path = resource.canonical
        if hdrs.METH_POST in methods:
            posted.add(path.split("/")[3])
        if hdrs.METH_GET not in methods:
            continue
        filled = path.format(**FILLED, name=game)
        listed = document["paths"].get(path, {}).get("get", {}).get("parameters", [])
        parameters = [each for each in listed if each["in"] == "query"]
        unknown = {each["name"] for each in parameters} - ASKED.keys() - FILTERS - {"game"}
        assert not unknown, f"say how {path} is asked about a match with {unknown}"
        every = ASKED | {"game": game}
        query = "&".join(f"{each['name']}={every[each['name']]}" for each in parameters if each["name"] in every)
        asked = [filled, f"{filled}?{query}"] if query else [filled, f"{filled}?ply=1"]
        for headers in people:
            for each in asked:
                found[f"{headers} {each}"] = await got(door, each, people[headers])
    assert posted == POSTED, "say what the answers of these POST routes tell"
    return found


async def test_every_channel_tells_the_same_of_twins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = next(each for each in games_with_secrets() if each.chance and each is not GUESSING)
    pair = twins(game, 0)

    async def everything(world: int) -> dict[str, Any]:
        folder = tmp_path / str(world)
        folder.mkdir()  # nothing runs yet that could wait for it
        capsys.readouterr()
        with standing(pair, world):
            async with opened(folder, unhurried(game.name)) as door:
                await ready(door.arena)
                number, received = await played(door, pair, world)
                received |= await swept(door, game.name)
                for asked in ("seat=0", "viewer=0", "full=true"):
                    for path in ("/api/v1/matches/1", "/api/v1/matches/1/moves"):
                        assert (await got(door, f"{path}?{asked}", {}))[0] == 400, "nobody asks for another view"
                received["events"] = await door.arena.part(FeedsPart)._gatherer.gather(NOW)
                logged = capsys.readouterr().err
                received |= await told_by_commands(folder, capsys)
                received["log"] = untimed(logged)
                for peer in (number.first, number.second):
                    peer.send(type="resign", match=number.match)
                await number.first.next("over")
                received["after"] = [await got(door, path, {}) for path in TOLD_AFTERWARDS]
                received["view of the other seat"] = await got(door, SEEN_BY_THE_OTHER, {})
        return received

    one, other = [await everything(world) for world in (0, 1)]
    after, others = one.pop("after"), other.pop("after")
    assert after != others
    assert [status for status, _ in after] == [200] * len(TOLD_AFTERWARDS)
    assert one.keys() == other.keys()
    for name, found in one.items():
        if "/metrics" in name and isinstance(found, tuple):
            found, other[name] = [
                [line for line in str(each[1]).splitlines() if not ANOTHER_TIME.search(line)]
                for each in (found, other[name])
            ]
        assert found == other[name], (name, *unlike(found, other[name]))
    assert one["log"], "the server logs that the match started"
    assert one["events"] == 0, "webhooks hear of ends"
    assert one["view of the other seat"][0] == 200
    assert one["matches show 1"][0] == 0
    assert one["matches show 1 --seat 0"][0] == 2
    assert one["matches export 1"][0] == 2


def unlike(one: object, other: object) -> list[str]:
    """Return the lines in which two answers differ."""
    first, second = (str(each).replace("\\n", "\n").splitlines() for each in (one, other))
    return list(unified_diff(first, second, n=0, lineterm=""))


def untimed(logged: str) -> list[str]:
    """Return the lines of a log without times, sorted, as tasks take turns in any order, and without the sizes of
    compressed answers: they depend on the digits of the commitment.
    """
    lines = (re.sub(r"^\S+ \S+ |milliseconds=\S+|bytes=\d+|\x1b\[\d*m", "", line) for line in logged.splitlines())
    return sorted(plain(line) for line in lines)


async def told_by_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return what commands print, and write, of the running match."""
    found: dict[str, Any] = {}
    for words in RUNNING:
        code = await asyncio.to_thread(main, [*(each.format(folder=folder) for each in words), "--data", str(folder)])
        printed = capsys.readouterr()
        found[" ".join(words)] = code, *(plain(each).replace(str(folder), "#") for each in printed)
    return found | {"picture": (folder / "one.svg").read_text("utf-8")}


def test_commands_that_read_the_database_are_known() -> None:
    found = {
        path.stem
        for package in command_packages()
        for path in Path(*package.split(".")).glob("*.py")
        if "support.records import" in path.read_text("utf-8")
    }
    assert found == COMMANDS, "a command that shows running matches shows what spectators see"


def test_messages_and_events_are_known() -> None:
    """A new message of bots or spectators, or a new event of webhooks, is a new channel."""
    assert {each.__struct_config__.tag for each in get_args(SpectatorMessage)} == {
        f"{before}follow{of}" for before in ("", "un") for of in ("", "-lobby", "-tournament", "-leaderboard")
    }
    assert {each.__struct_config__.tag for each in get_args(BotMessage)} == words(
        "hello move thinking resign offer-draw answer-draw sync availability challenge answer-challenge "
        "withdraw-challenge"
    )
    assert set(EVENTS) == words("match.over tournament.over bot.quarantined version.accepted version.rejected")
    assert CHANNELS
