# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots that say anything at any time, come and go, and two that just play: nothing breaks, nobody is held up."""

import asyncio
import json
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from arena.application import Arena
from tests.arena.conftest import OpenArena
from tests.arena.peers import Peer, register, seat

GAMES = ["tictactoe", "nim", "ludo"]


def anything(random: Random, matches: list[int]) -> str | bytes:
    """Return a frame: mostly well formed, mostly out of place."""
    match = random.choice([*matches, 1, 2, 3, 10**6])
    messages: list[Any] = [
        {"type": "move", "match": match, "ply": random.randrange(9), "move": random.choice(["a1", "b2", "z9", "1-2"])},
        {"type": "resign", "match": match},
        {"type": "offer-draw", "match": match},
        {"type": "answer-draw", "match": match, "accept": random.random() < 0.5},
        {"type": "sync", "match": match},
        {"type": "availability", "ladder": random.random() < 0.8, "challenges": random.random() < 0.8},
        {"type": "challenge", "opponent": f"mad-{random.randrange(4)}", "game": random.choice(GAMES), "rated": True},
        {"type": "challenge", "opponent": "sane", "game": "tictactoe", "time_control": random.choice(["1+0", "x"])},
        {"type": "answer-challenge", "challenge": random.randrange(1, 40), "accept": random.random() < 0.7},
        {"type": "withdraw-challenge", "challenge": random.randrange(1, 40)},
        {"type": "hello", "protocol": 1, "token": "t", "games": GAMES},
        {"type": random.choice(["turn", "welcome", "", None])},
    ]
    frame = json.dumps(random.choice(messages))
    broken: list[str | bytes] = [frame.encode(), frame[:-3], "x" * 70_000]
    return random.choice(broken) if random.random() < 0.03 else frame


async def rage(arena: Arena, token: str, random: Random) -> None:
    """Connect, say anything, answer some turns, drop, connect again, for ever."""
    while True:
        peer = Peer(arena)
        await peer.hello(token, GAMES, capacity=3)
        for _ in range(random.randrange(100)):
            turns = [message for message in peer.log if message["type"] == "turn"]
            if turns and random.random() < 0.5:
                turn = turns[-1]
                moves = turn["legal_moves"]
                peer.send(type="move", match=turn["match"], ply=turn["ply"], move=random.choice(moves))
            else:
                peer.connection.receive(anything(random, [turn["match"] for turn in turns]))
            await asyncio.sleep(random.random() * 0.003)
        if random.random() < 0.8:
            peer.drop()


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_mad_bots_break_nothing_and_hold_nobody_up(open_arena: OpenArena, seed: int) -> None:
    arena = await open_arena(
        games="tictactoe,nim",
        ladder=True,
        reconnect_grace=0.2,
        challenge_expiry=0.1,
        time_controls="tictactoe=10+0,nim=10+0",
        bad_messages=50,
        message_burst=10_000,
    )
    with capture_logs() as logs:
        mad = []
        for number in range(4):
            token = await register(arena, f"mad-{number}")
            mad.append(asyncio.create_task(rage(arena, token, Random(10 * seed + number))))
        sane = [await seat(arena, name, ["tictactoe"], challenges=False) for name in ("sane", "calm")]
        ends = await asyncio.gather(*(peer.play(matches=15) for peer in sane))
        assert not any(task.done() for task in mad)
        for task in mad:
            task.cancel()
        await asyncio.wait(mad)
    assert not [entry for entry in logs if entry["log_level"] in ("error", "critical")]
    assert arena.metrics.failures._value.get() == 0
    # a well-behaved bot loses only by the rules of the game
    assert {end["termination"] for end in ends[0] + ends[1] if end.get("score") == 0.0} <= {"decided"}
    assert all(message["type"] != "error" for message in sane[0].log + sane[1].log)
