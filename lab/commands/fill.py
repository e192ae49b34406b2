# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill an empty database with synthetic bots and matches.

Ratings follow from the results, so ``arena verify`` finds nothing; the matches have no moves. One match ended in each
second up to now. Ten million of them take some minutes and about four gigabytes.
"""

import argparse
import asyncio
import time

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import Bars, add_json, print_answer, say_error
from arena.cli.support.records import action_of
from arena.data_directory import add_place, founded
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.filling import Plan
from engine.games import find

GROUP = "load"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--bots", type=int, default=100_000, metavar="N", help="number of bots (default: %(default)s)")
    parser.add_argument(
        "--matches", type=int, default=10_000_000, metavar="N", help="number of matches (default: %(default)s)"
    )
    parser.add_argument("--game", default="checkers", help="name of the game (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed; the same seed gives the same results")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Fill; returns the exit code."""
    began = time.monotonic()
    try:
        control = find(arguments.game).time_control
        kind = arguments.game, control.time_class, str(control)
        plan = Plan(arguments.bots, arguments.matches, *kind, arguments.seed, end=time.time())
        asyncio.run(_run(arguments, plan))
    except (StoreError, ValueError, KeyError) as error:
        raise CommandError(str(error.args[0])) from error
    seconds = time.monotonic() - began
    print_answer(
        arguments,
        {"bots": plan.bots, "matches": plan.matches, "seconds": seconds},
        f"{plan.bots:,} bots and {plan.matches:,} matches in {seconds:,.0f} s",
    )
    return 0


async def _run(arguments: argparse.Namespace, plan: Plan) -> None:
    async with await Store.open(founded(arguments), tell=say_error) as store:
        with Bars(quiet=arguments.json) as bars:
            bar = bars.add_task("making up matches", total=plan.matches)
            await store.fill(plan, lambda matches: bars.update(bar, completed=matches))
        await store.audit_log.complete(action_of(arguments))
