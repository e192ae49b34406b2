# SPDX-License-Identifier: GPL-3.0-or-later
"""How members stand among each other: a round robin in compiled code, with the champion and with what people use."""

from itertools import combinations
from typing import Any

from bots.evolution.breeding import Arenas, Breed
from bots.evolution.genes import Values
from bots.evolution.operators import Chance
from bots.evolution.population import Population

MOST = 16
"""Members that take part; the best is one of them."""
PAIRS = 2
"""Pairs of games of each two."""
STANDARD = "standard weights"
CHAMPION = "the champion"


def standing(
    breed: Breed, population: Population, champion: Values | None, arenas: Arenas, chance: Chance
) -> dict[str, Any]:
    """Return who played and how often each won against each, as an arena takes it in."""
    best = breed.dynamic.best(population)
    others = [member for member in population.members if member.number != best.number]
    players: list[tuple[str, int | None, Values]] = [(STANDARD, None, breed.genes.standard)]
    if champion is not None:
        players.append((CHAMPION, None, champion))
    players += [(f"member {member.number}", member.number, member.values) for member in [best, *others][:MOST]]
    evaluations = [breed.genes.express(values) for _, _, values in players]
    meetings = [pair for pair in combinations(range(len(players)), 2) for _ in range(PAIRS)]
    games = arenas.play(
        [(evaluations[one], evaluations[other]) for one, other in meetings], [chance.getrandbits(63) for _ in meetings]
    )
    wins = [[0] * len(players) for _ in players]
    for (one, other), both in zip(meetings, games, strict=True):
        for game in both:
            wins[one][other] += game.score == 1
            wins[other][one] += game.score == 0
    return {
        "players": [{"name": name, "member": number} for name, number, _ in players],
        "games": 2 * PAIRS,
        "wins": wins,
    }
