# SPDX-License-Identifier: GPL-3.0-or-later
"""A population that an arena stores: its breeder is a client of the arena's public API.

The arena stores every generation with everything that the next one follows from, so a killed breeder loses at most one
generation. At regular intervals the best member is tested against the champion (``bots.evolution.championship``); the
winner plays on the ladder as champion. The best rated genome that is not the breeder's own, of whatever bot, enters the
population, so genomes that win in the arena have children.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bots.client.rest import RestClient
from bots.evolution import genome
from bots.evolution.breeding import Arenas, Breed, played
from bots.evolution.championship import Champion, Trial, finished, hold, promising, results, standing, summon, verdict
from bots.evolution.genome import Genotype, Schema
from bots.evolution.islands import immigrated
from bots.evolution.operators import chance_for
from bots.evolution.player import label
from bots.evolution.population import Population, deviations, means, validated
from bots.evolution.seats import Seats

EVERY = 10
"""Generations between two challenges of the champion, and between two newcomers."""

ENTRANCE = 120.0
"""Timeout in seconds for a genome to enter; it waits for the last match of its seat."""

LEAST_GAMES = 4
"""Least number of rated games of a newcomer."""
VISITS = 3
"""Number of times that one genome enters, because bad luck in its first two games leaves it without children."""


class Kept(msgspec.Struct, frozen=True):
    """The breeder's state, which the arena stores with every generation."""

    population: Population
    champion: Champion | None = None
    trial: Trial | None = None
    """The current challenge of the champion."""
    admitted: tuple[str, ...] = ()
    """The versions of earlier newcomers, once for each time."""
    places: tuple[int, ...] = ()
    """The number of each member's bot, if the arena decides."""


class Breeder:
    """Breeds one population; ``bot`` is the name that its champions play under.

    With ``seats`` it lets the champion play in the arena, and its challengers as another bot; where the arena
    ``decides`` all members do, and every pair is a pair of rated matches there. Without them somebody else plays the
    champion, and challengers are tried in compiled code only.
    """

    def __init__(
        self,
        breed: Breed,
        name: str,
        rest: RestClient,
        bot: str,
        *,
        every: int = EVERY,
        seats: Seats | None = None,
        decides: bool = False,
    ) -> None:
        """Raises ValueError if ``decides`` is set without seats."""
        if decides and seats is None:
            raise ValueError("the arena can decide only with seats")
        kind = breed.genes
        if not kind.hosted or breed.islands > 1:
            raise ValueError("an arena runs one population of weights, or of strategies of the dilemma")
        if not kind.games_decide and (decides or seats is not None):
            raise ValueError(f"members of {kind.name} do not play; their expected payoffs decide")
        self._breed = breed
        self._kind = kind
        self._name = name
        self._rest = rest
        self._bot = bot
        self._every = every
        self._seats = seats
        self._decides = decides
        self._number = 0
        (population,) = breed.begin()
        self.kept = Kept(population, places=tuple(range(len(population.members))) if decides else ())

    @property
    def _schema(self) -> Schema:
        """The kind of a population of weights, whose members play."""
        assert isinstance(self._kind, Schema), "only weights have champions"
        return self._kind

    @property
    def champion(self) -> Champion | None:
        """The champion on the ladder; None before the first challenge."""
        return self.kept.champion

    @property
    def _challenger(self) -> str:
        """The name of the challenger's bot."""
        return f"{self._bot}-next"

    def begin(self) -> None:
        """Register the population, or continue the arena's. Raises RequestRefused, ValueError, OSError."""
        self._number = self._rest.post("/populations", self._spec())["id"]
        about = self._rest.get(f"/populations/{self._number}")
        if about["generations"]:
            report = self._rest.get(f"/populations/{self._number}/newest")
            kept = msgspec.convert(report["kept"], Kept)
            validated(kept.population, self._kind)
            self.kept = kept
        else:
            self._report(self.kept)
        if self._seats is not None:
            self._be_seated(self._seats)

    def _be_seated(self, seats: Seats) -> None:
        """Start the bots that are to play."""
        names = [self._bot, self._challenger]
        if self._decides:
            names += [self._seat(place) for place in range(len(self.kept.population.members))]
        unknown = [name for name in names if not seats.known(name)]
        if unknown:
            for seat in self._rest.post(f"/populations/{self._number}/seats", {"names": unknown})["items"]:
                seats.admit(seat["name"], seat["token"])
        if self.kept.champion is not None:
            seats.enter(self._bot, self._schema, self.kept.champion.values)
        if self.kept.trial is not None:
            seats.enter(self._challenger, self._schema, self.kept.trial.challenger.values)

    def step(self, arenas: Arenas) -> bool:
        """Breed one generation and report it; return whether there is another champion.

        Nothing has changed when it raises RequestRefused or OSError.
        """
        kept, tournament, reading = self.kept, None, None
        if self._decides:
            tournament = self._called(kept)
            scored = results(finished(self._rest, tournament), self._pairs(kept))
            population = self._breed.advance(kept.population, scored)
        else:
            population = played(self._breed, [kept.population], arenas)[0].population
        following = msgspec.structs.replace(kept, population=population)
        if kept.trial is not None:
            following = self._judged(following, kept.trial)
        if self._kind.games_decide and population.generation % self._every == 0:
            if following.trial is None:
                following = self._crowned(following, arenas)
            following = self._admitted(following)
            champion = None if following.champion is None else following.champion.values
            chance = chance_for(self._breed.seed, population.generation, "standing")
            reading = standing(self._breed, following.population, champion, arenas, chance)
        if self._decides:
            places = seated_alike(kept.population, kept.places, following.population)
            following = msgspec.structs.replace(following, places=places)
        self._report(following, tournament, reading)
        self.kept = following
        if self._seats is not None and following.champion is not None and following.champion != kept.champion:
            self._seats.enter(self._bot, self._schema, following.champion.values)
        return following.champion != kept.champion

    # ---------------------------------------------------------------- decisions by the arena

    def _seat(self, place: int) -> str:
        """Return the name of a member's bot."""
        return f"{self._bot}-{place + 1}"

    def _pairs(self, kept: Kept) -> list[tuple[int, int]]:
        return self._breed.pairs(kept.population)

    def _called(self, kept: Kept) -> int:
        """Let the arena play the pairs of a generation; return the tournament's number."""
        assert self._seats is not None, "checked at the beginning"
        population, schema = kept.population, self._schema
        pairs = self._pairs(kept)
        seats = {
            member.number: self._seat(place) for member, place in zip(population.members, kept.places, strict=True)
        }
        playing = sorted({number for pair in pairs for number in pair})
        entrances = [
            self._seats.enter(seats[number], schema, population.member(number).values, ladder=False)
            for number in playing
        ]
        for entrance in entrances:
            entrance.result(ENTRANCE)
        config = {
            "name": f"{self._name}, generation {population.generation}",
            "game": schema.game,
            "format": {
                "kind": "fixed-pairings",
                "pairs": [[playing.index(one), playing.index(other)] for one, other in pairs],
            },
            "entries": [{"name": seats[number]} for number in playing],
            "seed": chance_for(self._breed.seed, population.generation, "matches").getrandbits(52),
        }
        return hold(self._rest, config)

    # ---------------------------------------------------------------- the championship

    def _crowned(self, kept: Kept, arenas: Arenas) -> Kept:
        """Test the best member against the champion; with seats, start its challenge in the arena."""
        population = kept.population
        best = self._breed.best(population)
        challenger = Champion(best.values, population.generation, best.number)
        if kept.champion is not None:
            chance = chance_for(self._breed.seed, self.kept.population.generation, "championship")
            if not promising(self._breed, challenger.values, kept.champion.values, arenas, chance):
                return kept
            if self._seats is not None:
                return msgspec.structs.replace(kept, trial=self._tried(challenger, self._seats))
        self._present(self._bot, challenger)
        return msgspec.structs.replace(kept, champion=challenger)

    def _tried(self, challenger: Champion, seats: Seats) -> Trial:
        """Start a challenge: the challenger enters the ladder and plays the champion."""
        self._present(self._challenger, challenger)
        seats.enter(self._challenger, self._schema, challenger.values).result(ENTRANCE)
        name = f"{self._name}: generation {challenger.generation} challenges the champion"
        seed = chance_for(self._breed.seed, challenger.generation, "challenge").getrandbits(52)
        bots = self._challenger, self._bot
        return Trial(challenger, summon(self._rest, name, self._schema.game, bots, seed))

    def _judged(self, kept: Kept, trial: Trial) -> Kept:
        """End a decided challenge; a winner becomes the champion."""
        won = verdict(self._rest, trial.tournament)
        if won is None:
            return kept
        if self._seats is not None:
            self._seats.leave(self._challenger)
        if won:
            self._present(self._bot, trial.challenger)
            kept = msgspec.structs.replace(kept, champion=trial.challenger)
        return msgspec.structs.replace(kept, trial=None)

    def _present(self, bot: str, champion: Champion) -> None:
        """Send the genome of a bot's next version to the arena."""
        schema = self._schema
        lineage = {"population": self._name, "generation": champion.generation, "member": champion.member}
        body = {
            "bot": bot,
            "version": label(schema, champion.values),
            "game": schema.game,
            "genome": msgspec.json.decode(genome.write(schema, champion.values, lineage)),
        }
        self._rest.post("/genomes", body)

    # ---------------------------------------------------------------- newcomers

    def _admitted(self, kept: Kept) -> Kept:
        """Add the best rated genome of another bot to the population, first those that entered least often."""
        if not self._breed.dynamic.hosts:
            return kept
        came, own = Counter(kept.admitted), (self._bot, self._challenger)
        items = [
            item
            for item in self._rest.get(f"/genomes?game={self._schema.game}")["items"]
            if item["bot"] not in own and item["rating"] is not None and item["games"] >= LEAST_GAMES
        ]
        for item in sorted(items, key=lambda item: came[item["version"]]):
            if came[item["version"]] >= VISITS:
                break
            try:
                schema, values = genome.read(msgspec.json.encode(item["genome"]))
            except ValueError:
                continue
            if schema != self._schema:
                continue
            chance = chance_for(self._breed.seed, kept.population.generation, "newcomers")
            population = immigrated(self._schema, kept.population, [(str(item["bot"]), Genotype(values))], chance)
            admitted = (*kept.admitted, str(item["version"]))
            return msgspec.structs.replace(kept, population=population, admitted=admitted)
        return kept

    # ---------------------------------------------------------------- reports

    def _spec(self) -> dict[str, Any]:
        breed, kind = self._breed, self._kind
        return {
            "name": self._name,
            "game": kind.game,
            "schema": kind.name,
            "dynamics": breed.dynamics,
            "seed": breed.seed,
            "size": breed.size,
            "genes": [
                {"name": gene.name, "low": gene.low, "high": gene.high, "standard": gene.standard}
                for gene in kind.genes
            ],
            "options": breed.all_options,
            "decided": self._decides,
        }

    def _played_as(self, kept: Kept, place: int) -> dict[str, str]:
        """Return a member's bot and version, if it plays in the arena."""
        if not self._decides:
            return {}
        values = kept.population.members[place].values
        return {"bot": self._seat(kept.places[place]), "version": label(self._schema, values)}

    def _report(self, kept: Kept, tournament: int | None = None, reading: Mapping[str, Any] | None = None) -> None:
        population = kept.population
        members: Sequence[Any] = population.members
        census = self._kind.census([member.genotype for member in members])
        self._rest.post(
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
                    | self._played_as(kept, place)
                    for place, member in enumerate(members)
                ],
                "best": self._breed.best(population).number,
                "champion": None if kept.champion is None else label(self._schema, kept.champion.values),
                "trial": None if kept.trial is None else kept.trial.tournament,
                "tournament": tournament,
                "reading": reading,
                "census": None if census is None else census._asdict(),
                "kept": kept,
            },
        )


def seated_alike(before: Population, places: Sequence[int], after: Population) -> tuple[int, ...]:
    """Return the seats of a generation: members of the generation before keep theirs, others get free ones."""
    kept = {member.number: place for member, place in zip(before.members, places, strict=True)}
    staying = {kept[member.number] for member in after.members if member.number in kept}
    free = (place for place in range(len(after.members)) if place not in staying)
    return tuple(kept[member.number] if member.number in kept else next(free) for member in after.members)


__all__ = ["Breeder", "Champion", "Kept"]
