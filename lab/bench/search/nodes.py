# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of searches: chess beside other engines, and minimax of the lecture's checkers down to depth 8.

The figure for chess is nodes for a second of processor time in the middle game, with the ``tuned`` evaluation. A node
is a move made, in quiescence search too. Engines count differently, and a node of an engine with a neural network costs
many times as much: the figures compare the speed of walking a tree, not its quality.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import chess
import chess.engine

from engine.games import find
from engine.search import Limits, Searcher
from lab.bench import processes
from lab.bench.measurements import Measurement, Skipped, beside, median
from lab.bench.processes import cpu

POSITIONS = (
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1P2PN2/PBN1BPPP/R2Q1RK1 w - - 0 11",
    "r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 w - - 0 13",
    "r2qr1k1/1b1nbpp1/p2p1n1p/1pp1p3/3PP3/2PB1N1P/PP1N1PP1/R1BQR1K1 w - - 0 15",
    "2rq1rk1/pb1n1ppp/1p1bpn2/3p4/2PP4/1PNBPN2/PB3PPP/2RQ1RK1 b - - 0 13",
    "r1bq1rk1/1p1nbppp/p2ppn2/8/3NPP2/2N1B3/PPPQB1PP/R4RK1 w - - 0 11",
)
"""Of usual openings, after both sides have castled; of no suite."""

SECONDS = 0.5
"""For each."""

ALGORITHM, EVALUATION = "play", "tuned"

ENGINES = {
    "stockfish": "Stockfish",
    "ethereal-chess": "Ethereal",
    "toga2": "Toga II",
    "glaurung": "Glaurung",
    "gnuchess": "GNU Chess",
}
"""Debian's packages, and the engines' names."""

OPTIONS = {"gnuchess": ["--uci"]}
REMARKS = {"Stockfish": "its nodes ask a neural network"}


def ours() -> float:
    """Search each position and return nodes for a second of CPU."""
    game = find("chess")
    searcher = Searcher(game, ALGORITHM, EVALUATION)
    searcher.warm_up()
    nodes, spent = 0, 0.0
    for fen in POSITIONS:
        searcher.clear()
        began = time.process_time()
        nodes += searcher.search(game.parse_position(fen), Limits(seconds=SECONDS)).nodes
        spent += time.process_time() - began
    return nodes / spent


def of_engine(package: str) -> float:
    """Let an engine think as long on each position; return its nodes for a second of processor time. Raises Skipped."""
    command = [str(processes.debian(package)), *OPTIONS.get(package, [])]
    nodes, spent = 0, 0.0
    try:
        with chess.engine.SimpleEngine.popen_uci(command) as engine:
            pid = engine.transport.get_pid()
            for number, fen in enumerate(POSITIONS):
                began = cpu(pid)
                info = engine.analyse(chess.Board(fen), chess.engine.Limit(time=SECONDS), game=number)
                nodes += info.get("nodes", 0)
                spent += cpu(pid) - began
    except (chess.engine.EngineError, OSError) as error:
        raise Skipped(f"{package} does not play: {error}") from None
    return nodes / spent


WORTH = {chess.PAWN: 100, chess.KNIGHT: 330, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 900}


def in_python() -> float:
    """Walk a tree by alpha-beta over python-chess, scored by its men, and return the moves made."""
    made = 0

    def best(board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        nonlocal made
        if depth == 0:
            lead = sum(WORTH[kind] * (len(board.pieces(kind, True)) - len(board.pieces(kind, False))) for kind in WORTH)
            return lead if board.turn else -lead
        for move in sorted(board.legal_moves, key=board.is_capture, reverse=True):
            made += 1
            board.push(move)
            alpha = max(alpha, -best(board, depth - 1, -beta, -alpha))
            board.pop()
            if alpha >= beta:
                break
        return alpha

    began = time.process_time()
    for fen in POSITIONS:
        best(chess.Board(fen), 3, -(10**6), 10**6)
    return made / (time.process_time() - began)


def run_search() -> Iterator[Measurement]:
    """Compare."""
    engines: dict[str, Callable[[], float]] = {name: partial(of_engine, package) for package, name in ENGINES.items()}
    for name, peer in {**engines, "alpha-beta over python-chess": in_python}.items():
        rate, theirs, why = beside(ours, peer, 1)
        yield Measurement(
            what="nodes of a search of chess",
            unit="1/s CPU",
            ours=rate,
            peer=theirs,
            peer_name=name,
            note=why or REMARKS.get(name, ""),
            target=3e6,
            of="figure",
        )


# ---------------------------------------------------------------- minimax

MINIMAX_NODES = 15_237_252


def minimax_seconds() -> float:
    """Search as the command line does, in a process of its own, and return the seconds of the search."""
    command = [sys.executable, "-m", "arena.cli", "search", "checkers/lecture", "--algorithm", "minimax"]
    found = json.loads(processes.output([*command, "--depth", "8", "--json"]))
    assert found["nodes"] == MINIMAX_NODES, found["nodes"]
    return float(found["seconds"])


def run_minimax() -> Iterator[Measurement]:
    """Time it."""
    yield Measurement(
        what=f"{MINIMAX_NODES:,} nodes of minimax",
        unit="s",
        ours=median(minimax_seconds, 3),
        target=1.0,
        of="figure",
        bound="at most",
    )


BENCHMARKS = {"search": run_search, "minimax": run_minimax}
