# SPDX-License-Identifier: GPL-3.0-or-later
"""Attackers that spy: on the opponent's search info, on the names of anonymous players, and on future dice.

Each has no more than a stranger's means, the watch socket and GET requests, and what a player of the match knows.
"""

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from aiohttp import ClientSession
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from arena.protocol.codec import WATCH_PATH
from engine.game import CHANCE, Game
from engine.match.dice import roll
from tests.features import declared
from tests.web.players import patient

Message = dict[str, Any]

OVER = 1_000_000
"""In place of a number of plies: the match was over."""

NEWEST = 20
"""Moves at the end of a match that are asked for by themselves."""

PAGES = (
    "/", "/matches", "/matches?status=live", "/matches/{id}", "/leaderboard", "/tournaments", "/tournaments/{id}",
    "/bots", "/bots/{id}", "/connect", "/api", "/healthz", "/metrics", *declared.PAGES,
)  # fmt: skip


# ---------------------------------------------------------------- search info


@dataclass
class Peeper:
    """Follows a match, its own perhaps, and notes of each move how many plies were made when its search info
    could first be read.
    """

    base: str
    """Where the arena answers, as http://host:port."""
    match: int
    read_at: dict[int, int] = field(default_factory=dict)
    """By the ply of the move; OVER where it was over."""
    seats: dict[int, int] = field(default_factory=dict)
    """The seat of each ply."""
    moves: list[Message] = field(default_factory=list)
    """The match as a page would hold it that follows the stream alone."""
    over: Message | None = None
    told: bool = False
    """Whether it has heard anything."""
    heard: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def read(self, socket: ClientConnection) -> None:
        """Learn all that comes on a socket."""
        async for frame in socket:
            async with self.heard:
                self.take(json.loads(frame))
                self.heard.notify_all()

    async def until(self, ply: int) -> None:
        """Wait until it has heard of a ply."""
        async with self.heard:
            await self.heard.wait_for(lambda: len(self.moves) >= ply)

    async def until_told(self) -> None:
        """Wait until it has heard anything."""
        async with self.heard:
            await self.heard.wait_for(lambda: self.told)

    async def until_over(self) -> None:
        """Wait until it has heard of the end."""
        async with self.heard:
            await self.heard.wait_for(lambda: self.over is not None)

    def take(self, message: Message) -> None:
        """Learn from a message of the watch socket."""
        late: list[Message] = []
        self.told = True
        match message["type"]:
            case "snapshot":
                self.moves[message.get("after", 0) :] = message["moves"]
                late, self.over = message.get("late", []), message["seen"].get("ending")
            case "move-made":
                self.moves.append(message["made"])
                late = [message["late"]] if "late" in message else []
            case "match-over":
                late, self.over = message.get("late", []), message["ending"]
        for one in late:
            self.moves[one["ply"] - 1] |= {name: one[name] for name in ("info", "line") if name in one}
        self._note(self.moves, len(self.moves))

    async def ask(self, http: ClientSession) -> None:
        """Learn from the API and from the match's file, as far as they answer."""
        path = f"{self.base}/api/v1/matches/{self.match}"
        answers = []
        beginning = max(0, len(self.moves) - NEWEST)
        for address in (path, f"{path}/moves?after={beginning}", f"{path}/export?format=jsonl", path):
            async with http.get(address) as response:
                if response.status != 200:
                    return
                answers.append(json.loads(await response.text()))
        match, newest, record, after = answers
        # a match that is over now may have been over before
        over = after["status"] == "finished"
        self._note(match["moves"], OVER if over else match["plies"])
        self._note(newest["items"], OVER if over else newest["plies"])
        opening, made = len(record.get("opening", ())), record.get("moves", ())
        numbered = [{"ply": ply, **move} for ply, move in enumerate(made, opening + 1)]
        self._note(numbered, OVER if over else opening + len(numbered))

    def _note(self, moves: Iterable[Message], plies: int) -> None:
        for move in moves:
            if "seat" in move:
                self.seats[move["ply"]] = move["seat"]
            if move.get("info"):
                self.read_at.setdefault(move["ply"], OVER if self.over else plies)

    @property
    def early(self) -> list[int]:
        """The plies whose info could be read before the same side had moved again."""
        return [ply for ply, read in self.read_at.items() if read < self._next(ply)]

    def _next(self, ply: int) -> int:
        later = (other for other in sorted(self.seats) if other > ply and self.seats[other] == self.seats[ply])
        return next(later, OVER)


@asynccontextmanager
async def peeping(base: str, match: int, known: Sequence[Message] = ()) -> AsyncIterator[Peeper]:
    """Follow a match until left; ``known``: its first moves, as a page has them that lost the stream."""
    found = Peeper(base, match, moves=[*known])
    async with patient(f"{base.replace('http', 'ws', 1)}{WATCH_PATH}") as socket:
        await socket.send(json.dumps({"type": "follow", "match": match} | ({"after": len(known)} if known else {})))
        reading = asyncio.create_task(found.read(socket))
        try:
            yield found
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await reading


EARLY = "search info read before it may be"


async def peeping_around(base: str, counts: Counter[str]) -> None:
    """Follow live matches, each for a moment, and count search info that is readable too early."""
    async with ClientSession() as http:
        while True:
            async with http.get(f"{base}/api/v1/matches?status=live&limit=20") as response:
                items = (await response.json())["items"] if response.status == 200 else []
            for number in (item["id"] for item in items):
                async with peeping(base, number) as peeper:
                    for _ in range(4):
                        await peeper.ask(http)
                        await asyncio.sleep(0.2)
                counts["matches followed"] += 1
                counts["moves with search info read"] += len(peeper.read_at)
                counts[EARLY] += len(peeper.early)
            await asyncio.sleep(0.2)


# ---------------------------------------------------------------- names of players


async def walk(
    http: ClientSession, base: str, numbers: Mapping[str, Sequence[int]], games: Sequence[str]
) -> dict[str, str]:
    """Return what every GET route of the OpenAPI document and every page answers, by address.

    ``numbers``: what {id} is tried with, by the first part of the path ("bots").
    """
    async with http.get(f"{base}/api/v1/openapi.json") as response:
        paths = (await response.json())["paths"]
    addresses = list(_pages(numbers))
    for path, operations in paths.items():
        if "get" in operations:
            addresses += _filled(path, operations["get"].get("parameters", []), numbers, games)
    answers = {}
    for address in addresses:
        async with http.get(f"{base}{address}") as response:
            answers[address] = await response.text()
    return answers


def _pages(numbers: Mapping[str, Sequence[int]]) -> Iterator[str]:
    for page in PAGES:
        if "{id}" not in page:
            yield page
        else:
            yield from (page.replace("{id}", str(number)) for number in numbers.get(page.split("/")[1], (1,)))


def _filled(
    path: str, parameters: Sequence[Message], numbers: Mapping[str, Sequence[int]], games: Sequence[str]
) -> Iterator[str]:
    """Yield the addresses of a route: each required parameter with each value that it can have, others not at all but
    those that choose the matches of a bot or a tournament.
    """
    kind = path.removeprefix("/api/v1/").split("/")[0]
    choices: dict[str, list[str]] = {}
    for each in parameters:
        name, known = each["name"], each["schema"].get("enum")
        if name == "id":
            choices[name] = [str(number) for number in numbers.get(kind, (1,))]
        elif name in ("game", "name"):
            choices[name] = list(games)
        elif name == "status":
            choices[name] = ["live", "all"]
        elif name in ("bot", "tournament"):
            choices[name] = ["", *(str(number) for number in numbers.get(f"{name}s", ()))]
        elif each["required"]:
            choices[name] = list(map(str, known or ["1"]))
    for values in itertools.product(*choices.values()):
        address, query = path, []
        for name, value in zip(choices, values, strict=True):
            if f"{{{name}}}" in address:
                address = address.replace(f"{{{name}}}", value)
            elif value:
                query.append(f"{name}={value}")
        yield address + (f"?{'&'.join(query)}" if query else "")


# ---------------------------------------------------------------- dice


def guessed_seeds(numbers: Iterable[int], slot: str | None = None, seeds: int = 1000) -> Iterator[int]:
    """Yield seeds of dice that an attacker can guess: published numbers, small ones, and
    those that a tournament with a small seed would draw for a game (``slot``: round, board and game).
    """
    yield from numbers
    for seed in range(seeds):
        yield seed
        if slot is not None:
            board, _, _ = slot.rpartition(".")
            for purpose in (f"{slot}/dice", *(f"{board}/{pair}" for pair in range(2))):
                yield int.from_bytes(sha256(f"{seed}/{purpose}".encode()).digest()[:8]) >> 1


def predicted(game: Game, moves: Sequence[str], seeds: Iterable[int], shown: int = 4) -> tuple[int, int]:
    """Guess the dice of a game from its beginning: the first ``shown`` rolls choose a seed, which must then give the
    others. Returns how many of those it gave, of how many; none where no seed fits.
    """
    rolls = []
    position = game.look(game.start())
    for ply, text in enumerate(moves):
        if position.to_move == CHANCE:
            rolls.append((position, ply, text))
        position = game.play(position, game.parse_move(position, text))

    def fits(seed: int, position: Any, ply: int, text: str) -> bool:
        return game.format_move(position.state, roll(game, position, seed, ply)) == text

    hidden = rolls[shown:]
    for seed in seeds:
        if all(fits(seed, *each) for each in rolls[:shown]):
            return sum(fits(seed, *each) for each in hidden), len(hidden)
    return 0, len(hidden)
