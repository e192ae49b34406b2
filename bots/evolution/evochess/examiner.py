# SPDX-License-Identifier: GPL-3.0-or-later
"""The examiner: tries what demes claim, by games that an arena can trust, as a client of its API.

The genome plays its level's frozen rival as it did in its deme: pairs of games from openings of breeding's part of the
suite, drawn by lots that nobody can foresee. After each portion of pairs it stops where the result is clear
(``arena.rating.claims``). What follows the arena decides; of a genome whose claim holds it is told as well what its
program does on the positions that pages show.
"""

import functools
from random import SystemRandom

import msgspec

from arena.protocol.exchange import Judged, Task, Tasks, Tried
from arena.rating.claims import PORTION, decided, likelihood, verdict
from bots.client.rest import RestClient
from bots.evolution.evochess.contests import AGREED, Played, bred_openings, pair
from bots.evolution.evochess.exhibit import looks_of
from bots.evolution.evochess.genome import express, read
from bots.evolution.steered.player import Player
from bots.evolution.steered.steering import negascout
from engine.games import find

NAME = "this program"
"""How pages call the player of a genome that was tried."""


class Examiner:
    """Tries one claim after the other."""

    def __init__(self, rest: RestClient) -> None:
        self._rest = rest
        self._lots = SystemRandom()

    def step(self) -> Judged | None:
        """Try the claim that is due; None where none is. Raises RequestRefused, and OSError."""
        task = self._rest.post("/verifications", {}, kind=Tasks).task
        if task is None:
            return None
        return self._rest.post(f"/islands/{task.deme}/verifications", self._tried(task), kind=Judged)

    def _tried(self, task: Task) -> Tried:
        game = find(task.game)
        kept = read(msgspec.json.encode(task.genome))
        player = Player(game, express(kept.schema, kept.genome), task.nodes)
        rival = Player(game, negascout(game, task.level))
        every = list(bred_openings(game))
        self._lots.shuffle(every)
        games: list[Played] = []
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
            search_traces=looks_of(kept, NAME) if verdict(chance) == "confirmed" else [],
        )


def _total(games: list[Played], what: str, side: int) -> int:
    return sum(getattr(one, what)[side] for one in games)
