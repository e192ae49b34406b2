# SPDX-License-Identifier: GPL-3.0-or-later
"""A breeder: breeds a population that lives in an arena, as a client of its public API.

The arena has every generation, and with it all that the next one follows from, so a breeder that is killed loses at
most the generation that it was at. Every so many generations the best is tried against the champion by a sequential
test; the winner is the champion that plays on the ladder. And the best rated genome that is not the breeder's own, of
whoever brought one, comes into the population, so that what wins in the arena has children.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from arena.rating.sprt import Sprt
from bots.evolution import genome
from bots.evolution.breeding import Arenas, Breed, played
from bots.evolution.demes import immigrated
from bots.evolution.door import Door, Refused
from bots.evolution.genes import Values
from bots.evolution.operators import chance_for
from bots.evolution.player import label
from bots.evolution.population import Population, deviations, means, validated

EVERY = 10
"""Generations between two trials for the championship, and between two newcomers."""

TEST = Sprt(0.0, 40.0, 0.05, 0.05, "logistic")
"""Who is not that much stronger than the champion need not take its place."""
ROUND, ROUNDS = 20, 10
"""Pairs of games that the test looks at together, and how often; then the champion stays."""

LEAST_GAMES = 4
"""Rated games of a genome before its rating tells anything."""
VISITS = 3
"""Times that one genome comes in: who loses its first two games by bad luck leaves no child."""


class Champion(msgspec.Struct, frozen=True):
    """Who plays on the ladder."""

    values: Values
    generation: int
    member: int


class Kept(msgspec.Struct, frozen=True):
    """What the arena keeps for the breeder with every generation."""

    population: Population
    champion: Champion | None = None
    admitted: tuple[str, ...] = ()
    """The versions of newcomers that came before, each as often as it came."""


class Breeder:
    """Breeds one population; ``bot`` is the name that its champions play under."""

    def __init__(self, breed: Breed, name: str, door: Door, bot: str, *, every: int = EVERY) -> None:
        self._breed = breed
        self._name = name
        self._door = door
        self._bot = bot
        self._every = every
        self._number = 0
        self.kept = Kept(breed.begin())

    @property
    def champion(self) -> Champion | None:
        """Who plays on the ladder; nobody before the first trial."""
        return self.kept.champion

    def begin(self) -> None:
        """Register the population, or take it up where the arena has it. Raises Refused, ValueError and OSError."""
        self._number = self._door.post("/populations", self._spec())["id"]
        about = self._door.get(f"/populations/{self._number}")
        if about["generations"]:
            report = self._door.get(f"/populations/{self._number}/newest")
            kept = msgspec.convert(report["kept"], Kept)
            validated(kept.population)
            self.kept = kept
        else:
            self._report(self.kept)

    def step(self, arenas: Arenas) -> bool:
        """Breed one generation and report it; return whether there is another champion.

        Nothing has changed when it raises Refused or OSError.
        """
        kept = self.kept
        population = played(self._breed, kept.population, arenas).population
        following = msgspec.structs.replace(kept, population=population)
        if population.generation % self._every == 0:
            following = self._admitted(self._crowned(following, arenas))
        self._report(following)
        self.kept = following
        return following.champion != kept.champion

    def _crowned(self, kept: Kept, arenas: Arenas) -> Kept:
        """Try the best against the champion."""
        population = kept.population
        best = self._breed.dynamic.best(population)
        champion = Champion(best.values, population.generation, best.number)
        if kept.champion is not None and not self._beats(best.values, kept.champion.values, arenas):
            return kept
        self._present(champion)
        return msgspec.structs.replace(kept, champion=champion)

    def _beats(self, challenger: Values, champion: Values, arenas: Arenas) -> bool:
        if challenger == champion:
            return False
        pair = self._breed.genes.express(challenger), self._breed.genes.express(champion)
        chance = chance_for(self._breed.seed, self.kept.population.generation, "championship")
        counts = [0] * 5
        for _ in range(ROUNDS):
            for one, other in arenas.play([pair] * ROUND, [chance.getrandbits(63) for _ in range(ROUND)]):
                counts[round(2 * (one.score + other.score))] += 1
            verdict = TEST.verdict(TEST.ratio(counts))
            if verdict is not None:
                return verdict == "H1"
        return False

    def _present(self, champion: Champion) -> None:
        """Tell the arena what the next version of the bot is."""
        schema = self._breed.genes
        lineage = {"population": self._name, "generation": champion.generation, "member": champion.member}
        body = {
            "bot": self._bot,
            "version": label(schema, champion.values),
            "game": schema.game,
            "genome": msgspec.json.decode(genome.write(schema, champion.values, lineage)),
        }
        self._door.post("/genomes", body)

    def _admitted(self, kept: Kept) -> Kept:
        """Let the best rated genome come in that is not the breeder's own, those first that came least often."""
        if not self._breed.dynamic.hosts:
            return kept
        came = Counter(kept.admitted)
        items = [
            item
            for item in self._door.get(f"/genomes?game={self._breed.genes.game}")["items"]
            if item["bot"] != self._bot and item["rating"] is not None and item["games"] >= LEAST_GAMES
        ]
        for item in sorted(items, key=lambda item: came[item["version"]]):
            if came[item["version"]] >= VISITS:
                break
            try:
                schema, values = genome.read(msgspec.json.encode(item["genome"]))
            except ValueError:
                continue
            if schema != self._breed.genes:
                continue
            chance = chance_for(self._breed.seed, kept.population.generation, "newcomers")
            population = immigrated(kept.population, [(str(item["bot"]), values)], chance)
            admitted = (*kept.admitted, str(item["version"]))
            return msgspec.structs.replace(kept, population=population, admitted=admitted)
        return kept

    # ---------------------------------------------------------------- what the arena is told

    def _spec(self) -> dict[str, Any]:
        breed, schema = self._breed, self._breed.genes
        return {
            "name": self._name,
            "game": schema.game,
            "schema": schema.name,
            "dynamics": breed.dynamics,
            "seed": breed.seed,
            "size": breed.size,
            "genes": [
                {"name": gene.name, "low": gene.low, "high": gene.high, "standard": gene.standard}
                for gene in schema.genes
            ],
            "options": breed.all_options,
        }

    def _report(self, kept: Kept) -> None:
        population = kept.population
        members: Sequence[Any] = population.members
        self._door.post(
            f"/populations/{self._number}/generations",
            {
                "number": population.generation,
                "games": population.games,
                "mean": means(population.members),
                "sigma": deviations(population.members),
                "members": [
                    {
                        "number": member.number,
                        "values": member.values,
                        "born": member.born,
                        "origin": member.origin,
                        "parents": member.parents,
                        "name": member.name,
                    }
                    for member in members
                ],
                "best": self._breed.dynamic.best(population).number,
                "champion": None if kept.champion is None else label(self._breed.genes, kept.champion.values),
                "kept": kept,
            },
        )


__all__ = ["Breeder", "Champion", "Kept", "Refused"]
