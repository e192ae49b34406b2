# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the ratings of a game, the best first.

Works on the database itself, whether a server runs on it or not; answers as GET /api/v1/leaderboard does, and with
--certainty as GET /api/v1/leaderboard/certainty: how sure the order of the best is.
"""

import argparse
from collections.abc import Callable, Coroutine
from datetime import datetime
from functools import partial
from typing import Any

import msgspec

from arena.cli.support.command_line import check_least, input_errors
from arena.cli.support.output import add_json, print_json, print_table, say
from arena.cli.support.records import on_records
from arena.cli.support.settings import chosen
from arena.data_directory import add_place
from arena.ladder.fits import leaderboard_fits
from arena.rating.assessment import DEFAULT, SYSTEMS
from arena.rating.system import ELO, INTERVAL, LAST_CHANGE, RANKS, Column
from arena.registry import GameRegistry
from arena.store import Store
from engine.games import find
from web.api.leaderboard import (
    TIME_CLASSES,
    CertaintyAnswer,
    LeaderAnswer,
    LeaderboardAnswer,
    OneCertainty,
    OneLeaderboard,
    certainty,
    read_leaderboard,
)

GROUP = "compete"

_TALLY = ("games", "won", "drawn", "lost", "by failure")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="name of the game")
    parser.add_argument(
        "--time-class", choices=TIME_CLASSES, help="time class (default: that of the game's own time control)"
    )
    parser.add_argument(
        "--system",
        choices=list(SYSTEMS),
        default=DEFAULT,
        help="rating system, see docs/explanation/ratings.md (default: %(default)s)",
    )
    parser.add_argument(
        "--certainty",
        action="store_true",
        help="show the certainty of the order, with α-Rank and Nash averaging for bots that beat each other in cycles",
    )
    parser.add_argument("--limit", type=int, help="maximum number of lines (default: 100; with --certainty 12)")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    check_least(arguments, {"limit": 1})
    with input_errors():
        game = find(arguments.game)
        time_class = arguments.time_class or GameRegistry(chosen(arguments)).time_class(game)
        answer = on_records(arguments, _asked(arguments, game.name, time_class))
    if arguments.json:
        print_json(answer)
    elif not (answer.items if isinstance(answer, LeaderboardAnswer) else answer.players):
        say(f"there are no ratings in {time_class} {game.name} yet")
    elif isinstance(answer, LeaderboardAnswer):
        _show(answer)
    else:
        _show_certainty(answer)
    return 0


def _asked(
    arguments: argparse.Namespace, game: str, time_class: str
) -> Callable[[Store], Coroutine[Any, Any, LeaderboardAnswer | CertaintyAnswer]]:
    """Return the store's query. Raises ValueError where the API would refuse the request."""
    if arguments.certainty:
        players = arguments.limit or OneCertainty(game=game).players
        narrow = msgspec.convert({"game": game, "players": players}, OneCertainty)
        return partial(_certainty, narrow, time_class)
    query = OneLeaderboard(game=game, system=arguments.system, limit=arguments.limit or 100)
    return partial(_board, query, time_class)


async def _board(query: OneLeaderboard, time_class: str, store: Store) -> LeaderboardAnswer:
    return await read_leaderboard(store, leaderboard_fits(store), query.game, time_class, query)


async def _certainty(query: OneCertainty, time_class: str, store: Store) -> CertaintyAnswer:
    return certainty(query.game, time_class, await leaderboard_fits(store).get(query.game, time_class), query.players)


def _show(board: LeaderboardAnswer) -> None:
    system = SYSTEMS[board.system]
    titles = ("rank", "bot", "version", "rating", *(column.title for column in system.columns))
    counted = any(item.payoff is not None for item in board.items)
    titles += (*(("points a game",) if counted else ()), *_TALLY, "last played")
    rows = [
        (
            *(item.rank, item.bot.name, item.version, f"{item.rating:.0f}{'?' if item.provisional else ''}"),
            *(_cell(item, column) for column in system.columns),
            *((_payoff(item),) if counted else ()),
            *(item.games, item.wins, item.draws, item.losses, item.wins_by_failure),
            item.last_played and datetime.fromtimestamp(item.last_played).date().isoformat(),
        )
        for item in board.items
    ]
    print_table(titles, rows)
    if any(item.rank is None for item in board.items):
        say("no rank: the rating is provisional (a wide interval, or no connection to the other bots by matches)")
    if board.most is not None:
        say(f"only the {board.most:,} versions with the most games; --system {_COMPLETE} lists all")
    say("by failure: wins in which the opponent crashed, disconnected, or sent an invalid message or an illegal move")


_COMPLETE = next(name for name, system in SYSTEMS.items() if system.rate is None)
"""The system that lists every version."""


def _cell(item: LeaderAnswer, column: Column) -> object:
    """Return the value of a column of the rating system."""
    if column is INTERVAL:
        return item.interval and round((item.interval[1] - item.interval[0]) / 2)
    if column is RANKS:
        return item.ranks and "{}–{}".format(*item.ranks)
    if column is ELO:
        return f"{item.elo:.0f}{'?' if item.elo_provisional else ''}"
    if column is LAST_CHANGE:
        return f"{item.last_change:+.1f}"
    value = item.values.get(column.name)
    return None if value is None else f"{value:.4g}"


def _payoff(item: LeaderAnswer) -> str:
    """Return the points a game with half the length of their interval."""
    if item.payoff is None or item.payoff_interval is None:
        return ""
    low, high = item.payoff_interval
    return f"{item.payoff:+.2f} ± {(high - low) / 2:.2f}"


def _show_certainty(answer: CertaintyAnswer) -> None:
    numbers = range(1, len(answer.players) + 1)
    columns = ("", "bot", "rating", "α-Rank", "Nash", "skill", *map(str, numbers))
    rows = [
        (
            number,
            player.bot.name if player.version == "1" else f"{player.bot.name} {player.version}",
            f"{player.rating:.0f}",
            f"{100 * player.mass:.0f}",
            f"{100 * player.share:.0f}",
            f"{100 * player.skill:+.0f}",
            *("" if other == number else f"{100 * sure:.0f}" for other, sure in zip(numbers, row, strict=True)),
        )
        for number, player, row in zip(numbers, answer.players, answer.superiority, strict=True)
    ]
    print_table(columns, rows)
    say("all in %; right columns: the likelihood that the row's bot is stronger than the column's")
    say("also: the share of time by α-Rank, the share by Nash averaging, and the score against that equilibrium")
    say(f"{100 * answer.misordered:.1f} % of the pairs of these bots are expected to be misordered")
    low, high = answer.advantage_interval
    say(f"the first move is worth {answer.advantage:+.0f} points, 95 % interval {low:+.0f} to {high:+.0f}")
    say(f"equal bots draw {100 * answer.draw_rate:.0f} % of their games")
    if answer.groups > 1:
        say(f"{answer.groups} groups of bots have no matches with each other; their ratings are hardly comparable")
