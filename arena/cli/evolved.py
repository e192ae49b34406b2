# SPDX-License-Identifier: GPL-3.0-or-later
"""Show a run of evolution: weights by generation, and lineages."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from arena.cli.evolve import by_gene, summary
from arena.cli.support import steered
from arena.cli.support.errors import CommandError
from arena.cli.support.output import add_json, print_json, print_table, say
from bots.evolution.breeding import Bred
from bots.evolution.history import BEST, NotARun, read
from bots.evolution.plots import NoMatplotlib, draw
from bots.evolution.population import Member, Population, deviations, means

GROUP = "breed"

ROWS = 20
"""Generations in the table, about evenly apart."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="folder of a run (`arena evolve --out`)")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="write a plot: .svg, .png or .pdf")
    parser.add_argument(
        "--ancestors",
        metavar="N",
        type=int,
        default=10,
        help="maximum number of listed ancestors of the best genome (default: %(default)s)",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, draw and tell."""
    if arguments.ancestors < 0:
        raise CommandError("--ancestors must be at least 0")
    try:
        if steered.is_one(arguments.folder):
            return steered.evolved(arguments)
        breed, every = read(arguments.folder)
        if arguments.plot is not None:
            draw(arguments.plot, breed, every)
    except (NotARun, NoMatplotlib, ValueError) as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    lineage = list(_line(every, breed.dynamic.best(every[-1].population), arguments.ancestors))
    if arguments.json:
        answer = summary(breed, every, (), 0.0, arguments.folder / BEST)
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
        told_parents = ", ".join(map(str, member["parents"])) or "nobody"
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
