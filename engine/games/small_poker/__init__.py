# SPDX-License-Identifier: GPL-3.0-or-later
"""Kuhn poker and Leduc hold'em: small poker games with hidden cards, as matches of 100 hands."""

from functools import partial

from engine.decision import Decision, End, Endings
from engine.drawing import Aside, Board, Piece
from engine.evaluation import Evaluation
from engine.game import Game, State
from engine.games.small_poker import notation
from engine.games.small_poker.rules import COPIES, DEAL, DONE, HANDS, KUHN, LEDUC, MOST_LOST, MOST_PLIES, RANKS, Poker
from engine.secrets import HIDDEN, Observation, Secrets
from engine.time_control import TimeControl

PIECES = {
    "J": Piece("jack", "blank card", None, "dark", mark="J"),
    "Q": Piece("queen", "blank card", None, "dark", mark="Q"),
    "K": Piece("king", "blank card", None, "dark", mark="K"),
    HIDDEN: Piece("hidden card", "card back", None, "red"),
}

WON, WON_ONE, EQUAL = "by {0} chips", "by one chip", "with no chips won"

HIDING = (
    "Cards are hidden: each player sees only its own card, and both cards after a showdown. After a fold the cards "
    "stay hidden until the end of the match."
)


def _diagram(cards: str) -> str:
    """Return the cards of seat 1, of the table and of seat 0, from the top."""
    return "".join(cards[place].replace(notation.NONE, ".") for place in (1, 2, 0))


def _aside(state: State) -> Aside:
    """Return the chips that each seat has won, and of the hand the chips of each seat in the pot, and the moves."""
    counts = (float(state.score), float(-state.score))
    if state.phase == DEAL:
        return Aside(counts)
    return Aside(counts, bets=(float(state.first), float(state.second)), history=notation.words_of(state.line))


def _observe(state: State, viewer: int | None) -> Observation:
    cards = notation.seen_cards(state.cards, state.line, viewer, ended=state.phase == DONE)
    return Observation(notation.observed_position(state, viewer), _diagram(cards), _aside(state))


def _decide(end: End) -> Decision:
    if end.winner is None:
        return Decision(EQUAL)
    return Decision(WON_ONE if end.points == 1 else WON, (end.points,))


def _as_last_round(state: State) -> tuple[State, float]:
    """Return a state with only its hand, which keeps the seat that begins, and what seat 0 has won before it.

    At the end of a hand the score contains its result already.
    """
    begins = state.hand & 1
    so_far = 0 if state.phase == DONE else state.score
    return state._replace(hands=begins + 1, hand=begins, score=state.score - so_far, before=0), float(so_far)


def _game(kind: int, name: str, title: str, description: str, rules: str, link: str) -> Game:
    most = MOST_LOST[kind]

    def loss(state: State, seat: int) -> float:
        """Return what the seat can still lose: the chips of each hand that is left, and those that are lost already."""
        left = state.hands - state.hand - (state.phase == DONE)
        won = -state.score if seat else state.score
        return float(max(1, most * left - won))

    return Game(
        name=name,
        title=title,
        state=Poker,
        start=lambda: notation.start(kind, HANDS),
        last_round=lambda: notation.start(kind, 1),
        as_last_round=_as_last_round,
        parse_position=partial(notation.parse_position, kind),
        format_position=notation.format_position,
        format_move=notation.format_move,
        diagram=lambda state: _diagram(notation.all_cards(state.cards)),
        squares=lambda state, move: (),
        board=Board(3, 1, "cards", PIECES, counted="chips"),
        width=RANKS * (RANKS if COPIES[kind] > 1 else RANKS - 1),
        evaluations={"chips": Evaluation("chips", (1,), "chips won in finished hands")},
        time_control=TimeControl(60_000, 100),
        chance=True,
        secrets=Secrets(
            _observe, notation.disclose, lambda state, move, viewer: (), partial(notation.determinise, kind)
        ),
        stakes=float(HANDS * most),
        loss=loss,
        points_so_far=lambda state: (float(state.score), float(-state.score)),
        most_plies=lambda state: MOST_PLIES[kind] * (state.hands - state.hand),
        description=description,
        rules=f"{rules}\n\n{HIDING}",
        link=link,
        read_move=notation.read_move,
        aside=_aside,
        endings=Endings(_decide, (WON, WON_ONE, EQUAL), "chips", "equal chips"),
    )


GAMES = [
    _game(
        KUHN,
        "kuhn",
        "Kuhn poker",
        f"Poker with three cards and one bet, in {HANDS} hands. The player with more chips wins the match.",
        "The deck has a jack, a queen and a king. In each hand both players put one chip into the pot and get a card."
        "\n\nThe first player checks or bets one chip. After a bet the other player calls or folds. After a check the "
        "other player checks, or bets, and then the first player calls or folds. Without a fold the higher card wins "
        f"the pot.\n\nA match has {HANDS} hands. The players take turns to begin. The player who has won more chips at "
        "the end wins the match by the difference. Harold Kuhn analysed the game in 1950: with best play the player "
        "who begins loses 1/18 of a chip a hand.",
        "https://en.wikipedia.org/wiki/Kuhn_poker",
    ),
    _game(
        LEDUC,
        "leduc",
        "Leduc hold'em",
        f"Poker with six cards and two rounds of betting, in {HANDS} hands. The player with more chips wins the match.",
        "The deck has two jacks, two queens and two kings; suits do not matter. In each hand both players put one chip "
        "into the pot and get a card.\n\nThere are two rounds of betting, in which the same player begins. A bet or a "
        "raise is two chips in the first round and four in the second; a round has at most two of them. Before the "
        "second round a card is laid open on the table.\n\nWithout a fold the player whose card is equal to the open "
        "card wins the pot, else the player with the higher card. Equal cards split the pot.\n\nA match has "
        f"{HANDS} hands. The players take turns to begin. The player who has won more chips at the end wins the match "
        "by the difference. Finnegan Southey and others described the game in 2005.",
        "https://en.wikipedia.org/wiki/Computer_poker_player",
    ),
]
