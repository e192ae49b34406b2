# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is champion: challengers are found by games in compiled code, and decided on by rated matches in the arena.

Most who are best of their population for a moment are no better than the champion. A sequential test in compiled code,
which costs the arena nothing, keeps them away; who passes it enters the ladder and meets the champion there in a
tournament that another such test ends.
"""

from typing import Any

import msgspec

from arena.rating.sprt import Sprt
from bots.client.rest import RestClient
from bots.evolution.breeding import Arenas, Breed
from bots.evolution.events import hold
from bots.evolution.genes import Values
from bots.evolution.operators import Chance

TEST = Sprt(0.0, 40.0, 0.05, 0.05, "logistic")
"""Who is not that much stronger than the champion need not take its place."""
ROUND, ROUNDS = 20, 10
"""Pairs of games that the test in compiled code looks at together, and how often; then the champion stays."""
AT_ONCE = 2
"""Games of a match for the championship that the arena plays at a time."""


class Champion(msgspec.Struct, frozen=True):
    """Who plays on the ladder."""

    values: Values
    generation: int
    member: int


class Trial(msgspec.Struct, frozen=True):
    """A challenger, and the number of the tournament in which it meets the champion."""

    challenger: Champion
    tournament: int


def promising(breed: Breed, challenger: Values, champion: Values, arenas: Arenas, chance: Chance) -> bool:
    """Whether a genome beats the champion by the test in compiled code."""
    if challenger == champion:
        return False
    pair = breed.genes.express(challenger), breed.genes.express(champion)
    counts = [0] * 5
    for _ in range(ROUNDS):
        for one, other in arenas.play([pair] * ROUND, [chance.getrandbits(63) for _ in range(ROUND)]):
            counts[round(2 * (one.score + other.score))] += 1
        verdict = TEST.verdict(TEST.ratio(counts))
        if verdict is not None:
            return verdict == "H1"
    return False


def summon(rest: RestClient, name: str, game: str, bots: tuple[str, str], seed: int) -> int:
    """Let the challenger, the first of two bots, meet the champion; return the tournament's number.

    Raises RequestRefused and OSError.
    """
    test = {"elo0": TEST.elo0, "elo1": TEST.elo1, "alpha": TEST.alpha, "beta": TEST.beta, "model": TEST.model}
    config: dict[str, Any] = {
        "name": name,
        "game": game,
        "format": {"kind": "sprt", "pairs": ROUND * ROUNDS, **test},
        "entries": [{"name": bot} for bot in bots],
        "seed": seed,
        "concurrency": AT_ONCE,
    }
    return hold(rest, config)


def verdict(rest: RestClient, tournament: int) -> bool | None:
    """Whether the challenger has won; None as long as they play. Raises RequestRefused and OSError."""
    view = rest.get(f"/tournaments/{tournament}")
    if view["over"] is None and view["status"] != "cancelled":
        return None
    return bool(view["test"]["accepted"] == "H1")
