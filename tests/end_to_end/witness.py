# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots that remember what the arena told them for good, to be held against its records."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from engine.formats import find
from tests.end_to_end.server import Server
from tests.web.players import Message, RawBot, connected

PATIENCE = 600.0
"""Seconds until what is waited for must have come."""


class Witness:
    """A bot that plays at random through every restart and records every message that it cannot receive again."""

    def __init__(self, name: str, token: str, games: Sequence[str] = ("checkers",), pace: float = 0.0) -> None:
        """``pace``: seconds it thinks."""
        self.name = name
        self.acknowledged: dict[tuple[int, int], str] = {}
        """The move by match and ply."""
        self.over: dict[int, Message] = {}
        self.resumed: set[int] = set()
        """Matches that came back after a lost connection."""
        self._known: set[int] = set()
        self._token = token
        self._games = games
        self.pace = pace
        self._sent: dict[tuple[int, int], str] = {}
        self._heard: deque[Message] = deque(maxlen=12)
        """The newest messages, for a failure."""

    async def play(self, url: Callable[[], str]) -> None:
        """Play until cancelled, connecting again whenever the connection is lost."""
        while True:
            try:
                async with connected(url()) as bot:
                    await bot.hello(self._token, self._games, capacity=2)
                    while True:
                        await self._hear(bot, await bot.hear())
            except (OSError, WebSocketException):
                await asyncio.sleep(0.1)

    async def _hear(self, bot: RawBot, message: Message) -> None:
        self._heard.append(message)
        match message["type"]:
            case "turn":
                await self.answer(bot, message)
            case "accepted":
                place = message["match"], message["ply"]
                assert place not in self.acknowledged, "a move is accepted once"
                self.acknowledged[place] = self._sent[place]
            case "match":
                (self.resumed if message["match"] in self._known else self._known).add(message["match"])
                start = len(message["opening"])
                for ply, played in enumerate(message["moves"], start):
                    known = self.acknowledged.get((message["match"], ply))
                    assert known in (None, played["move"]), "what was acknowledged comes back"
                mine = [ply for number, ply in self.acknowledged if number == message["match"]]
                assert max(mine, default=-1) < start + len(message["moves"])
            case "over":
                assert message["match"] not in self.over, "a match ends once"
                self.over[message["match"]] = message
            case "error":
                raise AssertionError(message, list(self._heard))

    async def answer(self, bot: RawBot, turn: Message) -> None:
        """Answer a turn."""
        await asyncio.sleep(self.pace)
        # the same move, should the turn come again
        move = Random(f"{self.name} {turn['match']} {turn['ply']}").choice(turn["legal_moves"])
        self._sent[turn["match"], turn["ply"]] = move
        await bot.move(turn, move)


def moves(witnesses: Sequence[Witness]) -> int:
    """Count the moves that were acknowledged."""
    return sum(len(witness.acknowledged) for witness in witnesses)


def ended(witnesses: Sequence[Witness]) -> set[int]:
    """Return the matches of which somebody heard the end."""
    return {number for witness in witnesses for number in witness.over}


async def until(players: list[asyncio.Task[None]], done: Callable[[], bool]) -> None:
    """Wait until ``done()``; a player that fails ends the wait with its failure."""
    async with asyncio.timeout(PATIENCE):
        while not done():
            for player in players:
                if player.done():
                    player.result()
            await asyncio.sleep(0.005)


async def compare(server: Server, witnesses: list[Witness], *, dated: bool = True) -> None:
    """Compare the messages of the bots with the records of the arena; ``dated``: its dates are in order."""
    # who was cut off right at an end asks the record
    numbers = {number for witness in witnesses for number, _ in witness.acknowledged} | ended(witnesses)
    records = {number: await server.match(number) for number in numbers}
    for number, record in records.items():
        kind = "pdn" if record["game"] == "checkers" else "jsonl"
        text = await server.text(f"/api/v1/matches/{number}/export?format={kind}")
        [exported] = find(kind).read(text.splitlines())
        moves = [*exported.opening, *(played.move for played in exported.moves)]
        assert moves == [move["move"] for move in record["moves"]]
    for witness in witnesses:
        for (number, ply), move in witness.acknowledged.items():
            stored = records[number]["moves"][ply]
            assert (stored["ply"], stored["move"]) == (ply + 1, move)
        for number, over in witness.over.items():
            assert (records[number]["result"], records[number]["termination"]) == (over["result"], over["termination"])
            assert over["termination"] not in ("void", "disconnect", "time"), over

    ratings: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    finished, leaderboards = await _rated(server)
    for match in sorted(finished, key=lambda match: match["finished"]):
        assert match["rated"]
        for player in match["players"]:
            after = player["rating"] + player["rating_change"]
            ratings[match["game"], player["name"]].append((player["rating"], after))
    for game, lines in leaderboards.items():
        for line in lines:
            steps = ratings.pop((game, line["bot"]["name"]))
            assert line["games"] == line["wins"] + line["draws"] + line["losses"] == len(steps)
            assert line["rating"] == pytest.approx(1500 + sum(after - before for before, after in steps))
            if dated:
                assert steps[0][0] == 1500
                assert all(before == pytest.approx(after) for (_, after), (before, _) in pairwise(steps))
    assert not ratings


async def _rated(server: Server) -> tuple[list[Any], dict[str, list[Any]]]:
    """Return the finished matches with a result, and the leaderboard of each game after them.

    They are asked for again if a match has ended in between: bots that have gone lose the matches that they left.
    """
    path = "/matches?status=finished&limit=500"
    finished = await server.all(path)
    while True:
        games = sorted({match["game"] for match in finished if match["result"] != "*"})
        leaderboards = {game: await server.all(f"/leaderboard?game={game}&system=elo") for game in games}
        before, finished = finished, await server.all(path)
        if len(finished) == len(before):
            return [match for match in finished if match["result"] != "*"], leaderboards
