# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of ``arena search`` for the searches of games with hidden information."""

import argparse

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import print_json, print_table, say
from engine.game import Game
from engine.hidden import HiddenSearcher, searchable
from engine.search import Limits


def search_hidden(game: Game, arguments: argparse.Namespace) -> None:
    """Search an observation and print. Raises CommandError for options of other searches."""
    if not searchable(game):
        raise CommandError(
            f"{arguments.algorithm} is for games that hide information and are played in turns, not {game.name}"
        )
    if arguments.position is None:
        raise CommandError("set --position to an observation of the seat to move: what a bot receives as its position")
    if arguments.quiescence or arguments.switches or arguments.threads != 1:
        raise CommandError(f"--quiescence, --switches and --threads are not for {arguments.algorithm}")
    searcher = HiddenSearcher(game, arguments.algorithm, arguments.evaluation)
    limits = Limits(arguments.depth, arguments.nodes, arguments.seconds, playouts=arguments.playouts)
    searcher.warm_up()
    report = searcher.search(arguments.position, None, limits, seed=arguments.seed or 0)
    move = None if report.move is None else game.format_move(report.state, report.move)
    if arguments.json:
        print_json(
            {
                "value": report.value,
                "move": move,
                "moves": [
                    {"move": game.format_move(report.state, each.move), "value": each.value, "visits": each.visits}
                    for each in report.moves
                    if each.visits
                ],
                "worlds": report.worlds,
                "nodes": report.nodes,
                "depth": report.depth,
                "seconds": report.seconds,
            }
        )
        return
    say(f"move     {'none' if move is None else move}")
    say(f"value    {report.value:,.1f}")
    say(f"worlds   {report.worlds:,}")
    say(f"nodes    {report.nodes:,}")
    say(f"seconds  {report.seconds:.3f}")
    if report.moves:
        say()
        rows = [
            (game.format_move(report.state, each.move), f"{each.value:,.1f}", f"{each.visits:,}")
            for each in report.moves
            if each.visits
        ]
        print_table(("move", "value", "visits"), rows)
