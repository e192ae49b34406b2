# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena evolve`` for evaluation weights: in a folder, on islands, in an arena, and ``--show``."""

import argparse
import itertools
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import Bars, print_answer, print_json, print_table, say
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.breeding import VERSION, Arenas, Bred, Breed, bred
from bots.evolution.dynamics import DYNAMICS
from bots.evolution.genome import Schema, schema_for, schema_named
from bots.evolution.history import BEST, History, read
from bots.evolution.hosted_population import Breeder
from bots.evolution.islands import Archipelago, islands_of
from bots.evolution.player import label
from bots.evolution.plots import draw
from bots.evolution.population import Member, Population, deviations, means
from bots.evolution.seats import seated

ROWS = 20
"""Generations in the table of ``--show``, about evenly apart."""


def breed_of(arguments: argparse.Namespace, options: dict[str, float]) -> Breed:
    """Return the evolution settings. Raises KeyError and ValueError, with a message for people."""
    schema = schema_for(arguments.game) if arguments.schema is None else schema_named(arguments.schema)
    if schema.game != arguments.game:
        raise ValueError(f"{schema.name} is for {schema.game}, not for {arguments.game}")
    if "generations" in DYNAMICS[arguments.dynamics].options:
        options.setdefault("generations", float(arguments.generations))
    breed = Breed(
        version=VERSION,
        schema=schema.name,
        dynamics=arguments.dynamics,
        size=arguments.population,
        seed=arguments.seed,
        options=options,
        depth=arguments.depth,
        plies=arguments.plies,
    )
    # what cannot begin is refused before there is a folder
    breed.begin()
    return breed


def evolve(breed: Breed, arguments: argparse.Namespace) -> int:
    """Evolve one population in a folder. Raises ValueError and OSError."""
    with History.open(arguments.out, breed, at=arguments.back) as history:
        began = time.monotonic()
        fresh = _breed(history, arguments.generations, arguments.threads, quiet=arguments.json)
        seconds = time.monotonic() - began
    answer = summary(breed, history.bred, fresh, seconds, history.folder / BEST)
    if arguments.json:
        print_json(answer)
    else:
        _show(breed.genes, answer)
    return 0


def evolve_islands(breed: Breed, arguments: argparse.Namespace) -> int:
    """Evolve islands that exchange their best genomes. Raises ValueError and OSError."""
    breeds = islands_of(breed, arguments.islands, arguments.migration)
    with (
        Archipelago.open(arguments.out, breeds, at=arguments.back) as islands,
        Bars(quiet=arguments.json) as bars,
        _arenas(breed, arguments.threads) as arenas,
    ):
        began = time.monotonic()
        bar = bars.add_task("breeding", total=arguments.generations, completed=islands.generation)
        fresh: list[Bred] = []
        missing = max(0, arguments.generations - islands.generation)
        for every in itertools.islice(islands.bred(arenas), missing):
            fresh += every
            bars.update(bar, advance=1)
        seconds = time.monotonic() - began
        winner = islands.best(arenas)
        histories = islands.histories
        each = [summary(one.breed, one.bred, (), 0.0, one.folder / BEST) for one in histories]
        answer = summary(breeds[winner], histories[winner].bred, fresh, seconds, islands.folder / BEST)
    answer |= {"games": sum(one["games"] for one in each), "best_island": winner + 1, "islands": each}
    if arguments.json:
        print_json(answer)
        return 0
    genes = [breed.genes.genes[place] for place in breed.genes.free]
    rows = [
        (number, *(f"{one['mean'][gene.name]:,.2f} ± {one['sigma'][gene.name]:,.2f}" for gene in genes))
        for number, one in enumerate(each, 1)
    ]
    rows.append(("standard", *(f"{gene.standard:,.2f}" for gene in genes)))
    print_table(("island", *(gene.name for gene in genes)), rows)
    say(f"generation {answer['generation']} of {breed.dynamics}, after {answer['games']:,} games")
    if fresh:
        say(f"{answer['games_per_second']:,.1f} games/s, {answer['evaluations_per_second']:,.0f} evaluations/s")
    say(f"the best genome, of island {winner + 1}, is in {answer['best']}")
    return 0


def evolve_in_arena(breed: Breed, arguments: argparse.Namespace) -> int:
    """Evolve a population that plays in an arena. Raises ValueError, and CommandError if the arena refuses."""
    token = arguments.token or os.environ.get("ARENA_OPERATOR_TOKEN", "")
    rest, bot = RestClient(arguments.arena, token), arguments.bot or arguments.name
    try:
        with (
            seated(arguments.arena) as seats,
            Bars(quiet=arguments.json) as bars,
            _arenas(breed, arguments.threads) as arenas,
        ):
            breeder = Breeder(
                breed, arguments.name, rest, bot, every=arguments.every, seats=seats, decides=arguments.decided
            )
            breeder.begin()
            bar = bars.add_task("breeding", total=arguments.generations)
            while (done := breeder.kept.population.generation) < arguments.generations:
                bars.update(bar, completed=done)
                breeder.step(arenas)
    except RequestRefused as error:
        raise CommandError(f"{arguments.arena} refused the request: {error}") from error
    except OSError as error:
        raise CommandError(f"{arguments.arena} does not answer: {error}") from error
    population, champion = breeder.kept.population, breeder.champion
    answer = {
        "name": arguments.name,
        "generation": population.generation,
        "games": population.games,
        "mean": by_gene(population, means(population.members)),
        "sigma": by_gene(population, deviations(population.members)),
        "champion": None if champion is None else label(breed.genes, champion.values),
    }
    print_answer(
        arguments,
        answer,
        f"{arguments.name} is at generation {population.generation}; its champion is {answer['champion']}",
    )
    return 0


def _arenas(breed: Breed, threads: int) -> Arenas:
    return Arenas(breed.genes.game, threads, depth=breed.depth, plies=breed.plies)


def _breed(history: History, generations: int, threads: int, *, quiet: bool) -> list[Bred]:
    """Run the missing generations; return them."""
    there = history.bred[-1].population
    missing = generations - there.generation
    fresh: list[Bred] = []
    if missing <= 0:
        return fresh
    breed = history.breed
    with Bars(quiet=quiet) as bars, _arenas(breed, threads) as arenas:
        bar = bars.add_task("breeding", total=generations, completed=there.generation)
        for one in itertools.islice(bred(breed, there, arenas), missing):
            history.add(one)
            fresh.append(one)
            bars.update(bar, advance=1, description=f"breeding: {2 * len(one.results) / one.seconds:,.0f} games/s")
    return fresh


def summary(breed: Breed, every: Sequence[Bred], fresh: Sequence[Bred], seconds: float, best: Path) -> dict[str, Any]:
    """Return the result of a run as JSON for programs."""
    population = every[-1].population
    games = sum(2 * len(one.results) for one in fresh)
    return {
        "game": breed.genes.game,
        "schema": breed.schema,
        "dynamics": breed.dynamics,
        "seed": breed.seed,
        "population": breed.size,
        "generation": population.generation,
        "games": population.games,
        "mean": by_gene(population, means(population.members)),
        "sigma": by_gene(population, deviations(population.members)),
        "seconds": round(seconds, 3),
        "games_per_second": games / seconds if fresh else None,
        "evaluations_per_second": sum(one.leaves for one in fresh) / seconds if fresh else None,
        "best": str(best),
        "best_genome": by_gene(population, breed.dynamic.best(population).values),
    }


def by_gene(population: Population, values: Sequence[float]) -> dict[str, float]:
    """Return numbers by the names of the genes."""
    return {gene.name: value for gene, value in zip(population.genes.genes, values, strict=True)}


def _show(schema: Schema, answer: dict[str, Any]) -> None:
    rows = [
        (
            gene.name,
            answer["mean"][gene.name],
            answer["sigma"][gene.name],
            answer["best_genome"][gene.name],
            gene.standard,
        )
        for gene in schema.genes
    ]
    print_table(("gene", "mean", "sigma", "best", "standard"), rows)
    say(f"generation {answer['generation']} of {answer['dynamics']}, after {answer['games']:,} games")
    if answer["games_per_second"] is not None:
        say(f"{answer['games_per_second']:,.1f} games/s, {answer['evaluations_per_second']:,.0f} evaluations/s")
    say(f"the best genome is in {answer['best']}")


# ---------------------------------------------------------------- a finished run


def show(arguments: argparse.Namespace) -> int:
    """Show the weights by generation, and the ancestors of the best genome.

    Raises NotARun, NoMatplotlib, ValueError and OSError.
    """
    breed, every = read(arguments.show)
    if arguments.plot is not None:
        draw(arguments.plot, breed, every)
    lineage = list(_line(every, breed.dynamic.best(every[-1].population), arguments.ancestors))
    if arguments.json:
        answer = summary(breed, every, (), 0.0, arguments.show / BEST)
        print_json(answer | {"generations": [_generation(one.population) for one in every], "lineage": lineage})
        return 0
    genes = [breed.genes.genes[place] for place in breed.genes.free]
    rows = []
    for one in every[:: max(1, len(every) // ROWS)] if len(every) > 1 else every:
        told = _generation(one.population)
        rows.append(
            (
                told["generation"],
                *(f"{told['mean'][gene.name]:,.2f} ± {told['sigma'][gene.name]:,.2f}" for gene in genes),
            )
        )
    rows.append(("standard", *(f"{gene.standard:,.2f}" for gene in genes)))
    print_table(("generation", *(gene.name for gene in genes)), rows)
    for member in lineage:
        told_parents = ", ".join(map(str, member["parents"])) or "no parents"
        say(f"member {member['number']}, {member['origin']} of {told_parents}, born in generation {member['born']}")
    return 0


def _generation(population: Population) -> dict[str, Any]:
    return {
        "generation": population.generation,
        "games": population.games,
        "mean": by_gene(population, means(population.members)),
        "sigma": by_gene(population, deviations(population.members)),
    }


def _line(every: Sequence[Bred], member: Member, most: int) -> Iterator[dict[str, Any]]:
    """Yield a member and its ancestors by first parents, the newest first."""
    known = {one.number: one for bred in every for one in bred.population.members}
    for _ in range(most + 1):
        yield {
            "number": member.number,
            "origin": member.origin,
            "born": member.born,
            "parents": member.parents,
            "values": member.values,
        }
        # a parent that was born and died within one generation is seen in none
        if not member.parents or member.parents[0] not in known:
            return
        member = known[member.parents[0]]
