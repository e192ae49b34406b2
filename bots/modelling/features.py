# SPDX-License-Identifier: GPL-3.0-or-later
"""Features of a legal move, in groups of columns, from which calibrated probabilities are computed.

Their weights are fitted to the player's choices; see ``bots.modelling.logit``. Properties that all moves of a position
share are not features, because they would add the same number to each move.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.modelling import chunks
from bots.modelling.board import CHECK, GAIN, HANGS, REPLIES, ROOM, SAFE, THREAT, WINS
from bots.modelling.frequencies import LEAST, PHASES, MoveFrequencies, Node
from bots.modelling.patterns import Templates
from bots.modelling.replay import LegalMoves, Memory

Matrix = NDArray[np.float64]
"""(moves, columns)"""

TEXT, VISUAL, FREQUENCY, MOVE, SEARCH = "text", "visual", "frequency", "move", "search"
"""Groups of columns: text chunks, visual chunks, frequencies of moves, properties of moves, values of a search."""

TEXT_COLUMNS = ("share", "known", "unknown", "recent", "score")
VISUAL_COLUMNS = ("raw", "logit", "share", "made", "size", "timely", "score", "broken", "lost", "rebuilt")
FREQUENCY_COLUMNS = ("own", "arrival", "position", "position known", "position unknown")
MOVE_COLUMNS = (
    "gain",
    "root of gain",
    "safe",
    "wins",
    "check",
    "safe check",
    "hangs",
    "root of hangs",
    "threat",
    "replies",
    "room",
    "recapture",
    "near",
    "takes back",
    "same piece",
    "two pieces",
    "forward",
    "inward",
    "home",
    "promotes",
)


class Group(NamedTuple):
    """Columns that belong together."""

    name: str
    columns: tuple[str, ...]


def groups(templates: Templates) -> tuple[Group, ...]:
    """Return the groups of a game's columns in their order."""
    kinds = [f"{kind} in phase {number + 1}" for kind in templates.kinds for number in range(PHASES)]
    return (
        Group(TEXT, TEXT_COLUMNS),
        Group(VISUAL, VISUAL_COLUMNS),
        Group(FREQUENCY, FREQUENCY_COLUMNS),
        Group(MOVE, (*MOVE_COLUMNS, *kinds)),
        Group(SEARCH, SEARCH_COLUMNS),
    )


def names(templates: Templates) -> tuple[str, ...]:
    """Return the names of all columns, in their order."""
    return tuple(f"{group.name}: {column}" for group in groups(templates) for column in group.columns)


def chosen(templates: Templates, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Return a mask of the columns of the wanted groups."""
    return np.array([wanted(group.name) for group in groups(templates) for _ in group.columns])


def text(legal: LegalMoves, texts: list[str], node: Node | None) -> Matrix:
    """Return the columns of text chunks; all are zero outside the opening tree."""
    out = np.zeros((len(legal.moves), len(TEXT_COLUMNS)))
    if node is None:
        return out
    total, newest = sum(one.games for one in node.moves.values()), node.last
    weight = max(1e-9, sum(one.recent(newest) for one in node.moves.values()))
    for row, played in enumerate(texts):
        following = node.moves.get(played)
        if following is None or following.games < LEAST:
            out[row, 2] = -np.log(1 + total)
        else:
            out[row, 0] = np.log(following.games / total)
            out[row, 1] = 1
            out[row, 3] = following.recent(newest) / weight
            out[row, 4] = following.score - 0.5
    return out


def visual(found: Matrix) -> Matrix:
    """Return the columns of visual chunks from the result of ``bots.modelling.chunks.match``."""
    raw = found[:, chunks.RAW]
    made = raw > 0
    return np.column_stack(
        [
            raw,
            np.where(made, np.log(np.maximum(raw, 0.01) / (1 - np.minimum(raw, 0.99))), -5.0),
            np.sqrt(found[:, chunks.SHARE]),
            np.log1p(found[:, chunks.MADE]),
            found[:, chunks.SIZE] / 4,
            np.sqrt(found[:, chunks.TIMELY]),
            np.where(made, found[:, chunks.SCORE] - 0.5, 0.0),
            np.log1p(found[:, chunks.BROKEN]),
            np.sqrt(found[:, chunks.LOST]),
            found[:, chunks.REBUILT],
        ]
    )


def frequency(legal: LegalMoves, texts: list[str], frequencies: MoveFrequencies) -> Matrix:
    """Return the columns of frequencies."""
    own, arrival = frequencies.rates(legal.spans, legal.phase)
    out = np.zeros((len(texts), len(FREQUENCY_COLUMNS)))
    out[:, 0] = np.log(own)
    out[:, 1] = np.log(arrival)
    seen = frequencies.seen(legal.position.key)
    if seen:
        total = sum(seen.values())
        for row, played in enumerate(texts):
            count = seen.get(played, 0)
            out[row, 2] = np.log((count + 0.3) / (total + 1)) if count else 0.0
            out[row, 3] = count > 0
            out[row, 4] = 0.0 if count else -np.log(1 + total)
    return out


def move(legal: LegalMoves, facts: Matrix, memory: Memory, templates: Templates) -> Matrix:
    """Return the columns of the properties of moves."""
    origin, target, kind = legal.spans.T
    up, across = target // 8 - origin // 8, _outward(origin) - _outward(target)
    gain, hangs = facts[:, GAIN] / 100, facts[:, HANGS] / 100
    safe, check = facts[:, SAFE], facts[:, CHECK]
    room = np.where(facts[:, ROOM] < 0, 0.0, np.log1p(np.maximum(facts[:, ROOM], 0)) - 3)
    distance = np.maximum(abs(target // 8 - memory.arrived // 8), abs(target % 8 - memory.arrived % 8))
    count = len(origin)
    changes = (legal.after != legal.before).sum(axis=1)
    promoted = legal.after[np.arange(count), target] != kind
    kinds = np.zeros((count, len(templates.kinds), PHASES))
    kinds[np.arange(count), kind - 1, legal.phase] = 1
    return np.column_stack(
        [
            gain,
            np.sqrt(gain),
            safe,
            facts[:, WINS],
            check,
            check * safe,
            hangs,
            np.sqrt(hangs),
            np.sqrt(facts[:, THREAT] / 100),
            np.log1p(facts[:, REPLIES]),
            room,
            (target == memory.arrived) & memory.struck,
            np.where(memory.arrived < 0, 0.0, 1 / (1.0 + distance)),
            (origin == memory.stood) & (target == memory.left),
            origin == memory.stood,
            changes > 2,
            up / 2,
            across / 2,
            (origin < 8) & (up > 0),
            promoted,
            kinds.reshape(count, -1),
        ]
    ).astype(np.float64)


def _outward(cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the distance of cells from the centre."""
    return np.maximum(abs(cells // 8 - 3.5), abs(cells % 8 - 3.5)) + (abs(cells // 8 - 3.5) + abs(cells % 8 - 3.5)) / 4


SEARCH_COLUMNS = ("best", "behind", "far behind", "root of behind", "rank", "choice")


def search(values: NDArray[np.float64] | None, choice: int, count: int) -> Matrix:
    """Return the columns of a search's values of each move.

    ``values``: in pawn units, for the player; None without a search. ``choice``: the row of the move that a deeper
    search chose, -1 without one.
    """
    out = np.zeros((count, len(SEARCH_COLUMNS)))
    if values is None:
        return out
    behind = np.minimum(values.max() - values, 12.0)
    out[:, 0] = behind == 0
    out[:, 1] = np.minimum(behind, 1.0)
    out[:, 2] = np.maximum(behind - 1.0, 0.0)
    out[:, 3] = np.sqrt(behind)
    out[:, 4] = np.log1p(np.argsort(np.argsort(behind, kind="stable"), kind="stable"))
    if choice >= 0:
        out[choice, 5] = 1
    return out
