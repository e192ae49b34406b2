# SPDX-License-Identifier: GPL-3.0-or-later
"""EPD, chess positions with what is to be found in them, a line each: suites of problems, and of openings."""

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from engine import games
from engine.formats.format import Unreadable, refuse
from engine.game import Game, Position

NAME = "chess"

LIMIT = 4_000
"""Characters of the longest line that is read."""

_PLACE = 4
"""Fields of a position; operations follow."""

_OPERATION = re.compile(r'([A-Za-z]\w*)\s*((?:"[^"]*"|[^;"])*)(?:;|$)')


class Problem(Struct, frozen=True, omit_defaults=True):
    """A position, its name, and the moves that are best or to be avoided, in the game's own notation."""

    position: str
    name: str = ""
    best: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Problem]:
    """Read a suite. Blank lines, lines that begin with #, and operations other than id, bm and am are left out.

    Lines of FEN, which have counters instead of operations, are read too.
    """
    game = games.find(NAME)
    for number, line in enumerate(lines, 1):
        text = line.lstrip("\ufeff").strip()
        if not text or text.startswith("#"):
            continue
        try:
            if len(text) > LIMIT:
                raise ValueError(f"the line is longer than {LIMIT:,} characters")
            yield _problem(game, text)
        except ValueError as error:
            unreadable(Unreadable(number, str(error)))


def _problem(game: Game, text: str) -> Problem:
    fields = text.split(maxsplit=_PLACE)
    position = game.look(game.parse_position(" ".join(fields[:_PLACE])))
    operations: dict[str, str] = dict(_OPERATION.findall("".join(fields[_PLACE:])))
    return Problem(
        position=game.format_position(position.state),
        name=operations.get("id", "").strip().strip('"'),
        best=_moves(game, position, operations.get("bm", "")),
        avoid=_moves(game, position, operations.get("am", "")),
    )


def _moves(game: Game, position: Position, text: str) -> tuple[str, ...]:
    return tuple(game.format_move(position.state, game.parse_move(position, word)) for word in text.split())
