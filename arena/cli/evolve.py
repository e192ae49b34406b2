# SPDX-License-Identifier: GPL-3.0-or-later
"""Evolve evaluations or searches by games between genomes.

Every generation is saved as soon as it is bred; the same command goes on where the folder ends, and --from goes back to
an earlier generation first. The same seed breeds the same genomes to the bit, whatever the number of threads.
"""

import argparse
import itertools
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.cli.support import joining, steered
from arena.cli.support.errors import CommandError
from arena.cli.support.output import add_json, print_json, print_table, say
from arena.cli.support.progress import Bars
from bots.evolution.breeder import EVERY, Breeder
from bots.evolution.breeding import VERSION, Arenas, Bred, Breed, bred
from bots.evolution.contests import DEPTH, PLIES
from bots.evolution.demes import MIGRATION, Archipelago, demes_of
from bots.evolution.door import Door, Refused
from bots.evolution.dynamics import DYNAMICS
from bots.evolution.genes import SCHEMAS, Schema, schema_for, schema_named
from bots.evolution.history import BEST, History
from bots.evolution.lookahead import DEEPEST
from bots.evolution.player import label
from bots.evolution.population import Population, deviations, means
from bots.evolution.seats import seated

GROUP = "breed"

SIZE = 50
"""Members of a population (Kendall and Whitwell)."""
GENERATIONS = 100
DEFAULT = "kendall-whitwell"
LEAST = {
    "population": 2,
    "generations": 0,
    "demes": 1,
    "migration": 1,
    "every": 1,
    "threads": 1,
    "depth": 1,
    "plies": 1,
}
MOST = {"threads": 256, "demes": 100, "depth": DEEPEST, "plies": 10_000, "population": 10_000}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder of the run: a new one, or one to continue")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--arena", metavar="URL", help="evolve a population of an arena, such as http://HOST:8080")
    where.add_argument(
        "--join", metavar="URL", help=f"evolve an island of {steered.NAME} here that exchanges genomes with the arena"
    )
    lives = parser.add_argument_group("with --arena")
    lives.add_argument(
        "--token",
        metavar="T",
        help=f"an operator's token (default: ARENA_OPERATOR_TOKEN); with --join an island's (default: {joining.TOKEN})",
    )
    lives.add_argument("--name", default="deme", help="name of the population (default: %(default)s)")
    lives.add_argument("--bot", help="bot whose versions its champions become (default: the population's name)")
    lives.add_argument("--decided", action="store_true", help="play all pairs as rated matches in the arena")
    lives.add_argument(
        "--every", metavar="N", type=int, default=EVERY, help="generations between two tests of a challenger"
    )
    joining.add_arguments(parser)
    parser.add_argument("--game", default="chess", help="name of the game (default: %(default)s)")
    parser.add_argument("--schema", choices=SCHEMAS, help="schema of the genomes (default: the game's first)")
    names = [*DYNAMICS, steered.NAME]
    parser.add_argument(
        "--dynamics", choices=names, help=f"algorithm of evolution (default: {DEFAULT}, with --join {steered.NAME})"
    )
    parser.add_argument(
        "--population",
        metavar="N",
        type=int,
        help=f"number of members (default: {SIZE}, of {steered.NAME} {steered.SIZE})",
    )
    parser.add_argument(
        "--generations",
        metavar="N",
        type=int,
        help=f"number of generations (default: {GENERATIONS}; with --join unlimited)",
    )
    parser.add_argument(
        "--demes", metavar="N", type=int, default=1, help="number of islands that exchange their best members"
    )
    parser.add_argument(
        "--migration", metavar="N", type=int, default=MIGRATION, help="generations between two exchanges"
    )
    parser.add_argument(
        "--seed",
        metavar="S",
        type=int,
        help="seed of all random choices (default: 0; with --join derived from the token)",
    )
    parser.add_argument(
        "--threads", metavar="T", type=int, default=1, help="number of games at once (default: %(default)s)"
    )
    parser.add_argument("--depth", metavar="N", type=int, default=DEPTH, help="search depth in plies (default: 3)")
    parser.add_argument(
        "--plies", metavar="N", type=int, default=PLIES, help="number of plies after which a game is a draw"
    )
    parser.add_argument("--from", metavar="G", dest="back", type=int, help="discard the generations after this one")
    meant = "; ".join(
        f"{name}={dynamic.options[name]:g} ({dynamic.name}): {meaning}"
        for dynamic in DYNAMICS.values()
        for name, meaning in dynamic.meanings.items()
    )
    chosen = f"an option of the dynamics, with its default: {meant}; {steered.meanings()}"
    parser.add_argument("--option", metavar="NAME=X", action="append", default=[], help=chosen)
    parser.add_argument(
        "--weights",
        metavar="FILE",
        type=Path,
        help=f"with {steered.NAME}: initial weights of all members, written by `arena lab tune`",
    )
    parser.add_argument(
        "--guest",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help=f"with {steered.NAME}: a genome to add to the initial population",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Breed, save and tell."""
    joins = arguments.join is not None
    if not joins and (arguments.out is None) == (arguments.arena is None):
        raise CommandError("choose where to run: --out FOLDER, --arena URL or --join URL")
    if arguments.dynamics is None:
        arguments.dynamics = steered.NAME if joins else DEFAULT
    steers = arguments.dynamics == steered.NAME
    if (arguments.weights is not None or arguments.guest) and (joins or not steers):
        raise CommandError(f"--weights and --guest are for --dynamics {steered.NAME} with --out")
    if joins and not steers:
        raise CommandError(f"--join needs --dynamics {steered.NAME} (got {arguments.dynamics})")
    if arguments.population is None:
        arguments.population = steered.SIZE if steers else SIZE
    for name in LEAST:
        given = getattr(arguments, name)
        if given is not None and not LEAST[name] <= given <= MOST.get(name, given):
            raise CommandError(f"--{name} must be from {LEAST[name]} to {MOST.get(name, 'any')}, not {given}")
    if joins:
        return joining.join(arguments, _options(arguments))
    if arguments.generations is None:
        arguments.generations = GENERATIONS
    if arguments.seed is None:
        arguments.seed = 0
    if steers:
        return steered.evolve(arguments, _options(arguments))
    try:
        breed = breed_of(arguments)
        if arguments.arena is not None:
            if arguments.demes > 1:
                raise CommandError("--arena runs one population; start one command for each, with different names")
            return _breed_there(breed, arguments)
        if arguments.demes > 1:
            return _breed_demes(breed, arguments)
        with History.open(arguments.out, breed, at=arguments.back) as history:
            began = time.monotonic()
            fresh = _breed(history, arguments.generations, arguments.threads, quiet=arguments.json)
            seconds = time.monotonic() - began
    except (KeyError, ValueError) as error:
        raise CommandError(error.args[0]) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    answer = summary(breed, history.bred, fresh, seconds, history.folder / BEST)
    if arguments.json:
        print_json(answer)
    else:
        _show(breed.genes, answer)
    return 0


def _breed_demes(breed: Breed, arguments: argparse.Namespace) -> int:
    """Evolve islands that exchange their best genomes. Raises ValueError and OSError."""
    breeds = demes_of(breed, arguments.demes, arguments.migration)
    with (
        Archipelago.open(arguments.out, breeds, at=arguments.back) as demes,
        Bars(quiet=arguments.json) as bars,
        _arenas(breed, arguments.threads) as arenas,
    ):
        began = time.monotonic()
        bar = bars.add_task("breeding", total=arguments.generations, completed=demes.generation)
        fresh: list[Bred] = []
        missing = max(0, arguments.generations - demes.generation)
        for every in itertools.islice(demes.bred(arenas), missing):
            fresh += every
            bars.update(bar, advance=1)
        seconds = time.monotonic() - began
        winner = demes.best(arenas)
        histories = demes.histories
        each = [summary(one.breed, one.bred, (), 0.0, one.folder / BEST) for one in histories]
        answer = summary(breeds[winner], histories[winner].bred, fresh, seconds, demes.folder / BEST)
    answer |= {"games": sum(one["games"] for one in each), "best_deme": winner + 1, "demes": each}
    if arguments.json:
        print_json(answer)
        return 0
    genes = [breed.genes.genes[place] for place in breed.genes.free]
    rows = [
        (number, *(f"{one['mean'][gene.name]:,.2f} ± {one['sigma'][gene.name]:,.2f}" for gene in genes))
        for number, one in enumerate(each, 1)
    ]
    rows.append(("standard", *(f"{gene.standard:,.2f}" for gene in genes)))
    print_table(("deme", *(gene.name for gene in genes)), rows)
    say(f"generation {answer['generation']} of {breed.dynamics}, after {answer['games']:,} games")
    if fresh:
        say(f"{answer['games_per_second']:,.1f} games/s, {answer['evaluations_per_second']:,.0f} evaluations/s")
    say(f"the best genome, of island {winner + 1}, is in {answer['best']}")
    return 0


def _breed_there(breed: Breed, arguments: argparse.Namespace) -> int:
    """Evolve a population that plays in an arena. Raises ValueError, and CommandError if the arena refuses."""
    token = arguments.token or os.environ.get("ARENA_OPERATOR_TOKEN", "")
    door, bot = Door(arguments.arena, token), arguments.bot or arguments.name
    try:
        with (
            seated(arguments.arena) as seats,
            Bars(quiet=arguments.json) as bars,
            _arenas(breed, arguments.threads) as arenas,
        ):
            breeder = Breeder(
                breed, arguments.name, door, bot, every=arguments.every, seats=seats, decides=arguments.decided
            )
            breeder.begin()
            bar = bars.add_task("breeding", total=arguments.generations)
            while (done := breeder.kept.population.generation) < arguments.generations:
                bars.update(bar, completed=done)
                breeder.step(arenas)
    except Refused as error:
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
    if arguments.json:
        print_json(answer)
    else:
        say(f"{arguments.name} is at generation {population.generation}; its champion is {answer['champion']}")
    return 0


def _arenas(breed: Breed, threads: int) -> Arenas:
    return Arenas(breed.genes.game, threads, depth=breed.depth, plies=breed.plies)


def breed_of(arguments: argparse.Namespace) -> Breed:
    """Return the evolution settings. Raises KeyError and ValueError, with a message for people."""
    schema = schema_for(arguments.game) if arguments.schema is None else schema_named(arguments.schema)
    if schema.game != arguments.game:
        raise ValueError(f"{schema.name} is for {schema.game}, not for {arguments.game}")
    options = _options(arguments)
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


def _options(arguments: argparse.Namespace) -> dict[str, float]:
    try:
        return dict(map(_option, arguments.option))
    except ValueError as error:
        raise CommandError(str(error)) from error


def _option(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not an option; write NAME=NUMBER") from None


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
