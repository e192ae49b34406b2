# SPDX-License-Identifier: GPL-3.0-or-later
"""Tune search parameters and weights of a genome by games between variants of it (SPSA).

For every pair of games all numbers change at once at random, and move towards those of the winner (SPSA). The same seed
gives the same genome to the bit, whatever the number of threads. A useful result takes thousands of pairs. A folder
that holds a refinement is continued.
"""

import argparse
from pathlib import Path
from typing import Any

from arena.cli.support.command_line import check_least, input_errors
from arena.cli.support.output import Bars, add_json, print_json, print_table, say
from bots.evolution.evochess import CHAMPION
from bots.evolution.evochess.genome import Read, champion, read
from bots.evolution.history import BEST
from lab.refining import SEARCHED, VERSION, WHAT, Plan, Point, begun, followed, genes_of

GROUP = "tune"

STANDARD = Plan(VERSION, "chess", 0, champion("chess").genome)
LEAST = {"threads": 1, "pairs": 1, "nodes": 1}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("genome", metavar="FILE", help=f"a genome file, or {CHAMPION} for the shipped champion")
    parser.add_argument("--game", default="chess", help="game of the champion (default: %(default)s)")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="folder of the run")
    parser.add_argument(
        "--what",
        choices=WHAT,
        default=SEARCHED,
        help="numbers to tune: search parameters, weights of the evaluation, or both (default: %(default)s)",
    )
    for name, meaning in (
        ("pairs", "number of pairs of games, in all"),
        ("nodes", "average number of nodes per move"),
        ("batch", "number of pairs of games for each step"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="N",
            type=int,
            default=getattr(STANDARD, name),
            help=f"{meaning} (default: %(default)s)",
        )
    parser.add_argument(
        "--trial",
        metavar="X",
        type=float,
        default=STANDARD.trial,
        help="initial perturbation, relative to each gene's initial range (default: %(default)s)",
    )
    parser.add_argument(
        "--step",
        metavar="X",
        type=float,
        default=STANDARD.step,
        help="initial step for a won pair, relative to the perturbation (default: %(default)s)",
    )
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="seed of openings and moves (default: 0)")
    parser.add_argument(
        "--threads", metavar="T", type=int, default=1, help="number of games at once (default: %(default)s)"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, write and tell."""
    check_least(arguments, LEAST)
    with input_errors():
        kept = _kept(arguments)
        options: dict[str, Any] = {
            name: getattr(arguments, name) for name in ("pairs", "nodes", "batch", "trial", "step")
        }
        plan = Plan(
            VERSION,
            kept.schema.game,
            arguments.seed,
            kept.genome,
            what=arguments.what,
            lineage=dict(kept.lineage),
            **options,
        )
        point = begun(plan)
        with Bars(quiet=arguments.json) as bars:
            bar = bars.add_task("refining", total=plan.pairs)
            for point in followed(arguments.out, plan, arguments.threads):
                bars.update(bar, completed=point.pairs)
    _tell(arguments, plan, point)
    return 0


def _kept(arguments: argparse.Namespace) -> Read:
    """Return the genome to refine. Raises KeyError and ValueError, with a message for people, and OSError."""
    if arguments.genome == CHAMPION:
        return champion(arguments.game)
    path = Path(arguments.genome).expanduser()
    try:
        return read(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _tell(arguments: argparse.Namespace, plan: Plan, point: Point) -> None:
    genes = genes_of(plan)
    before = begun(plan).values
    if arguments.json:
        print_json(
            {
                "game": plan.game,
                "pairs": point.pairs,
                "nodes": point.nodes,
                "before": {gene.name: value for gene, value in zip(genes, before, strict=True)},
                "after": {gene.name: value for gene, value in zip(genes, point.mean, strict=True)},
                "best": str(arguments.out / BEST),
            }
        )
        return
    rows = [(gene.name, f"{old:.4g}", f"{new:.4g}") for gene, old, new in zip(genes, before, point.mean, strict=True)]
    print_table(("gene", "before", "after"), rows)
    say(f"the genome is in {arguments.out / BEST}")
