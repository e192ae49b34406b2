# SPDX-License-Identifier: GPL-3.0-or-later
"""SGF (Smart Game Format, FF[4]) for Go: reader and writer.

The reader takes the main line: the first variation at each branch. It counts the others (``VARIATIONS``) and ignores
markup. Each move is checked, with superko, so records have legal moves. Setup stones of the root are the start
position. Values without a property in SGF are written to the root's comment, one line "Name: value" each.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from engine import games
from engine.formats import Format, Unreadable, movetext, refuse, tags
from engine.game import Game
from engine.games.go import notation
from engine.games.go.board import KOMI, SIDES, pack, unpack
from engine.match.ending import FORFEITS, Termination
from engine.match.events import Moved
from engine.match.machine import Match
from engine.match.record import Record

FAMILY = "go"
SIZES = {side: f"{FAMILY}/{side}x{side}" for side in SIDES.values()}

VARIATIONS = "Variations"
"""The tag with the number of variations that were skipped."""

MOST_NODES = 20_000
"""Nodes of a main line that are read; the longest games have some hundreds."""

COLOURS = "BW"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_PROPERTIES = {
    "EV": "Event",
    "PC": "Site",
    "RO": "Round",
    "PB": "Black",
    "PW": "White",
    "BR": "BlackElo",
    "WR": "WhiteElo",
}
"""Properties of the root and the tags that hold the same."""

_NOTES = ("BlackVersion", "WhiteVersion", "TimeControl", "GameStartTime", "GameEndTime", "Seed", "TerminationDetails")
"""Tags of the root's comment."""

_POSITION = "Position"
"""The note with the start position, if it does not follow from the stones and the side to move."""

_ENDINGS = {Termination.RESIGNATION: "R", Termination.TIME: "T", **dict.fromkeys(FORFEITS, "F")}
_READ_ENDINGS = {"R": Termination.RESIGNATION, "T": Termination.TIME}


# ---------------------------------------------------------------- games in a file

_STRUCTURE = re.compile(r"\\.?|[\[\]()]", re.DOTALL)
# runs of plain letters as a whole: a group repeated for each letter takes a hundred times the memory of the text
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[([^\]\\]*(?:\\.[^\]\\]*)*)\])", re.DOTALL)


class _Source(NamedTuple):
    """The text of a game in a file, or the reason why it cannot be read."""

    line: int
    text: str
    reason: str = ""


def _split(lines: Iterable[str]) -> Iterator[_Source]:
    """Yield the games of a file; text between games is skipped."""
    depth = first = size = 0
    valued = False
    parts: list[str] = []
    games_seen, junk = 0, 0
    for number, line in enumerate(lines, 1):
        line = line.lstrip("\ufeff") if number == 1 else line
        begin = 0
        for found in _STRUCTURE.finditer(line):
            sign = found[0]
            if valued:
                valued = sign != "]"
            elif depth and sign == "[":
                valued = True
            elif sign == "(":
                if not depth:
                    first, begin, size, parts = number, found.start(), 0, []
                depth += 1
            elif sign == ")" and depth:
                depth -= 1
                if not depth:
                    games_seen += 1
                    text = "".join([*parts, line[begin : found.end()]])
                    long = size + found.end() - begin > movetext.LIMIT
                    yield _Source(first, text, _TOO_LONG if long else "")
        if depth:
            size += len(line)
            if size <= movetext.LIMIT:
                parts.append(line[begin:])
        elif not junk and line.strip():
            junk = number
    if depth:
        yield _Source(first, "", "the game does not end: a ) or ] is missing")
    elif junk and not games_seen:
        yield _Source(junk, "", "this is not SGF: a game begins with (;")


_TOO_LONG = f"the game is longer than {movetext.LIMIT:,} characters"

Node = dict[str, list[str]]
"""The properties of a node, with their values as they are written."""


def _main_line(text: str) -> tuple[list[Node], int]:
    """Return the nodes of the main line, and the number of variations that were skipped. Raises ValueError."""
    nodes: list[Node] = []
    values: list[str] | None = None
    place = depth = skipped = variations = 0
    ended = False
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            if not text[place:].strip():
                break
            raise ValueError(f"{text[place : place + 20].strip()!r} is not a part of an SGF game")
        place = token.end()
        sign, name, value = token.groups()
        if sign == "(":
            depth += 1
            if ended and not skipped:
                variations += 1
                skipped = depth
        elif sign == ")":
            skipped = 0 if depth == skipped else skipped
            depth -= 1
            ended = True
        elif skipped:
            continue
        elif ended:
            raise ValueError("a node follows the variations of an earlier node")
        elif sign == ";":
            if len(nodes) == MOST_NODES:
                raise ValueError(f"the main line has more than {MOST_NODES:,} nodes")
            nodes.append({})
            values = None
        elif not nodes:
            raise ValueError("the first node has no semicolon")
        elif name is not None:
            values = nodes[-1].setdefault(re.sub("[a-z]", "", name), [])
        elif values is None:
            raise ValueError(f"the value [{value[:20]}] has no property")
        else:
            values.append(value)
    if not nodes:
        raise ValueError("the game has no node")
    return nodes, variations


def _text(value: str) -> str:
    """Return a text without escapes; a backslash and the line end after it are removed."""
    return re.sub(r"\\(\r\n|\n\r|.)", lambda found: "" if found[1][0] in "\r\n" else found[1], value, flags=re.DOTALL)


def _rules(game: Game) -> dict[str, str]:
    """Return the properties of komi and rules that games of the arena have."""
    return {"KM": f"{KOMI[game.board.rows] / 2:g}", "RU": "Tromp-Taylor"}


def _simple(node: Node, name: str) -> str:
    """Return a property of one line, "" without it."""
    return " ".join(_text((node.get(name) or [""])[0]).split())


# ---------------------------------------------------------------- reading


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Record]:
    """Read the games of an SGF file from its lines."""
    for source in _split(lines):
        try:
            if source.reason:
                raise ValueError(source.reason)
            yield _record(*_main_line(source.text))
        except ValueError as error:
            unreadable(Unreadable(source.line, str(error.args[0])))


def _record(nodes: list[Node], variations: int) -> Record:
    root = nodes[0]
    game = _game(root)
    found = _tags(root)
    for name, own in _rules(game).items():
        if found.get(name) == own:
            del found[name]
    if variations:
        found[VARIATIONS] = f"{variations} skipped"
    start, rest = _start(game, nodes, found.take(_POSITION))
    played = _moves(game, start, rest)
    usual = start == game.format_position(game.start())
    return movetext.to_record(game, found, None if usual else start, played, None)


def _game(root: Node) -> Game:
    kind = _simple(root, "GM") or "1"
    if kind != "1":
        raise ValueError(f"GM[{kind[:20]}] is not Go, which is GM[1]")
    size = _simple(root, "SZ") or "19"
    width, _, height = size.partition(":")
    name = SIZES.get(int(width)) if width.isdecimal() and width.isascii() and len(width) < 4 else None
    if name is None or height not in ("", width):
        raise ValueError(f"SZ[{size[:20]}]: the board must be one of {', '.join(map(str, SIZES))}")
    return games.find(name)


def _tags(root: Node) -> tags.Tags:
    """Return the tags of the root's properties and of its comment."""
    found = tags.Tags({name: _simple(root, each) for each, name in _PROPERTIES.items() if each in root})
    for each in ("BR", "WR"):
        name = _PROPERTIES[each]
        if found.get(name) and not re.fullmatch(r"\d{1,5}(\.\d{1,3})?", found[name]):
            found[each] = found.pop(name)
    left = []
    for line in _text((root.get("C") or [""])[0]).splitlines():
        name, _, value = line.partition(": ")
        if name in (*_NOTES, _POSITION) and value:
            found[name] = value.strip()
        elif line.strip():
            left.append(line.strip())
    if left:
        found["C"] = " ".join(left)
    if date := _simple(root, "DT"):
        found["Date"] = date.partition(",")[0].replace("-", ".")
    known = {*_PROPERTIES, *_ROOT_ONLY}
    found.update({name: _simple(root, name) for name in root if name not in known and len(name) == 2})
    found["Result"], standard = _result(_simple(root, "RE"))
    if standard and "TerminationDetails" not in found:
        found["TerminationDetails"] = standard
    return found


_ROOT_ONLY = ("GM", "FF", "CA", "AP", "SZ", "ST", "RE", "DT", "C", "AB", "AW", "AE", "PL", "B", "W")
"""Root properties that are not stored as tags."""


def _result(text: str) -> tuple[str, str]:
    """Return the result of the property RE, and the termination if it tells one."""
    kind = text.upper()
    if kind in ("0", "DRAW", "JIGO"):
        return "1/2-1/2", ""
    if kind == "VOID":
        return "*", Termination.VOID
    if kind[:2] not in ("B+", "W+"):
        return "*", ""
    reason = _READ_ENDINGS.get(kind[2:3])
    if reason is None and re.fullmatch(r"\d+(\.\d+)?", kind[2:]):
        reason = Termination.DECIDED
    return "1-0" if kind[0] == "B" else "0-1", reason or ""


def _start(game: Game, nodes: list[Node], position: str) -> tuple[str, list[Node]]:
    """Return the start position, and the nodes of the moves."""
    count = next((index for index, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    if position:
        return game.format_position(game.parse_position(position)), nodes[count:]
    side = game.board.rows
    placed = {"AB": 0, "AW": 0, "AE": 0}
    seat = None
    # a node with a move may set up stones before it only if it is the root, as some programs write
    for node in nodes[: max(count, 1)]:
        for name in placed:
            points = _points(side, node.get(name, []))
            placed = {each: bits & ~points for each, bits in placed.items()}
            placed[name] |= points
        if turn := _simple(node, "PL").upper():
            if turn[0] not in COLOURS:
                raise ValueError(f"PL[{turn[:20]}] is neither B nor W")
            seat = COLOURS.index(turn[0])
    if seat is None:
        handicap = placed["AB"] and not placed["AW"]
        first = nodes[count] if count < len(nodes) else {}
        seat = int("W" in first and "B" not in first) if first else int(bool(handicap))
    written = game.format_position(pack(game.state, placed["AB"], placed["AW"], seat))
    return game.format_position(game.parse_position(written)), nodes[count:]


def _points(side: int, values: list[str]) -> int:
    """Return the bits of a list of points and rectangles of points."""
    bits = 0
    for value in values:
        first, _, last = value.strip().partition(":")
        one, other = _point(side, first), _point(side, last or first)
        left, right = sorted((one[0], other[0]))
        line = (2 << right) - (1 << left)
        for row in range(min(one[1], other[1]), max(one[1], other[1]) + 1):
            bits |= line << notation.bit_of(side, 0, row)
    return bits


def _point(side: int, text: str) -> tuple[int, int]:
    """Return column and row of a point. Raises ValueError."""
    places = [_LETTERS.find(letter) for letter in text]
    if len(places) != 2 or not all(0 <= place < side for place in places):
        raise ValueError(f"[{text[:20]}] is not a point of a board of {side} by {side}")
    return places[0], side - 1 - places[1]


def _moves(game: Game, start: str, nodes: list[Node]) -> list[tuple[str, str]]:
    """Return the moves, checked, each with its comment. Raises ValueError."""
    side = game.board.rows
    match = Match(game, start=start)
    played: list[tuple[str, str]] = []
    for node in nodes:
        setup = [name for name in ("AB", "AW", "AE") if name in node]
        if setup and node is not nodes[0]:
            raise ValueError(f"after move {len(played)}: stones are set up ({setup[0]}) within the game")
        turns = [colour for colour in COLOURS if colour in node]
        if not turns:
            continue
        number = len(played) + 1
        if len(turns) > 1:
            raise ValueError(f"move {number}: a node has moves of both sides")
        value = (node[turns[0]] or [""])[0].strip()
        if not value or (value == "tt" and side <= 19):
            text = notation.PASS
        else:
            text = notation.name_of(side, notation.bit_of(side, *_point(side, value)))
        if match.position.over:
            if text == notation.PASS:
                continue  # some servers need three passes
            raise ValueError(f"move {number}: {text} follows the two passes that end the game")
        seat = match.position.to_move
        if turns[0] != COLOURS[seat]:
            raise ValueError(f"move {number}: it is {game.seats[seat]}'s turn")
        try:
            match.apply(Moved(match.ply + 1, seat, text))
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
        played.append((text, " ".join(_text((node.get("C") or [""])[0]).split())))
    return played


# ---------------------------------------------------------------- writing


def covers(game: str) -> bool:
    """Return whether this is Go on one of the boards."""
    return game in SIZES.values()


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write each record, followed by a blank line. Raises ValueError for another game."""
    for record in records:
        if not covers(record.game):
            raise ValueError(f"SGF has no notation for {record.game}")
        game = games.find(record.game)
        yield f"({_root(game, record)}\n{_nodes(game, record)})\n\n"


def _root(game: Game, record: Record) -> str:
    side = game.board.rows
    known = {
        "GM": "1",
        "FF": "4",
        "CA": "UTF-8",
        "AP": "Bot Arena",
        "SZ": f"{side}",
        **_rules(game),
    }
    values = {tag.name: tag.value(record) for tag in (*tags.EVENT, *tags.MORE)}
    for seat, player in zip(game.seats, record.players, strict=True):
        values |= {seat: player.name} | {f"{seat}{tag.name}": tag.value(player) for tag in tags.OF_PLAYERS}
    other = {name: value for name, value in record.tags.items() if re.fullmatch("[A-Z]{2}", name)}
    known |= other | {each: str(values[name]) for each, name in _PROPERTIES.items() if values.get(name)}
    if record.started:
        known["DT"] = record.started.partition("T")[0]
    known["RE"] = _written_result(game, record)
    text = ";" + "".join(f"{name}[{_escaped(value)}]" for name, value in known.items())
    notes = [f"{name}: {' '.join(str(values[name]).split())}" for name in _NOTES if values.get(name)]
    if record.start is not None:
        setup, whole = _setup(game, record.start)
        text += setup
        notes += [] if whole else [f"{_POSITION}: {record.start}"]
    remark = record.tags.get("C")
    notes += [remark] if remark else []
    return text + (f"C[{_escaped(chr(10).join(notes), lines=True)}]" if notes else "")


def _setup(game: Game, start: str) -> tuple[str, bool]:
    """Return the properties of a start position, and whether they tell all of it."""
    side, state = game.board.rows, game.parse_position(start)
    black, white, seat, passes, ko = unpack(state)
    text = ""
    for name, bits in (("AB", black), ("AW", white)):
        places = [bit for bit in range(bits.bit_length()) if bits >> bit & 1]
        text += name + "".join(f"[{_letters(side, bit)}]" for bit in places) if places else ""
    return f"{text}PL[{COLOURS[seat]}]", not passes and not ko


def _letters(side: int, bit: int) -> str:
    row, column = divmod(bit, side + 1)
    return _LETTERS[column] + _LETTERS[side - 1 - row]


def _written_result(game: Game, record: Record) -> str:
    """Return the value of RE: the winner with the margin or the reason."""
    if record.result == "1/2-1/2":
        return "0"
    if record.result == "*":
        return "Void" if record.termination is Termination.VOID else "?"
    winner = COLOURS[record.result == "0-1"]
    if record.termination is Termination.DECIDED:
        *_, last = record.positions()
        lead = 2 * notation.area_lead(last.state) - KOMI[game.board.rows]
        return f"{winner}+{abs(lead) / 2:g}"
    return f"{winner}+{_ENDINGS.get(record.termination, '') if record.termination else ''}"


def _nodes(game: Game, record: Record) -> str:
    """Return the moves, with comments as in PGN, at most ten in a line."""
    side = game.board.rows
    seat = 0 if record.start is None else game.look(game.parse_position(record.start)).to_move
    words = []
    for number, played in enumerate(movetext.moves(record)):
        bit = notation.bit_named(side, played.move)
        words.append(f";{COLOURS[seat]}[{'' if bit is None else _letters(side, bit)}]")
        comment = movetext.BOOK if number < len(record.opening) else movetext.write_comment(played)
        if comment:
            words[-1] += f"C[{_escaped(comment)}]"
        seat = 1 - seat
    return "\n".join("".join(words[begin : begin + 10]) for begin in range(0, len(words), 10))


def _escaped(text: str, *, lines: bool = False) -> str:
    """Escape a text for a value; line ends become spaces unless ``lines``."""
    text = "".join(sign if sign.isprintable() or (lines and sign == "\n") else " " for sign in text)
    return re.sub(r"([\\\]])", r"\\\1", text.encode(errors="replace").decode())


FORMAT = Format("sgf", "SGF, Go", covers, read, write)
