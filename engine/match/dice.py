# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice rolls from a seed: after a restart a match rolls the same numbers.

Each roll is the SHA-256 of the seed and the roll's place, so without the seed nobody can predict it from earlier rolls.
The place is the ply. Where dice are mirrored, it is the seat that rolls and the number of its roll: then two matches
with one seed give the seat that moves first the same rolls in both, however the moves differ, and likewise the other
seat. A game of cards names the places itself (``Game.deal_place``): both matches have the same deals in each hand,
however the moves differ.
"""

from hashlib import sha256
from itertools import accumulate

from engine.game import CHANCE, Game, Position


def roll(game: Game, position: Position, seed: int, ply: int) -> int:
    """Roll the dice at a chance node, ``ply`` moves into a match with this seed; return the move.

    The kernel ``odds`` gives the relative frequencies of the moves.
    """
    return _rolled(game, position, f"dice {seed} {ply}")


def mirrored_roll(game: Game, position: Position, seed: int, seat: int, number: int) -> int:
    """Roll the mirrored dice at a chance node: the roll of a seat with this number, counted from 0; return the move.

    In a game that names the places of its deals, these replace seat and number.
    """
    if game.deal_place is not None:
        return _rolled(game, position, f"dice {seed} deal {game.deal_place(position.state)}")
    return _rolled(game, position, f"dice {seed} seat {seat} {number}")


def roller(game: Game, position: Position) -> int:
    """Return the seat that rolls at a chance node: the one that moves after the first of the possible rolls.

    If more chance nodes follow, the first roll is taken there too; a roll that ends the match counts for seat 0.
    """
    while position.to_move == CHANCE and not position.over:
        position = game.play(position, position.moves[0])
    return 0 if position.over else position.to_move


def _rolled(game: Game, position: Position, place: str) -> int:
    odds = game.odds(position)
    number = int.from_bytes(sha256(place.encode()).digest()) % sum(odds)
    # with 256 bits the bias of the remainder is negligible
    return next(move for move, below in zip(position.moves, accumulate(odds), strict=True) if number < below)
