# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a random game ply by ply, or update the golden playthroughs."""

import argparse
from pathlib import Path

from arena.cli.support.errors import CommandError
from arena.cli.support.output import say
from engine.games import catalogue, find
from engine.playthrough import playthrough

GROUP = "study"

GOLDEN = Path("tests", "playthroughs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a game's name, such as checkers (with --update: all)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="seed of the game (default: 1)")
    parser.add_argument(
        "--update",
        metavar="FOLDER",
        type=Path,
        nargs="?",
        const=GOLDEN,
        help=f"write a file into this folder (default: {GOLDEN}) instead of printing",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write or print; returns the exit code."""
    if not arguments.game and not arguments.update:
        raise CommandError("name a game, or use --update for all games")
    try:
        games = [find(arguments.game)] if arguments.game else list(catalogue().values())
    except KeyError as error:
        raise CommandError(error.args[0]) from error
    for game in games:
        text = playthrough(game, arguments.seed)
        if not arguments.update:
            say(text, end="")
            continue
        path = arguments.update / f"{game.name.replace('/', '_')}.txt"
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"cannot write {path}: {error.strerror}") from error
        say(str(path))
    return 0
