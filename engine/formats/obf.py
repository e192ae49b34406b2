# SPDX-License-Identifier: GPL-3.0-or-later
"""OBF (Othello Board Format): suites of positions with the scores of moves, one per line.

"--O…X- X; A2:+38; C7:+36;": the squares row by row, the side to move, then moves with the difference of discs that
they lead to. "%" begins a comment.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from engine import games
from engine.formats import Unreadable, refuse

NAME = "othello"

LIMIT = 4_000
"""Maximum number of characters of a line."""

_SCORE = re.compile(r"([A-Za-z]{1,4}\d?|--)\s*:\s*([+-]?\d{1,2})")


class Endgame(Struct, frozen=True, omit_defaults=True):
    """A position, and the exact scores of moves as far as they are known."""

    position: str
    scores: dict[str, int] = {}
    """The difference of discs after each move, for the side to move."""

    @property
    def value(self) -> int | None:
        """The best score; None if no scores are known."""
        return max(self.scores.values(), default=None)


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Endgame]:
    """Read a suite; blank lines and comments are ignored."""
    for number, line in enumerate(lines, 1):
        text = line.lstrip("\ufeff").partition("%")[0].strip()
        if not text:
            continue
        try:
            if len(text) > LIMIT:
                raise ValueError(f"the line is longer than {LIMIT:,} characters")
            yield _endgame(text)
        except ValueError as error:
            unreadable(Unreadable(number, str(error)))


def _endgame(text: str) -> Endgame:
    game = games.find(NAME)
    place, *rest = text.split(";")
    position = game.look(game.parse_position(place))
    scores = {}
    for part in filter(None, map(str.strip, rest)):
        found = _SCORE.fullmatch(part)
        if not found:
            raise ValueError(f"{part[:40]!r} is not a move with its score, like f5:+2")
        scores[game.format_move(position.state, game.parse_move(position, found[1]))] = int(found[2])
    return Endgame(game.format_position(position.state), scores)
