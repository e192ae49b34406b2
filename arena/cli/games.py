# SPDX-License-Identifier: GPL-3.0-or-later
"""List the games, describe one, or write out a random game ply by ply.

Answers as GET /api/v1/games does, under the settings of the environment.
"""

import argparse
from pathlib import Path

from arena.cli.support.command_line import CommandError, input_errors
from arena.cli.support.output import add_json, print_answer, print_json, print_table, say
from arena.cli.support.settings import chosen
from arena.registry import GameRegistry
from engine.games import catalogue, find
from engine.walks.playthrough import playthrough
from web.api.games import GameAnswer, GamesAnswer, describe, described

GROUP = "play"

GOLDEN = Path("tests", "playthroughs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="describe only this game, even if the arena does not offer it"
    )
    random = parser.add_argument_group("playthroughs", "a random game of NAME, with every position as text")
    random.add_argument("--playthrough", action="store_true", help="print a random game of NAME")
    random.add_argument("--seed", metavar="N", type=int, default=1, help="seed of the random game (default: 1)")
    random.add_argument(
        "--update",
        metavar="FOLDER",
        type=Path,
        nargs="?",
        const=GOLDEN,
        help=f"write random games into files of this folder (default: {GOLDEN}); without NAME: of all games",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print, or write the files; returns the exit code."""
    if arguments.playthrough or arguments.update:
        _play_through(arguments)
        return 0
    with input_errors():
        registry = GameRegistry(chosen(arguments))
    if arguments.name is None:
        games = described(registry)
        if arguments.json:
            print_json(GamesAnswer(items=games))
        else:
            _list(games)
        return 0
    with input_errors():
        game = describe(registry, find(arguments.name))
    if arguments.json:
        print_json(game)
    else:
        _show(game)
    return 0


def _play_through(arguments: argparse.Namespace) -> None:
    """Print a random game, or write random games into files."""
    if not arguments.name and not arguments.update:
        raise CommandError("--playthrough needs the NAME of a game")
    with input_errors():
        games = [find(arguments.name)] if arguments.name else list(catalogue().values())
    texts = {game.name: playthrough(game, arguments.seed) for game in games}
    if arguments.update:
        files = [_write(arguments.update / f"{name.replace('/', '_')}.txt", text) for name, text in texts.items()]
        print_answer(arguments, {"files": files}, *files)
    elif arguments.json:
        print_json({"playthrough": texts[games[0].name]})
    else:
        say(texts[games[0].name], end="")


def _write(path: Path, text: str) -> str:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from error
    return str(path)


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
    if game.variants:
        say(f"variants      {', '.join(game.variants)}")
    say(f"evaluations   {', '.join(game.evaluations) or 'none'}")


def _size(game: GameAnswer) -> str:
    return f"{game.board.rows} x {game.board.columns}"
