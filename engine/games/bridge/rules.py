# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of bridge: the deal, the play of the cards, and the result against the contract."""

import numpy as np

from engine.bitboards.bits import Bits, highest, lowest, popcount
from engine.game import (
    CHANCE,
    Moves,
    State,
    count_moves,
    features,
    irreversible,
    key,
    legal_moves,
    outcome,
    step,
    to_move,
)
from engine.games.bridge.cards import (
    BOOK,
    DEALING,
    DECK,
    DECLARER,
    LANE,
    LEADER,
    LEVEL,
    LOST,
    NOTRUMP,
    ONE,
    STRAIN,
    SUIT,
    TRICKS,
    TURN,
    UNKNOWN,
    WON,
    ZERO,
    Bridge,
    best_card,
    card_at,
    cards_of,
    declarer_of,
    fact,
    played_in,
    strain_of,
    target_of,
    turn_of,
)
from engine.hints.alphabeta import slot
from engine.kernel import implements, inlined
from engine.splitmix import GOLDEN, scramble

LED = Bits(3) << Bits(LEADER)
TURNS = Bits(3) << Bits(TURN)
"""The bits of the leader and of the turn."""

HONOURS = 4
"""The four highest cards of a suit that are left count 4, 3, 2 and 1 for the evaluation."""


@inlined
def is_dealing(state: State) -> bool:
    """Return whether cards are still dealt."""
    return fact(state.facts, DEALING, 1) != 0


@inlined
def playable(state: State) -> Bits:
    """Return the cards that may be played: of the suit that was led, if the player has some."""
    hand = cards_of(state, turn_of(state.facts))
    if 0 < played_in(state.trick) < 4:
        suit = SUIT << np.uint64(card_at(state.trick, 0) // LANE * LANE)
        if hand & suit:
            hand &= suit
    return hand


@inlined
def undealt(state: State) -> Bits:
    """Return the cards that are not dealt yet."""
    return DECK ^ (state.north | state.east | state.south | state.west)


@implements(to_move, Bridge)
def _to_move(state: State) -> int:
    if is_dealing(state):
        return CHANCE
    return (turn_of(state.facts) ^ declarer_of(state.facts)) & 1


@implements(legal_moves, Bridge)
def _legal_moves(state: State, out: Moves) -> int:
    if is_dealing(state):
        if strain_of(state.facts) == UNKNOWN:
            for strain in range(NOTRUMP + 1):
                out[strain] = strain
            return NOTRUMP + 1
        left = undealt(state)
    else:
        left = playable(state)
    count = 0
    while left:
        out[count] = np.int64(lowest(left))
        left &= left - ONE
        count += 1
    return count


@implements(count_moves, Bridge)
def _count_moves(state: State, out: Moves) -> int:
    if is_dealing(state):
        return NOTRUMP + 1 if strain_of(state.facts) == UNKNOWN else popcount(undealt(state))
    return popcount(playable(state))


@inlined
def _deal(state: State, move: int) -> Bridge:
    """Draw the strain, or deal a card; the last hand gets the cards that are left over."""
    if strain_of(state.facts) == UNKNOWN:
        facts = state.facts ^ (Bits(UNKNOWN) ^ np.uint64(move)) << Bits(STRAIN)
        return Bridge(state.north, state.east, state.south, state.west, state.trick, facts)
    card = ONE << np.uint64(move)
    dealt = popcount(DECK ^ undealt(state))
    north, east, south, west, facts = state.north, state.east, state.south, state.west, state.facts
    if dealt < TRICKS:
        north |= card
    elif dealt < 2 * TRICKS:
        east |= card
    else:
        south |= card
    if dealt == 3 * TRICKS - 1:
        west = DECK ^ (north | east | south)
        facts ^= ONE << Bits(DEALING)
    return Bridge(north, east, south, west, state.trick, facts)


@implements(step, Bridge)
def _step(state: State, move: int) -> Bridge:
    if is_dealing(state):
        return _deal(state, move)
    facts, trick = state.facts, state.trick
    player = turn_of(facts)
    played = played_in(trick)
    if played == 4:
        trick, played = ZERO, 0
    if played == 0:
        facts = facts & ~LED | np.uint64(player) << Bits(LEADER)
    trick |= np.uint64(move + 1) << np.uint64(8 * played)
    following = (player + 1) & 3
    if played == 3:
        following = (following + best_card(trick, strain_of(facts))) & 3
        facts += ONE << Bits(LOST if (following ^ declarer_of(facts)) & 1 else WON)
    facts = facts & ~TURNS | np.uint64(following) << Bits(TURN)
    kept = ~(ONE << np.uint64(move))
    return Bridge(state.north & kept, state.east & kept, state.south & kept, state.west & kept, trick, facts)


@implements(outcome, Bridge)
def _outcome(state: State) -> tuple[bool, float, float]:
    """A contract that is made counts 1 and 1 for each overtrick, one that is not each trick that is missing."""
    if is_dealing(state) or state.north | state.east | state.south | state.west:
        return False, 0.0, 0.0
    points = fact(state.facts, WON, 15) - target_of(state.facts)
    if points >= 0:
        points += 1
    return True, float(points), float(-points)


@implements(irreversible, Bridge)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(key, Bridge)
def _key(state: State) -> int:
    """A hash of the fields. A complete trick that still lies there does not matter, nor who led it."""
    trick, facts = state.trick, state.facts
    if played_in(trick) in (0, 4):
        trick, facts = ZERO, facts & ~LED
    mixed = ZERO
    for value in (state.north, state.east, state.south, state.west, trick, facts):
        mixed = scramble(mixed + value + GOLDEN)
    return mixed  # type: ignore[return-value]  # an int of 64 bits


@implements(slot, Bridge)
def _slot(state: State, move: int) -> int:
    return move


# ---------------------------------------------------------------- evaluation


@inlined
def _honours(side: Bits, cards: Bits) -> int:
    """Return the honour points of a side: of the four highest cards of each suit that are left."""
    points = 0
    for suit in range(4):
        left = cards >> np.uint64(LANE * suit) & SUIT
        for honour in range(HONOURS):
            if left:
                top = highest(left)
                left ^= ONE << top
                if side >> (np.uint64(LANE * suit) + top) & ONE:
                    points += HONOURS - honour
    return points


@implements(features, Bridge)
def _features(state: State) -> tuple[int, int, int]:
    """Tricks above the contract if half of those that are left are won, in halves; honour points; trumps."""
    ours, theirs = state.north | state.south, state.east | state.west
    if declarer_of(state.facts) & 1:
        ours, theirs = theirs, ours
    left = TRICKS if is_dealing(state) else (popcount(ours | theirs) + 3) // 4
    ahead = 2 * (fact(state.facts, WON, 15) - target_of(state.facts)) + left + 1
    honours = _honours(ours, ours | theirs) - _honours(theirs, ours | theirs)
    strain = strain_of(state.facts)
    trumps = 0
    if strain < NOTRUMP:
        suit = SUIT << np.uint64(LANE * strain)
        trumps = popcount(ours & suit) - popcount(theirs & suit)
    if not is_dealing(state) and (turn_of(state.facts) ^ declarer_of(state.facts)) & 1:
        return -ahead, -honours, -trumps
    return ahead, honours, trumps


def lost(state: Bridge, seat: int) -> float:
    """Return the points that a seat loses if it gives up: as many as it can still lose by the rules, at least 1."""
    facts = int(state.facts)
    need = BOOK + (facts >> LEVEL & 7)
    left = TRICKS if facts >> DEALING & 1 else -(-sum(int(hand).bit_count() for hand in state[:4]) // 4)
    won = facts >> WON & 15
    return float(max(1, won + left - need + 1 if seat else need - won))


def start(level: int) -> Bridge:
    """Return the state before the deal: South declares, in a strain that is drawn."""
    south, west = 2, 3
    facts = UNKNOWN << STRAIN | south << DECLARER | west << LEADER | west << TURN | level << LEVEL | 1 << DEALING
    return Bridge(*(Bits(0),) * 5, Bits(facts))
