# SPDX-License-Identifier: GPL-3.0-or-later
"""GGF (Generic Game Format) for Othello: reader and writer.

A game is one line, "(;GM[Othello]PB[anna]PW[bo]RE[+12.000]TY[8]BO[8 ... *]B[f5/0.31/0.45]W[d6];)": players, the number
of black discs minus that of white ones at the end, the initial position (* black, O white), and the moves with score
and seconds. Each move is checked, so records have legal moves in the game's notation.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from engine import games
from engine.formats import Format, Unreadable, movetext, refuse
from engine.game import Game, Position
from engine.match.ending import Termination
from engine.match.events import Info
from engine.match.record import PlayedMove, Player, Record

FAMILY = "othello"

COLOURS = ("B", "W")
"""Names of the moves of the seats."""

# runs of plain letters as a whole: a group repeated for each letter takes a hundred times the memory of the text
_PROPERTY = re.compile(r"\s*([A-Za-z]+)\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
_RESULT = re.compile(r"\s*([+-]?\d{1,4}(?:\.\d{1,9})?)(?::([a-z]))?\s*")
_NUMBER = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?")
_DATE = re.compile(r"(\d{4})[.-](\d\d)[.-](\d\d)(?:[_T ](\d\d:\d\d:\d\d))?.*")

_ENDS = {"r": Termination.RESIGNATION, "t": Termination.TIME, "l": Termination.DISCONNECT}
"""Reasons for an end before the last move, by the letter behind the result."""

RESIGNED = 64
"""The difference of discs that stands for a game that was not played to its end."""


# ---------------------------------------------------------------- reading


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Record]:
    """Read the games of a GGF file from its lines. Text between games is ignored."""
    for line, text in _split(lines):
        try:
            if len(text) > movetext.LIMIT:
                raise ValueError(f"the game is longer than {movetext.LIMIT:,} characters")
            yield _record(text)
        except (ValueError, KeyError) as error:
            unreadable(Unreadable(line, str(error.args[0])))


def _split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the number of the first line of each game, and its properties. A game that is too long is cut off."""
    first, parts, size = 0, list[str](), 0
    for number, line in enumerate(lines, 1):
        place = 0
        while place < len(line):
            if not first:
                begun = line.find("(;", place)
                if begun < 0:
                    break
                first, place = number, begun + 2
            found = line.find(";)", place)
            end = len(line) if found < 0 else found
            if size <= movetext.LIMIT:
                parts.append(line[place:end])
            size += end - place
            place = end + 2
            if found >= 0:
                yield first, "".join(parts)
                first, parts, size = 0, [], 0
    if first:
        yield first, "".join(parts)


def _properties(text: str) -> Iterator[tuple[str, str]]:
    """Yield names and values. Raises ValueError for other text."""
    text, place = text.rstrip(), 0
    while place < len(text):
        found = _PROPERTY.match(text, place)
        if not found:
            raise ValueError(f"{text[place : place + 20]!r} is not a property like PB[name]")
        yield found[1].upper(), re.sub(r"\\(.)", r"\1", found[2], flags=re.DOTALL)
        place = found.end()


def _record(text: str) -> Record:
    found: dict[str, str] = {}
    written: list[tuple[str, str]] = []
    for name, value in _properties(text):
        if name in COLOURS:
            written.append((name, value))
        else:
            found.setdefault(name, value)
    if found.pop("GM", "Othello").lower() not in {"othello", "reversi"}:
        raise ValueError("the game is not Othello")
    size = found.pop("TY", "8")
    if size not in {"8", "6"}:
        raise ValueError(f"there is no Othello of the type {size[:20]}; types are 8 and 6")
    game = games.find(FAMILY if size == "8" else f"{FAMILY}/6x6")
    start = _start(game, size, found.pop("BO", ""))
    position = game.look(game.start() if start is None else game.parse_position(start))
    moves: list[PlayedMove] = []
    for colour, value in written:
        position = _play(game, position, COLOURS.index(colour), value, moves)
    result, termination = _end(position, found.pop("RE", ""))
    date = _DATE.fullmatch(found.pop("DT", ""))
    started = "-".join(date.groups()[:3]) + (f"T{date[4]}Z" if date[4] else "") if date else None
    return Record(
        game=game.name,
        players=(_player(found, "B"), _player(found, "W")),
        result=result,
        start=start,
        moves=tuple(moves),
        termination=termination,
        site=found.pop("PC", ""),
        started=started,
        tags=found,
    )


def _start(game: Game, size: str, board: str) -> str | None:
    """Return the initial position; None: the game's own."""
    if not board:
        return None
    first, _, rest = board.strip().partition(" ")
    if first != size:
        raise ValueError(f"the board is of the size {first[:20]}, the game of the type {size}")
    start = game.format_position(game.parse_position(rest))
    return None if start == game.format_position(game.start()) else start


def _play(game: Game, position: Position, seat: int, value: str, moves: list[PlayedMove]) -> Position:
    """Play a move with score and time, and note it; a pass that is not written is added."""
    try:
        if position.to_move != seat and list(game.move_texts(position)) == ["pass"]:
            moves.append(PlayedMove("pass"))
            position = game.play(position, position.moves[0])
        if position.to_move != seat:
            raise ValueError(f"it is not the turn of {game.seats[seat]}")
        text, score, seconds, *_ = [*value.split("/"), "", ""]
        move = game.parse_move(position, text)
    except ValueError as error:
        raise ValueError(f"move {len(moves) + 1}: {error}") from None
    info = Info(score=float(score)) if _NUMBER.fullmatch(score) else None
    elapsed = round(1000 * float(seconds)) if _NUMBER.fullmatch(seconds) and float(seconds) >= 0 else None
    moves.append(PlayedMove(game.format_move(position.state, move), elapsed, None, info))
    return game.play(position, move)


def _end(position: Position, text: str) -> tuple[str, Termination | None]:
    """Return result and termination from RE, else from the last position."""
    found = _RESULT.fullmatch(text)
    lead = float(found[1]) if found else position.payoffs[0]
    known = found or position.over
    result = ("1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2") if known else "*"
    if found and found[2]:
        return result, _ENDS.get(found[2])
    return result, Termination.DECIDED if position.over and known else None


def _player(found: dict[str, str], colour: str) -> Player:
    name, rating = found.pop(f"P{colour}", "").strip(), found.pop(f"R{colour}", "")
    return Player(name or "?", rating=float(rating) if _NUMBER.fullmatch(rating) else None)


# ---------------------------------------------------------------- writing


def covers(game: str) -> bool:
    """Return whether this is Othello on a board of any size."""
    return game.partition("/")[0] == FAMILY


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write each record as a line. Raises ValueError for another game."""
    for record in records:
        if not covers(record.game):
            raise ValueError(f"GGF has no notation for {record.game}")
        yield f"(;{''.join(f'{name}[{_escaped(value)}]' for name, value in _written(record))};)\n"


def _escaped(value: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", re.sub(r"[\x00-\x1f\x7f]+", " ", value)).replace(";)", "; )")


def _written(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the properties of a record and their values."""
    game = games.find(record.game)
    positions = list(record.positions())
    first = game.format_position(positions[0].state).replace("X", "*")
    yield "GM", "Othello"
    if record.site:
        yield "PC", record.site
    if record.started:
        yield "DT", record.started.replace("-", ".").replace("T", "_").replace("Z", ".GMT")
    for colour, player in zip(COLOURS, record.players, strict=True):
        yield f"P{colour}", player.name
        if player.rating is not None:
            yield f"R{colour}", f"{player.rating:.2f}"
    yield "RE", _result(record, game, positions[-1])
    yield from record.tags.items()
    yield "TY", str(game.board.rows)
    yield "BO", f"{game.board.rows} {first}"
    for position, played in zip(positions, movetext.moves(record), strict=False):
        score = played.info.score if played.info else None
        parts = [
            "PA" if played.move == "pass" else played.move.upper(),
            "" if score is None else f"{score:.2f}",
            "" if played.elapsed is None else f"{played.elapsed / 1000:g}",
        ]
        yield COLOURS[position.to_move], "/".join(parts).rstrip("/")


def _result(record: Record, game: Game, last: Position) -> str:
    """Return the number of black discs minus that of white ones, or a won board and the reason."""
    sign = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(record.result)
    if sign is None:
        return "?"
    if last.over and last.payoffs[0] == sign:
        diagram = game.diagram(last.state)
        return f"{diagram.count('X') - diagram.count('O'):+.3f}"
    letter = {Termination.RESIGNATION: "r", Termination.TIME: "t"}.get(record.termination or Termination.VOID, "l")
    return f"{RESIGNED * sign:+.3f}" + (f":{letter}" if sign else "")


FORMAT = Format("ggf", "GGF, Othello", covers, read, write)
