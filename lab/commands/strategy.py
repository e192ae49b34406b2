# SPDX-License-Identifier: GPL-3.0-or-later
"""For a game that has a solver, write a winning strategy for the first plies to a file.

The file has a move for each position that the first player can reach by it and in which the solver does not prove a win
from an empty table within --nodes. With it, the algorithm "solve" wins against every defence with that many nodes a
move. Without --out the file is that of the game. If it exists, its lines are kept, so an interrupted run can go on.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from arena.cli.support.command_line import CommandError, check_least, input_errors
from arena.cli.support.output import say
from engine.game import Game, Position
from engine.games import find
from engine.search.memory import CELLS, NODES
from engine.search.solver import Solver, has_kernels, symmetric
from engine.search.strategy import path_of, positions, read, write

GROUP = "tune"

NODES_A_MOVE = 300_000
"""The solver visits about this number of positions in a tenth of a second."""

SMALL_BITS = 21
"""Binary logarithm of the entries of the table for the test whether a position needs a stored move."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a game with a solver, such as connect-four")
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=int,
        default=NODES_A_MOVE,
        help="nodes per move: positions that the solver solves within this limit need no stored move (default: "
        "%(default)s)",
    )
    parser.add_argument(
        "--table-bits",
        metavar="N",
        type=int,
        default=26,
        help="binary logarithm of the number of entries of the table; an entry takes 8 bytes (default: %(default)s)",
    )
    parser.add_argument("--out", metavar="FILE", type=Path, help="output file (default: the game's)")


def run(arguments: argparse.Namespace) -> int:
    """Make the file; returns the exit code."""
    with input_errors():
        check_least(arguments, {"nodes": 1, "table_bits": SMALL_BITS})
        game = find(arguments.game)
        if not has_kernels(game):
            raise CommandError(f"{game.title} has no solver")
        out = arguments.out or path_of(game)
        lines = list(read(game, out.read_bytes()).lines) if out.exists() else []
        maker = Maker(game, arguments.nodes, arguments.table_bits, lines)
        command = f"arena lab strategy {game.name} --nodes {arguments.nodes}"
        began = time.process_time()
        for line in maker.make():
            # lines of an interrupted run that were not reached yet are kept
            out.write_bytes(write(game, arguments.nodes, command, [*dict.fromkeys([*maker.lines, *lines])]))
            say(f"{line}  {maker.nodes:,} positions, {time.process_time() - began:,.1f} s")
        out.write_bytes(write(game, arguments.nodes, command, maker.lines))
    return 0


class Maker:
    """Finds the moves of a winning strategy for the first player, a ply after the other."""

    def __init__(self, game: Game, nodes: int, table_bits: int, lines: list[str]) -> None:
        """``lines``: those that are known already, for the same game and the same number of nodes."""
        self._game = game
        self._limit = nodes
        self._small, self._large = (Solver(game, np.zeros(CELLS, np.int64), bits) for bits in (SMALL_BITS, table_bits))
        self._lost = {symmetric(position.state) for position in positions(game, lines)}
        self.lines: list[str] = []
        self.nodes = 0
        """Positions that were visited to prove the stored moves."""

    def make(self) -> Iterator[str]:
        """Yield each line of the strategy. Raises ValueError if the first player does not win."""
        start = self._game.look(self._game.start())
        level = {symmetric(start.state): ("", {start.key: start})}
        stored: set[int] = set()
        while level:
            following: dict[int, tuple[str, dict[int, Position]]] = {}
            for line, mirrored in level.values():
                # the solver may need many times as many nodes for a position as for the mirrored one
                if all(self._is_solved(position) for position in mirrored.values()):
                    continue
                first = next(iter(mirrored.values()))
                if self._move_to(stored, first) is None:
                    move = self._move_to(self._lost, first)
                    if move is None:
                        move = self._proven(first)
                    line = f"{line} {self._game.format_move(first.state, move)}".lstrip()
                    self.lines.append(line)
                    yield line
                    stored.add(symmetric(self._game.play(first, move).state))
                for position in mirrored.values():
                    self._follow(following, line, position, stored)
            level = following

    def _follow(
        self, following: dict[int, tuple[str, dict[int, Position]]], line: str, before: Position, stored: set[int]
    ) -> None:
        """Add the positions after each reply to the stored move, those that mirror each other together.

        The first one that is added has the line that leads to it.
        """
        move = self._move_to(stored, before)
        assert move is not None
        position = self._game.play(before, move)
        for reply in position.moves:
            after = self._game.play(position, reply)
            if not after.over:
                text = f"{line} {self._game.format_move(position.state, reply)}"
                _, mirrored = following.setdefault(symmetric(after.state), (text, {}))
                mirrored.setdefault(after.key, after)

    def _is_solved(self, position: Position) -> bool:
        """Return whether the solver proves a win from an empty table within the limit."""
        self._small.clear()
        return self._small.winning_move(position.state, self._limit) is not None

    def _move_to(self, lost: set[int], position: Position) -> int | None:
        """Return a move to one of these positions."""
        after = ((move, self._game.play(position, move).state) for move in position.moves)
        return next((move for move, state in after if symmetric(state) in lost), None)

    def _proven(self, position: Position) -> int:
        """Return a move that wins, by the solver."""
        found = self._large.winning_move(position.state)
        self.nodes += int(self._large.control[NODES])
        if found is None:
            text = self._game.format_position(position.state)
            raise ValueError(f"the first player does not win {self._game.title} from {text}")
        return found
