# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of the solver: values of Connect Four that others published."""

import asyncio
import time

from engine.game import Game, Position
from engine.games import find
from engine.search import SOLVE, Limits, Searcher, Stop
from lab.proofs.ledger import Ledger

TABLE_BITS = 22

FIRST_MOVES = {"1": -1, "2": -1, "3": 0, "4": 1, "5": 0, "6": -1, "7": -1}
"""Signs of the values of the first moves on 7 columns and 6 rows: V. Allis, A Knowledge-Based Approach of Connect-Four,
1988."""

PLY = 41
"""The first player wins with the disc of this ply at the latest, with best play of both."""

SIZES = {"4x4": 0, "4x5": 0, "4x6": 0, "5x4": 0, "5x5": 0, "5x6": 0, "6x4": 0, "6x5": 0, "6x6": -1, "7x4": 0}
"""Signs of the values of other boards for the first player: J. Tromp, https://tromp.github.io/c4.html."""


async def prove_connect_four(ledger: Ledger) -> None:
    """Connect Four is solved as published

    The solver proves, without any stored positions, that the first player wins on 7 columns and 6 rows at ply 41, and
    the value of each first move as V. Allis published it in 1988: from the outer column inwards lost, lost, drawn, and
    won in the middle. Other boards have the values of J. Tromp's table.
    """
    await asyncio.to_thread(_sizes, ledger)
    await asyncio.to_thread(_first_moves, ledger)


def _sizes(ledger: Ledger) -> None:
    names = list(SIZES)[: ledger.times(len(SIZES))]
    began, nodes = time.process_time(), 0
    for size in names:
        game = find(f"connect-four/{size}")
        value, visited = _solve(Searcher(game, SOLVE, table_bits=TABLE_BITS), game.look(game.start()))
        assert _sign(value) == SIZES[size], size
        nodes += visited
    ledger.note("boards of other sizes", ", ".join(names))
    ledger.note("their positions", nodes)
    ledger.note("their seconds of processor time", time.process_time() - began)


def _first_moves(ledger: Ledger) -> None:
    if ledger.scale < 1:
        return
    game = find("connect-four")
    start = game.look(game.start())
    searcher = Searcher(game, SOLVE, table_bits=TABLE_BITS)
    began = time.process_time()
    value, nodes = _solve(searcher, start)
    assert value == searcher.evaluation.win + 42 - PLY, value
    seconds = time.process_time() - began
    ledger.note("7 columns, 6 rows: won at ply", PLY)
    ledger.note("positions", nodes)
    ledger.note("seconds of processor time", seconds)
    ledger.note("positions a second", round(nodes / seconds))
    words = {1: "won", 0: "drawn", -1: "lost"}
    ledger.note("first moves in columns 1 to 7", ", ".join(words[sign] for sign in _values(game, searcher, start)))
    ledger.note("seconds of processor time for all", time.process_time() - began)


def _values(game: Game, searcher: Searcher, start: Position) -> list[int]:
    """Return the signs of the first moves, held against the published ones; the searcher keeps its table."""
    found = []
    for text, published in FIRST_MOVES.items():
        value, _ = _solve(searcher, game.play(start, game.parse_move(start, text)))
        assert -_sign(value) == published, text
        found.append(published)
    return found


def _solve(searcher: Searcher, position: Position) -> tuple[int, int]:
    """Return the value for the seat to move, and the number of positions."""
    result = searcher.search(position.state, Limits(), stop=Stop())
    return result.value, result.nodes


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
