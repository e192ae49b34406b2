# SPDX-License-Identifier: GPL-3.0-or-later
"""Double-dummy solver: the tricks of both sides with best play, when all hands are open."""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.bitboards.bits import Bits
from engine.exact import ABORTED, LIMIT, NODES, Cells, Exact, Proven
from engine.game import step
from engine.games.bridge.cards import (
    BOOK,
    DEALING,
    DECLARER,
    LEVEL,
    LOST,
    RANKS,
    STRAIN,
    TURN,
    WON,
    Bridge,
)
from engine.games.bridge.double_dummy.memory import BEST, TRUMPS, WORDS, new_memory, prepare
from engine.games.bridge.double_dummy.search import reaches
from engine.games.bridge.notation import fact, parse_position, trick_of
from engine.kernel import brief

HONOURS = {rank: points for points, rank in enumerate(range(len(RANKS) - 4, len(RANKS)), 1)}
"""Points of jack, queen, king and ace."""

SMALL = "N:A2... ..43. K..2. Q5... 1NT S"
"""A deal of two tricks."""

SPARE = 200_000
"""The search for the principal variation visits at most this many positions."""


def plies_left(state: Bridge) -> int:
    """Return the number of cards that are left to play; 0 before the deal is complete."""
    return 0 if fact(state, DEALING) else sum(int(hand).bit_count() for hand in state[:4])


def payoff_of(state: Bridge, tricks: int) -> float:
    """Return the payoff of the declarer's side for its tricks of the whole deal."""
    points = tricks - BOOK - fact(state, LEVEL)
    return float(points + 1 if points >= 0 else points)


def meaning(state: Bridge, payoff: float) -> Mapping[str, int]:
    """Return the tricks of both sides, those won before included, of a payoff of the seat to move."""
    declared = -payoff if _seat(state) else payoff
    tricks = BOOK + fact(state, LEVEL) + int(declared) - (declared > 0)
    return {"tricks": tricks, "defenders": fact(state, WON) + fact(state, LOST) + _tricks_left(state) - tricks}


def _tricks_left(state: Bridge) -> int:
    return -(-plies_left(state) // 4)


def _seat(state: Bridge) -> int:
    return (fact(state, TURN) ^ fact(state, DECLARER)) & 1


class DoubleDummy:
    """Solves deals; the table is kept while the positions are of one deal."""

    def __init__(self, control: Cells, size: int) -> None:
        """``control``: the counters of the search, of ``engine.exact``; ``size``: bytes of the table."""
        self._control = control
        self._memory = new_memory(control, max(size // (8 * WORDS), 1 << 10))
        self._deal: tuple[int, ...] = ()
        self._trick = np.zeros(4, np.int64)

    def tricks(self, state: Bridge) -> int | None:
        """Return the tricks of North and South of those that are left, the current one included.

        The deal is complete and not over. None: a limit ended the search.
        """
        tricks, _, _ = self._search(state)
        return None if self._control[ABORTED] else tricks

    def prove(self, state: Bridge, moves: Sequence[int]) -> Proven | None:
        """Return the payoff of the seat to move and best moves of both sides: see ``engine.exact.Prover``."""
        legal = self._legal(state)
        if set(moves) < set(legal):
            return self._best_of(state, moves)
        lowest, highest, card = self._search(state)
        maximal = fact(state, TURN) % 2 == 0
        if self._control[ABORTED]:
            return None if card is None else Proven(self._payoff(state, lowest if maximal else highest), (card,))
        line = self._line(state, lowest, legal[0] if card is None else card)
        return Proven(self._payoff(state, lowest), line)

    def _best_of(self, state: Bridge, moves: Sequence[int]) -> Proven | None:
        """Search each of some moves by itself."""
        best: tuple[float, int] | None = None
        sign = 1 if fact(state, TURN) % 2 == 0 else -1
        for move in moves:
            following = _after(state, move)
            won = _gained(state, following)
            tricks = self.tricks(following) if plies_left(following) else 0
            if tricks is None:
                break
            if best is None or sign * (won + tricks) > sign * best[0]:
                best = won + tricks, move
        return None if best is None else Proven(self._payoff(state, int(best[0])), (best[1],))

    def _payoff(self, state: Bridge, tricks: int) -> float:
        """Return the payoff of the seat to move if North and South win so many of the tricks that are left."""
        ours = tricks if fact(state, DECLARER) % 2 == 0 else _tricks_left(state) - tricks
        payoff = payoff_of(state, fact(state, WON) + ours)
        return -payoff if _seat(state) else payoff

    def _legal(self, state: Bridge) -> list[int]:
        hand = int(state[fact(state, TURN)])
        trick = trick_of(state)
        if 0 < len(trick) < 4:
            suit = 0xFFFF << (trick[0] & 48)
            hand = hand & suit or hand
        return [card for card in range(64) if hand >> card & 1]

    def _load(self, state: Bridge) -> int:
        """Write a position into the memory; return the number of cards of the trick."""
        memory = self._memory
        memory.hands[:] = state[:4]
        memory.facts[TRUMPS] = fact(state, STRAIN)
        trick = trick_of(state)
        played = trick if len(trick) < 4 else []
        self._trick[: len(played)] = played
        held = tuple(int(hand) for hand in state[:4])
        leader = fact(state, TURN) - len(played)
        for at, card in enumerate(played):
            player = (leader + at) % 4
            held = (*held[:player], held[player] | 1 << card, *held[player + 1 :])
        known = self._deal[0] == fact(state, STRAIN) if self._deal else False
        if not known or any(cards & ~before for cards, before in zip(held, self._deal[1:], strict=True)):
            self._deal = (fact(state, STRAIN), *held)
            memory.hands[:] = np.array(held, np.uint64)
            prepare(memory)
            memory.hands[:] = state[:4]
        return len(played)

    def _reaches(self, state: Bridge, need: int) -> tuple[bool, int | None]:
        """Return whether North and South win ``need`` of the tricks that are left, and the card that decides it."""
        played = self._load(state)
        self._memory.facts[BEST] = -1
        reached = reaches(fact(state, TURN), played, need, self._trick, self._memory)
        card = int(self._memory.facts[BEST])
        return bool(reached), None if card < 0 else card

    def _search(self, state: Bridge) -> tuple[int, int, int | None]:
        """Return bounds of the tricks of North and South, equal if no limit ended the search, and a best card.

        The card is None if every card is as good.
        """
        low, high = 0, _tricks_left(state)
        card: int | None = None
        need = min(max(_estimate(state), 1), high)
        while low < high:
            reached, decided = self._reaches(state, need)
            if self._control[ABORTED]:
                break
            if reached:
                low = need
            else:
                high = need - 1
            card = card if decided is None else decided
            need = low + 1 if reached else high
        return low, high, card

    def _line(self, state: Bridge, tricks: int, card: int) -> tuple[int, ...]:
        """Return best moves from a state on whose value is known; a limit of its own ends it."""
        control = self._control
        limit, nodes = int(control[LIMIT]), int(control[NODES])
        control[LIMIT] = min(limit, nodes + SPARE)
        line = [card]
        while True:
            following = _after(state, line[-1])
            tricks -= _gained(state, following)
            state = following
            if not plies_left(state):
                break
            maximal = fact(state, TURN) % 2 == 0
            best = None
            if (tricks > 0) if maximal else (tricks < _tricks_left(state)):
                _, best = self._reaches(state, tricks if maximal else tricks + 1)
            if control[ABORTED]:
                break
            line.append(self._legal(state)[0] if best is None else best)
        control[[LIMIT, ABORTED]] = limit, 0
        return tuple(line)


@brief
def advance(state, move):  # type: ignore[no-untyped-def]  # numba infers the types
    """Return the state after a legal move."""
    return step(state, move)


def _after(state: Bridge, move: int) -> Bridge:
    """Return the state after a legal move."""
    return Bridge(*map(Bits, advance(Bridge(*map(Bits, state)), move)))


def _gained(state: Bridge, following: Bridge) -> int:
    """Return the tricks that North and South won by a move."""
    ours, theirs = (fact(following, side) - fact(state, side) for side in (WON, LOST))
    return ours if fact(state, DECLARER) % 2 == 0 else theirs


def _estimate(state: Bridge) -> int:
    """Return a guess of the tricks of North and South: their share of the honour points."""
    sides = [0, 0]
    for player, hand in enumerate(state[:4]):
        for rank, points in HONOURS.items():
            sides[player % 2] += points * (int(hand) >> rank & 0x0001000100010001).bit_count()
    left = _tricks_left(state)
    return round(left * (0.5 + (sides[0] - sides[1]) / 80)) if any(sides) else left // 2


EXACT = Exact(DoubleDummy, plies_left, meaning, lambda: parse_position(SMALL))
