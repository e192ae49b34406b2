# SPDX-License-Identifier: GPL-3.0-or-later
"""List, show, export or abort matches.

Works on the database itself, whether a server runs on it or not; a running server notices an aborted match within
about a second.
"""

import argparse
from datetime import datetime
from functools import partial

import msgspec
from msgspec import structs

from arena.cli.support import exporting
from arena.cli.support.command_line import CommandError, check_least
from arena.cli.support.output import print_answer, print_json, print_table, say
from arena.cli.support.records import actions, on_records
from arena.store import Store
from arena.store.rows import MatchRow, StoredMatch
from arena.watching.diagrams import draw_part
from arena.watching.disclosure import sealed, viewpoint_of, viewpoint_of_seat
from engine.game import CHANCE
from engine.games import find
from engine.match.ending import Termination
from engine.match.events import Event, Moved, decode_event

GROUP = "compete"

ACTIONS = {
    "list": "list matches, newest first",
    "show": "show a match and its moves, or what a seat saw of it",
    "export": "export matches to a file: JSON lines, or the notation of the game (PGN, PDN, SGF, GGF, MAT)",
    "abort": "abort a running match without a result; no rating changes",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    for action, subparser in actions(parser, ACTIONS).items():
        if action == "list":
            subparser.add_argument(
                "--status",
                choices=["live", "finished"],
                default="finished",
                help="only matches with this status (default: %(default)s)",
            )
            subparser.add_argument("--game", help="only matches of this game")
            subparser.add_argument("--bot", metavar="NAME", help="only matches of this bot")
            subparser.add_argument("--limit", type=int, default=50, help="maximum number (default: %(default)s)")
        elif action == "export":
            exporting.add_arguments(subparser)
        else:
            subparser.add_argument("match", metavar="ID", type=int, help="number of the match")
        if action == "show":
            subparser.add_argument(
                "--seat",
                type=int,
                choices=(0, 1),
                help="print what this seat saw after each move, and the moves as the arena told them to it; only for "
                "finished matches of games with hidden information or simultaneous moves",
            )
        if action == "abort":
            subparser.add_argument("--reason", default="aborted by the operator", help="reason, sent to both bots")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    if arguments.action == "list":
        await _list(arguments, store)
        return
    if arguments.action == "export":
        await exporting.export(arguments, store)
        return
    stored = await store.matches.get(arguments.match)
    if stored is None:
        raise CommandError(f"there is no match {arguments.match}")
    if arguments.action == "show" and arguments.seat is not None:
        _show_view(arguments, stored, arguments.seat)
    elif arguments.action == "show":
        _show(arguments, stored)
    else:
        await _abort(arguments, store, stored)


async def _list(arguments: argparse.Namespace, store: Store) -> None:
    check_least(arguments, {"limit": 1})
    bot_id = await exporting.number_of(arguments.bot, store)
    page = await store.matches.page(arguments.status, game=arguments.game, bot_id=bot_id, limit=arguments.limit)
    if arguments.json:
        print_json({"items": [sealed(row) for row in page.items], "next": page.next})
        return
    if not page.items:
        say("there are no such matches")
        return
    # a number as `show` takes it, without the commas of quantities
    rows = [
        (str(row.id), row.game, *(side.bot for side in row.players), *_ending(row), _when(row)) for row in page.items
    ]
    print_table(("match", "game", "first", "second", "result", "why", "when"), rows)


def _show(arguments: argparse.Namespace, stored: StoredMatch) -> None:
    row = sealed(stored.row)
    events = _public(row, [decode_event(event.body) for event in stored.events])
    if arguments.json:
        print_json({"match": row, "events": [msgspec.to_builtins(event) for event in events]})
        return
    say(_summary(row))
    moves = [*row.opening, *(event.move for event in events if isinstance(event, Moved))]
    for ply in range(0, len(moves), 2):
        say(f"{ply // 2 + 1:4}. {'  '.join(moves[ply : ply + 2])}")


def _show_view(arguments: argparse.Namespace, stored: StoredMatch, seat: int) -> None:
    """Print what a seat saw, whether the game is offered here or not."""
    row = sealed(stored.row)
    try:
        game = find(row.game)
    except KeyError:
        raise CommandError(f"this version has no game {row.game}") from None
    if row.pruned:
        raise CommandError(f"the moves of match {row.id} were deleted because of their age")
    moved = (event for event in (decode_event(each.body) for each in stored.events) if isinstance(event, Moved))
    try:
        viewpoint = viewpoint_of_seat(row, game, seat)
        drawn = draw_part(viewpoint, row.start, row.opening, moved, 0, len(row.opening) + len(stored.events))
    except ValueError as error:
        raise CommandError(str(error)) from None
    if arguments.json:
        moves = [msgspec.to_builtins(move) for move in drawn.moves]
        first = {"observation": drawn.observation, "initial": drawn.initial}
        print_json({"match": row, "view": seat, **first, "moves": moves})
        return
    say(_summary(row))
    # no table: the columns of long observations would be as wide as the longest one
    width = max(len(text) for text in ("move", *(move.move for move in drawn.moves)))
    say(f" ply  seat  {'move':<{width}}  what seat {seat} saw")
    say(f"   0        {'':<{width}}  {drawn.observation}")
    for move in drawn.moves:
        mover = "" if move.seat == CHANCE else str(move.seat)
        say(f"{move.ply:4}  {mover:4}  {move.move:<{width}}  {move.observation}")


def _summary(row: MatchRow) -> str:
    names = " - ".join(f"{side.bot} ({side.rating_before:.0f})" for side in row.players)
    result, why = _ending(row)
    return f"match {row.id}: {row.game} {row.time_control or ''}, {names}: {result} {why} {row.detail}".rstrip()


def _public(row: MatchRow, events: list[Event]) -> list[Event]:
    """Return the events of a match as spectators see them: operators may be spectators, or have bots of their own."""
    try:
        game = find(row.game)
    except KeyError:
        return events
    if not row.closed or game.secrets is None:
        return events
    moved = [event for event in events if isinstance(event, Moved)]
    plies = len(row.opening) + len(moved)
    drawn = iter(draw_part(viewpoint_of(row, game), row.start, row.opening, moved, len(row.opening), plies).moves)
    return [
        structs.replace(event, move=next(drawn).move, info=None) if isinstance(event, Moved) else event
        for event in events
    ]


async def _abort(arguments: argparse.Namespace, store: Store, stored: StoredMatch) -> None:
    row = stored.row
    if row.status == "finished":
        raise CommandError(f"match {row.id} is already over: {' '.join(_ending(row))}")
    moved = sum(isinstance(decode_event(event.body), Moved) for event in stored.events)
    await store.matches.finish(
        row.id,
        result="*",
        termination=Termination.VOID,
        detail=arguments.reason,
        plies=len(row.opening) + moved,
    )
    print_answer(
        arguments,
        {"match": row.id, "result": "*", "termination": Termination.VOID, "detail": arguments.reason},
        f"aborted match {row.id}",
    )


def _ending(row: MatchRow) -> tuple[str, str]:
    return row.result or "", row.termination or "live"


def _when(row: MatchRow) -> str:
    return datetime.fromtimestamp(row.finished or row.started).strftime("%Y-%m-%d %H:%M:%S")
