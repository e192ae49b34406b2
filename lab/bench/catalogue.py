# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmarks by name; each imports what it needs only when it runs."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from arena.cli.features import NAMES
from lab.bench.lines import Benchmark, Line


def _playouts() -> Iterator[Line]:
    """random playouts beside OpenSpiel's C++ rollouts"""
    from lab.bench import playouts

    return playouts.run()


def _perft() -> Iterator[Line]:
    """counting leaves beside plain C and Stockfish"""
    from lab.bench import perft

    return perft.run()


def _search() -> Iterator[Line]:
    """nodes of a search of chess beside other engines"""
    from lab.bench import search

    return search.run()


def _minimax() -> Iterator[Line]:
    """the nodes of the lecture's minimax"""
    from lab.bench import minimax

    return minimax.run()


def _breeding() -> Iterator[Line]:
    """games and evaluations of chess while weights are bred"""
    from lab.bench import breeding

    return breeding.run()


def _steered() -> Iterator[Line]:
    """nodes of players that programs steer, beside the hand-written frame"""
    from lab.bench import steered

    return steered.run()


def _messages() -> Iterator[Line]:
    """the server's CPU for a move beside a bare aiohttp echo"""
    from lab.bench import messages

    return messages.run()


def _broadcast() -> Iterator[Line]:
    """a thousand spectators of one match beside a bare aiohttp broadcast"""
    from lab.bench import broadcast

    return broadcast.run()


def _start() -> Iterator[Line]:
    """from the command to the first answer and the first move of a built-in bot"""
    from lab.bench import start

    return start.run()


def _compiling() -> Iterator[Line]:
    """the CPU seconds to compile every built-in bot's search of chess, beside an older version"""
    from lab.bench import compiling

    return compiling.run()


def _orphans() -> Iterator[Line]:
    """how soon the processes of a killed server end"""
    from lab.bench import orphans

    return orphans.run()


def _lists() -> Iterator[Line]:
    """pages of long lists, from SQLite and PostgreSQL"""
    from lab.bench import lists

    return lists.run()


def _swiss() -> Iterator[Line]:
    """Swiss rounds of a thousand players"""
    from lab.bench import swiss

    return swiss.run()


def _ratings() -> Iterator[Line]:
    """ratings of many players by maximum likelihood, beside choix"""
    from lab.bench import ratings

    return ratings.run()


def _modelling() -> Iterator[Line]:
    """learning a player's games, and predicting its moves"""
    from lab.bench import modelling

    return modelling.run()


def _of_features() -> dict[str, Benchmark]:
    """Return the benchmarks of features: ``BENCHMARK`` of ``tests/features/NAME/bench.py``, where there is one."""
    modules = {name: f"tests.features.{name}.bench" for name in NAMES if find_spec(f"tests.features.{name}.bench")}
    return {name: import_module(module).BENCHMARK for name, module in modules.items()}


BENCHMARKS: dict[str, Benchmark] = {
    "playouts": _playouts,
    "perft": _perft,
    "search": _search,
    "minimax": _minimax,
    "breeding": _breeding,
    "steered": _steered,
    **_of_features(),
    "messages": _messages,
    "broadcast": _broadcast,
    "start": _start,
    "compiling": _compiling,
    "orphans": _orphans,
    "lists": _lists,
    "swiss": _swiss,
    "ratings": _ratings,
    "modelling": _modelling,
}
