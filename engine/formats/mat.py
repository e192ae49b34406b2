# SPDX-License-Identifier: GPL-3.0-or-later
"""MAT (Jellyfish) for backgammon: reader and writer.

A file has a line "N point match", 0 for money games, and games. A game has the players with their scores, then numbered
lines with the turns of both, seat 0 at the left: "31: 8/5 6/5", "Doubles => 2", "Takes", "Drops", "Wins 1 point". Some
programs write 25 for the bar and 0 for off; the reader accepts that too. Each turn is checked. A record is one game. A
game without cube turns is read as ``backgammon``, others as ``backgammon/cube``.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from engine import games
from engine.formats import Format, Unreadable, movetext, refuse
from engine.game import CHANCE, Game, Position
from engine.games.backgammon.board import OPENING, cube_value
from engine.match.ending import Termination
from engine.match.record import PlayedMove, Player, Record

FAMILY = "backgammon"
WITH_CUBE = "backgammon/cube"
WIDTH = 34
"""Characters of the left column."""
_GAME = re.compile(r"\s*Game\s+(\d+)\s*")
_LENGTH = re.compile(r"\s*(\d+)\s+point match\s*", re.IGNORECASE)
_TAG = re.compile(r'\s*;\s*\[(\w+)\s+"(.*)"\]\s*')
_SCORE = re.compile(r"\s*:\s*\d{1,9}(?:\s{2,}|\s*$)")
LONGEST_LINE = 1_000
"""Characters of a line of a game that are read."""
_TURN = re.compile(r"\s*(\d+)\)\s?(.*)")
_WINS = re.compile(r"wins\s+(\d+)\s+points?(?:\s+and the match)?", re.IGNORECASE)
_REPEATED = re.compile(r"(\S+)\((\d)\)")
_CELL = re.compile(
    r"(?P<roll>[1-6][1-6]):\s*(?P<play>(?:(?!\s{2,}|[1-6][1-6]:|doubles|wins|takes|drops).)*)"
    r"|(?P<cube>doubles?(?:\s*=>\s*\d+)?|takes?|accepts?|drops?|passes|rejects?)"
    r"|(?P<wins>wins\s+\d+\s+points?(?:\s+and the match)?)"
    r"|(?P<other>\?+|\S+)",
    re.IGNORECASE,
)


# ---------------------------------------------------------------- reading


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Record]:
    """Read the games of a MAT file from its lines."""
    for first, header, text in _split(lines, unreadable):
        try:
            if sum(map(len, text)) > movetext.LIMIT:
                raise ValueError(f"the game is longer than {movetext.LIMIT:,} characters")
            yield _record(text, header)
        except (ValueError, KeyError) as error:
            unreadable(Unreadable(first, str(error.args[0])))


def _split(
    lines: Iterable[str], unreadable: Callable[[Unreadable], None]
) -> Iterator[tuple[int, dict[str, str], list[str]]]:
    """Yield the number of the first line, the header and the lines of each game.

    The header holds the tags and the length of the match above the game. Later games of the same match share it.
    """
    first, game, size, strange = 0, list[str](), 0, False
    header, above = dict[str, str](), dict[str, str]()
    for number, line in enumerate(lines, 1):
        line = line.lstrip("\ufeff").rstrip("\r\n")
        if tag := _TAG.fullmatch(line):
            above[tag[1]] = tag[2]
        elif length := _LENGTH.fullmatch(line):
            above["length"] = length[1]
        elif _GAME.fullmatch(line):
            if first:
                yield first, header, game
            if not first or "length" in above:
                header = above
            first, game, size, above = number, [], 0, {}
        elif line.strip() and not line.lstrip().startswith(";"):
            if first and size <= movetext.LIMIT:
                game.append(line)
                size += len(line)
            elif not first and not strange:
                strange = True
                reason = f"{line.strip()[:40]!r} is not the beginning of a MAT file: 'N point match'"
                unreadable(Unreadable(number, reason))
    if first:
        yield first, header, game


def _record(lines: list[str], header: dict[str, str]) -> Record:
    if header.get("length", "").strip("0"):
        raise ValueError(f"the game is of a match to {header['length'][:9]} points; only money games can be read")
    if any(len(line) > LONGEST_LINE for line in lines):
        raise ValueError(f"a line is longer than {LONGEST_LINE:,} characters")
    names = [name.strip() for name in _SCORE.split(lines[0], maxsplit=2)] if lines else []
    if len(names) != 3 or not names[0] or not names[1] or names[2]:
        raise ValueError("the game does not begin with the players: 'anna : 0      bo : 0'")
    cells = list(_cells(lines[1:]))
    cube = any(kind == "cube" for _, kind, _ in cells) or header.get("Variation", "") == WITH_CUBE
    game = games.find(WITH_CUBE if cube else FAMILY)
    position = game.look(game.start())
    moves: list[PlayedMove] = []
    won: tuple[int, int] | None = None
    for number, (seat, kind, text) in enumerate(cells, 1):
        if won:
            raise ValueError(f"turn {number}: a turn follows the end of the game")
        if kind == "wins":
            points = int(_digits(text))
            if not 1 <= points <= game.stakes:
                raise ValueError(f"turn {number}: a game is won by 1 to {game.stakes:g} points")
            won = seat, points
            continue
        try:
            position = _play(game, position, seat, kind, text, moves)
        except ValueError as error:
            raise ValueError(f"turn {number}: {error}") from None
    result, termination, payoff = _end(position, won)
    event, date = header.get("Event", ""), header.get("EventDate", "").replace(".", "-")
    return Record(
        game=game.name,
        players=(Player(names[0]), Player(names[1])),
        result=result,
        moves=tuple(moves),
        termination=termination,
        payoff=payoff,
        event=event,
        site=header.get("Site", ""),
        started=date if re.fullmatch(r"\d{4}-\d\d-\d\d", date) else None,
    )


def _digits(text: str) -> str:
    found = _WINS.fullmatch(text)
    return found[1][:6] if found else "0"


def _cells(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the seat, the kind and the text of each turn.

    The first cell of a line is that of seat 0, unless it begins in the right column.
    """
    for line in lines:
        turn = _TURN.fullmatch(line)
        begin = turn.start(2) if turn else 0
        text = line[begin:]
        found = [match for match in _CELL.finditer(text) if match.lastgroup != "other" or match[0].strip("?")]
        bad = next((match for match in found if match.lastgroup == "other"), None)
        if bad:
            raise ValueError(f"{bad[0][:40]!r} is neither a turn nor a double")
        if len(found) > 2:
            raise ValueError(f"a line has {len(found)} turns; it has those of two players at most")
        for place, match in enumerate(found):
            kind = match.lastgroup if match.lastgroup != "play" else "roll"
            right = place == 1 or begin + match.start() >= WIDTH - 6
            yield int(right), kind or "", match[0].strip()


def _play(game: Game, position: Position, seat: int, kind: str, text: str, moves: list[PlayedMove]) -> Position:
    """Play the turn of a cell; note its moves."""

    def played(text: str) -> None:
        nonlocal position
        move = game.parse_move(position, text)
        moves.append(PlayedMove(game.format_move(position.state, move)))
        position = game.play(position, move)

    if kind == "cube":
        if position.to_move != seat:
            raise ValueError(f"it is not the turn of {game.seats[seat]}")
        word = text.split()[0].lower()
        played("double" if word.startswith("double") else "take" if word[0] in "ta" else "drop")
        return position
    dice, _, steps = text.partition(":")
    if position.to_move not in (CHANCE, seat):
        raise ValueError(f"it is not the turn of {game.seats[seat]}")
    if position.to_move == seat:
        played("roll")
    if position.state.seat not in (seat, OPENING):
        raise ValueError(f"it is not the turn of {game.seats[seat]}")
    if position.state.seat == OPENING:
        dice = "".join(sorted(dice, reverse=seat == 0))
    played(dice)
    steps = re.sub(r"\b25/", "bar/", re.sub(r"/0\b", "/off", steps.strip().lower()))
    played(steps or "pass")
    return position


def _end(position: Position, won: tuple[int, int] | None) -> tuple[str, Termination | None, float]:
    """Return result, reason, and the winner's points: by the rules, or as stated in the file."""
    if position.over:
        winner = 0 if position.payoffs[0] > 0 else 1
        if won and won[0] != winner:
            raise ValueError("the game was won by the other player")
        return ("1-0", "0-1")[winner], Termination.DECIDED, max(position.payoffs)
    if won:
        return ("1-0", "0-1")[won[0]], Termination.RESIGNATION, float(won[1])
    return "*", None, 1.0


# ---------------------------------------------------------------- writing


def covers(game: str) -> bool:
    """Return whether this is backgammon, with or without the cube."""
    return game.partition("/")[0] == FAMILY


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write each record as a file of one money game.

    Raises ValueError for another game, and for a game that does not begin with the initial position.
    """
    for record in records:
        if not covers(record.game):
            raise ValueError(f"MAT has no notation for {record.game}")
        if record.start is not None and record.start != games.find(record.game).format_position(
            games.find(record.game).start()
        ):
            raise ValueError("MAT has no notation for a game from another position")
        yield "".join(line.rstrip() + "\n" for line in _written(record))


def _written(record: Record) -> Iterator[str]:
    if record.site:
        yield f'; [Site "{_plain(record.site)}"]'
    if record.event:
        yield f'; [Event "{_plain(record.event)}"]'
    if record.game != FAMILY:
        yield f'; [Variation "{record.game}"]'
    if record.started:
        yield f'; [EventDate "{record.started[:10].replace("-", ".")}"]'
    yield ""
    yield " 0 point match"
    yield ""
    yield " Game 1"
    first, second = (_plain(re.sub("[:;]", " ", player.name)) for player in record.players)
    yield f" {first} : 0".ljust(WIDTH) + f" {second} : 0"
    cells: list[tuple[int, str]] = list(_turns(record))
    number, left = 1, None
    for seat, text in cells:
        if seat == 0:
            if left is not None:
                yield f"{number:3d}) {left}"
                number += 1
            left = text
        else:
            yield f"{number:3d}) {left or '':{WIDTH - 6}} {text}"
            number, left = number + 1, None
    if left is not None:
        yield f"{number:3d}) {left}"
    yield ""


def _plain(text: str) -> str:
    return re.sub(r'[\x00-\x1f\x7f"]+', " ", text).strip() or "?"


def _turns(record: Record) -> Iterator[tuple[int, str]]:
    """Yield the seat and the text of each cell."""
    positions = list(record.positions())
    dice = ""
    for position, played in zip(positions, movetext.moves(record), strict=False):
        state, text = position.state, played.move
        if position.to_move == CHANCE:
            dice = "".join(sorted(text, reverse=True))
        elif text == "double":
            yield position.to_move, f"Doubles => {2 * cube_value(state.cube)}"
        elif text in {"take", "drop"}:
            yield position.to_move, f"{text.capitalize()}s"
        elif text != "roll":
            # Jellyfish and GNU Backgammon write a pass without a step
            steps = "" if text == "pass" else _REPEATED.sub(lambda found: " ".join([found[1]] * int(found[2])), text)
            yield position.to_move, f"{dice}: {steps.replace('bar/', '25/').replace('/off', '/0')}"
    if record.result in {"1-0", "0-1"}:
        winner = int(record.result == "0-1")
        points = round(record.payoff)
        yield winner, f"Wins {points} point{'s' if points > 1 else ''}"


FORMAT = Format("mat", "MAT, backgammon", covers, read, write)
