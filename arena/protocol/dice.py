# SPDX-License-Identifier: MIT
"""How the arena binds itself to a match's dice before the match starts.

A match of a game of chance has a secret: 128 random bits, written as 32 hexadecimal digits. The players are told its
commitment as the match starts, and the secret itself at the end. Whoever knows both can check that the dice were fixed
before the first move.
"""

import re
from hashlib import sha256


def commitment(secret: str) -> str:
    """Return the SHA-256 of ``dice commitment SECRET``, as 64 hexadecimal digits. Raises ValueError for no secret."""
    if not re.fullmatch(r"[0-9a-f]{32}", secret):
        raise ValueError(f"a secret has 32 hexadecimal digits, which {secret[:40]!r} has not")
    return sha256(f"dice commitment {secret}".encode()).hexdigest()
