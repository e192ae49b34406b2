# SPDX-License-Identifier: GPL-3.0-or-later
"""The championship of a population: compiled games find a challenger, rated matches in the arena decide.

Most genomes that are best of their population for a moment are no better than the champion. A sequential test of
compiled games rejects these without cost to the arena. A challenger that passes the test enters the ladder and plays
the champion in a tournament that a second sequential test ends. The cross table of a generation is a round robin of
compiled games.

A tournament is identified by its name, so that a restarted breeder finds the tournament that it started.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.rating.sprt import Sprt
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.breeding import Arenas, Breed
from bots.evolution.genome import Genotype, Values
from bots.evolution.operators import Chance
from bots.evolution.population import Population, Result

PATIENCE = 300.0
"""Seconds that a bot may be away: a restart of the breeder takes less."""
_LOOK = 0.3
_RECENT = 100
"""Number of newest tournaments among which the breeder looks for its own."""


def hold(rest: RestClient, config: Mapping[str, Any]) -> int:
    """Create and start a tournament, unless the arena already has it; return its number.

    Raises RequestRefused and OSError.
    """
    number, status = 0, ""
    for item in rest.get(f"/tournaments?limit={_RECENT}")["items"]:
        if (item["name"], item["game"]) == (config["name"], config["game"]) and item["status"] != "cancelled":
            number, status = item["id"], item["status"]
            break
    else:
        created = rest.post("/tournaments", {"rated": True, "patience": PATIENCE, **config})
        number, status = created["id"], created["status"]
    if status == "created":
        rest.post(f"/tournaments/{number}/status", {"status": "running"})
    return number


def finished(rest: RestClient, number: int) -> dict[str, Any]:
    """Wait until a tournament is over and return it. Raises RequestRefused, also for a cancelled one, and OSError."""
    while True:
        view: dict[str, Any] = rest.get(f"/tournaments/{number}")
        if view["status"] == "cancelled":
            raise RequestRefused(409, f"tournament {number} was cancelled")
        if view["over"] is not None:
            return view
        # the API does not announce the end of a tournament; blocking is fine in the breeder's own process
        time.sleep(_LOOK)


def results(view: Mapping[str, Any], pairs: Sequence[tuple[int, int]]) -> tuple[Result, ...]:
    """Return the pairs' results in a tournament of these pairings; an unplayed game counts as a draw."""
    bouts = view["rounds"][0]
    return tuple(
        Result(first, second, (_score(bout["games"][0]), _score(bout["games"][1])))
        for (first, second), bout in zip(pairs, bouts, strict=True)
    )


def _score(game: Mapping[str, Any]) -> float:
    return 0.5 if game["match"] is None else float(game["score"])


TEST = Sprt(0.0, 40.0, 0.05, 0.05, "logistic")
"""A challenger must be this much stronger than the champion."""
ROUND, ROUNDS = 20, 10
"""Pairs of compiled games for each look of the test, and the number of looks; then the champion stays."""
AT_ONCE = 2
"""Concurrent games of a challenge."""


class Champion(msgspec.Struct, frozen=True):
    """The genome that plays on the ladder."""

    values: Values
    generation: int
    member: int


class Trial(msgspec.Struct, frozen=True):
    """A challenger, and the number of its tournament against the champion."""

    challenger: Champion
    tournament: int


def promising(breed: Breed, challenger: Values, champion: Values, arenas: Arenas, chance: Chance) -> bool:
    """Whether a genome beats the champion by the test in compiled code."""
    if challenger == champion:
        return False
    pair = breed.genes.player(Genotype(challenger)), breed.genes.player(Genotype(champion))
    counts = [0] * 5
    for _ in range(ROUNDS):
        for one, other in arenas.play([pair] * ROUND, [chance.getrandbits(63) for _ in range(ROUND)]):
            counts[round(2 * (one.score + other.score))] += 1
        verdict = TEST.verdict(TEST.ratio(counts))
        if verdict is not None:
            return verdict == "H1"
    return False


def summon(rest: RestClient, name: str, game: str, bots: tuple[str, str], seed: int) -> int:
    """Start the tournament of the challenger, the first of two bots, against the champion; return its number.

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
    """Whether the challenger has won; None during the tournament. Raises RequestRefused and OSError."""
    view = rest.get(f"/tournaments/{tournament}")
    if view["over"] is None and view["status"] != "cancelled":
        return None
    return bool(view["test"]["accepted"] == "H1")


MOST = 16
"""Number of members that take part, with the best one among them."""
PAIRS = 2
"""Pairs of games between each two players."""
STANDARD = "standard weights"
CHAMPION = "the champion"


def standing(
    breed: Breed, population: Population, champion: Values | None, arenas: Arenas, chance: Chance
) -> dict[str, Any]:
    """Return the cross table of a round robin in the form of the arena's API."""
    best = breed.best(population)
    others = [member for member in population.members if member.number != best.number]
    players: list[tuple[str, int | None, Values]] = [(STANDARD, None, breed.genes.standard)]
    if champion is not None:
        players.append((CHAMPION, None, champion))
    players += [(f"member {member.number}", member.number, member.values) for member in [best, *others][:MOST]]
    evaluations = [breed.genes.player(Genotype(values)) for _, _, values in players]
    wins = [[0] * len(players) for _ in players]
    for (one, other), both in arenas.round_robin(evaluations, PAIRS, chance):
        for game in both:
            wins[one][other] += game.score == 1
            wins[other][one] += game.score == 0
    return {
        "players": [{"name": name, "member": number} for name, number, _ in players],
        "games": 2 * PAIRS,
        "wins": wins,
    }
