# SPDX-License-Identifier: GPL-3.0-or-later
"""Play a bot of your own, or a house bot, in an arena.

BOT is FILE.py, FILE.py:CLASS, MODULE:CLASS, or a name that ``arena match`` knows too. Each match gets a bot of its own.
Ends with Ctrl-C.
"""

import argparse
import logging
import os
import sys
from pathlib import Path

from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json
from arena.protocol.messages import ArenaMessage, Match, Over, Welcome
from arena.protocol.version import PLAY_PATH
from bots.catalogue import UnknownBot, maker_of
from bots.client import ArenaError
from bots.client import run as play

DEFAULT_URL = f"ws://127.0.0.1:8080{PLAY_PATH}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", metavar="BOT", help="FILE.py, FILE.py:CLASS, MODULE:CLASS or a house bot's name")
    parser.add_argument(
        "--url", default=os.environ.get("ARENA_URL", DEFAULT_URL), help="the arena (ARENA_URL; default: %(default)s)"
    )
    parser.add_argument("--token", default=os.environ.get("ARENA_TOKEN"), help="the bot's token (ARENA_TOKEN)")
    parser.add_argument("--games", help="names of games, separated by commas (default: the bot's own)")
    parser.add_argument("--capacity", type=int, metavar="N", help="matches at once (default: the bot's own)")
    parser.add_argument("--no-ladder", action="store_true", help="play only challenges")
    parser.add_argument("--no-challenges", action="store_true", help="play only on the ladder")
    parser.add_argument("--patience", type=float, metavar="SECONDS", help="give up after so long without the arena")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play until interrupted."""
    if not arguments.token:
        raise CommandError("a token is needed: --token or ARENA_TOKEN; `arena bots add NAME` prints one")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    if arguments.json:
        logging.basicConfig(level=logging.WARNING)
    try:
        play(
            maker_of(arguments.bot),
            url=arguments.url,
            token=arguments.token,
            games=arguments.games.split(",") if arguments.games else None,
            capacity=arguments.capacity,
            ladder=not arguments.no_ladder,
            challenges=not arguments.no_challenges,
            patience=arguments.patience,
            heard=_print if arguments.json else None,
        )
    except (ArenaError, UnknownBot, ValueError) as error:
        raise CommandError(str(error)) from error
    return 0


def _print(message: ArenaMessage) -> None:
    """Tell a program when the bot is let in, and when matches start and end."""
    if isinstance(message, Welcome | Match | Over):
        print_json(message)
