# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof that the bot ``solve`` wins Connect Four as first player, against a perfect second player."""

import asyncio
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bots.built_in.kinds.searching import new_searcher
from bots.built_in.kinds.solving import BOTS
from engine.game import Game, Position
from engine.games import find
from engine.search import Limits, Searcher
from engine.search.memory import CELLS
from engine.search.solver import Solver
from lab.proofs.ledger import Ledger

GAMES = 100
SECONDS = 1.0
"""For a move of the first player."""

TABLE_BITS = 26
"""Binary logarithm of the entries of the second player's table, of 8 bytes each; less in a short run."""
SHORT_BITS = 20

KNOWN = Path(__file__).parents[3] / ".tools" / "connect-four-replies.jsonl"
"""The optimal replies that were found so far, a position a line: a run that was interrupted goes on with them."""

VALUE = 2
"""The value of the start in the plies of ``engine.search.solver``: with best play of both, one disc could follow."""

SHORT = "2342261122752571"
"""The moves before the games of a short run; in a full run there are none."""


async def prove_connect_four_won(ledger: Ledger) -> None:
    """A bot wins Connect Four as first player

    With one second a move, the bot `solve` wins all games as first player on 7 columns and 6 rows against a perfect
    second player. That player is the solver without limits and without the stored strategy: it resists as long as
    possible, and a seed chooses among optimal replies. The bot's moves are limited by the clock; the seconds of
    processor time that they took are reported beside, because other processes take a part of the clock's second.
    """
    await asyncio.to_thread(_play, ledger)


class Move(NamedTuple):
    """The cost of a move of the first player."""

    seconds: float
    processor: float


class Defender:
    """The second player: knows all optimal replies to a position."""

    def __init__(self, game: Game, table_bits: int, known: Path) -> None:
        self._game = game
        self._solver = Solver(game, np.zeros(CELLS, np.int64), table_bits)
        self._file = known
        self._known: dict[str, tuple[int, list[int]]] = {}
        if known.exists():
            for line in known.read_text(encoding="utf-8").splitlines():
                position, value, moves = json.loads(line)
                self._known[position] = value, moves

    def __len__(self) -> int:
        return len(self._known)

    def replies(self, position: Position, expected: int) -> tuple[int, list[int]]:
        """Return the value after optimal replies, in plies for the first player, and these replies.

        ``expected``: about that value; the nearer, the quicker.
        """
        text = self._game.format_position(position.state)
        if text not in self._known:
            began = time.process_time()
            found = self._known[text] = self._solve(position, expected)
            self._file.parent.mkdir(exist_ok=True)
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps([text, *found]) + "\n")
            if (spent := time.process_time() - began) > 1:
                moves = ", ".join(self._game.format_move(position.state, move) for move in found[1])
                print(f"  {text}: {found[0]} after {moves}, {spent:,.0f} s", flush=True)
        return self._known[text]

    def _solve(self, position: Position, expected: int) -> tuple[int, list[int]]:
        after = {move: self._game.play(position, move) for move in position.moves}
        bar = expected
        while not (best := [move for move, child in after.items() if not self._exceeds(child, bar)]):
            bar += 1
        while lower := [move for move in best if not self._exceeds(after[move], bar - 1)]:
            best, bar = lower, bar - 1
        return bar, best

    def _exceeds(self, position: Position, bar: int) -> bool:
        """Return whether the value for the first player is larger than ``bar``."""
        if position.over:
            # an own four, or a full board
            return bar < 0 if position.payoffs[1] == 0 else bar < -self._lost(position)
        return self._solver.exceeds(position.state, bar)

    def _lost(self, position: Position) -> int:
        return 1 + self._game.format_position(position.state).count(".")


def _play(ledger: Ledger) -> None:
    game, settings = find("connect-four"), BOTS[0]
    count = ledger.times(GAMES)
    short = count < GAMES / 20
    defender = Defender(game, SHORT_BITS, ledger.folder / KNOWN.name) if short else Defender(game, TABLE_BITS, KNOWN)
    searcher = new_searcher(Searcher, settings, game)
    searcher.warm_up()
    start = game.look(game.parse_position(SHORT)) if short else game.look(game.start())
    moves: list[Move] = []
    lengths: list[int] = []
    lines = set()
    began = time.process_time()
    for number in range(count):
        searcher.clear()
        end, line = start, ""
        for after, text in _game(game, searcher, defender, start, number, moves):
            end, line = after, line + text
        assert end.payoffs == (1.0, -1.0), (number, line, game.format_position(end.state))
        lengths.append(len(line) + (len(SHORT) if short else 0))
        lines.add(line)
        print(f"  game {number + 1}: {line}, won at ply {lengths[-1]}", flush=True)
    if short:
        ledger.note("moves before each game of this short run", SHORT)
    ledger.note("games won by the first player", f"{count} of {count}")
    ledger.note("different games", len(lines))
    ledger.note("won at ply", f"{min(lengths)} to {max(lengths)}")
    ledger.note("moves of the first player", len(moves))
    ledger.note("limit of a move", f"{SECONDS:g} s")
    for name, spent in (
        ("seconds of a move", [move.seconds for move in moves]),
        ("seconds of processor time of a move", [move.processor for move in moves]),
    ):
        ledger.note(name, f"{sum(spent) / len(spent):.2f} on average, {max(spent):.2f} at most")
    ledger.note("positions of the second player that were solved", len(defender))
    ledger.note("seconds of processor time for all", time.process_time() - began)


def _game(
    game: Game, searcher: Searcher, defender: Defender, start: Position, number: int, moves: list[Move]
) -> Iterator[tuple[Position, str]]:
    """Play a game, and yield each position with the move that led to it; note what the first player's moves took."""
    chance = random.Random(number)
    position, value = start, VALUE
    while not position.over:
        if position.to_move == 0:
            began = time.thread_time()
            found = searcher.search(position.state, Limits(seconds=SECONDS), seed=number)
            moves.append(Move(found.seconds, time.thread_time() - began))
            assert found.move is not None
            move = found.move
        else:
            value, replies = defender.replies(position, value)
            move = chance.choice(replies)
        text = game.format_move(position.state, move)
        position = game.play(position, move)
        yield position, text
