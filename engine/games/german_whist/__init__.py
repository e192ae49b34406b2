# SPDX-License-Identifier: GPL-3.0-or-later
"""German whist: a trick-taking game for two players, with a stock in its first half."""

from engine.cards import CARDS, LETTERS, SUITS
from engine.decision import Decision, End, Endings
from engine.drawing import Aside, Board, Piece
from engine.evaluation import Evaluation, Terms
from engine.game import Game
from engine.games.german_whist import endgame, notation, rules
from engine.games.german_whist.notation import cards_of, fact
from engine.games.german_whist.rules import DECK, HAND, LEAD, LOST, REPLY, SUIT, TRUMP, TURN, UP, WON, GermanWhist
from engine.secrets import HIDDEN, Observation, Secrets
from engine.time_control import TimeControl

__all__ = ["GAMES", "GermanWhist"]

TRUMPS = "0123"
HONOURS = ("ten", "jack", "queen", "king", "ace")
POINT = 1_000
"""Score of one point: a trick more than the other seat."""

TERMS = Terms(names=("trick", "trump", *(f"{card} {where}" for where in ("trump", "side") for card in HONOURS)))
EVALUATION = Evaluation(
    "cards",
    (POINT, 1_230, 600, 960, 1_110, 1_230, 1_250, 450, 670, 900, 1_200, 1_240),
    "tricks of the second half, trumps, and tens to aces of trumps and of side suits; own minus other's, in "
    "thousandths of a point",
    win=POINT,
    sooner=0,
    terms=TERMS,
    man=POINT,
)

WORDS = "with {0} of 13 tricks"

RULES = """\
The deck has 52 cards. Both players get 13 hidden cards, and the next card of the stock is turned up: its suit is the \
trump suit. Seat 0 leads to the first trick.

One player leads a card and the other replies. The reply must be of the suit that was led, if the player has one; else \
it may be any card. A trump wins the trick against a card of another suit; otherwise the higher card of the suit that \
was led wins it. The winner leads to the next trick.

In the first half the winner of a trick takes the card that is turned up, and the loser takes the next card of the \
stock, which only the loser sees. Then a new card is turned up. After 13 tricks the stock is used up. In the second \
half the players play the 13 cards of their hands. Only these 13 tricks count: the player who wins more of them wins \
the match, and the difference of the tricks is the result in points. There is no draw.

Cards are hidden: each player sees its own hand, the card that is turned up and all cards that are played."""


def _row(cards: int, known: int, *, shown: bool) -> str:
    """Return a row of the diagram: a hand by suit and rank, the highest first, and hidden cards last."""
    letters = [LETTERS[card // SUIT][card % SUIT] for card in reversed(cards_of(cards)) if shown or known >> card & 1]
    hidden = 0 if shown else (cards & ~known).bit_count()
    return ("".join(letters) + HIDDEN * hidden).ljust(HAND, ".")


def _diagram(state: GermanWhist, shown: tuple[bool, bool] = (True, True)) -> str:
    """Return the hand of seat 1, the table and the hand of seat 0. On the table are the trump suit, the stock, the card
    that is turned up, the lead and the reply.
    """
    trump, table = fact(state, TRUMP), ""
    if trump:
        table += TRUMPS[trump - 1]
    if notation.stock_of(state):
        table += HIDDEN
    for place in (UP, LEAD, REPLY):
        card = fact(state, place) - 1
        table += LETTERS[card // SUIT][card % SUIT] if card >= 0 else "."
    hands = [_row(int(state[seat]), int(state.open), shown=shown[seat]) for seat in (0, 1)]
    return hands[1] + table.ljust(HAND, ".") + hands[0]


def _squares(state: GermanWhist, move: int) -> tuple[int, ...]:
    """Return the squares of a card in the hand and on the table; none of a card that is dealt."""
    return _seen_squares(state, move, fact(state, TURN))


def _seen_squares(state: GermanWhist, move: int, viewer: int | None) -> tuple[int, ...]:
    """Return the squares that a viewer may see: the place in a hand tells of the other cards of that hand."""
    if not fact(state, UP) and notation.stock_of(state):
        return ()
    seat = fact(state, TURN)
    # the trump suit, the stock, and the card that is turned up come first
    table = HAND + 2 + bool(notation.stock_of(state)) + bool(fact(state, LEAD) and not fact(state, REPLY))
    if viewer != seat:
        return (table,)
    highest_first = cards_of(int(state[seat]))[::-1]
    return (2 * HAND * (1 - seat) + highest_first.index(move), table)


def _aside(state: GermanWhist) -> Aside:
    return Aside((float(fact(state, WON)), float(fact(state, LOST))))


def _observe(state: GermanWhist, viewer: int | None) -> Observation:
    shown = (viewer == 0, viewer == 1)
    return Observation(notation.observed_position(state, viewer), _diagram(state, shown), _aside(state))


def _decide(end: End) -> Decision:
    return Decision(WORDS, (float(fact(end.state, LOST if end.winner else WON)),))


GAMES = [
    Game(
        name="german-whist",
        title="German whist",
        state=GermanWhist,
        start=rules.start,
        parse_position=notation.parse_position,
        format_position=notation.format_position,
        format_move=notation.format_move,
        diagram=_diagram,
        squares=_squares,
        board=Board(
            3,
            HAND,
            "cards",
            {
                **CARDS,
                **{
                    letter: Piece(f"trumps: {name}", shape, None, tone)
                    for letter, (name, shape, tone) in zip(TRUMPS, SUITS, strict=True)
                },
                HIDDEN: Piece("hidden card", "card back", None, "red"),
            },
            counted="tricks",
        ),
        width=DECK,
        evaluations={EVALUATION.name: EVALUATION},
        time_control=TimeControl(60_000, 1_000),
        chance=True,
        # the order of the stock is the same however the cards are played: the number of cards that have left it
        deal_place=lambda state: str(DECK - len(notation.stock_of(state))),
        secrets=Secrets(_observe, notation.disclose, _seen_squares, notation.determinise),
        stakes=float(HAND),
        loss=rules.lost,
        exact=endgame.EXACT,
        description="Win good cards for the second half, and most of its 13 tricks.",
        rules=RULES,
        link="https://en.wikipedia.org/wiki/German_whist",
        read_move=notation.read_move,
        aside=_aside,
        endings=Endings(_decide, (WORDS,), "tricks"),
    )
]
