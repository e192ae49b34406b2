# SPDX-License-Identifier: GPL-3.0-or-later
"""The options and the output of population dynamics on the payoffs of a tournament or a round robin."""

import argparse
from collections.abc import Sequence

from arena.cli.support.command_line import CommandError, input_errors
from arena.cli.support.output import print_table, say
from arena.rating.population_dynamics import DYNAMICS, USUAL_GENERATIONS, USUAL_MEMBERS
from arena.tournaments.shares import SharesView, shares_view

ROWS = 20
"""Maximum number of generations that are printed."""
MOST_COLUMNS = 8
"""Maximum number of strategies that have a column; the others are summed up."""


def add_share_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--dynamics",
        choices=DYNAMICS,
        help="let the payoffs decide the shares of the bots in a population, and show the shares over time",
    )
    usual = sorted(set(USUAL_GENERATIONS.values()))
    parser.add_argument(
        "--generations",
        type=int,
        metavar="N",
        help=f"number of generations of the dynamics (default: {usual[-1]}, moran {usual[0]})",
    )
    parser.add_argument(
        "--members", type=int, metavar="N", help=f"number of members, for moran (default: {USUAL_MEMBERS})"
    )


def chosen_shares(
    arguments: argparse.Namespace, names: Sequence[str], payoffs: list[list[float]], seed: int
) -> SharesView | None:
    """Return the shares that the options ask for. Raises CommandError."""
    check_share_options(arguments)
    if arguments.dynamics is None:
        return None
    members = USUAL_MEMBERS if arguments.members is None else arguments.members
    with input_errors():
        return shares_view(names, payoffs, arguments.dynamics, arguments.generations, members=members, seed=seed)


def check_share_options(arguments: argparse.Namespace) -> None:
    """Raise CommandError for options without the one that they belong to."""
    for name in ("generations", "members"):
        if arguments.dynamics is None and getattr(arguments, name) is not None:
            raise CommandError(f"--{name} needs --dynamics")
    if arguments.members is not None and arguments.dynamics != "moran":
        raise CommandError("--members is for --dynamics moran; the other dynamics have infinite populations")


def show_shares(found: SharesView) -> None:
    """Print shares over time, fixation, and invasions."""
    last = found.shares[-1]
    order = sorted(range(len(last)), key=lambda place: (-max(row[place] for row in found.shares), place))
    shown, rest = order[:MOST_COLUMNS], order[MOST_COLUMNS:]
    say(f"\nShares by generation, {found.dynamics}:")
    columns = ["generation", *(found.names[place] for place in shown), *(["others"] if rest else [])]
    rows = []
    for generation in _printed(len(found.shares)):
        row = found.shares[generation]
        others = [f"{sum(row[place] for place in rest):.3f}"] if rest else []
        rows.append((generation, *(f"{row[place]:.3f}" for place in shown), *others))
    print_table(columns, rows)
    if found.fixed:
        say(f"{found.fixed.name} takes over after {found.fixed.generations} generations.")
    else:
        say("No strategy takes over.")
    gone = sorted((since, name) for name, since in zip(found.names, found.extinct, strict=True) if since is not None)
    if gone:
        say(f"Extinct: {', '.join(f'{name} in generation {since}' for since, name in gone)}.")
    say("\nInvasions, by the payoffs:")
    for each in found.invasions:
        text = f"can be invaded by {', '.join(each.invaders)}" if each.invaders else "cannot be invaded"
        say(f"a population of {each.name} {text}")


def _printed(count: int) -> list[int]:
    """Return generations to print, spread evenly, the first and the last one among them."""
    every = max(1, -(-(count - 1) // ROWS))
    return [*range(0, count - 1, every), count - 1]
