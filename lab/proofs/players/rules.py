# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of the rules: known move counts of every game, and chess beside python-chess."""

import asyncio
import multiprocessing
import random
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import chess

from engine.games import find
from engine.match.ending import Ending, Termination
from engine.match.machine import Match
from engine.walks.perft import perft
from lab.proofs.ledger import Ledger
from tests.engine.games.chess import agreement, positions
from tests.perft.tables import TABLES, Table

POSITIONS = 100_000
GAMES = 2_000

SHARE = 500
"""Positions that a process is given at a time."""
PART = SHARE * GAMES // POSITIONS
"""Games that go with them."""


async def prove_chess(ledger: Ledger) -> None:
    """Chess rules beside python-chess

    Half of the positions come from random games, the other half have random pieces. The arena and python-chess agree
    about the legal moves, check, mate, stalemate and insufficient material. The arena writes positions in FEN and moves
    in UCI and SAN as python-chess does, and reads them back; a move leads to the same position. Random games end at the
    same move for the same reason, including draws by repetition and by the fifty-move rule.
    """
    loop = asyncio.get_running_loop()
    found = Counter[str]()
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        shares = [
            loop.run_in_executor(pool, partial(compare, number)) for number in range(ledger.times(POSITIONS // SHARE))
        ]
        for share in asyncio.as_completed(shares):
            found += await share
    for what in ("positions", "moves", "games"):
        ledger.note(what, found.pop(what))
    ledger.note_counts("how the games ended", dict(found))


def compare(number: int) -> Counter[str]:
    """Compare a share of positions and games, and count them."""
    chance = random.Random(number)
    found = Counter[str]()
    for seed in range(number * SHARE, number * SHARE + SHARE // 2):
        found["moves"] += _agree(positions.thrown(seed), chance)
    found["positions"] = SHARE // 2
    while found["positions"] < SHARE:
        for board in positions.game(chance.getrandbits(64)):
            found["moves"] += _agree(board.copy(stack=False), chance)
            found["positions"] += 1
            if found["positions"] == SHARE:
                break
    for _ in range(PART):
        found["games"] += 1
        found[_same_end(chance)] += 1
    return found


def _agree(board: chess.Board, chance: random.Random) -> int:
    """Hold a position, its texts, and the position after one of its moves against the oracle; return its moves."""
    agreement.on_rules(board)
    agreement.on_position(board)
    agreement.on_moves(board)
    position = agreement.look(board.fen())
    if position.moves:
        state, move = position.state, chance.choice(position.moves)
        agreement.follow(board, position, agreement.CHESS.format_move(state, move))
    return len(position.moves)


def _same_end(chance: random.Random) -> str:
    """Play a random game in both implementations, and return how it ended; every second game prefers moves that undo
    earlier ones.
    """
    match, board = Match(find("chess")), chess.Board()
    restless = chance.random() < 0.5
    while match.to_move is not None:
        moves = sorted(match.legal)
        back = [last.uci()[2:4] + last.uci()[:2] for last in board.move_stack[-2:-1] if restless]
        move = chance.choice([uci for uci in back if uci in moves and chance.random() < 0.5] or moves)
        match.play(match.to_move, move)
        board.push_uci(move)
        assert match.ending == _ending(board), (board.fen(), match.ending)
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None
    return outcome.termination.name.lower().replace("_", " ")


def _ending(board: chess.Board) -> Ending | None:
    """Return how a game of the oracle's has ended."""
    if board.is_checkmate():
        return Ending("0-1" if board.turn else "1-0", Termination.DECIDED)
    if board.is_stalemate() or board.is_insufficient_material():
        return Ending("1/2-1/2", Termination.DECIDED)
    if board.is_repetition(3):
        return Ending("1/2-1/2", Termination.REPETITION)
    if board.halfmove_clock >= 100:
        return Ending("1/2-1/2", Termination.NO_PROGRESS)
    return None


# ---------------------------------------------------------------- move counts

MOST = max(leaves for table in TABLES for leaves in table.longer)


async def prove_perft(ledger: Ledger) -> None:
    """Move counts of every game

    The tree of legal moves of each game has the known number of leaves at each depth. For chess these are the six
    standard positions, down to depths that take minutes; the tests count the lower depths.
    """
    most = ledger.times(MOST)
    for table in TABLES:
        for depth, leaves in enumerate((*table.leaves, *table.longer)):
            if len(table.leaves) <= depth + 1 and leaves <= most:
                _count(ledger, table, depth, leaves)


def _count(ledger: Ledger, table: Table, depth: int, leaves: int) -> None:
    game, state = table.root()
    perft(game, state, 2)  # compiles, or loads
    began = time.process_time()
    counted = perft(game, state, depth)
    spent = time.process_time() - began
    assert counted == leaves, (table.name, depth, counted, leaves)
    ledger.note(f"{table.name}, depth {depth}", f"{counted:,} leaves in {spent:,.1f} s")
