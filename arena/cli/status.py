# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the games that are ready on a running arena, and the code that it is still compiling.

Exit code 0: all games are ready; 1: not yet, or something is wrong; 2: no arena answers. Answers as
GET /api/v1/status does.
"""

import argparse
import os
from typing import Any

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import add_json, print_json, print_table, say
from bots.client.errors import ArenaError
from bots.client.rest import RestClient

GROUP = "run"

DEFAULT_URL = "http://127.0.0.1:8080"
PATIENCE = 10.0
"""Seconds for the answer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "--url",
        default=os.environ.get("ARENA_URL", DEFAULT_URL),
        help="address of the arena (ARENA_URL; default: %(default)s)",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Ask, and print the answer."""
    status = _ask(arguments.url)
    if arguments.json:
        print_json(status)
    else:
        say(f"arena {status['version']}: {status['bots']} bots connected, {status['live']} running matches")
        rows = [(name, "ready" if game["ready"] else game["reason"]) for name, game in status["games"].items()]
        print_table(("game", "matches"), rows)
        if status["warming"]:
            say(f"compiling: {status['warming']}")
        for problem in status["problems"]:
            say(f"problem: {problem}")
    return 0 if status["ready"] and not status["problems"] else 1


def _ask(url: str) -> Any:
    try:
        return RestClient(url, timeout=PATIENCE).get("/status")
    except (OSError, ArenaError, ValueError) as error:
        raise CommandError(f"no arena answers at {url}: {error}") from None
