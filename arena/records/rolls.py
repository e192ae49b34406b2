# SPDX-License-Identifier: GPL-3.0-or-later
"""Verify the dice of a finished game from its record: do they match the published secret?"""

from arena.protocol.dice import commitment as commit
from engine.dice import roll
from engine.game import CHANCE
from engine.games import find
from engine.record import Record


def check_rolls(record: Record, commitment: str | None = None) -> int:
    """Verify all rolls of a record and return their number.

    Raises KeyError if the game is unknown, and ValueError with the problem if a roll differs from the seed's, the
    record has no seed, or the seed does not match ``commitment``.
    """
    if record.seed is None:
        raise ValueError("it has no seed, so its dice cannot be checked")
    if commitment is not None and commitment_of(record) != commitment:
        raise ValueError("its seed is not what the commitment was made of")
    game, checked = find(record.game), 0
    texts = (*record.opening, *(played.move for played in record.moves))
    for ply, (position, text) in enumerate(zip(record.positions(), texts, strict=False)):
        if position.to_move != CHANCE or ply < len(record.opening):
            continue
        due = game.format_move(position.state, roll(game, position, record.seed, ply))
        if due != text:
            raise ValueError(f"after {ply} plies the dice should show {due}, and show {text}")
        checked += 1
    return checked


def commitment_of(record: Record) -> str:
    """Return the commitment to the seed of a record. Raises ValueError when it is none of 128 bits."""
    return commit("" if record.seed is None else f"{record.seed:032x}")
