# SPDX-License-Identifier: GPL-3.0-or-later
"""EPD (Extended Position Description): suites of chess positions with best moves, one per line."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from engine import games
from engine.formats import Unreadable, refuse
from engine.game import Game, Position
from engine.match.record import Record

NAME = "chess"

LIMIT = 4_000
"""Maximum number of characters of a line."""

_PLACE = 4
"""Number of fields of a position; operations follow."""

_MATE = re.compile(r"\s*#(-?[1-9]\d{0,2})\s*")

_OPERATION = re.compile(r'([A-Za-z]\w*)\s*((?:"[^"]*"|[^;"])*)(?:;|$)')


class Problem(Struct, frozen=True, omit_defaults=True):
    """A position with a name and a solution: best moves or moves to avoid, in the game's notation, or a mate."""

    position: str
    name: str = ""
    best: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    mate: int | None = None
    """Mate in this many moves of the side to move; negative: the side to move is mated in this many moves."""

    @property
    def asks(self) -> bool:
        """Whether there is a solution."""
        return bool(self.best or self.avoid or self.mate)


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Problem]:
    """Read a suite. Blank lines, lines that begin with #, and operations other than id, bm and am are ignored.

    "bm #5" is a mate in five. Lines of FEN, which have counters instead of operations, are read too.
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
    best = operations.get("bm", "")
    mate = _MATE.fullmatch(best)
    return Problem(
        position=game.format_position(position.state),
        name=operations.get("id", "").strip().strip('"'),
        best=() if mate else _moves(game, position, best),
        mate=int(mate[1]) if mate else None,
        avoid=_moves(game, position, operations.get("am", "")),
    )


def _moves(game: Game, position: Position, text: str) -> tuple[str, ...]:
    return tuple(game.format_move(position.state, game.parse_move(position, word)) for word in text.split())


def ends(records: Iterable[Record]) -> Iterator[str]:
    """Write the last position of each game, with its round as id and its result as a comment."""
    for record in records:
        last = deque(record.positions(), maxlen=1).pop()
        place = " ".join(games.find(record.game).format_position(last.state).split()[:_PLACE])
        name = f' id "{record.round}";' if record.round else ""
        yield f'{place} c0 "{record.result}";{name}\n'


def write(problems: Iterable[Problem]) -> Iterator[str]:
    """Write problems, one per line. Raises ValueError for a name with quotes or line ends."""
    game = games.find(NAME)
    for problem in problems:
        if '"' in problem.name or "\n" in problem.name:
            raise ValueError(f"{problem.name!r} cannot be the id of a problem")
        position = game.look(game.parse_position(problem.position))
        best = _spelled(game, position, problem.best) if problem.mate is None else f"#{problem.mate}"
        operations = [("bm", best), ("am", _spelled(game, position, problem.avoid))]
        operations.append(("id", f'"{problem.name}"' if problem.name else ""))
        told = "".join(f" {code} {operand};" for code, operand in operations if operand)
        yield " ".join(problem.position.split()[:_PLACE]) + f"{told}\n"


def _spelled(game: Game, position: Position, texts: Iterable[str]) -> str:
    moves = (game.parse_move(position, text) for text in texts)
    return " ".join(game.write_move(position, move) for move in moves)
