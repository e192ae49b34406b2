# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of ``arena search`` for Monte Carlo tree search, during the search and at its end."""

import argparse
from typing import Any

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import print_json, print_table, say
from arena.cli.support.searches.searching import in_thread, line
from engine.game import Game, State
from engine.search import Limits
from engine.search.tree import TreeReport, TreeSearcher

SHOWN = 10
"""Moves in the table at the end."""

GROWTH = 1.5
"""The state is printed again after this many times the playouts."""


def search_tree(game: Game, state: State, limits: Limits, arguments: argparse.Namespace) -> None:
    """Search and print. Raises CommandError for options of other searches."""
    if arguments.quiescence:
        raise CommandError("--quiescence is not for Monte Carlo tree search, whose leaves always have it")
    searcher = TreeSearcher(
        game,
        arguments.algorithm,
        arguments.evaluation,
        switches=arguments.switches or "",
        threads=arguments.threads,
    )
    if limits.depth is None:
        searcher.warm_up()
    if arguments.json:
        print_json(_as_json(game, state, in_thread(searcher.search, state, limits, seed=arguments.seed)))
    else:
        _show(game, state, searcher, limits, arguments.seed)


def _as_json(game: Game, state: State, report: TreeReport) -> dict[str, Any]:
    """Return the result of a search as JSON for programs."""
    pv = line(game, state, report.pv)
    return {
        "value": report.value,
        "win_probability": report.win_probability,
        "proven": report.proven,
        "move": pv[0] if pv else None,
        "pv": pv,
        "playouts": report.playouts,
        "nodes": report.nodes,
        "tree_nodes": report.size,
        "seconds": report.seconds,
        "depth": report.depth,
        "moves": [
            {
                "move": game.format_move(state, each.move),
                "visits": each.visits,
                "win_probability": each.win_probability,
                "prior": each.prior,
                "proven": each.proven,
            }
            for each in report.moves
        ],
    }


def _show(game: Game, state: State, searcher: TreeSearcher, limits: Limits, seed: int | None) -> None:
    position = game.look(state)
    line(game, state, position.moves[:1])  # compiles
    say(f"{'depth':>5} {'playouts':>14} {'win':>12}  line")
    told = 0

    def report(found: TreeReport) -> None:
        nonlocal told
        if found.playouts >= GROWTH * told:
            told = found.playouts
            texts = " ".join(line(game, state, found.pv))
            say(f"{found.depth:>5} {found.playouts:>14,} {100 * found.win_probability:>10.1f} %  {texts}", flush=True)

    result = in_thread(searcher.search, state, limits, seed=seed, on_report=report)
    speed = result.playouts / result.seconds if result.seconds else 0.0
    say(f"move     {'none' if result.move is None else game.format_move(position.state, result.move)}")
    say(f"win      {100 * result.win_probability:.1f} %{' (proven)' if result.proven else ''}")
    say(f"playouts {result.playouts:,}")
    say(f"nodes    {result.nodes:,}")
    say(f"seconds  {result.seconds:.3f} ({speed:,.0f} playouts a second)")
    if result.moves:
        say()
        rows = [
            (
                game.format_move(position.state, each.move),
                f"{each.visits:,}",
                f"{100 * each.win_probability:.1f} %",
                f"{100 * each.prior:.1f} %",
                "yes" if each.proven else "",
            )
            for each in result.moves[:SHOWN]
        ]
        print_table(("move", "visits", "win", "prior", "proven"), rows)
