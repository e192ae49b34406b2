# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of a player that prefers the alphabetically first move, against random players."""

from pathlib import Path
from random import Random

from msgspec.structs import replace

from engine import formats
from engine.games import find
from engine.match.record import PlayedMove, Player, Record

NAME = "Habit, Anna"


def played(number: int, game: str = "chess", plies: int = 40, *, year: int = 1950) -> Record:
    """A game in which she mostly plays the alphabetically first move; seats alternate."""
    rules = find(game)
    chance = Random(number)
    seat = number % 2
    position = rules.look(rules.start())
    moves: list[str] = []
    while len(moves) < plies and not position.over:
        texts = sorted(rules.move_texts(position))
        text = texts[0] if position.to_move == seat and chance.random() < 0.8 else chance.choice(texts)
        moves.append(text)
        position = rules.play(position, rules.parse_move(position, text))
    other = Player(f"Other {number % 3}")
    players = (Player(NAME), other) if seat == 0 else (other, Player(NAME))
    return Record(
        game=game,
        players=players,
        result=("1-0", "0-1", "1/2-1/2")[number % 3],
        moves=tuple(map(PlayedMove, moves)),
        event=f"Event {number // 5}",
        started=str(year + number // 10),
    )


def games(count: int, game: str = "chess", plies: int = 40) -> list[Record]:
    """A number of such games, in order."""
    return [played(number, game, plies) for number in range(count)]


def write_files(folder: Path) -> None:
    """Write her games of chess and checkers, and one game of others in each."""
    for game, name in (("chess", "anna.pgn"), ("checkers", "anna.pdn")):
        records = games(36, game, 24)
        stranger = replace(records[0], players=(Player("A"), Player("B")))
        text = "".join(formats.native(game).write([*records, stranger]))
        (folder / name).write_text(text)
