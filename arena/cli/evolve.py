# SPDX-License-Identifier: GPL-3.0-or-later
"""Evolve evaluations or searches by games between genomes, or strategies of a payoff matrix; or show a run.

Every finished generation is saved. The same command continues after the last generation of the folder; --from discards
later generations first. The same seed gives the same genomes to the bit, whatever the number of threads, and with --on
on whatever machines.

With --matrix no games are played: a member is a strategy of the matrix, and its fitness is its mean payoff against the
other members. FILE is CSV (a row of names, then rows of a name and its payoffs), JSON with "names" and "payoffs", or
what `arena tournament show ID --json` and `arena match BOT1 BOT2 --json` print.
"""

import argparse
from pathlib import Path

from arena.cli.support.breeding import evolving, joining
from arena.cli.support.command_line import CommandError, check_least, input_errors
from arena.cli.support.output import add_json
from arena.cli.support.pools import add_on
from bots.evolution.contests import DEPTH, PLIES
from bots.evolution.dynamics import DYNAMICS
from bots.evolution.dynamics.evochess import DYNAMIC as EVOCHESS
from bots.evolution.evochess import CHAMPIONS
from bots.evolution.family import CHANGING, NODES, PARAMETERS
from bots.evolution.hosted_population import EVERY
from bots.evolution.islands import MIGRATION
from bots.evolution.kinds import FAMILIES
from bots.evolution.plots import NoMatplotlib
from engine.search.lookahead import DEEPEST

GROUP = "breed"

SIZE = 50
"""Members of a population (Kendall and Whitwell)."""
SEARCHING = 20
"""Members of an island of searches (Gross and others)."""
GENERATIONS = 100
DEFAULT = "kendall-whitwell"
NUMERIC = " and ".join(", ".join(name for name, dynamic in DYNAMICS.items() if dynamic.numeric).rsplit(", ", 1))
"""The dynamics that change numbers only, for people."""
GAME = "chess"
LEAST = {
    "population": 2,
    "generations": 0,
    "islands": 1,
    "migration": 1,
    "every": 1,
    "threads": 1,
    "depth": 1,
    "plies": 1,
}
MOST = {"threads": 256, "islands": 100, "depth": DEEPEST, "plies": 10_000, "population": 10_000}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder of the run: a new one, or one to continue")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--arena", metavar="URL", help="evolve a population of an arena, such as http://HOST:8080")
    where.add_argument(
        "--join",
        metavar="URL",
        help=f"evolve an island on this machine that exchanges genomes with the arena ({EVOCHESS.name} only)",
    )
    where.add_argument("--show", metavar="DIR", type=Path, help="show the run in this folder")
    lives = parser.add_argument_group("with --arena")
    lives.add_argument(
        "--token",
        metavar="T",
        help="token of an operator (default: ARENA_OPERATOR_TOKEN); "
        f"with --join, of an island (default: {joining.TOKEN})",
    )
    lives.add_argument("--name", default="island", help="name of the population (default: %(default)s)")
    lives.add_argument(
        "--bot", help="bot that plays with the champions' genomes, each a new version (default: the population's name)"
    )
    lives.add_argument(
        "--decided",
        action="store_true",
        help="play all pairs as rated matches in the arena (default: play them in this process)",
    )
    lives.add_argument(
        "--every",
        metavar="N",
        type=int,
        default=EVERY,
        help="generations between two tests of the best member against the champion, the genome that won the last test",
    )
    joining.add_join_arguments(parser)
    parser.add_argument("--game", help=f"name of the game (default: that of --schema, or {GAME})")
    kinds = "".join(f"\n{family.pattern}: {family.description}" for family in FAMILIES)
    parser.add_argument(
        "--schema",
        metavar="GAME/KIND",
        help=f"kind of genome (default: the game's first set of weights; with {EVOCHESS.name} GAME/search):{kinds}",
    )
    parser.add_argument(
        "--dynamics", choices=DYNAMICS, help=f"algorithm of evolution (default: {DEFAULT}; with --join {EVOCHESS.name})"
    )
    parser.add_argument(
        "--population",
        metavar="N",
        type=int,
        help=f"number of members (default: {SIZE}; with {EVOCHESS.name} {SEARCHING})",
    )
    parser.add_argument(
        "--generations",
        metavar="N",
        type=int,
        help=f"number of generations (default: {GENERATIONS}; with --join unlimited)",
    )
    parser.add_argument(
        "--islands", metavar="N", type=int, default=1, help="number of islands that exchange their best members"
    )
    parser.add_argument(
        "--migration",
        metavar="N",
        type=int,
        default=MIGRATION,
        help="generations between two exchanges of members between islands",
    )
    parser.add_argument(
        "--seed",
        metavar="S",
        type=int,
        help="seed of all random choices (default: 0; with --join derived from the token)",
    )
    parser.add_argument("--threads", metavar="T", type=int, help="number of games at the same time (default: 1)")
    add_on(parser, "--threads")
    parser.add_argument("--depth", metavar="N", type=int, default=DEPTH, help="search depth in plies (default: 3)")
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=int,
        default=NODES,
        help="average number of nodes per move of searches (default: %(default)s)",
    )
    parser.add_argument(
        "--share",
        metavar="X",
        type=float,
        default=0.0,
        help="limit of a search's nodes per move as a share of its rival's; the larger one of this and --nodes "
        "applies (default: %(default)s)",
    )
    parser.add_argument(
        "--plies", metavar="N", type=int, default=PLIES, help="number of plies after which a game is a draw"
    )
    parser.add_argument(
        "--from", metavar="G", dest="back", type=int, help="continue from generation G, and discard the later ones"
    )
    meant = "".join(
        f"\n{name}={dynamic.options[name]:g} ({dynamic.name}): {meaning}"
        for dynamic in DYNAMICS.values()
        for name, meaning in dynamic.meanings.items()
    )
    chosen = f"an option of the dynamics (repeatable). Options with their defaults:{meant}"
    parser.add_argument("--option", metavar="NAME=X", action="append", default=[], help=chosen)
    parser.add_argument(
        "--weights",
        metavar="FILE",
        type=Path,
        help="with genomes of searches: initial weights of all members, written by `arena lab tune`",
    )
    parser.add_argument(
        "--guest",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="with genomes of searches: a genome to add to the initial population, or "
        f"{' or '.join(CHAMPIONS)} for a shipped champion; {NUMERIC} change only its numbers and keep its program",
    )
    parser.add_argument(
        "--numbers",
        choices=CHANGING,
        default=PARAMETERS,
        help=f"numbers that {NUMERIC} change in the genome of --guest: its search parameters (search), its weights, or "
        "both (default: %(default)s)",
    )
    matrix = parser.add_argument_group("with --schema matrix/pure or matrix/mixed")
    matrix.add_argument("--matrix", metavar="FILE", type=Path, help="payoffs of strategies against each other")
    matrix.add_argument(
        "--start",
        metavar="NAME=N",
        action="append",
        default=[],
        help="number of first members that play a pure strategy; the others are drawn at random",
    )
    matrix.add_argument(
        "--mutation",
        metavar="P",
        type=float,
        help="probability that a child plays a pure strategy drawn at random (default: 0)",
    )
    shows = parser.add_argument_group(
        "with --show", "show the weights by generation, and the ancestors of the best genome"
    )
    shows.add_argument("--island", metavar="N", type=int, default=1, help="number of the island (default: 1)")
    shows.add_argument("--plot", metavar="FILE", type=Path, help="write a plot: .svg, .png or .pdf")
    shows.add_argument(
        "--ancestors",
        metavar="N",
        type=int,
        default=10,
        help="maximum number of listed ancestors of the best genome (default: %(default)s)",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Evolve, or show a run; returns the exit code."""
    if arguments.show is not None:
        return _show(arguments)
    if arguments.plot is not None:
        raise CommandError("--plot needs --show")
    _check(arguments)
    options = _options(arguments)
    if arguments.join is not None:
        if arguments.on is not None:
            raise CommandError("--on cannot be used with --join")
        return joining.join(arguments, options)
    with input_errors():
        breed = evolving.breed_of(arguments, options)
        if arguments.arena is not None:
            if arguments.islands > 1:
                raise CommandError("--arena runs one population; start one command for each, with different names")
            return evolving.evolve_in_arena(breed, arguments)
        return evolving.evolve(breed, arguments)


def _show(arguments: argparse.Namespace) -> int:
    check_least(arguments, {"ancestors": 0})
    with input_errors():
        try:
            return evolving.show(arguments)
        except NoMatplotlib as error:
            raise CommandError(str(error)) from error


def _check(arguments: argparse.Namespace) -> None:
    """Fill in the defaults that depend on other arguments. Raises CommandError for an invalid combination."""
    joins = arguments.join is not None
    if not joins and (arguments.out is None) == (arguments.arena is None):
        raise CommandError("one option must say where to run: --out DIR, --arena URL or --join URL")
    if arguments.dynamics is None:
        arguments.dynamics = EVOCHESS.name if joins else DEFAULT
    steers = arguments.dynamics == EVOCHESS.name
    if joins and not steers:
        raise CommandError(f"--join needs --dynamics {EVOCHESS.name} (got {arguments.dynamics})")
    if joins and arguments.on is not None:
        raise CommandError("--on needs --out or --arena")
    if joins and (arguments.weights is not None or arguments.guest):
        raise CommandError("--weights and --guest need --out")
    if arguments.game is None:
        arguments.game = GAME if arguments.schema is None else arguments.schema.partition("/")[0]
    if arguments.matrix is None and (arguments.start or arguments.mutation is not None):
        raise CommandError("--start and --mutation need --matrix")
    if arguments.population is None:
        arguments.population = SEARCHING if steers else SIZE
    for name in LEAST:
        given = getattr(arguments, name)
        if given is not None and not LEAST[name] <= given <= MOST.get(name, given):
            most = f", and at most {MOST[name]}" if name in MOST else ""
            raise CommandError(f"--{name} must be {LEAST[name]} or more{most} (got {given})")
    if not joins:
        # an island's seed follows from its token, and it runs without end
        arguments.generations = GENERATIONS if arguments.generations is None else arguments.generations
        arguments.seed = arguments.seed or 0


def _options(arguments: argparse.Namespace) -> dict[str, float]:
    with input_errors():
        return dict(evolving.named_number(text, float, "{} is not an option") for text in arguments.option)
