# SPDX-License-Identifier: GPL-3.0-or-later
"""Show who is best at a game: the versions of bots in it, the best rating first.

Works on the database itself, whether a server runs on it or not; answers as GET /api/v1/leaderboard does.
"""

import argparse
from datetime import datetime
from functools import partial

from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json, print_table
from arena.cli.records import on_records
from arena.place import add_place
from arena.programme import Programme
from arena.settings import chosen
from arena.store import Store
from engine.games import find
from web.api.leaderboard import TIME_CLASSES, LeaderAnswer, LeaderboardAnswer, line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game", metavar="GAME", help="whose leaderboard")
    parser.add_argument(
        "--time-class", choices=TIME_CLASSES, help="of matches this fast (default: the class the game is played in)"
    )
    parser.add_argument("--limit", type=int, default=100, help="at most so many lines (default: %(default)s)")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
    if arguments.limit < 1:
        raise CommandError("the limit is at least 1")
    try:
        game = find(arguments.game)
        time_class = arguments.time_class or Programme(chosen(arguments)).time_class(game)
    except (KeyError, ValueError) as error:
        raise CommandError(str(error.args[0])) from None
    board = on_records(arguments, partial(_read, game.name, time_class, arguments.limit))
    if arguments.json:
        print_json(board)
    elif board.items:
        _show(board)
    else:
        print(f"nobody has a rating in {time_class} {game.name} yet")
    return 0


async def _read(game: str, time_class: str, limit: int, store: Store) -> LeaderboardAnswer:
    page = await store.ratings.leaderboard(game, time_class, limit=limit)
    return LeaderboardAnswer(game=game, time_class=time_class, items=[line(row) for row in page.items], next=page.next)


def _show(board: LeaderboardAnswer) -> None:
    columns = ("rank", "bot", "version", "rating", "games", "won", "drawn", "lost", "change", "last played")
    print_table(columns, [_row(item) for item in board.items])


def _row(item: LeaderAnswer) -> tuple[object, ...]:
    played = item.last_played and datetime.fromtimestamp(item.last_played).date().isoformat()
    rating = f"{item.rating:.0f}{'?' if item.provisional else ''}"
    tallied = (item.games, item.wins, item.draws, item.losses)
    return (item.rank, item.bot.name, item.version, rating, *tallied, f"{item.last_change:+.1f}", played)
