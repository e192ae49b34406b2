# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments on moves as cutechess and fastchess write them: "+0.31/12 0.45s, n=31415, pv="e2e4 e7e5"" is score/depth,
time, nodes and principal variation.

Scores are seen by the side that moved. "book" marks the moves of an opening.
"""

import re

from engine.match import Info
from engine.record import PlayedMove

BOOK = "book"

# numbers as large as engines write them, and no larger
_SCORE = re.compile(r"([+-]\d{1,9}(?:\.\d{1,9})?)(?:/(\d{1,9}))?,?")
_TIME = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s,?")
_NODES = re.compile(r"\bn=(\d{1,16})\b")
_LINE = re.compile(r'\bpv="([^"]*)"')

LONGEST_LINE = 16
"""Moves of a principal variation that are written; a comment is no place for more."""


def write(played: PlayedMove) -> str:
    """Return the comment on a move, "" when nothing is known of it."""
    parts = []
    info = played.info or Info()
    if info.score is not None:
        parts.append(f"{info.score:+.2f}" + ("" if info.depth is None else f"/{info.depth}"))
    if played.elapsed is not None:
        parts.append(f"{played.elapsed / 1000:.3f}".rstrip("0").rstrip(".") + "s")
    more = [] if info.nodes is None else [f"n={info.nodes}"]
    if info.pv and not any(sign in move for move in info.pv for sign in '"{} '):
        more.append(f'pv="{" ".join(info.pv[:LONGEST_LINE])}"')
    return ", ".join([" ".join(parts), *more]) if parts else ", ".join(more)


def read(move: str, comment: str) -> PlayedMove:
    """Return the move with what its comment tells; other text tells nothing."""
    words = comment.split(maxsplit=2)
    score = depth = elapsed = None
    if words and (found := _SCORE.fullmatch(words[0])):
        score, depth = float(found[1]), None if found[2] is None else int(found[2])
        del words[0]
    if words and (found := _TIME.fullmatch(words[0])):
        elapsed = round(float(found[1]) * 1000)
    nodes, line = _NODES.search(comment), _LINE.search(comment)
    info = Info(
        score=score,
        depth=depth,
        nodes=None if nodes is None else int(nodes[1]),
        pv=() if line is None else tuple(line[1].split()[:LONGEST_LINE]),
    )
    return PlayedMove(move, elapsed, None, None if info == Info() else info)
