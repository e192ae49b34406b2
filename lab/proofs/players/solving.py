# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of the solver: Connect Four as published, and small boards by another search."""

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

SIZES = ("4x4", "5x4", "4x5", "6x4")
"""Boards that exact alpha-beta without the solver's knowledge can search to the end."""


async def prove_connect_four(ledger: Ledger) -> None:
    """Connect Four is solved as published

    The solver proves, without any stored positions, that the first player wins on 7 columns and 6 rows at ply 41, and
    the value of each first move as V. Allis published it in 1988: from the outer column inwards lost, lost, drawn, and
    won in the middle. On small boards it finds the value of exact alpha-beta to the end of the game, which
    knows only the rules.
    """
    await asyncio.to_thread(_sizes, ledger)
    await asyncio.to_thread(_first_moves, ledger)


def _sizes(ledger: Ledger) -> None:
    words = {1: "won", 0: "drawn", -1: "lost"}
    found, nodes = [], [0, 0]
    for size in SIZES[: ledger.times(len(SIZES))]:
        game = find(f"connect-four/{size}")
        start = game.look(game.start())
        value, visited = _solve(Searcher(game, SOLVE, table_bits=TABLE_BITS), start)
        exact = Searcher(game, table_bits=TABLE_BITS).search(start.state, Limits(depth=game.board.rows * game.width))
        assert value == exact.value, size
        found.append(f"{size} {words[_sign(value)]}")
        nodes = [nodes[0] + visited, nodes[1] + exact.nodes]
    ledger.note("small boards, for the first player", ", ".join(found))
    ledger.note("their positions, by the solver", nodes[0])
    ledger.note("their positions, by exact alpha-beta", nodes[1])


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
