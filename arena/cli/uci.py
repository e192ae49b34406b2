# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a bot as a UCI chess engine, for any chess program.

Tell the program to start this command. The first start compiles for the machine, which it explains; it answers
meanwhile.
"""

import argparse
import os
import sys

from arena.cli.support.command_line import CommandError
from arena.cli.support.input import lines
from arena.cli.support.output import say
from bots.bridges.uci.dialogue import Dialogue
from bots.bridges.uci.thinkers import AskThinker, SearchThinker, Thinker
from bots.built_in import kinds
from bots.built_in.kinds.searching import STRONGEST, Searching
from bots.catalogue import UnknownBot, maker_of

GROUP = "play"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "bot",
        metavar="BOT",
        nargs="?",
        default=STRONGEST,
        help="name of a built-in bot, FILE.py, FILE.py:CLASS, MODULE:CLASS or genome:FILE (default: %(default)s)",
    )
    parser.add_argument("--game", choices=["chess"], default="chess", help="UCI is for chess only")


def run(arguments: argparse.Namespace) -> int:
    """Answer until told to quit."""
    players = [name for name, bot in kinds.catalogue().items() if bot.plays("chess")]
    if arguments.bot not in players:
        try:
            bot = maker_of(arguments.bot)()
        except UnknownBot as error:
            raise CommandError(str(error)) from None
        if bot.games is not None and "chess" not in bot.games:
            raise CommandError(f"{arguments.bot} does not play chess, but {', '.join(bot.games)}")
        players.append(arguments.bot)
    if not Dialogue(players, arguments.bot, _thinker, _say).run(lines()):
        # compilation cannot be interrupted
        sys.stdout.flush()
        os._exit(0)
    return 0


def _thinker(name: str) -> Thinker:
    bot = kinds.catalogue().get(name)
    # a kind derived from it has a move method of its own
    return SearchThinker(bot) if type(bot) is Searching else AskThinker(maker_of(name))


def _say(line: str) -> None:
    say(line, flush=True)
