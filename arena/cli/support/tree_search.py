# SPDX-License-Identifier: GPL-3.0-or-later
"""Monte Carlo tree search for ``arena search``: what it prints while it runs, and at its end."""

import argparse
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import print_json, print_table, say
from engine.game import Game, State
from engine.search import Limits, Stop
from engine.search.tree import TreeReport, TreeSearcher

Found = TypeVar("Found")

SHOWN = 10
"""Moves in the table at the end."""

GROWTH = 1.5
"""The state is printed again after this many times the playouts."""


def in_thread(search: Callable[..., Found], state: State, limits: Limits, **options: Any) -> Found:
    """Search in another thread: compiled code answers no interrupt, but it does answer a stop."""
    stop = Stop()
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(search, state, limits, stop=stop, **options)
        try:
            return found.result()
        except KeyboardInterrupt:
            stop.set()
            raise


def line(game: Game, state: State, moves: tuple[int, ...]) -> list[str]:
    """Return the texts of moves played one after the other."""
    texts = []
    position = game.look(state)
    for move in moves:
        texts.append(game.format_move(position.state, move))
        position = game.play(position, move)
    return texts


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
