# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena evolve`` in a folder and in an arena, and ``--show``."""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import Bars, print_answer, print_json, print_table, say
from arena.cli.support.pools import note_of, pool_for
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.breeding import VERSION, Breed, Generation, arenas_of, bred
from bots.evolution.dynamics import DYNAMICS
from bots.evolution.genome import Kind, Schema
from bots.evolution.history import BEST, History, read
from bots.evolution.hosted_population import Breeder
from bots.evolution.kinds import family_of, usual_kind
from bots.evolution.matrix import Matrix
from bots.evolution.player import label
from bots.evolution.plots import draw
from bots.evolution.population import Member, Population, Record, deviations, means
from bots.evolution.seats import seated
from bots.pools.pool import Threads
from engine.search.programs.program import formula

Number = TypeVar("Number", int, float)

ROWS = 20
"""Generations in the table of ``--show``, about evenly apart."""
COLUMNS = 24
"""Most genes with a column of that table; more are shown of the last generation only."""


def breed_of(arguments: argparse.Namespace, options: dict[str, float]) -> Breed:
    """Return validated evolution settings. Raises KeyError and ValueError, with a message for people, and OSError."""
    breed = settings_of(arguments, options)
    # what cannot begin is refused before there is a folder
    breed.begin()
    return breed


def settings_of(arguments: argparse.Namespace, options: dict[str, float]) -> Breed:
    """Return evolution settings whose first generation was not made yet: that compiles the rules of the game.

    Raises as ``breed_of``, but settings that do not go together are refused at the beginning.
    """
    game, schema = arguments.game, arguments.schema
    if schema is None:
        schema = usual_kind(game, rivals=DYNAMICS[arguments.dynamics].rounds is not None)
    elif schema.partition("/")[0] != game:
        raise ValueError(f"{schema} is for {schema.partition('/')[0]}, not for {game}")
    if "generations" in DYNAMICS[arguments.dynamics].options:
        options.setdefault("generations", float(arguments.generations))
    family = family_of(schema)
    return Breed(
        version=VERSION,
        schema=schema,
        dynamics=arguments.dynamics,
        size=1 if DYNAMICS[arguments.dynamics].infinite else arguments.population,
        seed=arguments.seed,
        options=options,
        depth=arguments.depth,
        plies=arguments.plies,
        islands=arguments.islands,
        migration=arguments.migration if arguments.islands > 1 else 0,
        nodes=arguments.nodes,
        share=arguments.share,
        weights=() if arguments.weights is None else family.weights(schema, arguments.weights),
        guests=tuple(family.guest(schema, path) for path in arguments.guest),
        numbers=arguments.numbers,
        matrix=None if arguments.matrix is None else _matrix(family.matrix(schema, arguments.matrix), arguments),
    )


def _matrix(matrix: Matrix, arguments: argparse.Namespace) -> Matrix:
    """Return a matrix with what a run of pure strategies begins with. Raises ValueError."""
    start = dict(named_number(text, int, "--start {} is not a number of members") for text in arguments.start)
    return Matrix(matrix.names, matrix.payoffs, start, arguments.mutation or 0.0)


def named_number(text: str, kind: Callable[[str], Number], error: str) -> tuple[str, Number]:
    """Return the name and the number of an argument NAME=NUMBER.

    ``error``: the message about another text, which replaces {}. Raises ValueError.
    """
    name, _, number = text.rpartition("=")
    try:
        return name, kind(number)
    except ValueError:
        raise ValueError(f"{error.format(repr(text[:80]))}; write NAME=NUMBER") from None


def evolve(breed: Breed, arguments: argparse.Namespace) -> int:
    """Evolve in a folder. Raises ValueError and OSError."""
    history = History.open(arguments.out, breed, at=arguments.back)
    there, last, gameless = history.number, arguments.generations, not breed.genes.games_decide
    with (
        pool_for(arguments.on, arguments.threads, Threads) as pool,
        Bars(quiet=arguments.json, note=note_of(pool)) as bars,
        arenas_of(breed, pool=pool) as arenas,
    ):
        bar = bars.add_task("breeding", total=last, completed=there)
        generations = bred(breed, history.newest, arenas)
        while history.number < last:
            history.add(next(generations))
            speed = "" if gameless else f": {_speed(history.newest):,.1f} games/s"
            bars.update(bar, advance=1, description=f"breeding{speed}")
        winner = history.play_off(arenas)
    fresh = [one for one in history.generations if one[0].population.generation > there]
    answer = summary(breed, history.newest, winner, fresh, arguments.out / BEST)
    if arguments.json:
        print_json(answer)
        return 0
    _tell(breed, history.newest[winner].population)
    games = "" if gameless else f", after {answer['games']:,} games"
    say(f"generation {history.number} of {breed.dynamics}{games}")
    if fresh and not gameless:
        say(f"{answer['games_per_second']:,.1f} games/s, {answer['evaluations_per_second']:,.0f} evaluations/s")
    place = f", of island {winner + 1}," if breed.islands > 1 else ""
    say(f"the best genome{place} is in {answer['best']}")
    return 0


def _speed(*generations: Generation) -> float:
    every = [island for generation in generations for island in generation]
    return sum(2 * len(island.results) for island in every) / max(sum(island.seconds for island in every), 1e-9)


def evolve_in_arena(breed: Breed, arguments: argparse.Namespace) -> int:
    """Evolve a population that plays in an arena. Raises ValueError, and CommandError if the arena refuses."""
    token = arguments.token or os.environ.get("ARENA_OPERATOR_TOKEN", "")
    rest, bot, kind = RestClient(arguments.arena, token), arguments.bot or arguments.name, breed.genes
    if not kind.hosted:
        raise ValueError(f"genomes of {kind.name} need --out{' or --join' if kind.rivals else ''}")
    try:
        with (
            pool_for(arguments.on, arguments.threads, Threads) as pool,
            seated(arguments.arena) as seats,
            Bars(quiet=arguments.json, note=note_of(pool)) as bars,
            arenas_of(breed, pool=pool) as arenas,
        ):
            breeder = Breeder(
                breed,
                arguments.name,
                rest,
                bot,
                every=arguments.every,
                seats=seats if kind.games_decide else None,
                decides=arguments.decided,
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
        "mean": by_gene(kind, means(population.members)),
        "sigma": by_gene(kind, deviations(population.members)),
        "champion": label(kind, champion.values) if champion is not None and isinstance(kind, Schema) else None,
    }
    crowned = f"; its champion is {answer['champion']}" if kind.games_decide else ""
    print_answer(arguments, answer, f"{arguments.name} is at generation {population.generation}{crowned}")
    return 0


def by_gene(kind: Kind, values: Sequence[float]) -> dict[str, float]:
    """Return numbers by the names of the genes."""
    return {gene.name: value for gene, value in zip(kind.genes, values, strict=True)}


def summary(breed: Breed, newest: Generation, best: int, fresh: Sequence[Generation], path: Path) -> dict[str, Any]:
    """Return the result of a run as JSON for programs; ``best``: the island with the best genome."""
    seconds = sum(island.seconds for one in fresh for island in one)
    played = fresh and breed.genes.games_decide
    return {
        "game": breed.genes.game,
        "schema": breed.schema,
        "dynamics": breed.dynamics,
        "seed": breed.seed,
        "population": breed.size,
        **_island(breed, newest[best].population),
        "games": sum(island.population.games for island in newest),
        "nodes": sum(island.population.nodes for island in newest),
        "seconds": round(seconds, 3),
        "games_per_second": _speed(*fresh) if played else None,
        "evaluations_per_second": sum(island.leaves for one in fresh for island in one) / seconds if played else None,
        "best": str(path),
        "best_island": best + 1,
        "islands": [_island(breed, one.population) for one in newest],
    }


def _island(breed: Breed, population: Population) -> dict[str, Any]:
    """Return the state of an island as JSON for programs."""
    kind, best = breed.genes, breed.best(population)
    played = population.state.get("played")
    return {
        "generation": population.generation,
        "games": population.games,
        "nodes": population.nodes,
        "mean": by_gene(kind, means(population.members)),
        "sigma": by_gene(kind, deviations(population.members)),
        "best_genome": by_gene(kind, best.values),
        "best_member": _member(kind, best),
        **_shares(breed, population),
        **({} if played is None else {"level": played["level"], "mean_score": played["mean"], **_scored(played)}),
    }


def _scored(played: dict[str, Any]) -> dict[str, Any]:
    """Return the best member's score in the last games of a population, and its nodes."""
    record = Record(**played["best"])
    return {"best_score": record.points / record.games, "best_games": record.games, "nodes_per_move": _each(record)}


def _each(record: Record) -> float:
    return record.nodes / max(record.moves, 1)


def _shares(breed: Breed, population: Population) -> dict[str, Any]:
    """Return the shares of strategies and the mean payoff of members, where a matrix decides."""
    genotypes = [member.genotype for member in population.members]
    shares, payoffs = breed.genes.shares(genotypes), breed.genes.payoffs(genotypes)
    if payoffs is None:
        return {}
    return ({"shares": shares} if shares else {}) | {"mean_payoff": fmean(payoffs)}


def _member(kind: Kind, member: Member) -> dict[str, Any]:
    genome: dict[str, Any] = {"values": member.values}
    if shares := kind.shares([member.genotype]):
        genome = {"strategy": shares}
    elif member.program:
        genome = {"program": formula(member.program)}
    return {
        "number": member.number,
        "origin": member.origin,
        "born": member.born,
        "parents": member.parents,
        **genome,
    }


def _tell(breed: Breed, population: Population) -> None:
    """Print the best genome of a population."""
    kind, best = breed.genes, breed.best(population)
    if breed.matrix is not None:
        _tell_strategies(breed.matrix, kind, population, best)
        return
    if program := kind.program(best.genotype):
        say(f"remaining depth: {formula(program)}")
    columns = means(population.members), deviations(population.members), best.values
    rows = [
        (gene.name, *(f"{value:,.4g}" for value in values), f"{gene.standard:,g}")
        for gene, *values in zip(kind.genes, *columns, strict=True)
    ]
    print_table(("gene", "mean", "sigma", "best", "standard"), rows)
    if line := scores(population):
        say(line)


def _tell_strategies(matrix: Matrix, kind: Kind, population: Population, best: Member) -> None:
    """Print the shares of strategies, what each gets against the population, and the best member."""
    shares, own = kind.shares([member.genotype for member in population.members]), kind.shares([best.genotype])
    payoffs = matrix.against(list(shares.values()))
    rows = [
        (name, f"{share:.3f}", f"{payoff:,.4g}", f"{own[name]:.3f}")
        for (name, share), payoff in zip(shares.items(), payoffs, strict=True)
    ]
    print_table(("strategy", "share", "payoff", "best"), rows)


def scores(population: Population) -> str:
    """Return a line about the last games against a rival; empty where there were none."""
    if (played := population.state.get("played")) is None:
        return ""
    told = _scored(played)
    return (
        f"generation {population.generation}: rivals of depth {played['level']}, "
        f"the best scores {told['best_score']:.3f} of {told['best_games']} games"
    )


# ---------------------------------------------------------------- a finished run


def show(arguments: argparse.Namespace) -> int:
    """Show an island of a run by generation, and the ancestors of its best genome.

    Raises NotARun, NoMatplotlib, ValueError and OSError.
    """
    breed, generations = read(arguments.show)
    if not 1 <= arguments.island <= breed.islands:
        raise ValueError(f"--island must be from 1 to {breed.islands} (got {arguments.island})")
    every, kind = [one[arguments.island - 1] for one in generations], breed.genes
    if arguments.plot is not None:
        draw(arguments.plot, breed, every)
    populations = [one.population for one in every]
    lineage = list(_lineage(populations, breed.best(populations[-1]), arguments.ancestors))
    if arguments.json:
        answer = summary(breed, generations[-1], arguments.island - 1, (), arguments.show / BEST)
        told = [_island(breed, population) for population in populations]
        print_json(answer | {"generations": told, "lineage": [_member(kind, member) for member in lineage]})
        return 0
    shown = populations[:: max(1, len(populations) // ROWS)]
    if breed.matrix is not None:
        head = breed.matrix.names[:COLUMNS]
        print_table(
            ("generation", *head, "mean payoff"), [_strategies(breed, population, head) for population in shown]
        )
        _tell(breed, populations[-1])
    elif len(kind.free) <= COLUMNS and not kind.program(breed.best(populations[-1]).genotype):
        genes = [kind.genes[place] for place in kind.free]
        rows = [_numbers(kind, population) for population in shown]
        rows.append(("standard", *(f"{gene.standard:,.2f}" for gene in genes)))
        print_table(("generation", *(gene.name for gene in genes)), rows)
    else:
        head = ("generation", "games", "rivals' depth", "mean score", "best score", "nodes/move", "program of the best")
        print_table(head, [_searching(breed, population) for population in shown])
        _tell(breed, populations[-1])
    for member in lineage:
        told_parents = ", ".join(map(str, member.parents)) or "no parents"
        say(f"member {member.number}, {member.origin} of {told_parents}, born in generation {member.born}")
    return 0


def _numbers(kind: Kind, population: Population) -> tuple[object, ...]:
    centre, spread = means(population.members), deviations(population.members)
    return (population.generation, *(f"{centre[place]:,.2f} ± {spread[place]:,.2f}" for place in kind.free))


def _strategies(breed: Breed, population: Population, names: Sequence[str]) -> tuple[object, ...]:
    told = _shares(breed, population)
    return population.generation, *(f"{told['shares'][name]:.3f}" for name in names), f"{told['mean_payoff']:,.4g}"


def _searching(breed: Breed, population: Population) -> tuple[object, ...]:
    played = population.state.get("played")
    program = breed.genes.program(breed.best(population).genotype)
    written = formula(program) if program else ""
    if played is None:
        return (population.generation, population.games, "", "", "", "", written)
    told = _scored(played)
    return (
        population.generation,
        population.games,
        played["level"],
        f"{played['mean']:.3f}",
        f"{told['best_score']:.3f} of {told['best_games']}",
        round(told["nodes_per_move"]),
        written,
    )


def _lineage(populations: Sequence[Population], member: Member, most: int) -> Iterator[Member]:
    """Yield a member and its ancestors by first parents, the newest first."""
    known = {member.number: member for population in populations for member in population.members}
    for _ in range(most + 1):
        yield member
        # a parent that was born and died within one generation is seen in none
        if not member.parents or member.parents[0] not in known:
            return
        member = known[member.parents[0]]
