# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena evolve`` for search programs: in a folder, as an island of an arena (``--join``), and ``--show``."""

import argparse
import hashlib
import os
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from arena.cli.support.command_line import CommandError, check_least, input_errors
from arena.cli.support.output import print_json, print_table, say
from arena.data_directory import default_folder
from bots import weights
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.evochess import run as runs
from bots.evolution.evochess.breeding import VERSION, Generation, Individual, Island, RunSettings, checked_course
from bots.evolution.evochess.genome import SEARCH, Genome, read, schema_for
from bots.evolution.evochess.volunteer import PACE, NotJoined, Volunteer
from bots.evolution.genome import Values
from bots.evolution.history import BEST, RUN
from engine.games import find
from engine.search.programs.program import formula

NAME = "evochess"
SIZE = 20
"""Members of an island (the authors' value)."""
MEANINGS = {
    "founders": "initial number of members, of which the best survive; 0: the population size",
    "nodes": "average number of nodes per move",
    "share": "share of the rival's nodes per move that a member may use, if that is more than nodes",
    "openings": "number of openings per member and generation, with both colours",
    "halving": "1: after each opening only the better half continues",
    "level": "search depth in plies of the first rival, the fixed opponent of all members",
    "rise": "score at which the rival's depth grows",
    "elite": "number of best members that survive",
    "contest": "number of random members, of which the best becomes a parent",
    "crossover": "probability of crossover of the program, otherwise mutation",
    "apart": "probability that a child differs only in its program or only in its numbers",
    "brood": "number of children for each free place in the population; the one with the fewest errors in the drill (a "
    "set of test positions) survives",
    "drill": "number of test positions of the drill",
}
REAL = {"share", "rise", "crossover", "apart"}
ROWS = 20
TOKEN = "ARENA_ISLAND_TOKEN"


def meanings() -> str:
    """Describe the choices, for people."""
    standard = RunSettings(VERSION, "chess", 0)
    return "; ".join(f"{name}={getattr(standard, name):g} ({NAME}): {text}" for name, text in MEANINGS.items())


def course_of(arguments: argparse.Namespace, options: dict[str, float]) -> RunSettings:
    """Return the evolution settings, unvalidated. Raises ValueError, with a message for people."""
    if arguments.arena is not None:
        raise ValueError(f"{NAME} needs --out or --join")
    if arguments.back is not None:
        raise ValueError(f"--from is not available with {NAME}")
    if strange := sorted(set(options) - set(MEANINGS)):
        raise ValueError(f"{NAME} has no option {strange[0][:40]!r}; there are {', '.join(MEANINGS)}")
    if broken := [name for name, value in options.items() if name not in REAL and value != round(value)]:
        raise ValueError(f"{broken[0]} must be an integer (got {options[broken[0]]:g})")
    chosen = {name: value if name in REAL else round(value) for name, value in options.items()}
    fields: dict[str, Any] = {
        "size": arguments.population,
        "islands": arguments.islands,
        "migrate": arguments.migration,
        "plies": arguments.plies,
        **chosen,
    }
    if arguments.weights is not None:
        fields["weights"] = given(arguments.game, arguments.weights)
    fields["guests"] = tuple(guest(arguments.game, path) for path in arguments.guest)
    return RunSettings(VERSION, arguments.game, arguments.seed, **fields)


def given(name: str, path: Path) -> Values:
    """Return the weights that ``arena lab tune`` wrote, as genes.

    Raises KeyError and ValueError, with a message for people, and OSError.
    """
    schema = schema_for(name)
    try:
        evaluation = weights.from_json(find(name), path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if evaluation.name != schema.evaluation or evaluation.terms.names != tuple(gene.name for gene in schema.genes):
        raise ValueError(f"{path}: the weights are for {evaluation.name}, not for {schema.name}")
    return schema.check(tuple(weight / schema.unit for weight in evaluation.weights))


def guest(name: str, path: Path) -> Genome:
    """Return the genome of a file. Raises KeyError and ValueError, with a message for people, and OSError."""
    try:
        kept = read(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if kept.schema != schema_for(name):
        raise ValueError(f"{path}: the genome has the schema {kept.schema.name}, not {schema_for(name).name}")
    return kept.genome


def evolve(arguments: argparse.Namespace, options: dict[str, float]) -> int:
    """Evolve, save and print."""
    with input_errors():
        course = checked_course(course_of(arguments, options))
        began, fresh, games, nodes = time.monotonic(), 0, 0, 0
        newest: Generation | None = None
        for generation in runs.bred(arguments.out, course, arguments.generations, arguments.threads):
            if newest is not None:
                games, nodes = generation.games - newest.games, generation.nodes - newest.nodes
            newest, fresh = generation, fresh + 1
            if not arguments.json:
                tell_generation(generation)
        seconds = time.monotonic() - began
    assert newest is not None, "a run has a generation"
    if arguments.json:
        print_json(summary(course, newest) | {"seconds": round(seconds, 3), "best": str(arguments.out / BEST)})
        return 0
    _show(course, newest)
    if newest.seconds:
        say(f"{games / newest.seconds:,.1f} games/s, {nodes / newest.seconds:,.0f} nodes/s in the last generation")
    say(f"the best genome is in {arguments.out / BEST}")
    return 0


def is_one(folder: Path) -> bool:
    """Return whether a folder holds a run of this kind. Raises OSError."""
    if not (folder / RUN).exists():
        return False
    with (folder / RUN).open("rb") as file:
        return b'"nodes"' in file.readline()


def show(arguments: argparse.Namespace) -> int:
    """Show the result of a run. Raises NotARun and OSError."""
    course, every, _ = runs.read(arguments.show)
    if not every:
        raise CommandError(f"{arguments.show} has no generations")
    if arguments.plot is not None:
        raise CommandError(f"--plot is not available for runs of {NAME}; use the table or --json")
    lineage = list(ancestors(every, arguments.ancestors))
    if arguments.json:
        told = [_generation(one) for one in every]
        print_json(summary(course, every[-1]) | {"generations": told, "lineage": [_member(one) for one in lineage]})
        return 0
    shown = every[:: max(1, len(every) // ROWS)]
    print_table(
        ("generation", "games", "rivals' depth", "mean score", "best score", "nodes/move", "the best one's program"),
        [_row(one) for one in (shown if shown[-1] is every[-1] else [*shown, every[-1]])],
    )
    _show(course, every[-1])
    for member in lineage:
        told_parents = ", ".join(map(str, member.parents)) or "no parents"
        say(f"member {member.number}, {member.origin} of {told_parents}, born in generation {member.born}")
    return 0


def ancestors(every: Sequence[Generation], most: int) -> list[Individual]:
    """Return the best of a run and its ancestors by first parents, the newest first."""
    known = {one.number: one for generation in every for island in generation.islands for one in island.members}
    member = every[-1].best[1]
    found = [member]
    while len(found) <= most and member.parents and member.parents[0] in known:
        member = known[member.parents[0]]
        found.append(member)
    return found


def summary(course: RunSettings, generation: Generation) -> dict[str, Any]:
    """Return the result of a run, for programs."""
    island, best = generation.best
    return {
        "game": course.game,
        "schema": course.schema.name,
        "dynamics": NAME,
        "seed": course.seed,
        "population": course.size,
        "islands": course.islands,
        "generation": generation.number,
        "games": generation.games,
        "nodes": generation.nodes,
        "level": island.level,
        "best_member": _member(best),
    }


def _member(member: Individual) -> dict[str, Any]:
    return {
        "number": member.number,
        "origin": member.origin,
        "born": member.born,
        "parents": member.parents,
        "program": formula(member.genome.program),
        "score": _score(member),
        "games": member.games,
        "nodes_per_move": member.nodes / member.moves if member.moves else None,
    }


def _generation(generation: Generation) -> dict[str, Any]:
    return {
        "generation": generation.number,
        "games": generation.games,
        "nodes": generation.nodes,
        "seconds": generation.seconds,
        "islands": [
            {"level": island.level, "mean": _mean(island), "best": _member(island.ranked[0])}
            for island in generation.islands
        ],
    }


def _mean(island: Island) -> float | None:
    games = sum(member.games for member in island.members)
    return sum(member.points for member in island.members) / games if games else None


def _score(member: Individual) -> float | None:
    return member.points / member.games if member.games else None


def _row(generation: Generation) -> tuple[object, ...]:
    island, best = generation.best
    return (
        generation.number,
        generation.games,
        island.level,
        f"{_mean(island) or 0:.3f}",
        f"{_score(best) or 0:.3f} of {best.games}",
        round(best.nodes / max(best.moves, 1)),
        formula(best.genome.program),
    )


def tell_generation(generation: Generation) -> None:
    """Print the score of a generation's best member."""
    _, best = generation.best
    say(
        f"generation {generation.number}: rivals of depth {'/'.join(str(one.level) for one in generation.islands)}, "
        f"the best scores {_score(best) or 0:.3f} of {best.games} games",
        flush=True,
    )


def _show(course: RunSettings, generation: Generation) -> None:
    _, best = generation.best
    say(f"remaining depth: {formula(best.genome.program)}")
    pairs = [
        (gene.name, f"{value:.4g}", f"{gene.standard:g}")
        for schema, values in ((SEARCH, best.genome.search), (course.schema, best.genome.weights))
        for gene, value in zip(schema.genes, values, strict=True)
    ]
    print_table(("gene", "best", "standard"), pairs)


# ---------------------------------------------------------------- an island of an arena


def add_join_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``--join`` alone."""
    joins = parser.add_argument_group("with --join")
    joins.add_argument(
        "--pace", metavar="S", type=float, default=PACE, help="seconds between two reports (default: %(default)s)"
    )


def folder_for(token: str) -> Path:
    """Return the default folder of a token's island: a token is for one island."""
    name = hashlib.sha256(token.encode()).hexdigest()[:12]
    return default_folder() / "islands" / name


def join(arguments: argparse.Namespace, options: dict[str, float]) -> int:
    """Breed, report and tell, until there are as many generations as asked for, or without end."""
    token = arguments.token or os.environ.get(TOKEN, "")
    if not token:
        raise CommandError(f"no token: set --token or {TOKEN} (`arena islands add` prints one)")
    if arguments.islands > 1:
        raise CommandError("--join runs one island; start one command for each, with different tokens")
    check_least(arguments, {"pace": 0})
    folder, url = arguments.out or folder_for(token), arguments.join
    if arguments.seed is None:
        # islands start from different seeds, and each continues from its own state
        arguments.seed = int.from_bytes(hashlib.sha256(token.encode()).digest()[:4])
    deaf = ""

    def tell(generation: Generation) -> None:
        nonlocal deaf
        if not arguments.json:
            tell_generation(generation)
            why = volunteer.courier.quarantined
            if why and why != deaf:
                say(f"this island is in quarantine, so its genomes do not spread: {why}", flush=True)
            deaf = why

    try:
        course = course_of(arguments, options)
        volunteer = Volunteer(
            RestClient(url, token),
            folder,
            course,
            f"bot-arena {version('bot-arena')}",
            pace=arguments.pace,
            threads=arguments.threads,
        )
        joined = volunteer.joined
        if not arguments.json:
            say(f"{joined.name} evolves {course.game} in {folder} and reports to {url}", flush=True)
        arrived = volunteer.breed(arguments.generations, tell)
    except RequestRefused as error:
        raise CommandError(f"{url} refuses: {error}") from error
    except (NotJoined, KeyError, ValueError) as error:
        raise CommandError(error.args[0]) from error
    except OSError as error:
        if error.filename is None:
            raise CommandError(f"{url} does not answer: {error}") from error
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    answer: dict[str, Any] = {
        "island": joined.island,
        "name": joined.name,
        "game": course.game,
        "reports": volunteer.courier.reports,
        "arrived": arrived,
        "quarantined": volunteer.courier.quarantined,
        "best": str(folder / BEST),
    }
    if arguments.json:
        print_json(answer)
    else:
        say(f"{answer['reports']} reports arrived; the best genome is in {answer['best']}")
        if not arrived:
            say("the arena has not confirmed the last report; run the same command again to send it")
    return 0
