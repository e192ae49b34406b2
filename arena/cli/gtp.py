# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a bot as a GTP engine for Go or Othello, in any program that supports GTP.

Tell the program to start this command. It may choose another board: boardsize 13 selects go/13x13. The first move on a
machine compiles for it.
"""

import argparse

from arena.cli.support.command_line import CommandError
from arena.cli.support.input import lines
from arena.cli.support.output import say, say_error
from bots.bridges.gtp.asked import AskedBot
from bots.bridges.gtp.boards import boards
from bots.bridges.gtp.dialogue import GtpDialogue
from bots.catalogue import UnknownBot, maker_of

GROUP = "play"

BOT = "mcts"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "bot",
        metavar="BOT",
        nargs="?",
        default=BOT,
        help="name of a built-in bot, FILE.py, FILE.py:CLASS or MODULE:CLASS (default: %(default)s)",
    )
    parser.add_argument(
        "--game",
        choices=list(boards()),
        default="go/9x9",
        help="initial game; the GTP command boardsize can change the board (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Answer until told to quit."""
    try:
        bot = AskedBot(maker_of(arguments.bot))
    except UnknownBot as error:
        raise CommandError(str(error)) from None
    if bot.games is not None and arguments.game not in bot.games:
        bot.end()
        raise CommandError(f"{arguments.bot} does not play {arguments.game}, but {', '.join(bot.games)}")
    GtpDialogue(arguments.bot, bot, boards()[arguments.game], _say, say_error).run(lines())
    return 0


def _say(text: str) -> None:
    say(text, flush=True)
