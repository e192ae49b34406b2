# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments on moves as cutechess and fastchess write them: "+0.31/12 0.45s" is score/depth and time.

Scores are seen by the side that moved. "book" marks the moves of an opening.
"""

import re

from engine.match import Info
from engine.record import PlayedMove

BOOK = "book"

# numbers as large as engines write them, and no larger
_SCORE = re.compile(r"([+-]\d{1,9}(?:\.\d{1,9})?)(?:/(\d{1,9}))?,?")
_TIME = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s,?")


def write(played: PlayedMove) -> str:
    """Return the comment on a move, "" when nothing is known of it."""
    parts = []
    info = played.info
    if info and info.score is not None:
        parts.append(f"{info.score:+.2f}" + ("" if info.depth is None else f"/{info.depth}"))
    if played.elapsed is not None:
        parts.append(f"{played.elapsed / 1000:.3f}".rstrip("0").rstrip(".") + "s")
    return " ".join(parts)


def read(move: str, comment: str) -> PlayedMove:
    """Return the move with what its comment tells; other text tells nothing."""
    words = comment.split(maxsplit=2)
    info = elapsed = None
    if words and (found := _SCORE.fullmatch(words[0])):
        info = Info(score=float(found[1]), depth=None if found[2] is None else int(found[2]))
        del words[0]
    if words and (found := _TIME.fullmatch(words[0])):
        elapsed = round(float(found[1]) * 1000)
    return PlayedMove(move, elapsed, None, info)
