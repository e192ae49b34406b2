# SPDX-License-Identifier: GPL-3.0-or-later
"""What is weighed of a legal move when the belief in it is calibrated: columns of numbers, in groups.

Weights are fitted to what the player did; see ``bots.modelling.logit``. What is the same for all moves of a position
needs no column: it would add the same to each.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.modelling import chunks
from bots.modelling.board import CHECK, GAIN, HANGS, REPLIES, ROOM, SAFE, THREAT, WINS
from bots.modelling.habits import PHASES, Habits
from bots.modelling.looking import Look
from bots.modelling.openings import LEAST, Node
from bots.modelling.replay import Memory
from bots.modelling.templates import Templates

Matrix = NDArray[np.float64]
"""(moves, columns)"""

TEXT, VISUAL, HABIT, MOVE, SEARCH = "text", "visual", "habit", "move", "search"
"""Groups of columns: text chunks, visual chunks, the frequency of moves, what a move does, what a search says."""

TEXT_COLUMNS = ("share", "known", "strange", "recent", "score")
VISUAL_COLUMNS = ("raw", "logit", "share", "made", "size", "timely", "score", "broken", "lost", "rebuilt")
HABIT_COLUMNS = ("own", "arrival", "position", "position known", "position strange")
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
    "goes on",
    "two men",
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
        Group(HABIT, HABIT_COLUMNS),
        Group(MOVE, (*MOVE_COLUMNS, *kinds)),
        Group(SEARCH, SEARCH_COLUMNS),
    )


def names(templates: Templates) -> tuple[str, ...]:
    """Return the names of all columns, in their order."""
    return tuple(f"{group.name}: {column}" for group in groups(templates) for column in group.columns)


def chosen(templates: Templates, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Return which columns are of the groups wanted."""
    return np.array([wanted(group.name) for group in groups(templates) for _ in group.columns])


def text(look: Look, texts: list[str], node: Node | None) -> Matrix:
    """Return the columns of text chunks; all zero outside of the tree."""
    out = np.zeros((len(look.moves), len(TEXT_COLUMNS)))
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
    """Return the columns of visual chunks, from what ``bots.modelling.chunks.match`` found."""
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


def habit(look: Look, texts: list[str], habits: Habits) -> Matrix:
    """Return the columns of frequencies."""
    own, arrival = habits.rates(look.spans, look.phase)
    out = np.zeros((len(texts), len(HABIT_COLUMNS)))
    out[:, 0] = np.log(own)
    out[:, 1] = np.log(arrival)
    seen = habits.seen(look.position.key)
    if seen:
        total = sum(seen.values())
        for row, played in enumerate(texts):
            count = seen.get(played, 0)
            out[row, 2] = np.log((count + 0.3) / (total + 1)) if count else 0.0
            out[row, 3] = count > 0
            out[row, 4] = 0.0 if count else -np.log(1 + total)
    return out


def move(look: Look, facts: Matrix, memory: Memory, templates: Templates) -> Matrix:
    """Return the columns of what moves do."""
    origin, target, kind = look.spans.T
    up, across = target // 8 - origin // 8, _outward(origin) - _outward(target)
    gain, hangs = facts[:, GAIN] / 100, facts[:, HANGS] / 100
    safe, check = facts[:, SAFE], facts[:, CHECK]
    room = np.where(facts[:, ROOM] < 0, 0.0, np.log1p(np.maximum(facts[:, ROOM], 0)) - 3)
    distance = np.maximum(abs(target // 8 - memory.arrived // 8), abs(target % 8 - memory.arrived % 8))
    count = len(origin)
    changes = (look.after != look.before).sum(axis=1)
    promoted = look.after[np.arange(count), target] != kind
    kinds = np.zeros((count, len(templates.kinds), PHASES))
    kinds[np.arange(count), kind - 1, look.phase] = 1
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
    """Return how far cells lie from the middle."""
    return np.maximum(abs(cells // 8 - 3.5), abs(cells % 8 - 3.5)) + (abs(cells // 8 - 3.5) + abs(cells % 8 - 3.5)) / 4


SEARCH_COLUMNS = ("best", "behind", "far behind", "root of behind", "rank", "choice")


def search(values: NDArray[np.float64] | None, choice: int, count: int) -> Matrix:
    """Return the columns of what a search says of each move.

    ``values``: in men, for the player, None where no search was made; ``choice``: the row of the move that a deeper
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
