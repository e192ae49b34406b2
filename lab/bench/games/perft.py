# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of the rules: perft beside plain C and Stockfish, random playouts beside OpenSpiel, endgames of Othello.

The figures are leaves and plies for a second of processor time. ``python -m lab.bench.games.perft DEPTH FEN LEAVES``
prints that of a position of chess, compiled as the environment asks.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import chess
import llvmlite.binding

from engine.games import find
from engine.games.othello.endgame import Solver
from engine.walks.perft import perft
from engine.walks.playout import playout, playouts
from lab.bench import processes
from lab.bench.measurements import Measurement, Skipped, beside, median

SOURCE = Path(__file__).with_name("naive_perft.c")
"""The program in C."""

AVX2 = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": ""}
"""Makes numba compile for a processor without newer instructions."""

UNIT = "1/s CPU"


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree whose leaves are known."""

    game: str
    depth: int
    leaves: int
    fen: str = ""
    """"" for the game's start."""
    name: str = ""

    def rate(self) -> float:
        """Count the leaves and return how many there were for a second of CPU."""
        game = find(self.game)
        state = game.parse_position(self.fen) if self.fen else game.start()
        perft(game, state, 2)  # compiles, or loads
        began = time.process_time()
        counted = perft(game, state, self.depth)
        spent = time.process_time() - began
        assert counted == self.leaves
        return counted / spent


CHECKERS = Tree("checkers", 11, 85_242_128)
CONNECT_FOUR = Tree("connect-four", 10, 268_031_646)
OTHELLO = Tree("othello", 10, 24_571_284)
START = Tree("chess", 6, 119_060_324, chess.STARTING_FEN, "chess from the start")
KIWIPETE_FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
KIWIPETE = Tree("chess", 5, 193_690_690, KIWIPETE_FEN, "chess from Kiwipete")

TARGETS = {START: (4.0, 2.5), KIWIPETE: (7.0, 5.0)}
"""Times Stockfish's speed: with registers of eight boards, as AVX-512 has, and without."""
PUBLISHED = {START: "1.47e9", KIWIPETE: "2.05e9"}
"""Published leaves a second of Gigantua, the fastest known generator."""


# ---------------------------------------------------------------- programs that count


def in_c(tree: Tree) -> float:
    """Return the leaves for a second of CPU of the program in C. Raises Skipped."""
    figures = json.loads(processes.output([str(processes.compiled(SOURCE)), str(tree.depth)]))
    assert figures["leaves"] == tree.leaves
    return float(figures["leaves"] / figures["seconds"])


def in_stockfish(tree: Tree) -> float:
    """Return the rate of Stockfish, which does not make the moves of the last ply either. Raises Skipped."""
    program = [str(processes.debian("stockfish"))]
    text, seconds = processes.timed(program, f"position fen {tree.fen}\ngo perft {tree.depth}\nquit\n")
    assert f"Nodes searched: {tree.leaves}" in text
    return tree.leaves / (seconds - processes.timed(program, "quit\n")[1])


def in_python_chess(tree: Tree) -> float:
    """Return the rate of python-chess, two plies less deep."""

    def count(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        found = 0
        for move in board.legal_moves:
            board.push(move)
            found += count(board, depth - 1)
            board.pop()
        return found

    began = time.process_time()
    leaves = count(chess.Board(tree.fen), tree.depth - 2)
    return leaves / (time.process_time() - began)


def on_avx2(tree: Tree) -> float:
    """Return our rate, compiled for a processor with AVX2 and no more. Raises Skipped."""
    command = [sys.executable, "-m", "lab.bench.games.perft", str(tree.depth), tree.fen, str(tree.leaves)]
    surroundings = dict(os.environ) | AVX2
    done = subprocess.run(command, cwd=processes.ROOT, check=False, capture_output=True, text=True, env=surroundings)
    if done.returncode:
        raise Skipped(f"numba does not compile as for AVX2: {done.stderr.strip()[-200:]}")
    return float(done.stdout)


def wide() -> bool:
    """Tell whether the processor has registers of eight boards."""
    return bool(llvmlite.binding.get_host_cpu_features().get("avx512f"))


# ---------------------------------------------------------------- beside each other


def run_perft() -> Iterator[Measurement]:
    """Compare."""
    ours, peer, why = beside(CHECKERS.rate, partial(in_c, CHECKERS))
    what, name = "leaves of checkers", "plain C, -O3"
    yield Measurement(what=what, unit=UNIT, ours=ours, peer=peer, peer_name=name, note=why, target=100e6, of="figure")
    for tree, target in ((CONNECT_FOUR, 200e6), (OTHELLO, 100e6)):
        what = f"leaves of {tree.game}"
        yield Measurement(what=what, unit=UNIT, ours=median(tree.rate), target=target, of="figure")
    for tree in TARGETS:
        yield from run_perft_of_chess(tree)


def run_perft_of_chess(tree: Tree) -> Iterator[Measurement]:
    """Compare a tree of chess."""
    what, name = f"leaves of {tree.name}", "Stockfish"
    high, low = TARGETS[tree]
    ours, peer, why = beside(tree.rate, partial(in_stockfish, tree))
    note = why or f"published for Gigantua: {PUBLISHED[tree]}"
    yield Measurement(
        what=what, unit=UNIT, ours=ours, peer=peer, peer_name=name, note=note, target=high if wide() else low
    )
    if wide():
        narrow, peer, why = beside(partial(on_avx2, tree), partial(in_stockfish, tree))
        half = f"{what}, on AVX2"
        yield Measurement(what=half, unit=UNIT, ours=narrow, peer=peer, peer_name=name, note=why, target=low)
    yield Measurement(
        what=what, unit=UNIT, ours=ours, peer=median(partial(in_python_chess, tree), 3), peer_name="python-chess"
    )


# ---------------------------------------------------------------- random playouts


PLAYOUTS = (
    ("checkers", "checkers", 20_000, 20.0),
    ("tictactoe", "tic_tac_toe", 1_000_000, 5.0),
    ("othello", "othello", 20_000, 20.0),
    ("backgammon", "backgammon(scoring_type=full_scoring)", 5_000, 20.0),
    ("chess", "chess", 3_000, 50.0),
    ("connect-four", "connect_four", 300_000, 20.0),
    ("go/9x9", "go(board_size=9,komi=7.0)", 5_000, 5.0),
    ("dark-chess", "dark_chess", 3_000, 10.0),
    ("phantom-go/9x9", "phantom_go(board_size=9,komi=7.0,max_game_length=600)", 5_000, 5.0),
)
"""Our name, OpenSpiel's, games that are played, and the ratio aimed at."""


def plies_per_second(name: str, games: int) -> float:
    """Play games and return plies for a second of CPU."""
    game = find(name)
    began = time.process_time()
    tally = playouts(game, games, seed=1)
    return tally.plies / (time.process_time() - began)


def run_playouts() -> Iterator[Measurement]:
    """Compare."""
    python = processes.python()
    for ours, theirs, games, target in PLAYOUTS:
        peer = json.loads(processes.output([str(python), str(processes.PEER_PACKAGES), "openspiel", theirs]))
        yield Measurement(
            what=f"random plies of {ours}",
            unit="1/s CPU",
            ours=median(lambda name=ours, number=games: plies_per_second(name, number)),  # type: ignore[misc]  # bound now
            peer=peer["plies_per_second"],
            peer_name=f"OpenSpiel {peer['version']}",
            target=target,
            of="ratio",
            bound="at least",
        )


# ---------------------------------------------------------------- endgames of Othello

ENDGAMES, PLAYED = 4, 41
"""Random games whose ends are solved, and the plies that are played before."""


def nodes_per_second() -> float:
    """Solve the ends of random games, each with an empty table, and return nodes for a second of CPU."""
    game = find("othello")
    nodes, spent = 0, 0.0
    for number in range(ENDGAMES):
        state = game.start()
        for move in playout(game, 1, number)[0][:PLAYED]:
            state = game.play(game.look(state), move).state
        solver = Solver()
        began = time.process_time()
        nodes += solver.solve(state).nodes
        spent += time.process_time() - began
    return nodes / spent


def run_endgames() -> Iterator[Measurement]:
    """Measure."""
    ours = median(nodes_per_second)
    yield Measurement(what="endgames of othello, nodes", unit=UNIT, ours=ours, target=10e6, of="figure")


BENCHMARKS = {"playouts": run_playouts, "perft": run_perft, "endgames": run_endgames}


if __name__ == "__main__":
    print(Tree("chess", int(sys.argv[1]), int(sys.argv[3]), sys.argv[2]).rate())
