# SPDX-License-Identifier: GPL-3.0-or-later
"""Create and manage tournaments, and show their standings.

Works on the database itself, whether a server runs on it or not; a running server follows within about a second, and
plays the started tournaments. A bot takes part whenever it is connected to that server.
"""

import argparse
import secrets
from datetime import datetime
from functools import partial
from pathlib import Path

import msgspec

from arena.cli.support import exporting
from arena.cli.support.command_line import CommandError, check_least, input_errors
from arena.cli.support.format_options import add_format_options, chosen_format
from arena.cli.support.matches.game_files import read_openings
from arena.cli.support.matches.shares import add_share_options, check_share_options, chosen_shares, show_shares
from arena.cli.support.output import print_answer, print_json, print_table, say
from arena.cli.support.records import actions, on_records
from arena.store import Store
from arena.store.rows import TournamentRow, TournamentStatus
from arena.tournaments.book import Book, Unreadable
from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.course import Withdrawal
from arena.tournaments.machine.format_fields import ENTERED
from arena.tournaments.machine.tournament import TournamentError
from arena.tournaments.manager import read_view
from arena.tournaments.own_play import settled
from arena.tournaments.shares import payoffs_of
from arena.tournaments.view import StandingView, TournamentView
from engine.games import counts_points, find
from engine.match.ending import Adjudication, DrawRule, ResignRule

GROUP = "compete"

BECOMES: dict[str, TournamentStatus] = {
    "start": "running",
    "pause": "paused",
    "resume": "running",
    "cancel": "cancelled",
}
ACTIONS = {
    "create": "create a tournament; start it later or with --start",
    "list": "list tournaments, newest first",
    "show": "show standings, rounds and running matches",
    "start": "start a tournament",
    "pause": "start no more matches; running matches finish",
    "resume": "continue after a pause",
    "cancel": "end without a result; running matches become void",
    "withdraw": "withdraw a player",
    "export": "export the matches to a file: JSON lines, or the notation of the game (PGN, PDN, SGF, GGF, MAT)",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    for action, subparser in actions(parser, ACTIONS).items():
        if action == "create":
            _add_create_arguments(subparser)
            subparser.add_argument("--start", action="store_true", help="start it immediately")
        elif action == "list":
            subparser.add_argument("--limit", type=int, default=50, help="maximum number (default: %(default)s)")
        else:
            subparser.add_argument("tournament", metavar="ID", type=int, help="number of the tournament")
        if action == "show":
            add_share_options(subparser)
            subparser.add_argument("--seed", type=int, default=0, help="seed of --dynamics moran (default: 0)")
        elif action == "withdraw":
            subparser.add_argument("bot", metavar="BOT", help="name of the player to withdraw")
            subparser.add_argument("--reason", default=str(Withdrawal.OPERATOR), help="reason, for people")
        elif action == "export":
            exporting.add_choice(subparser)
            subparser.set_defaults(matches=[])


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    try:
        config = _configured(arguments) if arguments.action == "create" else None
        on_records(arguments, partial(_run, arguments, config))
    except (TournamentError, Unreadable) as error:
        raise CommandError(str(error)) from error
    return 0


async def _run(arguments: argparse.Namespace, config: Config | None, store: Store) -> None:
    if config is not None:
        bots = []
        for entry in config.entries:
            bot = await store.bots.named(entry.name)
            if bot is None or bot.removed is not None:
                raise CommandError(f"no bot is called {entry.name}")
            bots.append(bot)
        with input_errors():
            config = settled(config, bots)
        row = await store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
        if arguments.start:
            row = await store.tournaments.become(row.id, "running")
        _tell(arguments, row)
    elif arguments.action == "list":
        await _list(arguments, store)
    elif arguments.action == "show":
        await _show(arguments, store)
    elif arguments.action == "withdraw":
        await _withdraw(arguments, store)
    elif arguments.action == "export":
        await exporting.export(arguments, store)
    else:
        row = await store.tournaments.get(arguments.tournament)
        if arguments.action == "resume" and row.status == "created":
            raise CommandError(f"tournament {row.id} was not started")
        _tell(arguments, await store.tournaments.become(row.id, BECOMES[arguments.action]))


def _tell(arguments: argparse.Namespace, row: TournamentRow) -> None:
    print_answer(
        arguments,
        {"id": row.id, "name": row.name, "game": row.game, "status": row.status},
        f"tournament {row.id}, {row.name}, is {row.status}",
    )


async def _list(arguments: argparse.Namespace, store: Store) -> None:
    check_least(arguments, {"limit": 1})
    page = await store.tournaments.page(limit=arguments.limit)
    if arguments.json:
        items = [
            {"id": row.id, "name": row.name, "game": row.game, "status": row.status, "created": row.created}
            for row in page.items
        ]
        print_json({"items": items, "next": page.next})
    else:
        rows = [(str(row.id), row.name, row.game, row.status, _when(row)) for row in page.items]
        print_table(("tournament", "name", "game", "status", "since"), rows)


async def _withdraw(arguments: argparse.Namespace, store: Store) -> None:
    book = await Book.open(store, arguments.tournament)
    names = [entry.name.lower() for entry in book.tournament.config.entries]
    if arguments.bot.lower() not in names:
        raise CommandError(f"{arguments.bot} is not a player of tournament {book.row.id}")
    player = names.index(arguments.bot.lower())
    await book.change(lambda tournament: tournament.withdraw(player, arguments.reason))
    print_answer(
        arguments,
        {"id": book.row.id, "withdrawn": arguments.bot},
        f"withdrew {arguments.bot} from tournament {book.row.id}",
    )


async def _show(arguments: argparse.Namespace, store: Store) -> None:
    check_share_options(arguments)
    shown = await read_view(store, arguments.tournament)
    found = None
    if arguments.dynamics is not None:
        with input_errors():
            found = chosen_shares(arguments, shown.entries, payoffs_of(shown), arguments.seed)
    if arguments.json:
        print_json(shown if found is None else msgspec.to_builtins(shown) | {"dynamics": msgspec.to_builtins(found)})
        return
    planned = f" of {shown.rounds_planned}" if shown.rounds_planned else ""
    say(f"{shown.name}: {shown.game}, {shown.format.title}, {shown.status}")
    say(f"round {len(shown.rounds)}{planned}, {shown.played} games played{f'; {shown.over}' if shown.over else ''}")
    if shown.test:
        test = shown.test
        low, high = test.bounds
        say(f"LLR {test.ratio:.2f} ({low:.2f}, {high:.2f}), pairs {list(test.pentanomial)}")
        elo, least, most = ("unbounded" if one is None else f"{one:+.0f}" for one in (test.elo, *test.interval))
        sure = f"likelihood of superiority {100 * test.superiority:.1f} %"
        say(f"Elo difference {elo}, 95 % interval {least} to {most}, {sure}")
    if shown.misordered is not None:
        say(f"{100 * shown.misordered:.1f} % of the pairs of players are expected to be misordered")
    say()
    tiebreaks = [_SHORT.get(name, name) for name in shown.tiebreaks]
    counted = ("points a game",) if counts_points(shown.game) else ()
    columns = ("rank", "bot", "points", *counted, "games", "w/d/l", *tiebreaks)
    print_table(columns, [_line(line, payoff=bool(counted)) for line in shown.standings])
    for line in shown.standings:
        if line.withdrawn is not None:
            say(f"{line.name} is withdrawn{', its games do not count' * line.annulled}: {line.withdrawn}")
    for number, bouts in enumerate(shown.rounds[-_SHOWN:], max(1, len(shown.rounds) - _SHOWN + 1)):
        say(f"\nround {number}")
        for bout in bouts:
            say(f"{bout.board:4}. {_bout(shown, bout.first, bout.second)}  {_points(bout.points, bout.second)}")
    if found is not None:
        show_shares(found)


def _line(line: StandingView, *, payoff: bool) -> tuple[object, ...]:
    results = f"{line.wins}/{line.draws}/{line.losses}"
    counted = ("" if line.payoff is None else f"{line.payoff:+.3f}",) if payoff else ()
    return line.rank, line.name, line.points, *counted, line.games, results, *line.tiebreaks


_SHORT = {"Buchholz cut 1": "Buch.-1", "Buchholz": "Buch.", "Sonneborn-Berger": "S.-B.", "head to head": "direct"}
"""Names of tie-breaks for which there is no room on a terminal."""


_SHOWN = 3
"""Number of the newest rounds whose boards are printed."""


def _bout(shown: TournamentView, first: int, second: int | None) -> str:
    return f"{shown.entries[first]} - {'bye' if second is None else shown.entries[second]}"


def _points(points: tuple[float, float], second: int | None) -> str:
    return "" if second is None else f"{points[0]:g} : {points[1]:g}"


def _when(row: TournamentRow) -> str:
    return datetime.fromtimestamp(row.ended or row.created).strftime("%Y-%m-%d %H:%M:%S")


# ---------------------------------------------------------------- the options of a new tournament


def _add_create_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="name of the tournament")
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help="the whole description as JSON, instead of the options below"
    )
    parser.add_argument("--game", help="name of the game")
    parser.add_argument("--format", choices=list(ENTERED), default="round-robin", help="format (default: %(default)s)")
    parser.add_argument(
        "--player",
        metavar="NAME[@TIME]",
        action="append",
        default=[],
        help="a player, strongest first (repeatable); @30+0.3: its own time control",
    )
    parser.add_argument("--games", type=int, default=2, help="matches of each pairing (default: %(default)s)")
    add_format_options(parser)
    parser.add_argument(
        "--time-control",
        metavar="BASE+INC",
        help="time control in seconds (default: the game's own)",
    )
    parser.add_argument("--openings", metavar="FILE", type=Path, help="a suite of openings: EPD or a file of games")
    parser.add_argument(
        "--opening-plies",
        type=int,
        default=8,
        help="number of plies of each opening that is read from a game (default: %(default)s)",
    )
    parser.add_argument("--draw", metavar=("SCORE", "MOVES", "AFTER"), type=float, nargs=3, help=_DRAW)
    parser.add_argument("--resign", metavar=("SCORE", "MOVES"), type=float, nargs=2, help=_RESIGN)
    parser.add_argument(
        "--max-plies", type=int, help="end matches after this number of plies, as a draw or by the points so far"
    )
    parser.add_argument("--rated", action="store_true", help="make the matches rated")
    parser.add_argument(
        "--mirrored-dice",
        action="store_true",
        help="roll the same dice, or deal the same cards, in both matches of each colour-swapped pair (in unrated "
        "tournaments only; with hidden cards, only if all players are built-in bots)",
    )
    parser.add_argument(
        "--ranked-by",
        choices=("score", "payoff"),
        help="order of the standings: by score, or by payoff (points a game) (default: depends on the game)",
    )
    parser.add_argument(
        "--anonymous", action="store_true", help="hide the names of the players from everybody until their match ends"
    )
    parser.add_argument(
        "--concurrency",
        type=int,
        default=0,
        help="maximum number of matches at the same time (default: the bots' capacity)",
    )
    parser.add_argument(
        "--patience", type=float, default=120.0, help="seconds to wait for a bot (default: %(default)g)"
    )
    parser.add_argument("--seed", type=int, help="seed of the openings (default: random)")


_DRAW = "adjudicate a draw if both report at most SCORE pawn units for MOVES consecutive moves, after move AFTER"
_RESIGN = "adjudicate a loss if both report that one side leads by SCORE pawn units, for MOVES consecutive moves"


def _configured(arguments: argparse.Namespace) -> Config:
    """Return the validated tournament. Raises CommandError."""
    with input_errors():
        config = _read(arguments.config) if arguments.config else _made(arguments)
        check(config)
    return config


def _read(path: Path) -> Config:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Config)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise CommandError(f"{path}: {error}") from None


def _made(arguments: argparse.Namespace) -> Config:
    for name, option in (("name", "a NAME"), ("game", "--game")):
        if not getattr(arguments, name):
            raise CommandError(f"a tournament needs {option}")
    game = find(arguments.game)
    openings = read_openings(arguments.openings, game, arguments.opening_plies) if arguments.openings else []
    return Config(
        name=arguments.name,
        game=game.name,
        format=chosen_format(arguments),
        entries=tuple(_entry(text) for text in arguments.player),
        games=arguments.games,
        time_control=arguments.time_control,
        openings=tuple(openings),
        adjudication=_adjudication(arguments),
        rated=arguments.rated,
        seed=secrets.randbits(52) if arguments.seed is None else arguments.seed,
        concurrency=arguments.concurrency,
        anonymous=arguments.anonymous,
        mirrored_dice=arguments.mirrored_dice,
        patience=arguments.patience,
        ranked_by=arguments.ranked_by,
    )


def _entry(text: str) -> Entry:
    name, _, control = text.partition("@")
    return Entry(name, control or None)


def _adjudication(arguments: argparse.Namespace) -> Adjudication | None:
    draw, resign = arguments.draw, arguments.resign
    rules = Adjudication(
        draw=None if draw is None else DrawRule(score=draw[0], moves=int(draw[1]), after=int(draw[2])),
        resign=None if resign is None else ResignRule(score=resign[0], moves=int(resign[1])),
        plies=arguments.max_plies,
    )
    return None if rules == Adjudication() else rules
