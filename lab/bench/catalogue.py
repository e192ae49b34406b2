# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmarks by name, and the command that runs them and prints their figures in one table."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec

from arena.cli.features import NAMES
from arena.cli.support.output import add_json, print_json, print_table
from lab.bench.measurements import Benchmark, Measurement, Skipped

MODULES = {
    "playouts": ("games.perft", "random playouts beside OpenSpiel's rollouts in C++"),
    "perft": ("games.perft", "leaves counted, beside plain C and Stockfish"),
    "endgames": ("games.perft", "nodes of exact endgames of Othello"),
    "battleship": ("games.battleship", "shots to sink a fleet in Battleship"),
    "pubeval": ("games.backgammon", "points a game of backgammon against PubEval"),
    "bridge": ("games.bridge", "seconds to solve deals of bridge double dummy, beside DDS"),
    "whist": ("games.whist", "seconds to solve second halves of German whist"),
    "dilemma": ("games.dilemma", "turns of the Prisoner's Dilemma beside the Axelrod library"),
    "holdem": ("games.holdem", "random hands of hold'em beside pokerkit"),
    "search": ("search.nodes", "nodes of a search of chess beside other engines"),
    "minimax": ("search.nodes", "the nodes of the lecture's minimax"),
    "cfr": ("search.regret", "CFR+ in Kuhn and Leduc poker, beside OpenSpiel's in C++"),
    "trees": ("search.tree_search", "playouts of Monte Carlo tree search in Go, and the gain of a second thread"),
    "breeding": ("learning.evolution", "games and evaluations of chess while weights evolve"),
    "leaves": ("learning.evolution", "evaluations of chess in games of breeding, beside an older version"),
    "evolved": ("learning.evolution", "nodes of evolved searches, beside the exact search"),
    "ray": ("search.farms", "games of chess on a Ray of two workers, beside two plain processes"),
    "messages": ("server.messages", "the server's processor time for a move beside a bare aiohttp echo"),
    "broadcast": ("server.messages", "a thousand spectators of one match beside a bare aiohttp broadcast"),
    "boards": ("server.boards", "processor time of a browser that shows 64 live boards"),
    "delays": ("server.boards", "from a bot's move to the painted board, with 200 live matches"),
    "paint": ("server.pages", "pages from a cold cache, on loopback and over a slow network"),
    "crowd": ("server.crowd", "2,000 spectators of 200 matches, with the server on one core"),
    "lighthouse": ("server.pages", "Lighthouse's scores of the lobby, a match and the leaderboard"),
    "start": ("server.start", "from the command to the first answer and the first move of a built-in bot"),
    "earlier": (
        "server.earlier",
        "a single server beside the last version before clusters: a relayed move, and a start",
    ),
    "compiling": (
        "server.start",
        "processor time to compile every built-in bot's search of chess, beside an older version",
    ),
    "orphans": ("server.orphans", "time until the processes of a killed server end"),
    "sandbox": ("server.sandbox", "programs in sandboxes beside the same programs without one"),
    "wasm": ("server.wasm", "moves of WebAssembly bots beside bare calls, and code with metering beside code without"),
    "lists": ("server.lists", "pages of long lists, from SQLite and PostgreSQL"),
    "ends": ("server.ends", "ends of matches a second by three servers on one PostgreSQL, without a deadlock"),
    "swiss": ("learning.ratings", "Swiss rounds of a thousand players"),
    "ratings": ("learning.ratings", "ratings of many players by maximum likelihood, beside choix"),
    "modelling": ("learning.modelling", "learning a player's games, and predicting its moves"),
}
"""The module of each benchmark, which holds it in its ``BENCHMARKS``, and a description."""


def _lazy(name: str) -> Benchmark:
    """Return a benchmark whose module is imported only when it runs."""
    module, description = MODULES[name]

    def run() -> Iterator[Measurement]:
        benchmarks: dict[str, Benchmark] = import_module(f"lab.bench.{module}").BENCHMARKS
        return benchmarks[name]()

    run.__doc__ = description
    return run


def _of_features() -> dict[str, Benchmark]:
    """Return the benchmarks of features: ``BENCHMARKS`` of ``tests/features/NAME/bench.py``, where there is one."""
    modules = [f"tests.features.{name}.bench" for name in NAMES if find_spec(f"tests.features.{name}.bench")]
    return {name: run for module in modules for name, run in import_module(module).BENCHMARKS.items()}


BENCHMARKS: dict[str, Benchmark] = {name: _lazy(name) for name in MODULES} | _of_features()


def main(given: Sequence[str] | None = None) -> int:
    """Run the named benchmarks, or all; the exit code is 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench", description=main.__doc__)
    names = "; ".join(f"{name}: {run.__doc__}" for name, run in BENCHMARKS.items())
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *BENCHMARKS], help=f"{names}. Default: all")
    add_json(parser)
    arguments = parser.parse_args(given)
    # nothing else may use the processors meanwhile
    os.environ.setdefault("ARENA_BREEDING", "")
    os.environ.setdefault("ARENA_LEARNING", "no")
    lines: list[Measurement] = []
    skipped: dict[str, str] = {}
    for name in arguments.names or BENCHMARKS:
        try:
            lines += _watched(name)
        except Skipped as reason:
            skipped[name] = str(reason)
    if arguments.json:
        print_json({"lines": [_plain(line) for line in lines], "skipped": skipped})
    else:
        _show(lines, skipped)
    return 0 if all(line.reached for line in lines) else 1


def _watched(name: str) -> Iterator[Measurement]:
    print(f"{name} ...", file=sys.stderr, flush=True)
    for line in BENCHMARKS[name]():
        print(f"{name}: {line.what}: {line.ours:,.4g} {line.unit}", file=sys.stderr, flush=True)
        yield line


def _plain(line: Measurement) -> dict[str, object]:
    fields = {name: getattr(line, name) for name in line.__struct_fields__}
    return fields | {"ratio": line.ratio, "reached": line.reached}


def _show(lines: list[Measurement], skipped: dict[str, str]) -> None:
    os.environ.setdefault("COLUMNS", "160")  # the table is wide, and is read in logs as well
    rows = [
        (
            line.what,
            _number(line.ours),
            _number(line.peer),
            line.unit,
            _number(line.ratio),
            "-" if line.target is None else f"{line.of} {line.bound} {_number(line.target)}",
            "-" if line.target is None else "yes" if line.reached else "no",
            ", ".join(filter(None, (line.peer_name, line.note))),
        )
        for line in lines
    ]
    print_table(("what", "ours", "peer", "unit", "ratio", "target", "reached", "peer and remarks"), rows)
    for name, reason in skipped.items():
        print(f"{name} was not run: {reason}")


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
