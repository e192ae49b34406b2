# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions of the golden files: openings, middlegames, endings and tactical positions, with the moves before them.

They come from games from random openings, drawn by a seed. In two of three games the selective search plays, with some
random moves; in the others all moves are random. Each line of a file is a kind, a position, and the reversible moves
from there to the position that is searched, because searches need them for draws by repetition.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from bots.evolution.rivals import default_evaluation
from engine.game import Game, Position
from engine.games import find
from engine.opening import random_opening
from engine.search import Limits, Searcher

FOLDER = Path(__file__).parent
GAMES = ("chess", "checkers")
KINDS = OPENING, MIDDLEGAME, ENDING, TACTICAL = ("opening", "middlegame", "ending", "tactical")
EACH = 50
"""Positions of a kind."""
SEED = 22
NODES = 400
"""Nodes per move of the games."""
RANDOM = 8
"""One move in this number is random; in one game of three, every move."""
LONGEST = 160
"""Plies of a game."""
EARLY, LATE = 10, 14
"""Last ply of openings, and first ply of middlegames."""
FEW = 3
"""In endings this part of the pieces is left: a third."""
SWING = 1.5
"""In tactical positions, quiescence search changes the score by this many pawn units."""
BEFORE = 12
"""Reversible moves before a position that are kept."""


class Place(NamedTuple):
    """A position and how it came about."""

    kind: str
    base: str
    """An earlier position, in the game's notation."""
    moves: tuple[str, ...]
    """The moves from there."""

    def reached(self, game: Game) -> tuple[Position, list[int]]:
        """Return the position, and the keys of those before it that can repeat."""
        position, keys = game.look(game.parse_position(self.base)), []
        for text in self.moves:
            keys.append(position.key)
            position = game.play(position, game.parse_move(position, text))
        return position, keys


def path_of(name: str) -> Path:
    """Return the file of the positions of a game."""
    return FOLDER / name / "positions.tsv"


def read(name: str) -> list[Place]:
    """Return the positions of a game."""
    rows = (line.split("\t") for line in path_of(name).read_text(encoding="utf-8").splitlines())
    return [Place(kind, base, tuple(moves.split())) for kind, base, moves in rows]


def write(name: str) -> None:
    """Draw the positions of a game again, and write them: the kinds in turn, so that each beginning has all of them."""
    path = path_of(name)
    path.parent.mkdir(exist_ok=True)
    lines = ["\t".join((kind, base, " ".join(moves))) + "\n" for kind, base, moves in drawn(find(name))]
    path.write_text("".join(lines), encoding="utf-8")


def drawn(game: Game) -> list[Place]:
    """Draw different positions of each kind, at most one of a kind from a game; the kinds in turn."""
    found: dict[str, list[Place]] = {kind: [] for kind in KINDS}
    judge = Searcher(game, "quiescence", default_evaluation(game))
    seen: set[int] = set()
    for number in count():
        wanted = [kind for kind in KINDS if len(found[kind]) < EACH]
        if not wanted:
            break
        chance = Random(f"{SEED}/{game.name}/{number}")
        course = list(enumerate(_course(game, number, chance), 1))
        chance.shuffle(course)
        for ply, (base, moves) in course:
            position, _ = Place("", base, moves).reached(game)
            kind = _kind(game, judge, position, ply)
            if kind in wanted and position.key not in seen:
                seen.add(position.key)
                wanted.remove(kind)
                found[kind].append(Place(kind, base, moves))
    return [place for places in zip(*found.values(), strict=True) for place in places]


def _course(game: Game, number: int, chance: Random) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Play a game; yield each position in which there is a choice, by an earlier one and the moves from there."""
    searcher = Searcher(game, "play", quiescence=True, repetition=True, table_bits=14)
    opening = random_opening(game, number)
    position = game.look(game.start())
    before = [(position, "")]
    keys: list[int] = []
    for ply in range(LONGEST):
        if ply < len(opening):
            move = game.parse_move(position, opening[ply])
        elif number % 3 == 0 or chance.randrange(RANDOM) == 0:
            move = chance.choice(position.moves)
        else:
            found = searcher.search(position.state, Limits(nodes=NODES), history=keys).move
            assert found is not None, "the game is not over"
            move = found
        text = game.format_move(position.state, move)
        keys.append(position.key)
        position = game.play(position, move)
        if position.over:
            return
        if position.irreversible:
            before, keys = [], []
        before.append((position, text))
        if len(position.moves) > 1:
            recent = before[-BEFORE - 1 :]
            yield game.format_position(recent[0][0].state), tuple(text for _, text in recent[1:])


def _kind(game: Game, judge: Searcher, position: Position, ply: int) -> str:
    """Return the kind of a position, "" for none."""
    static = game.score(position.state, judge.evaluation)
    value = judge.search(position.state, Limits(depth=2)).value
    if judge.evaluation.pawn_units(abs(value - static)) >= SWING:
        return TACTICAL
    now, first = (sum(square != "." for square in game.diagram(state)) for state in (position.state, game.start()))
    if FEW * now <= first:
        return ENDING
    return OPENING if ply <= EARLY else MIDDLEGAME if ply >= LATE else ""
