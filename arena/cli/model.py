# SPDX-License-Identifier: GPL-3.0-or-later
"""Learn how a player plays from its games, predict what it will do, and study how well that works.

A model is a JSON file. Games are read from PGN, PDN or JSON lines, of chess or checkers. A player is found by a
pattern: words that begin words of its name, in any order, or a name with * and ?; | parts alternatives.
"""

import argparse

from arena.cli import foresight, modelling
from arena.cli.errors import CommandError
from arena.cli.output import add_json

ACTIONS = {
    "learn": (modelling.add_learn, modelling.learn, "learn a player's games and write the model"),
    "predict": (modelling.add_predict, modelling.predict, "tell what the player of a model will do"),
    "show": (modelling.add_show, modelling.show, "show what a model has learned"),
    "report": (
        modelling.add_report,
        modelling.report,
        "learn earlier games, be tested on later ones, beside baselines",
    ),
    "depth": (foresight.add_depth, foresight.depth, "measure how much deeper a search looks that knows the player"),
    "worth": (foresight.add_worth, foresight.worth, "measure by games what knowing the opponents is worth"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for action, (declare, _, summary) in ACTIONS.items():
        subparser = actions.add_parser(action, help=summary, description=summary)
        declare(subparser)
        add_json(subparser)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
    try:
        ACTIONS[arguments.action][1](arguments)
    except (KeyError, ValueError) as error:
        raise CommandError(str(error.args[0])) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    return 0
