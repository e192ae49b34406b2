# SPDX-License-Identifier: GPL-3.0-or-later
"""Bridge, double dummy: the play of the cards with four open hands, the declarer's side against the defenders."""

from functools import partial

from engine.decision import Endings
from engine.evaluation import Evaluation
from engine.game import Game
from engine.games.bridge import drawing, notation, rules
from engine.games.bridge.cards import TRICKS, Bridge
from engine.games.bridge.double_dummy import EXACT
from engine.time_control import TimeControl

__all__ = ["GAMES", "Bridge"]

POINT = 1_000
"""Score of one point of the result."""

DECK = 52

EVALUATION = Evaluation(
    "tricks",
    (POINT // 2, 100, 100),
    "tricks above the contract if each side wins half of the tricks left, honour points and trumps; declarer's side "
    "minus defenders",
    win=POINT,
    sooner=0,
    man=POINT,
)

RULES = """\
Four players sit around a table: North and South are one side, East and West the other. South declares: its side needs \
the tricks of the contract, six plus the level, and the side of East and West defends. All hands are open, and one \
player plays both hands of its side.

First the strain of the contract is drawn, one of the four suits, which is then the trump suit, or notrump. Then all \
52 cards are dealt, 13 to each hand. The contract is at the level of one: seven tricks.

West leads a card to the first trick, and the others follow clockwise, each with one card. A hand must follow suit: \
play a card of the suit that was led, if it has one; else it may play any card. The highest trump wins the trick, and \
without a trump the highest card of the suit that was led. The winner leads to the next trick.

If the declarer's side makes its contract, it wins 1 point and 1 for each overtrick. Otherwise the defenders win 1 \
point for each missing trick. There is no draw."""

GAMES = [
    Game(
        name="bridge/double-dummy",
        title="Bridge, double dummy",
        state=Bridge,
        start=partial(rules.start, 1),
        parse_position=notation.parse_position,
        format_position=notation.format_position,
        format_move=notation.format_move,
        diagram=drawing.diagram,
        squares=drawing.squares,
        aside=drawing.aside,
        board=drawing.BOARD,
        width=DECK,
        evaluations={EVALUATION.name: EVALUATION},
        time_control=TimeControl(60_000, 1_000),
        seats=("Declarer", "Defenders"),
        description="Play a deal of bridge with four open hands: make the contract, or defeat it.",
        rules=RULES,
        link="https://en.wikipedia.org/wiki/Contract_bridge",
        chance=True,
        stakes=float(TRICKS),
        loss=rules.lost,
        read_move=notation.read_move,
        endings=Endings(
            drawing.decide,
            (drawing.MADE, drawing.ONE_OVER, drawing.OVER, drawing.ONE_DOWN, drawing.DOWN),
            "tricks",
        ),
        exact=EXACT,
    )
]
