# SPDX-License-Identifier: GPL-3.0-or-later
"""The searches of the golden files, with their limits and their results.

Searches that keep something from move to move (tables, histories, killers, a tree) search twice: the position, and
that after the first two moves of the line that they found.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from bots.data.format import best
from bots.evolution.contests import Rule, contest, draws_of
from bots.evolution.evochess.genome import champion, express
from bots.evolution.evochess.genome import schema_for as schema_of_search
from bots.evolution.evochess.player import Player
from bots.evolution.genome import schema_for
from bots.evolution.player import DEPTH
from bots.evolution.rivals import RIVALS, Rival, default_evaluation
from engine.game import Game, Position
from engine.games import find
from engine.search import ALGORITHMS, Limits, Searcher, Switch
from engine.search.lookahead import LEAVES, new_arrays, weighing_of
from engine.walks.playout import limits_of, room
from tests.goldens.positions import Place

TABLE_BITS = 12
NODES = 6_000
"""Of the second search of the selective search, and on average of the champion."""
NO_OPENING = Rule(0, 0, -1)
KENDALL_WHITWELL = "kendall-whitwell"
CHAMPION = "champion"
"""Its file changes when another champion ships, or when it searches otherwise."""


class Found(NamedTuple):
    """The result of a search."""

    value: int
    """For the seat to move."""
    nodes: int
    move: str


Search = Callable[[Place], Sequence[Found]]


class Golden(NamedTuple):
    """A search of a game."""

    game: str
    name: str
    settings: str
    """Its limits and its evaluation: the first line of its file."""
    search: Search


DEPTHS = {
    "chess": {
        "minimax": 3,
        "alphabeta": 4,
        "ordering": 5,
        "quiescence": 3,
        "transposition": 3,
        "advanced": 6,
        "star2": 4,
        "play": 10,
        "f-negascout": 5,
        "alpha-beta": 4,
    },
    "checkers": {
        "minimax": 6,
        "alphabeta": 8,
        "ordering": 9,
        "quiescence": 6,
        "transposition": 7,
        "advanced": 11,
        "star2": 8,
        "play": 16,
        "f-negascout": 8,
        "alpha-beta": 6,
    },
}
"""The depths of searches, in plies."""


def names() -> list[str]:
    """Return the names of the searches."""
    return [*named_algorithms(), *RIVALS, CHAMPION, KENDALL_WHITWELL]


def golden(name: str, search: str) -> Golden:
    """Return a search of a game."""
    game = find(name)
    if search == CHAMPION:
        return of_champion(game)
    if search == KENDALL_WHITWELL:
        settings = f"standard weights of {schema_for(name).name}, depth {DEPTH}: a bot; then a player of breeding"
        return Golden(name, search, settings, weighed(game))
    depth = DEPTHS[name][search]
    if search in RIVALS:
        rival = Rival(game, depth, search)
        settings = f"{rival.name}, evaluation {rival.evaluation.name}"
        return Golden(name, search, settings, played(game, rival, twice=False))
    return of_algorithm(game, search, depth)


def named_algorithms() -> list[str]:
    """Return the algorithms; of those with equal switches, which are for games with dice, only the first."""
    first: dict[Switch, str] = {}
    for name, algorithm in ALGORITHMS.items():
        first.setdefault(algorithm.switches, name)
    return list(first.values())


def of_algorithm(game: Game, algorithm: str, depth: int) -> Golden:
    """Return an algorithm's search. The selective search has the best evaluation, and searches a second time."""
    plays = algorithm == "play"
    evaluation = game.evaluations[best(game)] if plays else default_evaluation(game)
    settings = f"{algorithm}, depth {depth}, evaluation {evaluation.name}"
    searcher = Searcher(game, algorithm, evaluation, table_bits=TABLE_BITS)
    if plays:
        settings += f"; then {NODES} nodes"

    def search(place: Place) -> Iterator[Found]:
        searcher.clear()
        position, keys = place.reached(game)
        for limits in (Limits(depth=depth), Limits(nodes=NODES))[: 1 + plays]:
            found = searcher.search(position.state, limits, history=keys)
            assert found.move is not None
            yield Found(found.value, found.nodes, game.format_move(position.state, found.move))
            position, keys = _after(game, position, keys, found.pv)
            if position.over:
                break

    return Golden(game.name, algorithm, settings, lambda place: list(search(place)))


def of_champion(game: Game) -> Golden:
    """Return the search of the champion of chess; elsewhere with standard weights."""
    schema, genome = schema_of_search(game.name), champion("chess").genome
    settings = f"{CHAMPION} of chess, {NODES} nodes"
    if game.name != "chess":
        genome = msgspec.structs.replace(genome, weights=schema.standard)
        settings += f", standard weights of {schema.name}"
    player = Player(game, express(schema, genome), NODES)
    return Golden(game.name, CHAMPION, settings, played(game, player, twice=True))


def played(game: Game, player: Player | Rival, *, twice: bool) -> Search:
    """Return the search of an evolved player, or of a rival."""

    def search(place: Place) -> Iterator[Found]:
        player.begin()
        position, keys = place.reached(game)
        for _ in range(1 + twice):
            found = player.choose(position, keys)
            assert found.move is not None, "the game is not over"
            yield Found(found.value, found.nodes, game.format_move(position.state, found.move))
            position, keys = _after(game, position, keys, found.pv)
            if position.over:
                break

    return lambda place: list(search(place))


def _after(game: Game, position: Position, keys: Sequence[int], line: Sequence[int]) -> tuple[Position, list[int]]:
    """Return the position after two moves of a line, or one and the first legal move, and the keys before it."""
    keys = list(keys)
    for ply in range(2):
        if position.over:
            break
        after = game.play(position, line[ply] if ply < len(line) else position.moves[0])
        keys = [] if after.irreversible else [*keys, position.key]
        position = after
    return position, keys


def weighed(game: Game) -> Search:
    """Return the search of a genome of weights: as a bot, and in compiled games of breeding.

    The latter tells leaves, not nodes, and the result of a game that ends after its move, not a value.
    """
    schema = schema_for(game.name)
    evaluation = schema.express(schema.standard)
    searcher = Searcher(game, "alphabeta", evaluation, table_bits=2)
    weighing, arrays = weighing_of(evaluation), new_arrays(game, DEPTH)
    limits = limits_of(draws_of(game, 1))
    marks, record = room(limits), np.zeros(2, np.int64)

    def search(place: Place) -> list[Found]:
        position, keys = place.reached(game)
        found = searcher.search(position.state, Limits(depth=DEPTH), history=keys)
        assert found.move is not None
        arrays.counts[:] = 0
        given: Any = (position.state, limits, NO_OPENING, np.uint64(0), DEPTH, weighing, weighing, weighing)
        _, _, payoff = contest(*given, arrays, marks, record)
        return [
            Found(found.value, found.nodes, game.format_move(position.state, found.move)),
            Found(round(payoff), int(arrays.counts[LEAVES]), game.format_move(position.state, int(record[0]))),
        ]

    return search
