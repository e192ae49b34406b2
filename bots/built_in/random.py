# SPDX-License-Identifier: GPL-3.0-or-later
"""The bot that plays any legal move."""

import random
from hashlib import sha256

from bots.bot import Bot, Turn


def seed(match: int, name: str, ply: int) -> int:
    """Return the seed of a built-in bot's choices at a ply of a match, so that a match can be replayed."""
    return int.from_bytes(sha256(f"{match} {name} {ply}".encode()).digest()[:8])


class RandomBot(Bot):
    """Chooses among the legal moves by chance."""

    name = "random"
    description = "Plays any legal move."
    capacity = 16

    def move(self, turn: Turn) -> str:
        """Return one of the legal moves; the same one when asked again."""
        if not turn.legal_moves:
            raise ValueError("the turn lists no legal moves")
        return random.Random(seed(turn.match, self.name, turn.ply)).choice(turn.legal_moves)
