# SPDX-License-Identifier: GPL-3.0-or-later
"""Heads-up hold'em with fixed bets (limit) or free ones (no-limit), as matches of 100 hands.

"holdem/no-limit-50bb" has stacks of 50 big blinds; there are variants with 5 to 100.
"""

import re
from functools import partial

from engine.cards import CARDS, LETTERS
from engine.decision import Decision, End, Endings
from engine.drawing import Aside, Board, Piece
from engine.evaluation import Evaluation
from engine.game import Game, State
from engine.games.holdem import notation
from engine.games.holdem.hands import DECK
from engine.games.holdem.prospects import payoffs_after
from engine.games.holdem.rules import (
    BIG_BLIND,
    BOARD,
    DONE,
    FEWEST_CHIPS,
    HANDS,
    HOLE,
    LIMIT,
    LIMIT_STACK,
    MOST_BETS,
    MOST_CHIPS,
    NO_LIMIT,
    RAISE,
    ROUNDS,
    Holdem,
    card_at,
)
from engine.secrets import HIDDEN, Observation, Secrets
from engine.time_control import TimeControl

__all__ = ["GAMES", "Holdem", "variant"]

STACK = 20 * BIG_BLIND
"""The usual stacks of no-limit hold'em."""

COLUMNS = BOARD - HOLE
PIECES = {**CARDS, HIDDEN: Piece("hidden card", "card back", None, "red")}

WON, WON_ONE, EQUAL = "by {0} chips", "by one chip", "with no chips won"

RULES = """\
The deck has 52 cards. In each hand both players have {stack} chips. The player with the button puts the small blind \
of one chip into the pot, the other player the big blind of two chips. Both get two hidden cards.

There are four rounds of betting: before the flop, after the flop (three open cards), after the turn (a fourth one) \
and after the river (a fifth one). The button acts first before the flop and last in the later rounds. A player folds, \
checks or calls, or bets or raises. {bets}

Without a fold the best five of the seven cards win the pot: straight flush, four of a kind, full house, flush, \
straight, three of a kind, two pairs, one pair, high card; equal hands split it.

A match has {hands} hands. The button changes from hand to hand. The player who has won more chips at the end wins the \
match by the difference.

Cards are hidden: each player sees only its own cards and the open ones, and both hands after a showdown. After a fold \
the cards stay hidden until the end of the match."""

FIXED_BETS = (
    "A bet or a raise is two chips in the first two rounds and four in the others. A round has at most four bets and "
    "raises; the big blind counts as the first one."
)
FREE_BETS = (
    "A bet is at least two chips. A raise is at least as large as the largest earlier bet or raise of the same round. "
    "A player may always bet all chips (all-in). Any whole number of chips is possible. The number in a move is what "
    "the player then has in the pot in this round: `raise 12` raises to 12."
)


def _row(cards: int, first: int, last: int, *, shown: bool) -> str:
    """Return a row of the diagram: cards side by side, then empty places."""
    dealt = [card for place in range(first, last) if (card := card_at(cards, place)) >= 0]
    letters = [LETTERS[card & 3][card >> 2] if shown else HIDDEN for card in dealt]
    return "".join(letters).ljust(COLUMNS, ".")


def _diagram(state: State, shown: tuple[bool, bool] = (True, True)) -> str:
    """Return the cards of seat 1, the open ones and those of seat 0, from the top."""
    cards = state.cards
    return (
        _row(cards, 2, HOLE, shown=shown[1]) + _row(cards, HOLE, BOARD, shown=True) + _row(cards, 0, 2, shown=shown[0])
    )


def _aside(state: State) -> Aside:
    """Return the chips that each seat has won, and of the hand the chips in the pot and the latest moves."""
    counts = (float(state.score), float(-state.score))
    if state.dealt < HOLE:
        return Aside(counts)
    return Aside(counts, bets=(float(state.first), float(state.second)), history=notation.words_of(state))


def _observe(state: State, viewer: int | None) -> Observation:
    diagram = _diagram(state, notation.shown_to(state, viewer))
    return Observation(notation.observed_position(state, viewer), diagram, _aside(state))


def _decide(end: End) -> Decision:
    if end.winner is None:
        return Decision(EQUAL)
    return Decision(WON_ONE if end.points == 1 else WON, (end.points,))


def _deal_place(state: State) -> str:
    """Return the hand and the place of the card: equal in two matches, however the moves differ."""
    return f"{state.hand + 1} 0" if state.phase == DONE else f"{state.hand} {state.dealt}"


def _game(kind: int, stack: int, name: str, title: str, description: str, bets: str) -> Game:
    # of a hand: its cards; in each round a check, or the small blind's call, and the call or fold that ends it; raises
    plies = BOARD + 2 * ROUNDS + (ROUNDS * MOST_BETS if kind == LIMIT else stack // BIG_BLIND + 1)

    def loss(state: State, seat: int) -> float:
        """Return what the seat can still lose: the chips of each hand that is left, and those that are lost already."""
        left = state.hands - state.hand - (state.phase == DONE)
        won = -state.score if seat else state.score
        return float(max(1, stack * left - won))

    return Game(
        name=name,
        title=title,
        state=Holdem,
        start=lambda: notation.start(kind, stack, HANDS),
        last_round=lambda: notation.start(kind, stack, 1),
        payoffs_after=payoffs_after,
        parse_position=partial(notation.parse_position, kind, stack),
        format_position=notation.format_position,
        format_move=notation.format_move,
        diagram=_diagram,
        squares=lambda state, move: (),
        board=Board(3, COLUMNS, "cards", PIECES, counted="chips"),
        width=DECK if kind == LIMIT else max(DECK, RAISE + stack),
        evaluations={"chips": Evaluation("chips", (1,), "chips won in finished hands")},
        time_control=TimeControl(120_000, 200),
        chance=True,
        deal_place=_deal_place,
        secrets=Secrets(
            _observe,
            notation.disclose,
            lambda state, move, viewer: (),
            lambda text, seat, chance: notation.determinise(kind, stack, text, chance),
        ),
        points_so_far=lambda state: (float(state.score), float(-state.score)),
        most_plies=lambda state: plies * (state.hands - state.hand),
        stakes=float(HANDS * stack),
        unit=("mbb/hand", 1000 / (BIG_BLIND * HANDS)),
        loss=loss,
        description=description,
        rules=RULES.format(stack=stack, bets=bets, hands=HANDS),
        link="https://en.wikipedia.org/wiki/Texas_hold_%27em",
        read_move=notation.read_move,
        aside=_aside,
        endings=Endings(_decide, (WON, WON_ONE, EQUAL), "chips", "equal chips"),
    )


def _no_limit(name: str, title: str, stack: int) -> Game:
    return _game(
        NO_LIMIT,
        stack,
        name,
        title,
        f"Poker for two with free bets and stacks of {stack // BIG_BLIND} big blinds, in {HANDS} hands. The player "
        "with more chips wins the match.",
        FREE_BETS,
    )


GAMES = [
    _game(
        LIMIT,
        LIMIT_STACK,
        "holdem/limit",
        "Limit hold'em",
        f"Poker for two with fixed bets, in {HANDS} hands. The player with more chips wins the match.",
        FIXED_BETS,
    ),
    _no_limit("holdem/no-limit", "No-limit hold'em", STACK),
]


def variant(suffix: str) -> Game | None:
    """Return no-limit hold'em with other stacks; None if there is no variant of this name."""
    found = re.fullmatch(r"no-limit-([1-9]\d{0,2})bb", suffix)
    stack = BIG_BLIND * int(found[1]) if found else 0
    if not FEWEST_CHIPS <= stack <= MOST_CHIPS:
        return None
    return _no_limit(f"holdem/{suffix}", f"No-limit hold'em, {stack // BIG_BLIND} big blinds", stack)
