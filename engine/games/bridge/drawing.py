# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of bridge: North's cards at the top, South's at the bottom, West's and East's at the sides.

The trick lies in the middle, around the strain of the contract. Hands are sorted by suit and rank, and close up when a
card is played.
"""

from engine.cards import CARDS, LETTERS, SUITS
from engine.decision import Decision, End
from engine.drawing import Aside, Board, Piece
from engine.games.bridge.cards import (
    BOOK,
    DEALING,
    LANE,
    LEADER,
    LEVEL,
    LOST,
    NOTRUMP,
    RANKS,
    STRAIN,
    TRICKS,
    TURN,
    UNKNOWN,
    WON,
    Bridge,
)
from engine.games.bridge.notation import fact, trick_of

ROWS, COLUMNS = 9, TRICKS
ORDER = (3, 2, 0, 1)
"""The suits of a hand from the left: black and red in turn."""
SIDE = ROWS - 2
"""Cards of a column of West and East."""
TRICK = ((2, 6), (4, 8), (6, 6), (4, 4))
"""Row and column of each player's card of the trick."""
SIDES = {(1, 6): "N", (4, 10): "E", (7, 6): "S", (4, 2): "W"}
"""The letters of the players, by row and column: between each hand and the trick."""
MIDDLE = 4 * COLUMNS + 6
"""The square that shows the strain."""
STRAIN_LETTERS = "01234"


def sorted_hand(cards: int) -> list[int]:
    """Return the cards of a hand as they are shown: by suit, the highest first."""
    return [
        suit * LANE + rank for suit in ORDER for rank in reversed(range(len(RANKS))) if cards >> suit * LANE + rank & 1
    ]


def place_of(player: int, index: int, count: int) -> int:
    """Return the square of a card of a hand of ``count`` cards."""
    if player % 2 == 0:
        return (0 if player == 0 else ROWS - 1) * COLUMNS + (COLUMNS - count) // 2 + index
    column, row = divmod(index, SIDE)
    return (1 + row) * COLUMNS + (COLUMNS - 2 if player == 1 else 0) + column


def places(state: Bridge) -> dict[int, int]:
    """Return the square of each card that is shown."""
    found: dict[int, int] = {}
    for player, hand in enumerate(state[:4]):
        cards = sorted_hand(int(hand))
        found |= {card: place_of(player, index, len(cards)) for index, card in enumerate(cards)}
    for at, card in enumerate(trick_of(state)):
        row, column = TRICK[(fact(state, LEADER) + at) % 4]
        found[card] = row * COLUMNS + column
    return found


def diagram(state: Bridge) -> str:
    """Draw a state."""
    squares = ["."] * (ROWS * COLUMNS)
    if fact(state, STRAIN) != UNKNOWN:
        squares[MIDDLE] = STRAIN_LETTERS[fact(state, STRAIN)]
    for card, square in places(state).items():
        squares[square] = LETTERS[card // LANE][card % LANE]
    return "".join(squares)


def squares(state: Bridge, move: int) -> tuple[int, ...]:
    """Return the squares of a card, in the hand and on the table; where it is dealt; none of the draw of a strain."""
    if not fact(state, DEALING):
        row, column = TRICK[fact(state, TURN)]
        return places(state)[move], row * COLUMNS + column
    if fact(state, STRAIN) == UNKNOWN:
        return ()
    counts = [int(hand).bit_count() for hand in state[:4]]
    player = sum(counts) // TRICKS
    cards = sorted_hand(int(state[player]) | 1 << move)
    return (place_of(player, cards.index(move), len(cards)),)


def aside(state: Bridge) -> Aside:
    """Return the tricks of both sides."""
    return Aside(counts=(fact(state, WON), fact(state, LOST)))


MADE, OVER, DOWN = "with the contract", "with {0} overtricks", "with {0} tricks less than the contract"
ONE_OVER, ONE_DOWN = "with an overtrick", "with one trick less than the contract"


def decide(end: End) -> Decision:
    """Return the result against the contract."""
    points = fact(end.state, WON) - BOOK - fact(end.state, LEVEL)
    few = {0: MADE, 1: ONE_OVER, -1: ONE_DOWN}
    return Decision(few[points]) if points in few else Decision(OVER if points > 0 else DOWN, (abs(points),))


TRUMPS = {
    letter: Piece(f"trumps: {name}", shape, None, tone)
    for letter, (name, shape, tone) in zip(STRAIN_LETTERS, SUITS, strict=False)
}

BOARD = Board(
    ROWS,
    COLUMNS,
    "table",
    {**CARDS, **TRUMPS, STRAIN_LETTERS[NOTRUMP]: Piece("notrump", "blank card", None, "dark", mark="NT")},
    labels=tuple(SIDES.get(divmod(square, COLUMNS), "") for square in range(ROWS * COLUMNS)),
    counted="tricks",
)
