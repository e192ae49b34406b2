# SPDX-License-Identifier: GPL-3.0-or-later
"""PDN (Portable Draughts Notation) for checkers: reader and writer.

Black moves first, and "1-0" is a win of the first player, as in English-language collections. The reader accepts their
usual content: plain moves written with "x", captures written by their end squares, missing tags, variations, annotation
marks, remarks outside of braces. Each move is checked, so records have legal moves in the game's notation.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import structs

from engine import games
from engine.formats import Format, Unreadable, movetext, refuse, tags
from engine.game import Game
from engine.match.record import Record

GAME_TYPE = "21"
"""English draughts in PDN's list of variants."""

FAMILY = "checkers"

SPECIAL = (
    tags.Tag("GameType", f"`{GAME_TYPE}`: English draughts, in PDN's list of games", lambda _: GAME_TYPE),
    tags.Tag(
        "Variant",
        "name of the rule set; without it, the official rules",
        lambda record: record.game.partition("/")[2] or None,
    ),
)
"""The tags of PDN, behind the standard ones."""

_TOKEN = re.compile(
    r"""\s+ | ;[^\n]* | \$\d+ | [!?]+
    | \{(?P<comment>[^}]*)\} | [^\W\d]\S*
    | (?P<bracket>[()])
    | (?P<number>\d+\s*\.[.\s]*)
    | (?P<result>1/2-1/2|1-0|0-1|2-0|1-1|0-2|\*)(?![\d-])
    | (?P<move>\d\d?(?:\s*[-x:]\s*\d\d?)+)[!?*]*
    """,
    re.VERBOSE,
)
_RESULTS = {"2-0": "1-0", "1-1": "1/2-1/2", "0-2": "0-1"}


# ---------------------------------------------------------------- reading


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Record]:
    """Read the games of a PDN file from its lines."""
    for source in movetext.split(lines):
        try:
            yield _record(source.tags, source.checked())
        except (ValueError, KeyError) as error:
            unreadable(Unreadable(source.line, str(error.args[0])))


def _record(found: tags.Tags, text: str) -> Record:
    game = _game(found)
    start = found.start()
    written, ending = _moves(text)
    position = game.look(game.start() if start is None else game.parse_position(start))
    played: list[tuple[str, str]] = []
    for text, comment in written:
        texts = game.move_texts(position)
        # the two usual spellings first, because other spellings take several times as long
        move = texts.get(text, texts.get(text.replace("x", "-")))
        try:
            move = game.parse_move(position, text) if move is None else move
        except ValueError as error:
            raise ValueError(f"move {len(played) + 1}: {error}") from None
        played.append((game.format_move(position.state, move), comment))
        position = game.play(position, move)
    if start is not None:
        start = game.format_position(game.parse_position(start))
    return movetext.to_record(game, found, start, played, ending)


def _game(found: tags.Tags) -> Game:
    kind = found.take("GameType") or GAME_TYPE
    if kind.partition(",")[0].strip() != GAME_TYPE:
        raise ValueError(f"GameType {kind[:20]} is not English draughts ({GAME_TYPE})")
    variant = found.take("Variant")
    return games.find(f"{FAMILY}/{variant}" if variant else FAMILY)


def _moves(text: str) -> tuple[list[tuple[str, str]], str | None]:
    """Return the moves of the main line with the first comment on each, and the result at the end."""
    moves: list[tuple[str, str]] = []
    result: str | None = None
    depth = place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if not token:
            raise ValueError(f"{text[place : place + 20]!r} is neither a move nor a comment")
        place = token.end()
        if token["bracket"]:
            depth += 1 if token["bracket"] == "(" else -1
            if depth < 0:
                raise ValueError("the end of a variation has no beginning")
        elif depth:
            continue
        elif token["comment"] is not None and moves and not moves[-1][1]:
            moves[-1] = moves[-1][0], token["comment"].strip()
        elif token["result"]:
            result = _RESULTS.get(token["result"], token["result"])
        elif token["move"]:
            if result:
                raise ValueError("a move follows the result")
            moves.append(("".join(token["move"].split()).replace(":", "x"), ""))
    if depth:
        raise ValueError("a variation does not end")
    return moves, result


# ---------------------------------------------------------------- writing


def covers(game: str) -> bool:
    """Return whether this is checkers or a variant of it."""
    return game.partition("/")[0] == FAMILY


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write each record, followed by a blank line. Raises ValueError for another game."""
    for record in records:
        if not covers(record.game):
            raise ValueError(f"PDN has no notation for {record.game}")
        game = games.find(record.game)
        if record.start == game.format_position(game.start()):
            record = structs.replace(record, start=None)
        section = "".join(tags.write(record, game.seats, SPECIAL))
        ply = 0 if record.start is None else game.look(game.parse_position(record.start)).to_move
        texts = (played.move for played in movetext.moves(record))
        yield f"{section}\n{movetext.write(record, texts, ply)}\n\n"


FORMAT = Format("pdn", "PDN, draughts", covers, read, write)
