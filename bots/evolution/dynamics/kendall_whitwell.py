# SPDX-License-Identifier: GPL-3.0-or-later
"""Population dynamics of G. Kendall and G. Whitwell ("An evolutionary approach for the tuning of a chess evaluation
function using population dynamics", CEC 2001).

Two members play two games; a mutant of the winner replaces the loser. Mutation steps are the population's standard
deviations, so steps shrink as the population converges.

The choice of pairs is not published. Here a generation shuffles the population and pairs neighbours, so that all pairs
can play at once and lineages mix; σ is computed once, before any pair is resolved. With ``walk`` a generation plays one
adjacent pair instead, and members keep their places. The paper does not define the result of one win each; here it
counts as two draws.
"""

from collections.abc import Sequence

from bots.evolution.dynamics.dynamic import Dynamic, Options, Pair, shuffled_pairs
from bots.evolution.genome import Kind
from bots.evolution.operators import chance_for, mutated
from bots.evolution.population import Member, Origin, Population, Result, deviations

TWO_WINS, WIN_AND_DRAW = 2.0, 1.5
"""The winner's score in two games."""
LOSERS_FACTOR = {TWO_WINS: 2.0, WIN_AND_DRAW: 1.0}
"""Mutation factor, in σ, of the mutant that replaces the loser."""
WINNERS_FACTOR = 0.2
"""Mutation factor of a winner of fewer than two games."""
EVEN_FACTOR = 0.5
"""Mutation factor of both members after an even pair."""


def pairs(population: Population, seed: int, options: Options) -> list[Pair]:
    """Return the pairs of a generation."""
    members = population.members
    if options["walk"]:
        place = population.generation % (len(members) - 1)
        return [(members[place].number, members[place + 1].number)]
    return shuffled_pairs(members, chance_for(seed, population.generation, "pairs"))


def advance(kind: Kind, population: Population, results: Sequence[Result], seed: int, options: Options) -> Population:
    """Return the next generation: winners stay, losers are replaced."""
    spread = deviations(population.members)
    chance = chance_for(seed, population.generation, "mutation")
    members = {member.number: member for member in population.members}
    number = population.next_number

    def child(parent: Member, factor: float, origin: Origin) -> Member:
        nonlocal number
        number += 1
        values = mutated(kind, parent.values, spread, factor, chance)
        return Member(number - 1, values, population.generation + 1, origin, (parent.number,))

    for first, second, scores, *_ in results:
        total = sum(scores)
        winner, loser = (first, second) if total > 1 else (second, first)
        best, parent = max(total, 2 - total), members[winner]
        if best not in LOSERS_FACTOR:
            for even in (first, second):
                members[even] = child(members[even], EVEN_FACTOR, "drift")
            continue
        members[loser] = child(parent, LOSERS_FACTOR[best], "mutant")
        if best < TWO_WINS:
            members[winner] = child(parent, WINNERS_FACTOR, "drift")
    places = [members[member.number] for member in population.members]
    return population.next(places, number, 2 * len(results))


DYNAMIC = Dynamic(
    "kendall-whitwell",
    "winners of two games stay, mutants of them take the losers' places, steps shrink with the spread",
    pairs,
    advance,
    numeric=True,
    options={"walk": 0.0},
    meanings={"walk": "if 1, only one pair plays per generation: two neighbours in the list of members"},
)
