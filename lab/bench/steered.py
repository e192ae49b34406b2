# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes for a second of CPU of players that programs steer, beside the hand-written frame, in the middle game of chess.

Beside them stands the frame of the exact searches with the switches that make it NegaScout with quiescence search, and
the same evaluation. The programs are the plain one, one that looks at all that costs time, and bred gibberish.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random

from bots.evolution.evochess.genome import drawn, express, schema_for
from bots.evolution.programs.program import Program
from bots.evolution.steered.player import Player
from bots.evolution.steered.steering import CAPTURES_FIRST, PLAIN, Steering, default_evaluation
from engine.games import find
from engine.search import Limits, Searcher
from engine.search.switches import ALGORITHMS, Switch
from lab.bench.lines import Line, beside
from lab.bench.search import POSITIONS

NODES = 400_000
"""For each position."""
CURIOUS: Program = (
    *("if", "passes", "-", "horizon", 3.0, "if", "<", "gain", 0.5, "if", "threatens", "horizon"),
    *("if", "loses", "-", "horizon", 2.0, "if", "<", "+", "score", "sigmoid", "horizon", "-", "alpha", "material"),
    *("keep level 0", "shallower", "shallower", "horizon", "-", "horizon", "/", "place", "+", "level 0", 5.0),
    *("if", "threatened", "deeper", "horizon", "horizon"),
)
TARGET = 1 / 3


def hand_written() -> float:
    """Search each position and return nodes for a second of CPU."""
    game = find("chess")
    switches = ALGORITHMS["ordering"].switches | Switch.QUIESCENCE | Switch.NULL_WINDOWS
    searcher = Searcher(game, "ordering", default_evaluation(game), switches=switches)
    searcher.warm_up()
    nodes, spent = 0, 0.0
    for fen in POSITIONS:
        searcher.clear()
        began = time.process_time()
        nodes += searcher.search(game.parse_position(fen), Limits(nodes=NODES)).nodes
        spent += time.process_time() - began
    return nodes / spent


def steered(steering: Steering) -> float:
    """Do the same with a steered player."""
    game = find("chess")
    Player(game, steering, 1).choose(game.look(game.start()))
    nodes, spent = 0, 0.0
    for fen in POSITIONS:
        player = Player(game, steering, NODES)
        position = game.look(game.parse_position(fen))
        began = time.process_time()
        nodes += player.choose(position).nodes
        spent += time.process_time() - began
    return nodes / spent


def players() -> dict[str, Steering]:
    """Return those that are measured, by what they are."""
    game, schema = find("chess"), schema_for("chess")
    plain = Steering(PLAIN, CAPTURES_FIRST, default_evaluation(game), patience=1.0)
    curious = replace(
        plain,
        program=CURIOUS,
        order=(100.0, 300.0, 40.0, 30.0, 50.0, 20.0, 0.0, 0.0, 0.0, 0.0),
        verifies=True,
        passes=True,
    )
    chance = Random(2002)
    longest = max((drawn(schema, chance) for _ in range(20)), key=lambda one: len(one.program))
    return {
        "the plain program": plain,
        "a program that looks at everything": curious,
        "long gibberish": replace(express(schema, longest), patience=1.0),
    }


def run() -> Iterator[Line]:
    """Measure."""
    for name, steering in players().items():
        ours, theirs, why = beside(partial(steered, steering), hand_written)
        yield Line(
            what=f"nodes of a steered player of chess: {name}",
            unit="1/s CPU",
            ours=ours,
            peer=theirs,
            peer_name="the hand-written frame",
            target=TARGET,
            note=why,
        )
