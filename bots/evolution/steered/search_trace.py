# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program does on a position: how deep it looks into each branch near the root, and what the rivals take there.

Positions to look at are the same for all players of a game, so that pictures of them can be compared: three of a game
that the rival two plies deep plays against itself, every fourth move by lot.
"""

import functools
from collections.abc import Sequence
from random import Random

from arena.protocol.genome_views import Branch, Searched, SearchTrace
from bots.evolution.steered.desk import GIVEN, MOVE, NO_MOVE, PARENT, REACH, ROOT, SPENT
from bots.evolution.steered.player import Player
from bots.evolution.steered.steering import Steering, alpha_beta, negascout
from bots.evolution.steered.trace import PARTS
from engine.game import Game, Position, State, passed
from engine.games import find
from engine.kernel import brief

DEPTH = 5
"""Of the rivals, in plies (Gross and others)."""
MOST = 20_000_000
"""Nodes that a rival may take on a position: a few seconds."""
TRACED = 50_000
"""Branches that are written down of a search, at most."""
SHOWN = 80
"""Of a search; those of the root, then those that took most nodes."""

SEED, PLIES, BY_LOT = 2002, 64, 4
"""Of the game that positions are taken from: its lots, how long it is at most, and which of its moves are drawn."""
STAGES = (1 / 8, 1 / 2, 7 / 8)
"""Where in it they stand."""
PASS = "pass"


@functools.cache
def positions(name: str) -> tuple[Position, ...]:
    """Return the positions of a game to look at; fewer where it is soon over."""
    game = find(name)
    player, chance = Player(game, negascout(game, 2)), Random(SEED)
    position = game.look(game.start())
    course: list[Position] = []
    while not position.over and len(course) < PLIES:
        course.append(position)
        drawn = len(course) % BY_LOT == 0
        position = game.play(position, chance.choice(position.moves) if drawn else player.choose(position).move)
    places = sorted({int(len(course) * stage) for stage in STAGES})
    return tuple(course[place] for place in places)


def search_trace(game: Game, steering: Steering, nodes: int, position: Position, name: str) -> SearchTrace:
    """Let a player of a name, with so many nodes a move, and its rivals search a position that is not over."""
    state = position.state
    searches = [
        _search(Player(game, steering, nodes, traced=TRACED), position, name),
        _search(Player(game, negascout(game, DEPTH), most=MOST, traced=TRACED), position, f"f-negascout-{DEPTH}"),
        _search(Player(game, alpha_beta(game, DEPTH), most=MOST), position, f"alpha-beta-{DEPTH}"),
    ]
    return SearchTrace(game.format_position(state), game.diagram(state), position.to_move, searches)


@brief
def _passed(state: State) -> State:
    return passed(state)


def _search(player: Player, position: Position, name: str) -> Searched:
    game, thought = player.game, player.choose(position)
    rows = player.branches.tolist()
    kept = _most(rows)
    return Searched(
        name,
        thought.nodes,
        thought.depth,
        game.write_move(position, thought.move),
        _branches(game, position, [rows[place] for place in kept], kept),
        len(rows) - len(kept),
        player.steering.depth is not None and not thought.depth,
    )


def _most(rows: Sequence[Sequence[int]]) -> list[int]:
    """Return the places of the rows to be shown, in order: who is, is so with all that it grows from."""
    # nobody took more nodes than what it grows from, which comes before it
    ranked = sorted(range(len(rows)), key=lambda place: (rows[place][PARENT] != ROOT, -rows[place][SPENT], place))
    return sorted(ranked[:SHOWN])


def _branches(game: Game, root: Position, rows: Sequence[Sequence[int]], places: Sequence[int]) -> list[Branch]:
    behind: dict[int, Position] = {ROOT: root}
    now = {ROOT: ROOT}
    found: list[Branch] = []
    for place, row in zip(places, rows, strict=True):
        before, move = behind[row[PARENT]], row[MOVE]
        if move == NO_MOVE:
            text, behind[place] = PASS, game.look(_passed(before.state))
        else:
            text, behind[place] = game.write_move(before, move), game.play(before, move)
        now[place] = len(found)
        found.append(Branch(now[row[PARENT]], text, row[GIVEN] / PARTS, row[REACH], row[SPENT]))
    return found
