# SPDX-License-Identifier: GPL-3.0-or-later
"""Search traces: the depth that a program gives each branch near the root of a position, and the nodes that rivals need
there.

The positions are the same for all players of a game, so that their pictures can be compared: three of a game that a
rival plays against itself, in which every fourth move is random. Rivals search every branch to the same depth, so
only their nodes are shown.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from arena.protocol.genome_views import Branch, Searched, SearchTrace
from bots.evolution.evochess.player import Player, SearchSettings
from bots.evolution.rivals import ALPHA_BETA, NEGASCOUT, Rival
from engine.game import Game, Position
from engine.games import find
from engine.search import SearchResult
from engine.search.programs.memory import GIVEN, MOVE, PLY, REACH, VISITS

DEPTH = 5
"""Depth of the rivals, in plies (Gross and others)."""
MOST = 20_000_000
"""Node limit of a rival's search: a few seconds."""
TRACED = 50_000
"""Maximum number of traced branches of a search."""
SHOWN = 80
"""Maximum number of branches in a search trace: those of the root, then those with most nodes."""

SEED, PLIES, RANDOM = 2002, 64, 4
"""Of the game that the positions come from: its seed, its length at most, and one move in RANDOM is random."""
STAGES = (1 / 8, 1 / 2, 7 / 8)
"""The places of the positions in the game."""


@functools.cache
def positions(name: str) -> tuple[Position, ...]:
    """Return the positions of a game; fewer if the game is soon over."""
    game = find(name)
    player, chance = Rival(game, 2), Random(SEED)
    position = game.look(game.start())
    course: list[Position] = []
    while not position.over and len(course) < PLIES:
        course.append(position)
        random = len(course) % RANDOM == 0
        move = chance.choice(position.moves) if random else player.choose(position).move
        assert move is not None, "the game is not over"
        position = game.play(position, move)
    places = sorted({int(len(course) * stage) for stage in STAGES})
    return tuple(course[place] for place in places)


def search_trace(game: Game, settings: SearchSettings, nodes: int, position: Position, name: str) -> SearchTrace:
    """Search a position that is not over with a player, which has this name and average of nodes, and its rivals."""
    player = Player(game, settings, nodes, traced=TRACED)
    searches = [_searched(game, position, name, player.choose(position), player.branches)]
    for kind in (NEGASCOUT, ALPHA_BETA):
        rival = Rival(game, DEPTH, kind, most=MOST)
        searches.append(_searched(game, position, rival.name, rival.choose(position)))
    return SearchTrace(game.format_position(position.state), game.diagram(position.state), position.to_move, searches)


@dataclass(slots=True)
class _Branch:
    """A branch of the position before it, with all its searches in the iteration."""

    parent: int
    move: int
    given: int
    reach: int
    nodes: int = 0


def _searched(
    game: Game, position: Position, name: str, found: SearchResult, rows: Sequence[Sequence[int]] = ()
) -> Searched:
    branches = _merged(rows, sum(iteration.nodes for iteration in found.iterations))
    kept = _most(branches)
    assert found.move is not None, "the game is not over"
    return Searched(
        name,
        found.nodes,
        found.depth,
        game.write_move(position, found.move),
        _shown(game, position, branches, kept),
        len(branches) - len(kept),
        not found.depth,
    )


def _merged(rows: Sequence[Sequence[int]], end: int) -> list[_Branch]:
    """Return each branch once, after its parent; ``end``: visited positions when the last branch was finished."""
    branches: list[_Branch] = []
    places: dict[tuple[int, int], int] = {}
    line: list[tuple[int, int]] = []
    """The branches that lead to a row, each with the visits when it began."""

    def close(plies: int, visits: int) -> None:
        while len(line) > plies:
            place, before = line.pop()
            branches[place].nodes += visits - before
            if line:
                parent = branches[line[-1][0]]
                parent.reach = max(parent.reach, branches[place].reach)

    for number, row in enumerate(rows):
        if row[GIVEN] < 0 and row[VISITS] == (rows[number + 1][VISITS] if number + 1 < len(rows) else end):
            continue  # the program left the branch out
        close(row[PLY], row[VISITS])
        parent = line[-1][0] if line else -1
        place = places.setdefault((parent, row[MOVE]), len(branches))
        if place == len(branches):
            branches.append(_Branch(parent, row[MOVE], row[GIVEN], row[REACH]))
        branches[place].given = max(row[GIVEN], 0)
        branches[place].reach = max(branches[place].reach, row[REACH])
        line.append((place, row[VISITS]))
    close(0, end)
    return branches


def _most(branches: Sequence[_Branch]) -> list[int]:
    """Return the places of the branches that are shown, in order; each comes with those that lead to it."""
    # a branch has no more nodes than its parent, which comes before it
    ranked = sorted((branch.parent >= 0, -branch.nodes, place) for place, branch in enumerate(branches))
    return sorted(place for _, _, place in ranked[:SHOWN])


def _shown(game: Game, root: Position, branches: Sequence[_Branch], places: Sequence[int]) -> list[Branch]:
    after: dict[int, Position] = {-1: root}
    now = {-1: -1}
    shown: list[Branch] = []
    for place in places:
        branch = branches[place]
        before = after[branch.parent]
        after[place] = game.play(before, branch.move)
        now[place] = len(shown)
        text = game.write_move(before, branch.move)
        shown.append(Branch(now[branch.parent], text, branch.given / 1000, branch.reach, branch.nodes))
    return shown
