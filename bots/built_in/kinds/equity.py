# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in bot for hold'em: it compares its equity, from Monte Carlo rollouts, with the pot odds."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bots.bot import Bot, Reply, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from engine.bitboards.bits import Bits, popcount
from engine.game import State
from engine.games import catalogue, find
from engine.games.holdem import Holdem
from engine.games.holdem.hands import DECK, bit_of, value_of
from engine.games.holdem.notation import rounds_of
from engine.games.holdem.rules import BET, BOARD, CALL, FOLD, HOLE, RAISE, set_of
from engine.kernel import compiled, inlined
from engine.splitmix import GOLDEN, scramble

OPEN = 5
"""Open cards at the showdown."""
SAMPLES = 2000
"""Rollouts for a move."""
VALUE, ALL_IN = 0.58, 0.75
"""The least equity of a bet or raise, and of one of more than half the stack."""
CAUTION = 0.06
"""What each bet and raise of the opponent in a hand takes off the equity: its hand is then better than a random one."""
BET_SIZE = 0.7
"""A bet or raise as a share of the pot after a call."""


@inlined
def card_of(chance: np.uint64) -> int:
    """Return a random card for a number."""
    number = scramble(chance) >> np.uint64(32)
    return np.int64(number * np.uint64(DECK) >> np.uint64(32))  # type: ignore[return-value]  # an int64, compiled


@compiled
def equity(own: int, board: int, samples: int, chance: np.uint64) -> float:
    """Estimate the equity of two cards with the open cards so far, both as sets (``hands``), by Monte Carlo rollouts.

    Each sample draws the other hand and the missing open cards uniformly from the rest of the deck. ``chance``: seed.
    The standard error is at most ``0.5 / samples ** 0.5``.
    """
    missing, won = OPEN - popcount(Bits(board)), 0
    for _ in range(samples):
        other, shared, used = 0, board, own | board
        for place in range(missing + 2):
            bit = used
            while used & bit:
                chance += GOLDEN
                bit = bit_of(card_of(chance))
            used |= bit
            if place < 2:
                other |= bit
            else:
                shared |= bit
        ours, theirs = value_of(own | shared), value_of(other | shared)
        won += 1 + (ours > theirs) - (ours < theirs)
    return won / (2 * samples)


def choose(state: State, moves: Sequence[int], share: float) -> int:
    """Return a move for an equity: a bet or raise with a good hand, a call if the pot odds allow it, else a fold."""
    own, other = (state.second, state.first) if state.seat else (state.first, state.second)
    owed = other - own
    share -= CAUTION * opponents_bets(state)
    raises = [move for move in moves if move >= RAISE]
    if raises and share >= VALUE:
        wanted = RAISE + other + round(BET_SIZE * 2 * other)
        # with little left behind, a bet commits the whole stack
        if 2 * (wanted - RAISE) > state.stack and len(raises) > 1:
            wanted = raises[-1] if share >= ALL_IN else RAISE
        if wanted > RAISE:
            return min(max(wanted, raises[0]), raises[-1])
    if not owed:
        return CALL
    return CALL if share * (own + other + owed) >= owed else FOLD


def opponents_bets(state: State) -> int:
    """Return the number of bets and raises of the seat that is not to move, in this hand."""
    count = 0
    for street, moves in enumerate(rounds_of(state)):
        begins = (state.hand & 1) ^ (street > 0)
        count += sum(move >= RAISE and begins ^ at & 1 != state.seat for at, move in enumerate(moves))
    return count


class EquityBot(Bot):
    """Knows its own cards and the open ones; the same question has the same answer."""

    name = "equity"
    description = "Hold'em: estimates its equity against a random hand, and bets and calls by the pot odds."
    capacity = 16

    def prepare(self, names: Sequence[str]) -> None:
        """Compile what chooses moves, or load it from the cache."""
        for game in map(find, names):
            game.look(game.start())
        equity(0b11, 0, 1, np.uint64(0))

    def move(self, turn: Turn) -> Reply:
        """Return a move."""
        game = find(turn.game)
        chance = seed(turn.match, self.name, turn.ply)
        # the cards that it makes up are not used
        state = game.possible(turn.position, turn.seat, random.Random(chance))
        if state.phase != BET:
            raise ValueError(f"no seat is to move in {turn.position}")
        own = set_of(state.cards, 2 * turn.seat, 2 * turn.seat + 2)
        share = equity(own, set_of(state.cards, HOLE, BOARD), SAMPLES, np.uint64(chance))
        return Reply(game.format_move(state, choose(state, game.look(state).moves, share)))


@dataclass(frozen=True, slots=True)
class Equity(BuiltInBot):
    """The bot plays hold'em."""

    enters: ClassVar[Enters] = Enters.LAST

    def make(self) -> Bot:
        """Return a new player."""
        bot = EquityBot()
        bot.games = tuple(filter(self.plays, catalogue()))
        return bot

    def plays(self, game: str) -> bool:
        """Return whether a game is hold'em."""
        return find(game).state is Holdem


BOTS = (Equity(EquityBot.name, EquityBot.description),)
