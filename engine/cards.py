# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing cards as pieces of a diagram: a letter for each of the 52 cards, and how pages draw it."""

from engine.drawing import Piece, Shape, Tone

RANKS = "23456789TJQKA"
NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")

SUITS: tuple[tuple[str, Shape, Tone], ...] = (
    ("clubs", "club", "dark"),
    ("diamonds", "diamond", "red"),
    ("hearts", "heart", "red"),
    ("spades", "spade", "dark"),
)
"""Name, shape and tone of each suit."""

LETTERS = ("abcdefghijklm", "nopqrstuvwxyz", "ABCDEFGHIJKLM", "NOPQRSTUVWXYZ")
"""The letters of clubs, diamonds, hearts and spades, from the two to the ace."""

CARDS = {
    letter: Piece(f"{NAMES[rank]} of {name}", shape, None, tone, mark=RANKS[rank].replace("T", "10"))
    for letters, (name, shape, tone) in zip(LETTERS, SUITS, strict=True)
    for rank, letter in enumerate(letters)
}
