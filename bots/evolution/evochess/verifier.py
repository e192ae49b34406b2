# SPDX-License-Identifier: GPL-3.0-or-later
"""The verifier's process: it plays games to verify the claims of islands, as a client of the arena's API.

The genome plays the frozen rival of its level as it did on its island: pairs of games from the openings that breeding
uses, in an order that nobody can predict. After each portion of pairs the verifier stops if the result is clear
(``arena.rating.claims``). The arena decides what follows. For a confirmed claim the verifier also sends search traces
of the positions that pages show.
"""

import asyncio
import functools
import logging
import sys
from random import SystemRandom
from typing import TextIO

import msgspec

from arena.protocol.island_messages import Judged, Task, Tasks, Tried
from arena.protocol.orders import HostProgress, OperatorOrders
from arena.rating.claims import PORTION, decided, likelihood, verdict
from bots.child_process import leave, obey, report
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.evochess.contests import bred_openings
from bots.evolution.evochess.genome import express, read
from bots.evolution.evochess.genome_view import search_traces
from bots.evolution.evochess.player import Player
from bots.evolution.refereed import AGREED, PlayedGame, pair
from bots.evolution.rivals import Rival
from engine.games import find

NAME = "this program"
"""The name of the verified player on pages."""


class Verifier:
    """Verifies one claim after the other."""

    def __init__(self, rest: RestClient) -> None:
        self._rest = rest
        self._random = SystemRandom()

    def step(self) -> Judged | None:
        """Verify the next claim; None without one. Raises RequestRefused and OSError."""
        task = self._rest.post("/verifications", {}, kind=Tasks).task
        if task is None:
            return None
        return msgspec.convert(
            self._rest.post(f"/islands/{task.island}/verifications", self._verified(task)), type=Judged
        )

    def _verified(self, task: Task) -> Tried:
        game = find(task.game)
        kept = read(msgspec.json.encode(task.genome))
        player = Player(game, express(kept.schema, kept.genome), task.nodes)
        rival = Rival(game, task.level)
        every = list(bred_openings(game))
        self._random.shuffle(every)
        games: list[PlayedGame] = []
        chance = 0.0
        while every:
            for opening in every[:PORTION]:
                games += pair(player, rival, opening, plies=task.plies, ends=AGREED)
            del every[:PORTION]
            score = sum(one.score for one in games) / len(games)
            claimed = min(1.0, task.points / task.games)
            chance = likelihood(claimed, task.games // 2, score, len(games) // 2, members=task.members)
            if decided(chance, len(games) // 2):
                break
        total = functools.partial(_total, games)
        return Tried(
            digest=task.digest,
            level=task.level,
            pairs=len(games) // 2,
            points=sum(one.score for one in games),
            moves=total("moves", 0),
            nodes=total("nodes", 0),
            rival_moves=total("moves", 1),
            rival_nodes=total("nodes", 1),
            search_traces=search_traces(kept, NAME) if verdict(chance) == "confirmed" else [],
        )


def _total(games: list[PlayedGame], what: str, side: int) -> int:
    return sum(getattr(one, what)[side] for one in games)


log = logging.getLogger(__name__)

REST = 2.0
"""Seconds until the next request, if the arena has no claim or does not answer."""


async def verify(orders: OperatorOrders) -> None:
    """Verify claims until cancelled."""
    verifier = Verifier(RestClient(orders.url, orders.token))
    report(HostProgress(ready=True))
    while True:
        try:
            judged = await asyncio.to_thread(verifier.step)
        except (RequestRefused, OSError) as error:
            log.info("the arena accepts no verifications: %s", error)
            judged = None
        if judged is None:
            await asyncio.sleep(REST)


def main(told: TextIO = sys.stdin) -> int:
    """Read the orders and try claims; returns the exit code."""
    return obey("verifier", OperatorOrders, verify, told)


if __name__ == "__main__":
    leave(main())
