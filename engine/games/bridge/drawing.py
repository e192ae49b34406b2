# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of bridge: North's cards at the top, South's at the bottom, West's and East's at the sides.

The trick lies in the middle. Hands are sorted, and cards move together when one is played.
"""

from engine.decision import Decision, End
from engine.drawing import Aside, Board, Piece
from engine.games.bridge.cards import DEALING, LANE, LEADER, LOST, RANKS, SUITS, TURN, WON, Bridge
from engine.games.bridge.notation import fact, trick_of

COLUMNS, ROWS = 13, 9
NAMES = ("club", "diamond", "heart", "spade")
ORDER = (3, 2, 0, 1)
"""The suits of a hand from the left: black and red in turn."""
LETTERS = "abcdefghijklmABCDEFGHIJKLMnopqrstuvwxyzNOPQRSTUVWXYZ"
"""The letters of the cards, from the two of clubs to the ace of spades."""
TONES = ("green", "orange", "red", "dark")
