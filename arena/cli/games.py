# SPDX-License-Identifier: GPL-3.0-or-later
"""List the games, or describe one.

Answers as GET /api/v1/games does, under the settings of the environment.
"""

import argparse

from arena.cli.support.errors import CommandError
from arena.cli.support.output import add_json, print_json, print_table, say
from arena.registry import GameRegistry
from arena.settings import chosen
from engine.games import find
from web.api.games import GameAnswer, GamesAnswer, describe

GROUP = "play"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="describe only this game, even if the arena does not offer it"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
    try:
        registry = GameRegistry(chosen(arguments))
    except ValueError as error:
        raise CommandError(str(error)) from None
    if arguments.name is None:
        games = [describe(registry, game) for game in registry.games.values()]
        if arguments.json:
            print_json(GamesAnswer(items=games))
        else:
            _list(games)
        return 0
    try:
        game = describe(registry, find(arguments.name))
    except KeyError as error:
        raise CommandError(str(error.args[0])) from None
    if arguments.json:
        print_json(game)
    else:
        _show(game)
    return 0


def _list(games: list[GameAnswer]) -> None:
    rows = [
        (game.name, game.title, ", ".join(game.seats), f"{game.time_control} {game.time_class}", _size(game))
        for game in games
    ]
    print_table(("name", "title", "seats", "time control", "board"), rows)


def _show(game: GameAnswer) -> None:
    say(f"{game.name}: {game.title}")
    if game.description:
        say(game.description)
    say(f"seats         {', '.join(game.seats)}; the first moves first")
    if game.chance:
        say("dice          rolled by the arena")
    say(f"time control  {game.time_control} ({game.time_class})")
    say(f"board         {_size(game)}, {game.board.style}")
    say(f"variants      {', '.join(game.variants) or 'none'}")
    say(f"evaluations   {', '.join(game.evaluations) or 'none'}")


def _size(game: GameAnswer) -> str:
    return f"{game.board.rows} x {game.board.columns}"
