# SPDX-License-Identifier: GPL-3.0-or-later
"""No answer reveals search info, hidden players or dice too early."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from arena.store.rows import NewMatch
from engine.games import find
from lab.proofs.attacks.peepers import OVER, Peeper, guessed_seeds, peeping, predicted, walk
from tests.arena.peers import PATIENCE, ready, until
from tests.web.door import Door, opened, unhurried
from tests.web.players import Message, RawBot, connected, first_move
from tests.web.test_match import get
from tests.web.test_tournaments import cup, operator, post

pytestmark = pytest.mark.asyncio(loop_scope="session")


def report(ply: int) -> Message:
    """What a bot tells of its search, another thing at every ply."""
    return {"score": ply + 0.125, "depth": ply, "nodes": 7_770_000 + ply, "pv": ["a1"]}


@asynccontextmanager
async def seated(door: Door, *names: str, game: str = "tictactoe", **hello: Any) -> AsyncIterator[list[RawBot]]:
    """Connect new bots, which the ladder leaves alone."""
    async with AsyncExitStack() as stack:
        bots = []
        for name in names:
            registered, token = await door.register(name)
            bot = await stack.enter_async_context(connected(door.play_url))
            await bot.hello(token, [game], ladder=False, **hello)
            bots.append(bot)
            assert registered == name
        yield bots


async def challenged(one: RawBot, other: RawBot, name: str, game: str = "tictactoe") -> int:
    """Start a match by a challenge."""
    await one.say("challenge", opponent=name, game=game)
    offer = await other.hear("challenged")
    await other.say("answer-challenge", challenge=offer["challenge"], accept=True)
    found: int = (await one.hear("match"))["match"]
    return found


async def told(door: Door, peeper: Peeper, bots: Sequence[RawBot], moves: int = 9) -> list[list[Message]]:
    """Play a match with search info, at most ``moves`` moves; after each, let the peeper read all answers. Return the
    peeper's known moves after each move.
    """
    knew: list[list[Message]] = []
    turns = [asyncio.create_task(bot.hear("turn", "over")) for bot in bots]
    try:
        for _ in range(moves):
            done, _ = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
            task = done.pop()
            turn, mover = task.result(), turns.index(task)
            if turn["type"] == "over":
                break
            await bots[mover].move(turn, first_move(turn), report(turn["ply"] + 1))
            await bots[mover].hear("accepted")
            turns[mover] = asyncio.create_task(bots[mover].hear("turn", "over"))
            await peeper.until(turn["ply"] + 1)
            knew.append(copied(peeper.moves))
            await peeper.ask(door.http)
            if peeper.over is None:
                answer = await get(door, f"/matches/{peeper.match}", "MatchDetailAnswer")
                # the end may have been told while the answer was on its way
                if answer["status"] == "live" and peeper.over is None:
                    assert [move.get("info") for move in answer["moves"]] == [
                        move.get("info") for move in peeper.moves
                    ], "the stream and the record tell the same"
    finally:
        for task in turns:
            task.cancel()
        await asyncio.gather(*turns, return_exceptions=True)
    return knew


def copied(moves: list[Message]) -> list[Message]:
    """Moves as they are now."""
    found: list[Message] = json.loads(json.dumps(moves))
    return found


async def test_search_info_is_public_one_move_late(door: Door) -> None:
    async with seated(door, "peeper", "peeped") as bots:
        match = await challenged(bots[0], bots[1], "peeped")
        async with peeping(f"http://{door.address}", match) as peeper:
            await told(door, peeper, bots)
            await peeper.until_over()
            assert peeper.early == []
            plies = len(peeper.moves)
            assert sorted(peeper.read_at) == list(range(1, plies + 1)), "and nothing is lost"
            assert {ply: read for ply, read in peeper.read_at.items() if read != OVER} == {
                ply: ply + 2 for ply in range(1, plies - 1)
            }
            assert [move["info"] for move in peeper.moves] == [report(ply) for ply in range(1, plies + 1)]


async def test_a_returning_spectator_receives_the_search_info_released_meanwhile(door: Door) -> None:
    async with seated(door, "teller", "told") as bots:
        match = await challenged(bots[0], bots[1], "told")
        async with peeping(f"http://{door.address}", match) as peeper:
            knew = await told(door, peeper, bots, 4)
            for known in range(1, 5):
                async with peeping(f"http://{door.address}", match, copied(knew[known - 1])) as again:
                    await again.until_told()
                    assert again.moves == peeper.moves
            await bots[0].say("resign", match=match)
            await peeper.until_over()
            async with peeping(f"http://{door.address}", match, copied(knew[3])) as again:
                await again.until_over()
                assert again.moves == peeper.moves
            assert [move["info"] for move in peeper.moves] == [report(ply) for ply in range(1, 5)]


async def test_search_info_is_public_at_once_if_both_bots_agree(door: Door) -> None:
    async with seated(door, "open", "open-too", open_info=True) as bots, seated(door, "closed") as [closed]:
        match = await challenged(bots[0], bots[1], "open-too")
        async with peeping(f"http://{door.address}", match) as peeper:
            await told(door, peeper, bots, 4)
            assert peeper.read_at == {ply: ply for ply in range(1, 5)}
        await bots[0].say("resign", match=match)
        await bots[0].hear("over")
        match = await challenged(bots[0], closed, "closed")
        async with peeping(f"http://{door.address}", match) as peeper:
            await told(door, peeper, [bots[0], closed], 4)
            assert peeper.early == []
        await closed.say("resign", match=match)
        await closed.hear("over")


async def test_a_tournament_releases_search_info_after_each_match(door: Door) -> None:
    headers = await operator(door)
    async with seated(door, "rook", "knight") as bots:
        made = (await post(door, "/tournaments", cup("rook", "knight", games=1), headers))[1]
        await post(door, f"/tournaments/{made['id']}/status", {"status": "running"}, headers)
        match = (await bots[0].hear("match"))["match"]
        async with peeping(f"http://{door.address}", match) as peeper:
            await told(door, peeper, bots)
            await peeper.until_over()
            assert set(peeper.read_at.values()) <= {OVER}
            await peeper.ask(door.http)
            assert sorted(peeper.read_at) == [move["ply"] for move in peeper.moves if not move.get("opening")]


# ---------------------------------------------------------------- hidden players


@asynccontextmanager
async def separate(folder: Path, **settings: Any) -> AsyncIterator[Door]:
    """An arena of one's own."""
    async with opened(folder, unhurried(ladder=False, lobby_interval=0.01, **settings)) as door:
        await ready(door.arena)
        yield door


@pytest.fixture
def usual_logs() -> Iterator[None]:
    """Log as structlog does by itself; afterwards as before."""
    before = structlog.get_config()
    structlog.reset_defaults()
    yield
    structlog.configure(**before)


@pytest.mark.usefixtures("usual_logs")
async def test_no_answer_reveals_hidden_players(tmp_path: Path) -> None:
    """Four bots are alike except that two of them play: all answers about them are alike."""
    names = ("aristarchus", "berengar", "callimachus", "demetrius")
    with capture_logs() as logs:
        async with separate(tmp_path, games="tictactoe") as door, seated(door, *names) as bots:
            base, headers = f"http://{door.address}", await operator(door)
            await others_played(door)
            order = cup(*names, games=1, anonymous=True, concurrency=1)
            number = (await post(door, "/tournaments", order, headers))[1]["id"]
            await post(door, f"/tournaments/{number}/status", {"status": "running"}, headers)
            await until(lambda: bool(door.arena.live))
            [match] = door.arena.live
            ids = [row.id for name in names if (row := await door.arena.store.bots.named(name))]
            numbers = {"bots": ids, "matches": [match], "tournaments": [number]}
            async with connected(door.watch_url) as spectator:
                await spectator.say("follow", match=match)
                heard = [await spectator.hear("snapshot")]
                await spectator.say("follow-lobby")
                heard.append(await spectator.hear("lobby"))
                feed = [json.dumps(message) for message in heard]
            answers = await walk(door.http, base, numbers, ["tictactoe"])
            for address, text in answers.items():
                alike(address, text, dict(zip(names, ids, strict=True)), match)
            for text in (*feed, *(text for address, text in answers.items() if f"matches/{match}" in address)):
                assert not any(name in text for name in names), text
            listed = [text for address, text in answers.items() if address.startswith("/api/v1/matches?")]
            assert any(f'"id":{match},' in text for text in listed), "the match itself is no secret"
            assert not any(name in json.dumps(line) for name in names for line in logs if "match" in line)
            [states, _] = await names_at_the_end(door, bots, match, names)
            assert all(min(player["name"] for player in state["players"]) == "" for state in states)


async def others_played(door: Door, matches: int = 9) -> None:
    """Let matches be over that others played."""
    bots = [await door.arena.store.bots.add(name, name) for name in ("early", "bird")]
    one, other = [(await door.arena.store.bots.version(bot.id, "1")).id for bot in bots]
    new = NewMatch("tictactoe", "bullet", "10+0", False, 1, None, (), (one, other))
    for _ in range(matches):
        number = await door.arena.store.matches.start(new)
        await door.arena.store.matches.finish(number, result="*", termination="void", plies=0)


def alike(address: str, text: str, bots: dict[str, int], match: int) -> None:
    """Nothing in an answer sets some of the bots apart."""
    asked = {
        name for name, number in bots.items() if re.search(rf"(/bots/|/versus/|bot=|opponent=){number}\b", address)
    }
    counts = Counter({name: text.count(name) for name in bots if name not in asked})
    assert len(set(counts.values())) == 1, (address, counts)
    if asked:
        assert f'"id":{match},' not in text, address
        assert f"/matches/{match}" not in text, address


async def names_at_the_end(
    door: Door, bots: Sequence[RawBot], match: int, names: Sequence[str]
) -> tuple[list[Message], list[Message]]:
    """Resign the match; players, spectators and the API then show both names."""
    rows = await door.arena.store.matches.get(match)
    assert rows is not None
    sides = [bots[names.index(player.bot)] for player in rows.row.players]
    states = [await bot.hear("match") for bot in sides]
    async with peeping(f"http://{door.address}", match) as peeper:
        await peeper.until(0)
        await sides[0].say("resign", match=match)
        overs = [await bot.hear("over") for bot in sides]
    assert [over["opponent"]["name"] for over in overs] == [player.bot for player in reversed(rows.row.players)]
    answer = await get(door, f"/matches/{match}", "MatchDetailAnswer")
    assert [player["name"] for player in answer["players"]] == [player.bot for player in rows.row.players]
    return states, overs


# ---------------------------------------------------------------- dice


async def test_dice_are_unpredictable_before_and_verifiable_after_a_match(tmp_path: Path) -> None:
    game = find("einstein")
    async with separate(tmp_path, games="einstein") as door, seated(door, "one", "other", game="einstein") as bots:
        base, headers = f"http://{door.address}", await operator(door)
        order = cup("one", "other", games=2) | {"game": "einstein"}
        number = (await post(door, "/tournaments", order, headers))[1]["id"]
        await post(door, f"/tournaments/{number}/status", {"status": "running"}, headers)
        secrets: list[str] = []
        for _ in range(2):
            state, _ = [await bot.hear("match") for bot in bots]
            match = state["match"]
            stored = await door.arena.store.matches.get(match)
            assert stored is not None
            assert stored.row.dice_secret is not None
            answers = await walk(door.http, base, {"matches": [match], "tournaments": [number]}, ["einstein"])
            for address, text in answers.items():
                assert stored.row.dice_secret not in text, address
                assert str(stored.row.dice_seed) not in text, address
            assert state["dice_commitment"] in answers[f"/api/v1/matches/{match}"]
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*(bot.play(first_move, len(secrets) + 1) for bot in bots))
            secrets.append(bots[0].over[match]["dice_secret"])
            answer = await get(door, f"/matches/{match}", "MatchDetailAnswer")
            assert (answer["dice_commitment"], answer["dice_secret"]) == (state["dice_commitment"], secrets[-1])
            moves = [move["move"] for move in answer["moves"]]
            seeds = guessed_seeds([match, number, stored.row.seed], answer["round"])
            hits, of = predicted(game, moves, seeds)
            assert hits < of
            assert predicted(game, moves, [int(secrets[-1], 16)]) == (of, of)
        assert len(set(secrets)) == 2
